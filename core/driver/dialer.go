package driver

import (
	"context"
	"net"
	"runtime"
	"time"
)

// dialer opens the sockets of a deployment in the wanted address family, with the official driver's keep-alive.
type dialer struct {
	net.Dialer
	network       string
	socketTimeout time.Duration
}

func newDialer(network string, socketTimeout time.Duration) *dialer {
	return &dialer{
		Dialer:        net.Dialer{KeepAlive: 2 * time.Minute},
		network:       network,
		socketTimeout: socketTimeout,
	}
}

// DialContext implements options.ContextDialer.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if network == "tcp" {
		network = d.network
	}
	socket, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: socket, timeout: d.socketTimeout}, nil
}

// readAhead holds a whole small reply. The driver reads a message's length and then its body, which would be two system
// calls for each findOne.
const readAhead = 8 << 10

// maxReceive bounds one read, after which other goroutines get their turn: from a fast server a goroutine would copy a
// 16 MB reply in one go, and calls from the JavaScript thread into Go would wait for that (halved their worst case).
const maxReceive = 256 << 10

// conn is a socket with a small read buffer and, when socketTimeoutMS is set, a limit on the time it may stay silent
// during a command. The Go driver has no such option (it limits whole operations), so it is done here: the driver sets a
// zero deadline when an operation has none, and only then the limit applies; heartbeats bring deadlines of their own.
//
// One goroutine at a time reads and sets read deadlines. Others may close it.
type conn struct {
	net.Conn
	timeout  time.Duration
	limited  bool // the driver has set a read deadline of its own
	deadline bool // the socket has a read deadline
	buffer   []byte
	unread   []byte // of buffer
}

func (c *conn) SetReadDeadline(t time.Time) error {
	c.limited = !t.IsZero()
	if !c.limited && !c.deadline {
		return nil // the driver does this before every reply, and it is not free
	}
	c.deadline = c.limited
	return c.Conn.SetReadDeadline(t)
}

func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.Conn.SetWriteDeadline(t)
}

func (c *conn) Read(p []byte) (int, error) {
	if len(c.unread) == 0 {
		if len(p) >= readAhead {
			n, err := c.receive(p[:min(len(p), maxReceive)])
			if n == maxReceive {
				runtime.Gosched()
			}
			return n, err
		}
		if c.buffer == nil {
			c.buffer = make([]byte, readAhead)
		}
		n, err := c.receive(c.buffer)
		if n == 0 {
			return 0, err
		}
		c.unread = c.buffer[:n]
	}
	n := copy(p, c.unread)
	c.unread = c.unread[n:]
	return n, nil
}

// receive reads from the socket itself.
func (c *conn) receive(p []byte) (int, error) {
	if c.limited || c.timeout <= 0 {
		return c.Conn.Read(p)
	}
	c.deadline = true
	if err := c.Conn.SetReadDeadline(time.Now().Add(c.timeout)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(p)
	if netErr, ok := err.(net.Error); ok && netErr.Timeout() {
		// What comes late would be taken for the answer to the next command.
		_ = c.Conn.Close()
	}
	return n, err
}
