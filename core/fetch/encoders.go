package fetch

import (
	"context"
	"runtime"
	"sync"
)

// Encoders is a pool of encoders of one kind.
type Encoders struct {
	pool sync.Pool
	kind Kind
}

// NewEncoders returns a pool that makes its encoders with make.
func NewEncoders(kind Kind, make func() Encoder) *Encoders {
	e := &Encoders{kind: kind}
	e.pool.New = func() any { return make() }
	return e
}

func (e *Encoders) get() Encoder { return e.pool.Get().(Encoder) }

// put takes an encoder back that has been reset by WriteTo. One whose Encode or WriteTo panicked is not put back.
func (e *Encoders) put(enc Encoder) { e.pool.Put(enc) }

// parsing limits how many pieces are encoded at a time in the process: one core less than Go may use is kept free for
// the JavaScript thread and the sockets.
var parsing struct {
	once  sync.Once
	slots chan struct{}
}

// parseSlots is sized at first use, when the runtime's settings are final. Waiters get their turn in order, which makes
// it fair between reads.
func parseSlots() chan struct{} {
	parsing.once.Do(func() {
		parsing.slots = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))
	})
	return parsing.slots
}

func takeSlot(ctx context.Context) error {
	select {
	case parseSlots() <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func giveSlot() { <-parsing.slots }
