package driver

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/auth"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/session"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"rumongo-go/core/fault"
)

// deployment is one topology with its sessions, monitors and pools. There is one per (URI, options) in the process,
// however many clients and JavaScript environments use it: workers would otherwise open a pool and a set of monitors
// each.
type deployment struct {
	key           [sha256.Size]byte
	refs          int // guarded by registry.mu; acquired in acquire, dropped in release
	settings      *settings
	topology      *topology.Topology
	sessions      *session.Pool
	clock         *session.ClusterClock
	clientID      [16]byte
	authenticator driver.Authenticator
	serverAPI     *driver.ServerAPIOptions
	late          lateReads
	events        *hub
}

// registry holds every live deployment of the process.
var registry = struct {
	mu   sync.Mutex
	live map[[sha256.Size]byte]*deployment
}{live: map[[sha256.Size]byte]*deployment{}}

// acquire returns the deployment of params, which its caller must release, with listener attached to its events.
func acquire(params []byte, listener *Listener) (*deployment, error) {
	// A hash, so that the table does not keep passwords.
	key := sha256.Sum256(params)
	registry.mu.Lock()
	if d := registry.live[key]; d != nil {
		d.refs++
		registry.mu.Unlock()
		d.events.join(listener)
		return d, nil
	}
	registry.mu.Unlock()
	// Reading the settings may resolve SRV records and read certificate files, so it happens outside the lock; of two
	// that race the loser has not connected to anything yet.
	s, err := parseSettings(params)
	if err != nil {
		return nil, err
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if d := registry.live[key]; d != nil {
		d.refs++
		d.events.join(listener)
		return d, nil
	}
	d, err := newDeployment(s, listener)
	if err != nil {
		return nil, err
	}
	d.key, d.refs = key, 1
	registry.live[key] = d
	return d, nil
}

// release drops one reference; the last one closes the topology and waits for that, at most until ctx ends. listener hears
// of the command that is sent for it.
func (d *deployment) release(ctx context.Context, listener *Listener) error {
	registry.mu.Lock()
	d.refs--
	last := d.refs == 0
	if last {
		delete(registry.live, d.key)
	}
	registry.mu.Unlock()
	if !last {
		d.events.leave(listener)
		return nil
	}
	d.endSessions(ctx, listener)
	d.events.closing.Store(true)
	if err := d.topology.Disconnect(ctx); err != nil && !errors.Is(err, topology.ErrTopologyClosed) {
		return err
	}
	return nil
}

// newDeployment starts the topology's monitors; it does no I/O itself.
func newDeployment(s *settings, listener *Listener) (*deployment, error) {
	d := &deployment{settings: s, clock: new(session.ClusterClock), events: newHub(s)}
	d.events.attach(listener)
	s.SetPoolMonitor(d.events.pool()).SetServerMonitor(d.events.topology())
	if _, err := rand.Read(d.clientID[:]); err != nil {
		return nil, err
	}
	if s.Auth != nil {
		if s.Auth.AuthMechanism == "GSSAPI" {
			return nil, fault.New(fault.InvalidArgument, "authMechanism GSSAPI (Kerberos) is not supported by rumongo-go; read through the official driver for that")
		}
		authenticator, err := auth.CreateAuthenticator(s.Auth.AuthMechanism, topology.ConvertCreds(s.Auth), s.HTTPClient)
		if err != nil {
			return nil, fault.New(fault.InvalidArgument, "authentication options are not valid: %v", err)
		}
		d.authenticator = authenticator
	}
	if s.ServerAPIOptions != nil {
		d.serverAPI = topology.ConvertToDriverAPIOptions(s.ServerAPIOptions)
	}
	info := new(atomic.Pointer[options.DriverInfo])
	info.Store(s.driverInfo())
	// No clock for hello: the driver panics at a $clusterTime of another type, on goroutines of its own that do not recover,
	// and that ends the process. The cluster times that matter are in the replies to reads.
	config, err := topology.NewAuthenticatorConfig(d.authenticator,
		topology.WithAuthConfigClientOptions(s.ClientOptions),
		topology.WithAuthConfigDriverInfo(info))
	if err != nil {
		return nil, fault.New(fault.InvalidArgument, "client options are not valid: %v", err)
	}
	config.ServerOpts = append(config.ServerOpts, bounded(), d.events.servers())
	if d.topology, err = topology.New(config); err != nil {
		return nil, fault.New(fault.Parse, "connection string is not valid: %v", err)
	}
	if err := d.topology.Connect(); err != nil {
		return nil, err
	}
	updates, err := d.topology.Subscribe()
	if err != nil {
		return nil, err
	}
	d.sessions = session.NewPool(updates.Updates)
	return d, nil
}

// driverInfo is what the handshake adds to the Go driver's own name and version.
func (s *settings) driverInfo() *options.DriverInfo {
	info := options.DriverInfo{Name: driverName}
	if given := s.DriverInfo; given != nil {
		if given.Name != "" && given.Name != driverName {
			info.Name += "|" + given.Name
		}
		info.Version, info.Platform = given.Version, given.Platform
	}
	return &info
}

// endSessions tells the server that this process is done with its sessions. It is a courtesy: errors are ignored.
func (d *deployment) endSessions(ctx context.Context, listener *Listener) {
	ids := d.sessions.IDSlice()
	const atOnce = 10000 // the server's limit
	for len(ids) > 0 {
		n := min(len(ids), atOnce)
		var array []byte
		index, array := bsoncore.AppendArrayStart(array)
		for i, id := range ids[:n] {
			array = bsoncore.AppendDocumentElement(array, fmt.Sprint(i), id)
		}
		array, _ = bsoncore.AppendArrayEnd(array, index)
		ids = ids[n:]
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		ctx, monitor := listener.observe(ctx)
		err := driver.Operation{
			CommandFn:      appendElements(bsoncore.AppendArrayElement(nil, "endSessions", array)),
			CommandMonitor: monitor,
			Database:       "admin",
			Deployment:     idle{d.topology},
			Clock:          d.clock,
			ServerAPI:      d.serverAPI,
		}.Execute(ctx)
		cancel()
		if err != nil {
			return
		}
	}
}

// idle selects a server without waiting for one: saying goodbye to a server that is down should take no time.
type idle struct{ *topology.Topology }

func (idle) GetServerSelectionTimeout() time.Duration { return 50 * time.Millisecond }

// Deployments returns how many topologies the process runs.
func Deployments() int {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	return len(registry.live)
}
