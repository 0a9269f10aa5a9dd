package driver

import (
	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// A client that connects to a deployment which another one has opened is told what it would have seen, but for heartbeats
// and connections; one that closes before the others, what it would see. Both are told to nobody else.

// join is attach for a deployment that is known already. No event comes in between.
func (h *hub) join(l *Listener) {
	if l == nil {
		return
	}
	h.tellOpening(l)
	l.hub.Store(h)
	h.recount()
}

// leave tells l that all is closed.
func (h *hub) leave(l *Listener) {
	now := h.current.Load()
	if l == nil || now == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range now.Servers {
		address := now.Servers[i].Addr.String()
		l.tell(PoolClosed, func() []byte { return h.poolEvent(PoolClosed, &event.PoolEvent{Address: address}) })
		l.tell(ServerClosed, func() []byte { return h.about(address, nil) })
	}
	l.tell(TopologyClosed, func() []byte { return h.about("", nil) })
	delete(h.listeners, l)
}

func (h *hub) tellOpening(l *Listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners[l] = struct{}{}
	now := h.current.Load()
	if now == nil {
		return
	}
	var before event.TopologyDescription
	unknown := event.TopologyDescription{Kind: h.startingKind()}
	for i := range now.Servers {
		unknown.Servers = append(unknown.Servers, event.ServerDescription{Addr: now.Servers[i].Addr})
	}
	l.tell(TopologyOpening, func() []byte { return h.about("", nil) })
	l.tell(TopologyDescriptionChanged, func() []byte { return h.topologyChange(&before, &unknown) })
	for i := range now.Servers {
		was, is := &unknown.Servers[i], &now.Servers[i]
		address := is.Addr.String()
		l.tell(PoolCreated, func() []byte { return h.poolEvent(PoolCreated, &event.PoolEvent{Address: address}) })
		l.tell(ServerOpening, func() []byte { return h.about(address, nil) })
		if officialServer(is.Kind) == officialServer("") {
			continue
		}
		l.tell(PoolReady, func() []byte { return h.poolEvent(PoolReady, &event.PoolEvent{Address: address}) })
		l.tell(ServerDescriptionChanged, func() []byte { return h.serverChange(was, is) })
	}
	if now.Kind != unknown.Kind {
		l.tell(TopologyDescriptionChanged, func() []byte { return h.topologyChange(&unknown, now) })
	}
}

// startingKind is the kind of topology that the options ask for.
func (h *hub) startingKind() string {
	s := h.settings
	switch {
	case s.direct():
		return "Single"
	case s.LoadBalanced != nil && *s.LoadBalanced:
		return "LoadBalanced"
	case s.ReplicaSet != nil && *s.ReplicaSet != "":
		return "ReplicaSetNoPrimary"
	}
	return "Unknown"
}

func (l *Listener) tell(kind EventKind, info func() []byte) {
	if l.wants(1 << kind) {
		l.deliver(Event{Kind: kind, Info: info()})
	}
}

func (h *hub) serverChange(was, is *event.ServerDescription) []byte {
	return h.about(is.Addr.String(), func(dst []byte) []byte {
		dst = bsoncore.AppendDocumentElement(dst, "previousDescription", h.server(was, false))
		return bsoncore.AppendDocumentElement(dst, "newDescription", h.server(is, true))
	})
}

func (h *hub) topologyChange(was, is *event.TopologyDescription) []byte {
	return h.about("", func(dst []byte) []byte {
		dst = bsoncore.AppendDocumentElement(dst, "previousDescription", h.description(was, false))
		return bsoncore.AppendDocumentElement(dst, "newDescription", h.description(is, true))
	})
}
