package driver

import (
	"sync"
	"sync/atomic"

	"go.mongodb.org/mongo-driver/v2/event"
)

// EventKind is one of the events a client may listen to.
type EventKind uint32

// The order is that of EVENTS in js/monitoring/names.js.
const (
	CommandStarted EventKind = iota
	CommandSucceeded
	CommandFailed
	PoolCreated
	PoolReady
	PoolCleared
	PoolClosed
	ConnectionCreated
	ConnectionReady
	ConnectionClosed
	CheckOutStarted
	CheckOutFailed
	CheckedOut
	CheckedIn
	ServerOpening
	ServerClosed
	ServerDescriptionChanged
	TopologyOpening
	TopologyClosed
	TopologyDescriptionChanged
	HeartbeatStarted
	HeartbeatSucceeded
	HeartbeatFailed
)

const commandEvents = 1<<CommandStarted | 1<<CommandSucceeded | 1<<CommandFailed

// Event is something that has happened, with the official Node.js driver's names of its fields.
type Event struct {
	Kind  EventKind
	Token uint64 // of the request whose command it is about; 0 where there is none
	Info  []byte // BSON; of commands what about() writes
	Body  []byte // a command, a reply or a fault, BSON; valid during delivery only
}

// Listener is a client's interest in events. A client that wants none costs one atomic load where an event would be made.
type Listener struct {
	deliver func(Event)
	wanted  atomic.Uint32
	hub     atomic.Pointer[hub] // of the deployment, while the client has one
}

// NewListener makes a listener to the kinds in mask, whose bits are 1<<EventKind. deliver is called on any goroutine, with
// locks of the driver held: it must not block and not call the driver.
func NewListener(mask uint32, deliver func(Event)) *Listener {
	l := &Listener{deliver: deliver}
	l.wanted.Store(mask)
	return l
}

// Listen changes what the client wants.
func (l *Listener) Listen(mask uint32) {
	l.wanted.Store(mask)
	if h := l.hub.Load(); h != nil {
		h.recount()
	}
}

// Stop ends delivery: no call of deliver runs when it returns, and none follows. Commands must have ended before.
func (l *Listener) Stop() {
	l.wanted.Store(0)
	if h := l.hub.Swap(nil); h != nil {
		h.detach(l) // waits for deliveries
	}
}

func (l *Listener) wants(mask uint32) bool { return l != nil && l.wanted.Load()&mask != 0 }

// hub passes the events of a deployment, which are nobody's in particular, to the clients that want them.
type hub struct {
	wanted    atomic.Uint32 // by anybody
	mu        sync.RWMutex
	listeners map[*Listener]struct{}
	number    int32 // the topologyId of events
	settings  *settings
	seen      sync.Map // address -> *sighting, nil before a heartbeat; of servers that are not closed
	current   atomic.Pointer[event.TopologyDescription]
	closing   atomic.Bool
}

var topologies atomic.Int32

func newHub(s *settings) *hub {
	return &hub{listeners: map[*Listener]struct{}{}, number: topologies.Add(1) - 1, settings: s}
}

// attach is the partner of Listener.Stop.
func (h *hub) attach(l *Listener) {
	if l == nil {
		return
	}
	h.mu.Lock()
	h.listeners[l] = struct{}{}
	h.mu.Unlock()
	l.hub.Store(h)
	h.recount()
}

func (h *hub) detach(l *Listener) {
	h.mu.Lock()
	delete(h.listeners, l)
	h.mu.Unlock()
	h.recount()
}

func (h *hub) recount() {
	h.mu.Lock()
	defer h.mu.Unlock()
	var mask uint32
	for l := range h.listeners {
		mask |= l.wanted.Load()
	}
	h.wanted.Store(mask)
}

// publish delivers the event that info makes, if anybody wants one of its kind.
func (h *hub) publish(kind EventKind, info func() []byte) {
	if h.wanted.Load()&(1<<kind) == 0 {
		return
	}
	// The driver's goroutines do not recover: a panic here would end the process.
	defer func() { _ = recover() }()
	told := Event{Kind: kind, Info: info()}
	h.mu.RLock()
	defer h.mu.RUnlock()
	for l := range h.listeners {
		if l.wants(1 << kind) {
			l.deliver(told)
		}
	}
}
