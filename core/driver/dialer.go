package driver

import (
	"context"
	"net"
	"time"
)

// dialer opens the sockets of a deployment: with Node.js's keep-alive, in the wanted address family, and, when
// socketTimeoutMS is set, with a limit on the time a socket may stay silent during a command.
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
	conn, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil || d.socketTimeout <= 0 {
		return conn, err
	}
	return &timedConn{Conn: conn, timeout: d.socketTimeout}, nil
}

// timedConn fails a Read that sees no byte for timeout. The Go driver has no such option (it limits whole operations),
// so it is done under it: the driver sets a zero deadline when an operation has none, and only then the limit applies;
// heartbeats bring deadlines of their own. The driver uses a connection from one goroutine at a time, but closes it
// from others, so the field needs no lock and Close must stay the embedded one.
type timedConn struct {
	net.Conn
	timeout time.Duration
	limited bool // the driver has set a deadline of its own
}

func (c *timedConn) SetReadDeadline(t time.Time) error {
	c.limited = !t.IsZero()
	return c.Conn.SetReadDeadline(t)
}

func (c *timedConn) SetDeadline(t time.Time) error {
	c.limited = !t.IsZero()
	return c.Conn.SetDeadline(t)
}

func (c *timedConn) Read(p []byte) (int, error) {
	if c.limited {
		return c.Conn.Read(p)
	}
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
