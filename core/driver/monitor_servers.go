package driver

import (
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"rumongo-go/core/fault"
)

// sighting is what a server's heartbeats tell beyond its description. It is replaced, never changed.
type sighting struct {
	roundTrip time.Duration
	failure   []byte // fault of the last heartbeat, BSON; nil when it succeeded
}

// topology is the monitor of the topology as a whole.
func (h *hub) topology() *event.ServerMonitor {
	return &event.ServerMonitor{
		ServerDescriptionChanged: func(e *event.ServerDescriptionChangedEvent) {
			h.publish(ServerDescriptionChanged, func() []byte { return h.serverChange(&e.PreviousDescription, &e.NewDescription) })
		},
		ServerClosed: func(e *event.ServerClosedEvent) {
			h.seen.Delete(e.Address.String()) // a deployment whose members come and go has ever new names
			h.publish(ServerClosed, func() []byte { return h.about(string(e.Address), nil) })
		},
		TopologyDescriptionChanged: func(e *event.TopologyDescriptionChangedEvent) {
			if h.closing.Load() {
				return // the official Node.js driver does not tell that there are no servers then
			}
			h.current.Store(&e.NewDescription)
			h.publish(TopologyDescriptionChanged, func() []byte { return h.topologyChange(&e.PreviousDescription, &e.NewDescription) })
		},
		TopologyOpening: func(*event.TopologyOpeningEvent) {
			h.publish(TopologyOpening, func() []byte { return h.about("", nil) })
		},
		TopologyClosed: func(*event.TopologyClosedEvent) {
			h.publish(TopologyClosed, func() []byte { return h.about("", nil) })
		},
	}
}

// servers is the option that gives each server a monitor of its own: the driver's heartbeat events do not say which
// server they are about before there is a connection. ServerOpening does, and comes first, on the goroutine that starts
// the others.
func (h *hub) servers() topology.ServerOption {
	return topology.WithServerMonitor(func(*event.ServerMonitor) *event.ServerMonitor {
		var address string
		return &event.ServerMonitor{
			ServerOpening: func(e *event.ServerOpeningEvent) {
				address = e.Address.String()
				h.seen.Store(address, (*sighting)(nil)) // partner: ServerClosed
				h.publish(ServerOpening, func() []byte { return h.about(address, nil) })
			},
			ServerHeartbeatStarted: func(e *event.ServerHeartbeatStartedEvent) {
				h.publish(HeartbeatStarted, func() []byte { return heartbeat(address, e.Awaited, nil) })
			},
			ServerHeartbeatSucceeded: func(e *event.ServerHeartbeatSucceededEvent) {
				h.see(address, &sighting{roundTrip: e.Duration})
				h.publish(HeartbeatSucceeded, func() []byte {
					return heartbeat(address, e.Awaited, func(dst []byte) []byte {
						dst = bsoncore.AppendDoubleElement(dst, "duration", milliseconds(e.Duration))
						return bsoncore.AppendDocumentElement(dst, "reply", hello(&e.Reply))
					})
				})
			},
			ServerHeartbeatFailed: func(e *event.ServerHeartbeatFailedEvent) {
				failure := fault.From(e.Failure).AppendBSON(nil)
				h.see(address, &sighting{failure: failure})
				h.publish(HeartbeatFailed, func() []byte {
					return heartbeat(address, e.Awaited, func(dst []byte) []byte {
						dst = bsoncore.AppendDoubleElement(dst, "duration", milliseconds(e.Duration))
						return bsoncore.AppendDocumentElement(dst, "failure", failure)
					})
				})
			},
		}
	})
}

// see notes a heartbeat, unless its server is closed: the one that was under way fails after that.
func (h *hub) see(address string, s *sighting) {
	if old, open := h.seen.Load(address); open {
		h.seen.CompareAndSwap(address, old, s)
	}
}

// about starts an event of the topology or, with an address, of one server.
func (h *hub) about(address string, more func([]byte) []byte) []byte {
	index, dst := bsoncore.AppendDocumentStart(nil)
	dst = bsoncore.AppendInt32Element(dst, "topologyId", h.number)
	if address != "" {
		dst = bsoncore.AppendStringElement(dst, "address", address)
	}
	if more != nil {
		dst = more(dst)
	}
	dst, _ = bsoncore.AppendDocumentEnd(dst, index)
	return dst
}

func heartbeat(address string, awaited bool, more func([]byte) []byte) []byte {
	index, dst := bsoncore.AppendDocumentStart(nil)
	dst = bsoncore.AppendStringElement(dst, "connectionId", address)
	dst = bsoncore.AppendBooleanElement(dst, "awaited", awaited)
	if more != nil {
		dst = more(dst)
	}
	dst, _ = bsoncore.AppendDocumentEnd(dst, index)
	return dst
}

// description writes a TopologyDescription; current says that its servers are as they are now.
func (h *hub) description(d *event.TopologyDescription, current bool) []byte {
	index, dst := bsoncore.AppendDocumentStart(nil)
	dst = bsoncore.AppendStringElement(dst, "type", officialTopology(d.Kind))
	dst = appendText(dst, "setName", d.SetName)
	var array []byte
	at, array := bsoncore.AppendArrayStart(array)
	for i := range d.Servers {
		array = bsoncore.AppendDocumentElement(array, strconv.Itoa(i), h.server(&d.Servers[i], current))
	}
	array, _ = bsoncore.AppendArrayEnd(array, at)
	dst = bsoncore.AppendArrayElement(dst, "servers", array)
	if d.SessionTimeoutMinutes != nil {
		dst = bsoncore.AppendDoubleElement(dst, "logicalSessionTimeoutMinutes", float64(*d.SessionTimeoutMinutes))
	}
	if d.CompatibilityErr != nil {
		dst = bsoncore.AppendStringElement(dst, "compatibilityError", d.CompatibilityErr.Error())
	}
	if len(d.Servers) > 0 {
		dst = bsoncore.AppendDoubleElement(dst, "heartbeatFrequencyMS", milliseconds(h.heartbeatInterval()))
		dst = bsoncore.AppendDoubleElement(dst, "localThresholdMS", milliseconds(h.settings.localThreshold))
	}
	dst, _ = bsoncore.AppendDocumentEnd(dst, index)
	return dst
}

// defaultHeartbeatInterval is that of both drivers.
const defaultHeartbeatInterval = 10 * time.Second

func (h *hub) heartbeatInterval() time.Duration {
	if given := h.settings.HeartbeatInterval; given != nil {
		return *given
	}
	return defaultHeartbeatInterval
}

// officialTopology and officialServer give the official Node.js driver's name of a type.
func officialTopology(kind string) string {
	switch kind {
	case "", "ReplicaSet":
		return "Unknown"
	}
	return kind
}

func officialServer(kind string) string {
	switch kind {
	case "", "0":
		return "Unknown"
	case "RSMember":
		return "RSOther"
	}
	return kind
}
