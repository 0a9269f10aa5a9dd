package fetch

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
)

const (
	// ordered but undelivered pieces per parse slot: enough that no slot waits for the delivery of another's piece.
	aheadPerSlot = 2
	// cancelGrace is how long a getMore that runs may still take when a read is cancelled. Ending it costs its connection,
	// and with it a handshake for the next read; a loop that is left early would pay that every time. The request of a
	// find that runs ends after it, see opening.
	cancelGrace = 100 * time.Millisecond
	// goneGrace is the same when the client is closed or its worker is gone, and nobody else needs the connection.
	goneGrace = time.Second
	// minEstimate is the least a getMore is charged before its reply is here.
	minEstimate = 16 << 10
)

// ErrStopped is the cause of a context that ended because the reader wants no more.
var ErrStopped error = fault.New(fault.Cancelled, "the operation was cancelled")

// Params is what a FIND needs beside its command.
type Params struct {
	Kind   Kind
	Window int64 // bytes of read-ahead, 0: DefaultWindow
	Cursor driver.CursorParams

	panicAt spot // with TestHooks only
}

// ParseParams reads {mode, window, batchSize, limit, ...}.
func ParseParams(params []byte) (Params, error) {
	var p Params
	var err error
	doc := bsoncore.Document(params)
	if p.Kind, err = ParseKind(params); err != nil {
		return p, err
	}
	if window, err := doc.LookupErr("window"); err == nil {
		n, ok := window.AsInt64OK()
		if !ok || n < 0 {
			return p, fault.New(fault.InvalidArgument, "params.window must be a number of bytes")
		}
		p.Window = n
	}
	if TestHooks {
		at, _ := doc.Lookup("testPanic").StringValueOK()
		p.panicAt = spot(at)
	}
	p.Cursor, err = driver.ParseCursorParams(params)
	return p, err
}

// ParseKind reads {mode}.
func ParseKind(params []byte) (Kind, error) {
	mode, _ := bsoncore.Document(params).Lookup("mode").StringValueOK()
	switch mode {
	case "frames":
		return Frames, nil
	case "lazy":
		return Lazy, nil
	case "text":
		return Text, nil
	}
	return 0, fault.New(fault.InvalidArgument, "params.mode must be \"frames\", \"lazy\" or \"text\"")
}

// find is one FIND: its goroutine (deliver) hands out what producer has had encoded.
type find struct {
	caller   context.Context // ends when the read is cancelled
	ctx      context.Context // ends when the read is cancelled or has failed
	stop     context.CancelCauseFunc
	cursor   *driver.Cursor
	encoders *Encoders
	out      Outlet
	window   *Window
	pending  atomic.Int64 // bytes of batches that are charged to window and not delivered yet
	ordered  chan *job    // pieces in document order; closed by producer when nothing follows
	produced error        // why producer ended early; read after ordered is closed
	finished bool         // a chunk with Last has been delivered; deliver's
	panicAt  spot
}

// Find runs cmd, which answers with a cursor, and delivers its documents to out, in order, until the cursor is
// exhausted, fails, or ctx ends. window is the caller's to acknowledge to, also after Find has returned.
func Find(ctx context.Context, client *driver.Client, cmd driver.Command, params Params, encoders *Encoders,
	window *Window, out Outlet) {
	params.panicAt.is("request")
	cursor, goesOn, err := open(ctx, client, cmd, params.Cursor, out)
	if !goesOn {
		return
	}
	if err != nil {
		out.End(failure(ctx, err))
		return
	}
	if ctx.Err() != nil {
		cursor.Close(ctx, context.Cause(ctx))
		out.End(failure(ctx, ctx.Err()))
		return
	}
	if !cursor.Live() && len(cursor.Batch()) <= pieceBytes(encoders.kind) {
		single(ctx, cursor, encoders, window, out, params.panicAt)
		return
	}
	if cursor.Live() {
		out.Cursor(cursor.ID())
	}
	f := &find{caller: ctx, cursor: cursor, encoders: encoders, out: out, window: window, panicAt: params.panicAt}
	f.ctx, f.stop = context.WithCancelCause(ctx)
	defer f.stop(nil)
	f.ordered = make(chan *job, aheadPerSlot*cap(parseSlots()))
	go f.producer()
	f.close(f.deliver())
	collectAfter()
}

// single delivers a result that is one piece without any further goroutine: this is every findOne.
func single(ctx context.Context, cursor *driver.Cursor, encoders *Encoders, window *Window, out Outlet,
	panicAt spot) {
	defer cursor.Close(ctx, nil)
	elems := cursor.Batch()
	if len(elems) == 0 {
		out.End(nil)
		return
	}
	j := &job{elems: elems, batchEnd: true, last: true, panicAt: panicAt}
	// A small one is not worth a turn in the queue of the large ones.
	if len(elems) > InlineLimit {
		if err := takeSlot(ctx); err != nil {
			out.End(failure(ctx, err))
			return
		}
		defer giveSlot()
	}
	j.encode(encoders, out)
	if ctx.Err() != nil {
		j.drop(out)
		out.End(failure(ctx, ctx.Err()))
		return
	}
	window.Charge(int64(j.owed()))
	if !j.deliver(encoders.kind, out) {
		out.End(failure(ctx, j.err))
	}
}

