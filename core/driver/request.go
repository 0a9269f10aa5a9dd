package driver

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/description"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/session"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"rumongo-go/core/fault"
)

// request is one command and its reply. The message is what the official Node.js driver would write, in its order: the
// command's own elements, apiVersion..., lsid, $clusterTime, $readPreference, $db.
//
// The Go driver has another order, and it adds read preferences in other cases. So all but $db, which both have last, is
// appended here, and the operation is given nothing of which it would append something itself: no session, no server
// API, an empty clock, and a primary read preference on a topology that does not call itself a single server.
type request struct {
	deployment *deployment
	listener   *Listener // nil: none
	target     driver.Deployment
	db         string
	elements   []byte          // of the command, verbatim
	readPref   *ReadPreference // nil: primary
	session    *session.Client
	retry      bool
	sending    func() error                                       // of the command
	unsent     bool                                               // may be sent later when there was no connection to send it on; retry implies it
	reply      func(bsoncore.Document, driver.ResponseInfo) error // of a reply that is no error

	heard    session.ClusterClock // the cluster times of replies; emptied before each attempt
	attempts int
}

// maxUnsent is how often a command is tried again that was never sent.
const maxUnsent = 3

// execute sends the command, once more when retry is set and the failure allows it, and has reply read the answer.
//
// When one operation's connection breaks, the driver clears the whole pool, and every operation that waits for a
// connection fails. Its own retry leaves most of these out. They were not sent, so that another try is safe, of a getMore
// as well: fifty reads at a time would otherwise lose ten for one connection.
func (r *request) execute(ctx context.Context) error {
	for tries := 0; ; tries++ {
		sent := r.attempts
		err := r.try(ctx)
		if tries == maxUnsent || r.attempts > sent || !r.mayRepeat(err) || ctx.Err() != nil {
			return err
		}
		r.awaitServer(ctx)
	}
}

// mayRepeat says whether a command that err kept from being sent is worth another try. Where no connection could be made
// that is only so for what may be answered by another server: the one that has a cursor is known to be down.
func (r *request) mayRepeat(err error) bool {
	if fault.IsPoolCleared(err) {
		return r.retry || r.unsent
	}
	var connecting topology.ConnectionError
	return r.retry && errors.As(err, &connecting)
}

// awaitServer waits until the server of a cursor is known again. A network error makes the driver forget it and pause its
// pool until a heartbeat succeeds, and what is sent meanwhile fails without reaching it. Other requests select a server
// anyway.
func (r *request) awaitServer(ctx context.Context) {
	one, _ := r.target.(oneServer)
	if server, ok := one.Server.(queueing); ok {
		_, _ = r.deployment.topology.SelectServer(ctx, atAddress(server.Description().Addr))
	}
}

func (r *request) try(ctx context.Context) error {
	retry := driver.RetryNone
	if r.retry {
		retry = driver.RetryOnce
	}
	readPref := r.readPref
	if readPref == nil {
		readPref = primary()
	}
	ctx, monitor := r.listener.observe(ctx)
	err := driver.Operation{
		CommandFn:      r.append,
		CommandMonitor: monitor,
		Database:       r.db,
		Deployment:     r.target,
		Selector:       readPref.selector,
		Type:           driver.Read,
		RetryMode:      &retry,
		ReadPreference: readpref.Primary(),
		Clock:          &r.heard,
		Authenticator:  r.deployment.reauthenticator(),
		// maxTimeMS belongs to the command, which is JavaScript's.
		OmitMaxTimeMS: true,
		ProcessResponseFn: func(_ context.Context, reply bsoncore.Document, info driver.ResponseInfo) error {
			if info.Error != nil {
				return nil
			}
			return r.reply(reply, info)
		},
	}.Execute(withOperation(ctx))
	r.tellTime()
	if isNetworkError(err) {
		r.markDirty()
	}
	return err
}

