package driver

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo/address"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/mnet"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"

	"rumongo-go/core/fault"
)

const (
	headerSize = 16
	// maxMessage is the largest message this process reads, whatever a server's hello says: MongoDB's own bound.
	maxMessage = 48_000_000
)

// checkedConn reads only messages that can be the answer to what was written, and closes the connection after any other:
// what follows such a message in the stream would be taken for the answer to the next command. The Go driver returns the
// connection to its pool, does not look at whom a message answers, and lets a zstd frame grow to any size.
//
// It belongs to one operation at a time, like the connection.
type checkedConn struct {
	mnet.ReadWriteCloser
	request int32 // id of the last message written
}

// check makes conn a checked one.
func check(conn *mnet.Connection) *mnet.Connection {
	if _, done := conn.ReadWriteCloser.(*checkedConn); !done {
		conn.ReadWriteCloser = &checkedConn{ReadWriteCloser: conn.ReadWriteCloser}
	}
	return conn
}

func (c *checkedConn) Write(ctx context.Context, message []byte) error {
	if len(message) >= headerSize {
		c.request = int32(binary.LittleEndian.Uint32(message[4:]))
	}
	return c.ReadWriteCloser.Write(ctx, message)
}

func (c *checkedConn) Read(ctx context.Context) ([]byte, error) {
	message, err := c.ReadWriteCloser.Read(ctx)
	if err != nil {
		if reason := lengthError(err); reason != nil {
			return nil, fault.New(fault.Parse, "the server's reply is not a message: %v", reason) // the driver has closed it
		}
		return nil, err
	}
	plain, err := c.unwrap(message)
	if err != nil {
		c.shut()
		return nil, fault.New(fault.Parse, "the server's reply is not a message: %v", err)
	}
	return plain, nil
}

// unwrap checks a message and takes it out of its compression.
func (c *checkedConn) unwrap(message []byte) ([]byte, error) {
	_, _, answers, op, body, ok := wiremessage.ReadHeader(message)
	if !ok {
		return nil, errors.New("it is shorter than a header")
	}
	if answers != c.request {
		return nil, fmt.Errorf("it answers request %d, not %d", answers, c.request)
	}
	if op == wiremessage.OpCompressed {
		var err error
		if message, op, err = decompress(message); err != nil {
			return nil, err
		}
		body = message[headerSize:]
	}
	switch op {
	case wiremessage.OpMsg:
		return message, checkSections(body)
	case wiremessage.OpReply:
		return message, nil
	}
	return nil, fmt.Errorf("its opcode is %d", op)
}

// checkSections sees that the sections of an OP_MSG end where the message does.
func checkSections(body []byte) error {
	flags, rest, ok := wiremessage.ReadMsgFlags(body)
	if !ok {
		return errors.New("it has no flags")
	}
	if flags&wiremessage.ChecksumPresent != 0 {
		return errors.New("it has a checksum, which was not asked for")
	}
	for len(rest) > 0 {
		kind, after, _ := wiremessage.ReadMsgSectionType(rest)
		if kind > wiremessage.DocumentSequence {
			return fmt.Errorf("it has a section of unknown kind %d", kind)
		}
		// Both kinds begin with their length.
		if len(after) < 4 {
			return errors.New("it ends inside a section")
		}
		length := int64(int32(binary.LittleEndian.Uint32(after)))
		if length < 5 || length > int64(len(after)) {
			return fmt.Errorf("it has a section of %d bytes where there are %d", length, len(after))
		}
		rest = after[length:]
	}
	return nil
}

// shut closes the connection for good; Close would return it to its pool. A write that is too late before it has begun is
// the one way to that from out here: the driver closes a connection whose write failed.
func (c *checkedConn) shut() {
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(1, 0))
	defer cancel()
	_ = c.ReadWriteCloser.Write(ctx, []byte{0})
}

// lengthError returns the reason when the driver refused a message for its length. It has no types for that; a test pins
// the texts.
func lengthError(err error) error {
	var failed topology.ConnectionError
	if !errors.As(err, &failed) || failed.Wrapped == nil {
		return nil
	}
	text := failed.Wrapped.Error()
	if strings.HasPrefix(text, "malformed message length") || text == "length of read message too large" {
		return failed.Wrapped
	}
	return nil
}

// boundedHandshaker keeps a server from having its messages read beyond maxMessage, and checks those of the handshake.
type boundedHandshaker struct{ driver.Handshaker }

func (h boundedHandshaker) GetHandshakeInformation(ctx context.Context, addr address.Address, conn *mnet.Connection) (info driver.HandshakeInformation, err error) {
	defer recovered(&err)
	info, err = h.Handshaker.GetHandshakeInformation(ctx, addr, check(conn))
	if limit := &info.Description.MaxMessageSize; *limit > maxMessage {
		*limit = maxMessage
	}
	return info, err
}

func (h boundedHandshaker) FinishHandshake(ctx context.Context, conn *mnet.Connection) (err error) {
	defer recovered(&err)
	return h.Handshaker.FinishHandshake(ctx, check(conn))
}

// recovered turns a panic into an error. Handshakes run on goroutines of the driver, which would take the process along.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fault.FromPanic(p)
	}
}

// bounded is the option that puts a boundedHandshaker before every pooled connection.
func bounded() topology.ServerOption {
	return topology.WithConnectionOptions(func(opts ...topology.ConnectionOption) []topology.ConnectionOption {
		return append(opts, topology.WithHandshaker(func(inner topology.Handshaker) topology.Handshaker {
			return boundedHandshaker{inner}
		}))
	})
}
