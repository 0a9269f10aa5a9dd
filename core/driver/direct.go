package driver

import (
	"context"
	"io"
	"net"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"
)

// The short way of a message. For each one it writes and each one it reads, the driver starts a goroutine that closes the
// connection should the context end, and waits for that goroutine afterwards: two wake-ups of other threads for each, which
// was half of the system calls of a findOne and most of its context switches. So the usual exchange happens on the socket
// itself. Whatever is not usual is left to the driver, and so is every failure: the conn remembers it, the driver tries in
// turn, finds the same, and closes, counts and wraps as it always does.

// directSize is the largest message that is written without the driver. It fits the buffer of a socket on which nothing
// else waits to be sent, so that writing it takes no time in which a context could end.
const directSize = 4 << 10

// link is how the driver's connection, known by its ID, finds its conn.
type link struct {
	mu      sync.Mutex
	id      string
	closed  bool
	largest int // message that the driver takes; set before the conn is linked
}

var links sync.Map // of IDs, which are unique in the process, to *conn

// linked returns the conn of the driver's connection with this ID, or nil: its handshake is not over, or it is closed.
func linked(id string) *conn {
	if c, ok := links.Load(id); ok {
		return c.(*conn)
	}
	return nil
}

// cut is the partner of dialed.tie.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.id != "" {
		links.Delete(l.id)
	}
}

// dialed remembers the socket of one connection of the driver.
type dialed struct {
	topology.Dialer
	conn    *conn
	largest int
}

// DialContext implements topology.Dialer.
func (d *dialed) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	nc, err := d.Dialer.DialContext(ctx, network, address)
	d.conn, _ = nc.(*conn)
	return nc, err
}

// tie links the conn to the driver's connection, whose handshake is over. Partner: cut, when it is closed.
func (d *dialed) tie(id string) {
	if d.conn == nil {
		return
	}
	l := &d.conn.link
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.id, l.largest = id, d.largest
	if l.largest == 0 {
		l.largest = maxMessage
	}
	links.Store(id, d.conn)
}

// send writes a message. False: the driver is to do it.
func (c *conn) send(ctx context.Context, message []byte) bool {
	if _, limited := ctx.Deadline(); limited || c.writing || len(message) > directSize || ctx.Err() != nil {
		return false
	}
	if _, err := c.Write(message); err != nil {
		c.failed = err
		return false
	}
	return true
}

// receiveMessage reads a message into memory of its own, see replyMemory. nil: the driver is to do it.
func (c *conn) receiveMessage(ctx context.Context) []byte {
	if _, limited := ctx.Deadline(); limited || c.failed != nil || c.left > 0 {
		return nil
	}
	if c.limited && c.SetReadDeadline(time.Time{}) != nil {
		return nil
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Conn.Close() })
	message, err := c.wholeMessage()
	if !stop() && err == nil {
		message, err = nil, context.Cause(ctx)
	}
	if err != nil {
		c.failed = err
	}
	return message
}

// wholeMessage reads the next message. It is nil without an error when the driver would refuse its size, and has been left
// where it was.
func (c *conn) wholeMessage() ([]byte, error) {
	if err := c.next(); err != nil {
		return nil, err
	}
	length := c.left
	if length > c.link.largest {
		return nil, nil
	}
	if c.plain != nil {
		message := c.plain
		c.plain, c.left = nil, 0
		return message, nil
	}
	message := replyMemory(length)
	n, err := io.ReadFull(c, message)
	if err != nil {
		// Back to where the driver reads it.
		c.plain, c.left = message[:n:n], length
		if n == 0 {
			c.plain = nil
		}
		return nil, err
	}
	return message, nil
}
