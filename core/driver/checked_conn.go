package driver

import (
	"context"
	"errors"
	"strings"

	"go.mongodb.org/mongo-driver/v2/mongo/address"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/mnet"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"

	"rumongo-go/core/fault"
)

// checkedConn, beneath commands of ours, says of a refused message what a conn has said, and not that the network has
// failed: the driver would take that for a server that is down, and clear its pool. The driver has closed the connection.
// Messages take the short way where there is one.
type checkedConn struct {
	mnet.ReadWriteCloser
	direct *conn // nil: none
}

// check makes conn a checked one.
func check(conn *mnet.Connection) *mnet.Connection {
	if _, done := conn.ReadWriteCloser.(checkedConn); !done {
		conn.ReadWriteCloser = checkedConn{conn.ReadWriteCloser, linked(conn.ID())}
	}
	return conn
}

func (c checkedConn) Write(ctx context.Context, message []byte) error {
	if c.direct != nil && c.direct.send(ctx, message) {
		return nil
	}
	return c.ReadWriteCloser.Write(ctx, message)
}

func (c checkedConn) Read(ctx context.Context) ([]byte, error) {
	if c.direct != nil {
		if message := c.direct.receiveMessage(ctx); message != nil {
			noteMemory(ctx, message)
			return message, checkClusterTime(message)
		}
	}
	message, err := c.ReadWriteCloser.Read(ctx)
	if err != nil {
		if refused := refusal(err); refused != nil {
			return nil, refused
		}
		return nil, err
	}
	return message, checkClusterTime(message)
}

// checkClusterTime refuses a $clusterTime that the driver would panic at.
func checkClusterTime(message []byte) error {
	_, _, _, op, body, ok := wiremessage.ReadHeader(message)
	if !ok || op != wiremessage.OpMsg || len(body) < 5 || wiremessage.SectionType(body[4]) != wiremessage.SingleDocument {
		return nil
	}
	reply, _, ok := bsoncore.ReadDocument(body[5:])
	if !ok {
		return nil
	}
	time, err := reply.LookupErr("$clusterTime", "clusterTime")
	if err == nil && time.Type != bsoncore.TypeTimestamp {
		return unexpected("the server's reply has a $clusterTime whose clusterTime is a BSON %s, not a timestamp", time.Type)
	}
	return nil
}

// refusal is the error of a message that is none, or nil. For one that is longer than the server's hello allows, the
// driver has no type; a test pins the text.
func refusal(err error) error {
	var refused *fault.Fault
	if errors.As(err, &refused) {
		return refused
	}
	var failed topology.ConnectionError
	if errors.As(err, &failed) && failed.Wrapped != nil && strings.Contains(failed.Wrapped.Error(), "length of read message too large") {
		return noMessage("%v", failed.Wrapped)
	}
	return nil
}

// recovering is a handshake in which a panic is an error. Handshakes run on goroutines of the driver, which would take
// the process along.
type recovering struct {
	driver.Handshaker
	dialed *dialed
}

func (h recovering) GetHandshakeInformation(ctx context.Context, addr address.Address, conn *mnet.Connection) (info driver.HandshakeInformation, err error) {
	defer recovered(&err)
	info, err = h.Handshaker.GetHandshakeInformation(ctx, addr, check(conn))
	h.dialed.largest = int(info.Description.MaxMessageSize)
	return info, err
}

func (h recovering) FinishHandshake(ctx context.Context, conn *mnet.Connection) (err error) {
	defer recovered(&err)
	if err = h.Handshaker.FinishHandshake(ctx, check(conn)); err == nil {
		h.dialed.tie(conn.ID())
	}
	return err
}

func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fault.FromPanic(p)
	}
}

// bounded is the option that recovers in the handshakes of pooled connections, and ties these to their sockets.
func bounded() topology.ServerOption {
	each := perConnection(func() []topology.ConnectionOption {
		socket := new(dialed)
		return []topology.ConnectionOption{
			topology.WithDialer(func(inner topology.Dialer) topology.Dialer {
				socket.Dialer = inner
				return socket
			}),
			topology.WithHandshaker(func(inner topology.Handshaker) topology.Handshaker {
				return recovering{inner, socket}
			}),
		}
	})
	return topology.WithConnectionOptions(func(opts ...topology.ConnectionOption) []topology.ConnectionOption {
		return append(opts, each)
	})
}

// perConnection is an option that is made anew for each connection. C is the driver's type of their settings, which has
// no name outside.
func perConnection[C any, O ~func(*C)](options func() []O) O {
	return func(settings *C) {
		for _, option := range options() {
			option(settings)
		}
	}
}
