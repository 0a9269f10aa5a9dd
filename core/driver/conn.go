package driver

import (
	"io"
	"net"
	"runtime"
	"time"
)

const (
	// readAhead holds a whole small reply. The driver reads a message's length and then its body, which would be two
	// system calls for each findOne.
	readAhead = 8 << 10
	// maxReceive bounds one read, after which other goroutines get their turn: from a fast server a goroutine would copy
	// a 16 MB reply in one go, and calls from the JavaScript thread into Go would wait for that (halved their worst
	// case).
	maxReceive = 256 << 10
)

// conn is a connection that hands out messages which can be the answer to what was written, and plain ones, whatever the
// server compresses. Every connection of a deployment is one: those of the monitors belong to the driver alone, which
// reads messages and lets compressed data grow to any size, on goroutines that do not recover.
//
// It has a small read buffer and, when socketTimeoutMS is set, a limit on the time the server may stay silent during a
// command. The Go driver has no such option (it limits whole operations), so it is done here: the driver sets a zero
// deadline when an operation has none, and only then the limit applies; heartbeats bring deadlines of their own.
//
// One goroutine at a time reads, writes and sets deadlines. Others may close it.
type conn struct {
	net.Conn
	timeout  time.Duration
	limited  bool // the driver has set a read deadline of its own
	deadline bool // the socket has a read deadline
	writing  bool // the socket has a write deadline
	buffer   []byte
	unread   []byte // of buffer

	link   link  // to the driver's connection, see direct.go
	failed error // what ended a message that was read or written without the driver: the driver is to find it, too

	asked asked
	left  int    // bytes of the current message that have not been handed out
	plain []byte // the rest of a message that is handed out from memory
	whole []byte // a message on its way into memory
	have  int    // bytes of whole that are there
}

func (c *conn) SetReadDeadline(t time.Time) error {
	c.limited = !t.IsZero()
	if c.failed != nil || (!c.limited && !c.deadline) {
		return nil // the driver does this before every reply, and it is not free
	}
	c.deadline = c.limited
	return c.Conn.SetReadDeadline(t)
}

// SetWriteDeadline is the same for commands.
func (c *conn) SetWriteDeadline(t time.Time) error {
	limited := !t.IsZero()
	if c.failed != nil || (!limited && !c.writing) {
		return nil
	}
	c.writing = limited
	return c.Conn.SetWriteDeadline(t)
}

func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// Close closes the socket. Any goroutine.
func (c *conn) Close() error {
	c.link.cut()
	return c.Conn.Close()
}

// Write sends a message; the driver writes whole ones.
func (c *conn) Write(message []byte) (int, error) {
	if c.failed != nil {
		return 0, c.failed
	}
	c.asked.note(message)
	return c.Conn.Write(message)
}

// Read hands out bytes of the current message. Once a message has been refused, so is all that follows.
func (c *conn) Read(p []byte) (int, error) {
	if c.left == 0 && c.failed == nil {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	p = p[:min(len(p), c.left)]
	if c.plain != nil {
		n := copy(p, c.plain)
		c.left -= n
		if c.plain = c.plain[n:]; len(c.plain) == 0 {
			c.plain = nil
		}
		return n, nil
	}
	if c.failed != nil {
		return 0, c.failed
	}
	n, err := c.take(p)
	c.left -= n
	return n, err
}

// next looks at the head of a message. What is not plainly in order comes into memory and is checked there.
func (c *conn) next() error {
	if c.whole != nil {
		return c.gather()
	}
	head, err := c.peek(4)
	if err != nil {
		return err
	}
	length, err := messageLength(head)
	if err != nil {
		return err
	}
	if head, err = c.peek(min(length, plainHead)); err != nil {
		return err
	}
	simple, err := c.asked.simple(head)
	if err != nil {
		return err
	}
	if simple {
		c.left = length
		return nil
	}
	c.whole = replyMemory(length)
	return c.gather()
}

// gather receives the whole message.
func (c *conn) gather() error {
	for c.have < len(c.whole) {
		n, err := c.take(c.whole[c.have:])
		if c.have += n; err != nil {
			return err
		}
	}
	plain, err := c.asked.unwrap(c.whole)
	if err != nil {
		return err
	}
	if &plain[0] != &c.whole[0] {
		Reuse(c.whole)
	}
	c.whole, c.have = nil, 0
	c.plain, c.left = plain, len(plain)
	return nil
}

// peek returns the next n bytes, which stay unread.
func (c *conn) peek(n int) ([]byte, error) {
	if c.buffer == nil {
		c.buffer = make([]byte, readAhead)
	}
	for len(c.unread) < n {
		kept := copy(c.buffer, c.unread)
		received, err := c.receive(c.buffer[kept:])
		c.unread = c.buffer[:kept+received]
		if err != nil && len(c.unread) < n {
			if err == io.EOF && len(c.unread) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
	return c.unread[:n], nil
}

// take reads what is next, from the buffer or the socket.
func (c *conn) take(p []byte) (int, error) {
	if len(c.unread) > 0 || len(p) == 0 {
		n := copy(p, c.unread)
		c.unread = c.unread[n:]
		return n, nil
	}
	n, err := c.receive(p[:min(len(p), maxReceive)])
	if n == maxReceive {
		runtime.Gosched()
	}
	return n, err
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