// producer cuts batches into pieces and starts their encoding, with the next getMore under way meanwhile.
func (f *find) producer() {
	defer close(f.ordered)
	defer func() {
		if p := recover(); p != nil {
			f.produced = fault.FromPanic(p)
		}
	}()
	f.panicAt.is("producer")
	f.add(int64(len(f.cursor.Batch())))
	for idle := 0; ; {
		batch := f.cursor.Batch()
		var next chan error
		if f.cursor.Live() {
			next = make(chan error, 1)
			go f.fetch(next, max(int64(len(batch)), minEstimate), pause(idle))
		}
		err := f.pieces(batch, next == nil)
		if next != nil {
			// Always joined: a BatchCursor is not safe for concurrent use, and the close that follows an error uses it.
			err = errors.Join(<-next, err)
		}
		if err != nil {
			f.produced = err
			return
		}
		if next == nil {
			return
		}
		if idle++; len(f.cursor.Batch()) > 0 {
			idle = 0
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
func (f *find) fetch(done chan<- error, estimate int64, wait time.Duration) {
	defer func() {
		if p := recover(); p != nil {
			done <- fault.FromPanic(p)
		}
	}()
	f.panicAt.is("fetch")
	if wait > 0 {
		select {
		case <-time.After(wait):
		case <-f.ctx.Done():
		}
	}
	if f.ctx.Err() != nil {
		done <- context.Cause(f.ctx) // a reader that has left wants no batch, whatever credit there is
		return
	}
	if err := f.window.Acquire(f.ctx, estimate); err != nil {
		done <- err
		return
	}
	collectBefore(estimate)
	ctx, cancel := graceful(f.ctx)
	defer cancel()
	err := f.cursor.Next(ctx)
	f.window.Charge(-estimate)
	if err == nil {
		f.add(int64(len(f.cursor.Batch())))
	}
	done <- err
}

// add charges a batch that has arrived.
func (f *find) add(size int64) {
	f.pending.Add(size)
	f.window.Charge(size)
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

// nothing is the chunk of an empty batch. It owes something, so that a tailable cursor that nobody asks does not ask on.
var nothing [8]byte

// pieces starts the encoding of a batch's documents. last: no batch follows.
func (f *find) pieces(batch []byte, last bool) error {
	if len(batch) == 0 {
		if !last {
			f.ordered <- &job{batchEnd: true, done: closed, inline: nothing[:]}
		}
		return nil
	}
	for len(batch) > 0 {
		var piece []byte
		piece, batch = cut(batch, pieceBytes(f.encoders.kind))
		if err := f.window.awaitAcks(f.ctx); err != nil {
			return err
		}
		if err := takeSlot(f.ctx); err != nil {
			return err
		}
		end := len(batch) == 0
		j := &job{elems: piece, batchEnd: end, last: last && end, done: make(chan struct{}), panicAt: f.panicAt}
		go func() {
			defer close(j.done)
			defer giveSlot()
			j.encode(f.encoders, f.out)
		}()
		f.ordered <- j // deliver takes all there are, also after a failure
	}
	return nil
}

// deliver hands out the pieces in order until there are no more or one has failed, and returns why not all were. It takes
// all there are in any case: the producer waits for that.
func (f *find) deliver() error {
	var failed error
	for j := range f.ordered {
		<-j.done
		if failed == nil && f.ctx.Err() != nil {
			failed = context.Cause(f.ctx)
		}
		if failed != nil {
			j.drop(f.out)
		} else if failed = f.handOut(j); failed != nil {
			f.stop(ErrStopped)
		}
	}
	if failed == nil {
		failed = f.produced
	}
	return failed
}

// handOut delivers one piece, or returns why not.
func (f *find) handOut(j *job) (failed error) {
	defer func() {
		if p := recover(); p != nil {
			j.drop(f.out)
			failed = fault.FromPanic(p)
		}
	}()
	f.panicAt.is("deliver")
	// What was a piece of a batch is now a chunk, to be acknowledged.
	f.pending.Add(-int64(len(j.elems)))
	f.window.Charge(int64(j.owed() - len(j.elems)))
	f.window.deliver(int64(j.owed()))
	if !j.deliver(f.encoders.kind, f.out) {
		return j.err
	}
	f.finished = j.last
	return nil
}

// close ends the read. The producer has ended, so the cursor is this goroutine's.
func (f *find) close(err error) {
	f.window.Charge(-f.pending.Load())
	if err != nil && errors.Is(context.Cause(f.caller), ErrStopped) {
		// Whoever closes a cursor may wait for this end, and then expects it to be closed on the server.
		f.cursor.Close(f.caller, err)
		f.out.End(failure(f.caller, err))
		return
	}
	if err != nil {
		f.out.End(failure(f.caller, err))
	} else if !f.finished {
		f.out.End(nil)
	}
	f.cursor.Close(f.caller, err)
}
