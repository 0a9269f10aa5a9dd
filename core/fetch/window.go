package fetch

import (
	"context"
	"sync"
)

// DefaultWindow is how many unacknowledged bytes a read may have before it stops asking the server for more: one and a
// half batches of the server's largest size, so that the next one is asked for when half of one is consumed.
const DefaultWindow = 24 << 20

// aheadLimit is how many bytes of chunks JavaScript is given before it takes them. What is beyond waits as BSON, where it
// is once, instead of as chunks beside a reply that is not free yet. JavaScript consumes this in about ten milliseconds,
// and encoding is faster than that.
const aheadLimit = 4 << 20

// DefaultBudget is the same for all reads of the process together, so that many slow readers do not add up.
const DefaultBudget = 256 << 20

// SetBudget changes the budget of the process. What is under way already stays.
func SetBudget(bytes int64) {
	process.mu.Lock()
	process.limit = bytes
	process.wake()
	process.mu.Unlock()
}

// budget counts bytes that are in Go or on their way to JavaScript, over all reads.
type budget struct {
	mu      sync.Mutex
	used    int64
	limit   int64
	waiting map[*Window]struct{}
}

// wake lets those who wait look again. Under mu.
func (b *budget) wake() {
	for waiter := range b.waiting {
		signal(waiter.moved)
	}
}

var process = &budget{limit: DefaultBudget, waiting: map[*Window]struct{}{}}

// Window is one read's credit. Bytes are charged before they are fetched and given back when JavaScript acknowledges
// them. A read that owes nothing may always fetch, whatever the others use, so nothing can deadlock; JavaScript keeps
// owing for the last chunk until somebody waits for more (js/cursor/reader.js), so that this is no read-ahead.
type Window struct {
	budget *budget
	limit  int64
	used   int64         // guarded by budget.mu
	moved  chan struct{} // signalled, with room for one, when credit may have come back

	delivered int64         // the part of used that JavaScript has; guarded by budget.mu
	acked     chan struct{} // signalled, with room for one, when delivered has become less
}

// NewWindow returns the credit of one read: limit bytes, or DefaultWindow when it is 0. Its partner is Close, or an
// acknowledgement of everything.
func NewWindow(limit int64) *Window {
	if limit <= 0 {
		limit = DefaultWindow
	}
	return &Window{budget: process, limit: limit, moved: make(chan struct{}, 1), acked: make(chan struct{}, 1)}
}

// Acquire waits until size more bytes may be under way and charges them.
func (w *Window) Acquire(ctx context.Context, size int64) error {
	for !w.tryAcquire(size) {
		select {
		case <-ctx.Done():
			w.budget.mu.Lock()
			delete(w.budget.waiting, w)
			w.budget.mu.Unlock()
			return context.Cause(ctx)
		case <-w.moved:
		}
	}
	return nil
}

func (w *Window) tryAcquire(size int64) bool {
	b := w.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.used == 0 || (w.used+size <= w.limit && b.used+size <= b.limit) {
		delete(b.waiting, w)
		w.used += size
		b.used += size
		return true
	}
	b.waiting[w] = struct{}{}
	return false
}

// Charge adds bytes without waiting (negative: gives them back), when the size of something turns out.
func (w *Window) Charge(size int64) {
	b := w.budget
	b.mu.Lock()
	// An acknowledgement of more than was delivered must not turn into credit without end.
	if w.used+size < 0 {
		size = -w.used
	}
	w.used += size
	b.used += size
	if size < 0 {
		b.wake()
	}
	b.mu.Unlock()
}

// deliver counts charged bytes that go to JavaScript.
func (w *Window) deliver(size int64) {
	w.budget.mu.Lock()
	w.delivered += size
	w.budget.mu.Unlock()
}

// awaitAcks waits while JavaScript has as much as it is given at a time. For the read's producer alone.
func (w *Window) awaitAcks(ctx context.Context) error {
	for w.deliveredBytes() >= aheadLimit {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-w.acked:
		}
	}
	return nil
}

func (w *Window) deliveredBytes() int64 {
	w.budget.mu.Lock()
	defer w.budget.mu.Unlock()
	return w.delivered
}

// Ack gives back bytes that JavaScript has consumed.
func (w *Window) Ack(size int64) {
	if size <= 0 {
		return
	}
	w.Charge(-size)
	w.budget.mu.Lock()
	w.delivered = max(0, w.delivered-size)
	w.budget.mu.Unlock()
	signal(w.acked)
}

// Close gives back all that the read still owes.
func (w *Window) Close() {
	w.budget.mu.Lock()
	rest := w.used
	w.budget.mu.Unlock()
	w.Charge(-rest)
}

// Used returns how many bytes are charged and not given back.
func (w *Window) Used() int64 {
	w.budget.mu.Lock()
	defer w.budget.mu.Unlock()
	return w.used
}

// BytesUnderWay returns the bytes of all reads that are in Go or not acknowledged by JavaScript.
func BytesUnderWay() int64 {
	process.mu.Lock()
	defer process.mu.Unlock()
	return process.used
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
