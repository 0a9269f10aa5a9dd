package fetch

import (
	"context"
	"errors"
	"time"

	"rumongo-go/core/fault"
)

const (
	// cancelGrace is how long a getMore that runs may still take when a read is cancelled. Ending it costs its connection,
	// and with it a handshake for the next read; a loop that is left early would pay that every time. The request of a
	// find that runs ends after it, see opening.
	cancelGrace = 100 * time.Millisecond
	// goneGrace is the same when the client is closed or its worker is gone, and nobody else needs the connection.
	goneGrace = time.Second
	// minEstimate is the least a getMore is charged before its reply is here.
	minEstimate = 16 << 10
)

// batch is one of the cursor's, on its way from fetcher to producer.
type batch struct {
	elems  []byte
	memory []byte // that they are in, see driver.Reuse
	last   bool
}

func (f *find) batch() batch {
	return batch{f.cursor.Batch(), f.cursor.TakeMemory(), !f.cursor.Live()}
}

// fetcher gets the batches that follow the first one, which had size bytes. When one has been handed over, the next getMore
// goes out before anything else happens: on a distant server every round trip that begins late is lost. That is also
// when the batch before has gone to the encoders, so that no more than two are here.
func (f *find) fetcher(batches chan<- batch, size int) {
	defer close(batches)
	defer func() {
		if p := recover(); p != nil {
			f.fetched = fault.FromPanic(p)
		}
	}()
	f.panicAt.is("fetch")
	for idle := 0; ; {
		if f.fetched = f.fetch(int64(max(size, minEstimate)), pause(idle)); f.fetched != nil {
			return
		}
		b := f.batch()
		batches <- b // producer takes all there are, also after a failure
		if b.last {
			return
		}
		if size = len(b.elems); size > 0 {
			idle = 0
		} else {
			idle++
		}
	}
}

// pause is the wait before asking again after a number of empty batches in a row: none at first, because a server may
// well answer so once, then up to a tenth of a second, because one that always does would be asked in a tight loop.
func pause(empty int) time.Duration {
	if empty < 2 {
		return 0
	}
	return time.Millisecond << min(empty-2, 6)
}

// fetch gets the next batch when there is credit for it.
func (f *find) fetch(estimate int64, wait time.Duration) error {
	if wait > 0 {
		select {
		case <-time.After(wait):
		case <-f.ctx.Done():
		}
	}
	if f.ctx.Err() != nil {
		return context.Cause(f.ctx) // a reader that has left wants no batch, whatever credit there is
	}
	if err := f.window.Acquire(f.ctx, estimate); err != nil {
		return err
	}
	ctx, cancel := graceful(f.ctx)
	defer cancel()
	err := f.cursor.Next(ctx)
	f.window.Charge(-estimate)
	if err == nil {
		f.add()
	}
	return err
}

// add charges the batch that has arrived, before there can be a question whether another one may be fetched. An empty one
// owes something, too, so that a tailable cursor that nobody asks does not ask on.
func (f *find) add() {
	size := len(f.cursor.Batch())
	if size == 0 && f.cursor.Live() {
		size = len(nothing)
	}
	f.pending.Add(int64(size))
	f.window.Charge(int64(size))
}

// graceful returns a context that ends a while later than ctx, whatever the reason: also of a closed client or a worker
// that is gone, the cursor in a reply that nobody reads would stay open on the server.
func graceful(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() {
		cause, grace := context.Cause(ctx), cancelGrace
		if !errors.Is(cause, ErrStopped) {
			grace = goneGrace
		}
		time.AfterFunc(grace, func() { cancel(cause) })
	})
	return late, func() {
		unhook()
		cancel(nil)
	}
}
