package driver

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/fault"
)

var poolEvents = map[string]EventKind{
	event.ConnectionPoolCreated:     PoolCreated,
	event.ConnectionPoolReady:       PoolReady,
	event.ConnectionPoolCleared:     PoolCleared,
	event.ConnectionPoolClosed:      PoolClosed,
	event.ConnectionCreated:         ConnectionCreated,
	event.ConnectionReady:           ConnectionReady,
	event.ConnectionClosed:          ConnectionClosed,
	event.ConnectionCheckOutStarted: CheckOutStarted,
	event.ConnectionCheckOutFailed:  CheckOutFailed,
	event.ConnectionCheckedOut:      CheckedOut,
	event.ConnectionCheckedIn:       CheckedIn,
}

const anyPoolEvent = 1<<(CheckedIn+1) - 1<<PoolCreated

// pool is the monitor of every pool of the deployment.
func (h *hub) pool() *event.PoolMonitor {
	return &event.PoolMonitor{Event: func(e *event.PoolEvent) {
		if h.wanted.Load()&anyPoolEvent == 0 {
			return
		}
		if kind, known := poolEvents[e.Type]; known {
			h.publish(kind, func() []byte { return h.poolEvent(kind, e) })
		}
	}}
}

func (h *hub) poolEvent(kind EventKind, e *event.PoolEvent) []byte {
	index, info := bsoncore.AppendDocumentStart(make([]byte, 0, 128))
	info = bsoncore.AppendDateTimeElement(info, "time", time.Now().UnixMilli())
	info = bsoncore.AppendStringElement(info, "address", e.Address)
	if e.ConnectionID != 0 {
		info = bsoncore.AppendDoubleElement(info, "connectionId", float64(e.ConnectionID))
	}
	switch kind {
	case PoolCreated:
		info = bsoncore.AppendDocumentElement(info, "options", h.poolOptions())
	case ConnectionReady, CheckedOut, CheckOutFailed:
		info = bsoncore.AppendDoubleElement(info, "durationMS", milliseconds(e.Duration))
	case PoolCleared:
		info = bsoncore.AppendBooleanElement(info, "interruptInUseConnections", e.Interruption)
	}
	if e.Reason != "" {
		info = bsoncore.AppendStringElement(info, "reason", e.Reason)
	}
	if e.ServiceID != nil {
		info = bsoncore.AppendObjectIDElement(info, "serviceId", *e.ServiceID)
	}
	if e.Error != nil {
		info = bsoncore.AppendDocumentElement(info, "error", fault.From(e.Error).AppendBSON(nil))
	}
	info, _ = bsoncore.AppendDocumentEnd(info, index)
	return info
}

// defaultMaxConnecting is that of both drivers.
const defaultMaxConnecting = 2

func (h *hub) poolOptions() []byte {
	s := h.settings
	connecting := uint64(defaultMaxConnecting)
	if s.MaxConnecting != nil {
		connecting = *s.MaxConnecting
	}
	doc := bsoncore.NewDocumentBuilder().
		AppendDouble("maxConnecting", float64(connecting)).
		AppendDouble("maxPoolSize", float64(orZero(s.MaxPoolSize))).
		AppendDouble("minPoolSize", float64(orZero(s.MinPoolSize))).
		AppendDouble("maxIdleTimeMS", milliseconds(orZero(s.MaxConnIdleTime))).
		AppendDouble("waitQueueTimeoutMS", milliseconds(s.waitQueueTimeout))
	return doc.Build()
}

func orZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// milliseconds are whole ones, as in the official driver's events.
func milliseconds(d time.Duration) float64 { return float64(d.Milliseconds()) }
