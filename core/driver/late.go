package driver

import (
	"sync"
	"sync/atomic"
	"time"
)

// lateGrace is how long a client that closes waits for the replies that only their cursors are waited for.
const lateGrace = 100 * time.Millisecond

// lateReads are the reads of a deployment that nobody waits for any more and whose first command has no reply yet: only
// that says which cursor to close. Each occupies a connection, so they end when that is needed or the client closes.
type lateReads struct {
	mu    sync.Mutex
	reads map[*lateRead]struct{}
}

type lateRead struct {
	client *Client
	stop   func()
	ended  chan struct{}
}

var lateCount atomic.Int64

// LateReads returns how many reads of the process wait for no more than the cursor to close.
func LateReads() int64 { return lateCount.Load() }

// Late says that a read is one of lateReads from now on, until the returned function is called. stop ends it.
func (c *Client) Late(stop func()) (ended func()) {
	l := &c.deployment.late
	read := &lateRead{client: c, stop: stop, ended: make(chan struct{})}
	lateCount.Add(1)
	l.mu.Lock()
	if l.reads == nil {
		l.reads = map[*lateRead]struct{}{}
	}
	l.reads[read] = struct{}{}
	closed := c.closed.Load()
	l.mu.Unlock()
	if closed {
		stop()
	}
	return func() {
		l.mu.Lock()
		delete(l.reads, read)
		l.mu.Unlock()
		lateCount.Add(-1)
		close(read.ended)
	}
}

// of returns the reads of one client, or of all when it is nil.
func (l *lateReads) of(client *Client) []*lateRead {
	l.mu.Lock()
	defer l.mu.Unlock()
	var reads []*lateRead
	for read := range l.reads {
		if client == nil || read.client == client {
			reads = append(reads, read)
		}
	}
	return reads
}

// stop ends them all: somebody waits for a connection.
func (l *lateReads) stop() {
	for _, read := range l.of(nil) {
		read.stop()
	}
}

// close ends those of a client that has been marked as closed.
func (l *lateReads) close(client *Client) {
	reads := l.of(client)
	if len(reads) == 0 {
		return
	}
	stop := func() {
		for _, read := range reads {
			read.stop()
		}
	}
	defer time.AfterFunc(lateGrace, stop).Stop()
	for _, read := range reads {
		<-read.ended
	}
}
