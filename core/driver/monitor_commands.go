package driver

import (
	"context"
	"encoding/binary"
	"math"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/mnet"

	"rumongo-go/core/fault"
)

type tokenKey struct{}

// WithToken marks what runs under the context as the request with this token, for its events.
func WithToken(ctx context.Context, token uint64) context.Context {
	return context.WithValue(ctx, tokenKey{}, token)
}

// HearsCommands says whether the client listens to commands, so that WithToken is of use.
func (c *Client) HearsCommands() bool { return c.listener.wants(commandEvents) }

type attemptKey struct{}

// attempt is what the Go driver's events do not say about the command they are about.
type attempt struct {
	token      uint64
	connection int64 // its number in the pool
}

// observe returns the context and the monitor to run a command with. The monitor is nil where nobody listens.
func (l *Listener) observe(ctx context.Context) (context.Context, *event.CommandMonitor) {
	if !l.wants(commandEvents) {
		return ctx, nil
	}
	a := new(attempt)
	a.token, _ = ctx.Value(tokenKey{}).(uint64)
	return context.WithValue(ctx, attemptKey{}, a), &event.CommandMonitor{
		Started:   func(_ context.Context, e *event.CommandStartedEvent) { l.started(a, e) },
		Succeeded: func(_ context.Context, e *event.CommandSucceededEvent) { l.succeeded(a, e) },
		Failed:    func(_ context.Context, e *event.CommandFailedEvent) { l.failed(a, e) },
	}
}

// noteConnection tells the attempt that ctx belongs to, if any, on which connection it runs.
func noteConnection(ctx context.Context, conn *mnet.Connection) {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		a.connection = conn.DriverConnectionID()
	}
}

func (l *Listener) started(a *attempt, e *event.CommandStartedEvent) {
	if !l.wants(1 << CommandStarted) {
		return
	}
	info := about(a, e.ConnectionID, e.RequestID, math.NaN(), e.DatabaseName, e.CommandName, e.ServerConnectionID, e.ServiceID)
	l.deliver(Event{Kind: CommandStarted, Token: a.token, Info: info, Body: e.Command})
}

func (l *Listener) succeeded(a *attempt, e *event.CommandSucceededEvent) {
	if l.wants(1 << CommandSucceeded) {
		l.deliver(Event{Kind: CommandSucceeded, Token: a.token, Info: finished(a, &e.CommandFinishedEvent), Body: e.Reply})
	}
}

func (l *Listener) failed(a *attempt, e *event.CommandFailedEvent) {
	if l.wants(1 << CommandFailed) {
		body := fault.From(e.Failure).AppendBSON(nil)
		l.deliver(Event{Kind: CommandFailed, Token: a.token, Info: finished(a, &e.CommandFinishedEvent), Body: body})
	}
}

func finished(a *attempt, e *event.CommandFinishedEvent) []byte {
	return about(a, e.ConnectionID, e.RequestID, milliseconds(e.Duration), e.DatabaseName, e.CommandName, e.ServerConnectionID, e.ServiceID)
}

// about writes what all command events have. Its mirror is COMMAND in js/monitoring/events.js: four float64 (the number of
// the connection, the request, milliseconds, the server's number of the connection; NaN: none), the service's ObjectId
// (zeros: none), and the address, database and name of the command with zeros between them. Not BSON, because there are two
// for each command, and to decode them cost more than all the rest.
func about(a *attempt, connection string, request int64, duration float64, db, name string, server *int64, service *bson.ObjectID) []byte {
	serverConnection := math.NaN()
	if server != nil {
		serverConnection = float64(*server)
	}
	if service == nil {
		service = &bson.NilObjectID
	}
	address, _, _ := strings.Cut(connection, "[-")
	dst := make([]byte, 0, 4*8+len(service)+len(address)+len(db)+len(name)+2)
	for _, number := range [...]float64{float64(a.connection), float64(request), duration, serverConnection} {
		dst = binary.NativeEndian.AppendUint64(dst, math.Float64bits(number))
	}
	dst = append(dst, service[:]...)
	dst = append(append(dst, address...), 0)
	dst = append(append(dst, db...), 0)
	return append(dst, name...)
}
