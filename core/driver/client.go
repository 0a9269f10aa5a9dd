// Package driver is the only package that touches go.mongodb.org/mongo-driver/v2/x/mongo/driver, which is made for
// wrappers but not under a stability promise: its exact version is pinned, and the rest of the core sees Client, Command
// and Cursor.
package driver

import (
	"context"
	"sync/atomic"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/description"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/session"

	"rumongo-go/core/fault"
)

const driverName = "rumongo-go"

// closeTimeout bounds how long the last Close of a deployment waits for connections that are still in use.
const closeTimeout = 5 * time.Second

// Client is one user of a deployment. It is safe for concurrent use.
type Client struct {
	deployment *deployment
	listener   *Listener // nil: none
	closed     atomic.Bool
}

// Connect opens a client for params, the BSON document {uri, options}. As the official driver's connect does, it waits
// until a server is found and a connection to it is open and authenticated.
func Connect(ctx context.Context, params []byte) (*Client, error) {
	return ConnectListening(ctx, params, nil)
}

// ConnectListening is Connect for a client whose listener hears of all that happens until Close.
func ConnectListening(ctx context.Context, params []byte, listener *Listener) (*Client, error) {
	if err := checkDocument("connect: params", params); err != nil {
		return nil, err
	}
	d, err := acquire(append([]byte(nil), params...), listener)
	if err != nil {
		return nil, err
	}
	c := &Client{deployment: d, listener: listener}
	if err := c.probe(ctx); err != nil {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		_ = c.Close(closing)
		return nil, err
	}
	return c, nil
}

// probe selects a server and takes a connection from its pool once. The handshake that opens it authenticates it, so a
// wrong password is an error of connect and the first read finds a warm connection.
func (c *Client) probe(ctx context.Context) error {
	topology := c.deployment.topology
	selecting := selecting{c.deployment}
	ctx, cancel := context.WithTimeout(ctx, topology.GetServerSelectionTimeout())
	defer cancel()
	server, err := selecting.SelectServer(ctx, anyReadable{})
	if err != nil {
		return err
	}
	conn, err := server.Connection(ctx)
	if err != nil {
		return err
	}
	return conn.Close()
}

// anyReadable is satisfied by any server that answers reads, like the official driver's connect with its default of
// primaryPreferred.
type anyReadable struct{}

func (anyReadable) SelectServer(_ description.Topology, candidates []description.Server) ([]description.Server, error) {
	var suitable []description.Server
	for _, server := range candidates {
		switch server.Kind {
		case description.ServerKindRSArbiter, description.ServerKindRSGhost, description.ServerKindRSMember:
		default:
			suitable = append(suitable, server)
		}
	}
	return suitable, nil
}

// Close gives up the client's share of its deployment. Operations that still run on this client fail if it was the last.
func (c *Client) Close(ctx context.Context) error {
	if c.closed.Swap(true) {
		return nil
	}
	c.deployment.late.close(c)
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	err := c.deployment.release(ctx, c.listener)
	if c.listener != nil {
		c.listener.Stop()
	}
	return err
}

// Command is one read command as JavaScript encoded it.
type Command struct {
	DB         string
	Body       []byte          // the whole command as a BSON document; sent as it is
	ReadPref   *ReadPreference // nil: primary
	RetryReads bool
	Sending    func() error // asked before an attempt is written; an error keeps it from being sent. nil: send it
}

// ParseCommand makes a Command of a command document and its parameters {db, readPreference, retryReads}.
func ParseCommand(body, params []byte) (Command, error) {
	var cmd Command
	if err := checkDocument("command", body); err != nil {
		return cmd, err
	}
	if len(body) < 8 {
		return cmd, fault.New(fault.InvalidArgument, "command is empty: its first field must be the command's name")
	}
	if err := checkDocument("params", params); err != nil {
		return cmd, err
	}
	doc := bsoncore.Document(params)
	var ok bool
	if cmd.DB, ok = doc.Lookup("db").StringValueOK(); !ok || cmd.DB == "" {
		return cmd, fault.New(fault.InvalidArgument, "params.db must be the name of a database")
	}
	cmd.RetryReads = true
	if retry, err := doc.LookupErr("retryReads"); err == nil {
		if cmd.RetryReads, ok = retry.BooleanOK(); !ok {
			return cmd, fault.New(fault.InvalidArgument, "params.retryReads must be true or false")
		}
	}
	if pref, err := doc.LookupErr("readPreference"); err == nil && pref.Type != bsoncore.TypeNull {
		if cmd.ReadPref, err = newReadPreference(pref); err != nil {
			return cmd, fault.New(fault.InvalidArgument, "params.readPreference: %v", err)
		}
	}
	cmd.Body = body
	return cmd, nil
}

// checkDocument refuses bytes that are not one BSON document on the outside, before they reach the wire.
func checkDocument(name string, data []byte) error {
	length, _, ok := bsoncore.ReadLength(data)
	if !ok || int(length) != len(data) || length < 5 || data[length-1] != 0 {
		return fault.New(fault.InvalidArgument, "%s is not a BSON document", name)
	}
	return nil
}

// Run executes cmd and returns the server's reply, whose bytes belong to the caller.
func (c *Client) Run(ctx context.Context, cmd Command) (bsoncore.Document, error) {
	if c.closed.Load() {
		return nil, fault.New(fault.Closed, "the client is closed")
	}
	sess := c.newSession()
	defer sess.EndSession()
	var reply bsoncore.Document
	r := c.request(cmd, sess)
	r.reply = func(doc bsoncore.Document, _ driver.ResponseInfo) error {
		reply = doc
		return nil
	}
	if err := r.execute(ctx); err != nil {
		return nil, err
	}
	return reply, nil
}

func (c *Client) newSession() *session.Client {
	return session.NewImplicitClientSession(c.deployment.sessions, c.deployment.clientID)
}

// request makes the request of a command that any suitable server may answer: the bytes of JavaScript's document
// between its length and its terminator go on the wire verbatim.
func (c *Client) request(cmd Command, sess *session.Client) *request {
	return &request{
		deployment: c.deployment,
		listener:   c.listener,
		target:     selecting{c.deployment},
		db:         cmd.DB,
		elements:   cmd.Body[4 : len(cmd.Body)-1],
		readPref:   cmd.ReadPref,
		session:    sess,
		retry:      cmd.RetryReads,
		sending:    cmd.Sending,
	}
}

func appendElements(elements []byte) func([]byte, description.SelectedServer) ([]byte, error) {
	return func(dst []byte, _ description.SelectedServer) ([]byte, error) {
		return append(dst, elements...), nil
	}
}