// append writes one attempt's message, but for $db.
func (r *request) append(dst []byte, selected description.SelectedServer) ([]byte, error) {
	r.tellTime()
	if r.sending != nil {
		if err := r.sending(); err != nil {
			return nil, err
		}
	}
	if r.attempts++; r.attempts > 1 {
		// The attempt before may have ended with its connection; a session too many to forget costs nothing.
		r.markDirty()
	}
	server := selected.Server
	dst = append(dst, r.elements...)
	dst = appendServerAPI(dst, r.deployment.serverAPI)
	var err error
	if dst, err = r.appendSession(dst, server); err != nil {
		return nil, err
	}
	if time := r.deployment.clock.GetClusterTime(); time != nil && server.WireVersion != nil {
		if value, err := time.LookupErr("$clusterTime"); err == nil {
			dst = append(bsoncore.AppendHeader(dst, bsoncore.Type(value.Type), "$clusterTime"), value.Value...)
		}
	}
	return r.appendReadPreference(dst, server), nil
}

func appendServerAPI(dst []byte, api *driver.ServerAPIOptions) []byte {
	if api == nil {
		return dst
	}
	dst = bsoncore.AppendStringElement(dst, "apiVersion", api.ServerAPIVersion)
	if api.Strict != nil {
		dst = bsoncore.AppendBooleanElement(dst, "apiStrict", *api.Strict)
	}
	if api.DeprecationErrors != nil {
		dst = bsoncore.AppendBooleanElement(dst, "apiDeprecationErrors", *api.DeprecationErrors)
	}
	return dst
}

// appendSession takes a server session only here, with a connection in hand: so there are never more of them than
// connections, cursors aside.
func (r *request) appendSession(dst []byte, server description.Server) ([]byte, error) {
	if r.session == nil || server.WireVersion == nil || server.SessionTimeoutMinutes == nil {
		return dst, nil
	}
	if r.session.Server == nil {
		if err := r.session.SetServer(); err != nil {
			return nil, err
		}
	}
	if err := r.session.UpdateUseTime(); err != nil {
		return nil, err
	}
	return bsoncore.AppendDocumentElement(dst, "lsid", r.session.SessionID), nil
}

// primaryPreferred lets any member answer a client that has connected directly to one.
var primaryPreferred = bsoncore.NewDocumentBuilder().AppendString("mode", "primaryPreferred").Build()

func (r *request) appendReadPreference(dst []byte, server description.Server) []byte {
	var document bsoncore.Document
	if r.readPref != nil {
		document = r.readPref.document
	}
	switch kind := server.Kind; {
	case kind == description.ServerKindStandalone:
		return dst
	case document == nil && r.deployment.settings.direct() && kind != description.ServerKindMongos &&
		kind != description.ServerKindLoadBalancer:
		document = primaryPreferred
	case document == nil:
		return dst
	}
	return bsoncore.AppendDocumentElement(dst, "$readPreference", document)
}

// tellTime passes the cluster time of the last reply on to the deployment, for its next commands.
func (r *request) tellTime() {
	if time := r.heard.GetClusterTime(); time != nil {
		r.deployment.clock.AdvanceClusterTime(time)
		r.heard = session.ClusterClock{}
	}
}

// markDirty keeps the session from being used again: the server may still be busy with it.
func (r *request) markDirty() {
	if r.session != nil && r.session.Server != nil {
		r.session.MarkDirty()
	}
}

func isNetworkError(err error) bool {
	var failed driver.Error
	return errors.As(err, &failed) && failed.NetworkError()
}

// reauthenticating gives the commands of a reauthentication what a request's operation does not know.
type reauthenticating struct {
	driver.Authenticator
	deployment *deployment
}

func (a reauthenticating) Reauth(ctx context.Context, config *driver.AuthConfig) error {
	config.ClusterClock, config.ServerAPI = a.deployment.clock, a.deployment.serverAPI
	return a.Authenticator.Reauth(ctx, config)
}

func (d *deployment) reauthenticator() driver.Authenticator {
	if d.authenticator == nil {
		return nil
	}
	return reauthenticating{d.authenticator, d}
}
