package fetch

import (
	"context"
	"errors"
	"sync/atomic"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
)

// aheadPerSlot is how many pieces per parse slot are ordered and undelivered: enough that no slot waits for the delivery of
// another's piece.
const aheadPerSlot = 2

// ErrStopped is the cause of a context that ended because the reader wants no more.
var ErrStopped error = fault.New(fault.Cancelled, "the operation was cancelled")

// Params is what a FIND needs beside its command.
type Params struct {
	Kind   Kind
	Window int64 // bytes of read-ahead, 0: DefaultWindow
	Cursor driver.CursorParams

	// Inspect, if there is one, is called with the first batch that has documents, before any of them is encoded.
	Inspect func(batch []byte) error

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
	case "columns":
		return Columns, nil
	}
	return 0, fault.New(fault.InvalidArgument, "params.mode must be \"frames\", \"lazy\", \"text\" or \"columns\"")
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
	pending  atomic.Int64       // bytes of batches that are charged to window and not delivered yet
	ordered  chan *job          // pieces in document order; closed by producer when nothing follows
	fetched  error              // why fetcher ended early; read after its channel is closed
	produced error              // the same of producer, after ordered is closed
	finished bool               // a chunk with Last has been delivered; deliver's
	inspect  func([]byte) error // nil once it was called; producer's
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
		single(ctx, cursor, encoders, window, out, params)
		return
	}
	if cursor.Live() {
		out.Cursor(cursor.ID())
	}
	f := &find{caller: ctx, cursor: cursor, encoders: encoders, out: out, window: window, inspect: params.Inspect, panicAt: params.panicAt}
	f.ctx, f.stop = context.WithCancelCause(ctx)
	defer f.stop(nil)
	f.ordered = make(chan *job, aheadPerSlot*cap(parseSlots()))
	go f.producer()
	f.close(f.deliver())
}

// single delivers a result that is one piece without any further goroutine: this is every findOne.
func single(ctx context.Context, cursor *driver.Cursor, encoders *Encoders, window *Window, out Outlet,
	params Params) {
	defer cursor.Close(ctx, nil)
	elems := cursor.Batch()
	if len(elems) == 0 {
		out.End(nil)
		return
	}
	if params.Inspect != nil {
		if err := params.Inspect(elems); err != nil {
			out.End(fault.From(err))
			return
		}
	}
	j := &job{elems: elems, batchEnd: true, last: true, panicAt: params.panicAt}
	// A small one is not worth a turn in the queue of the large ones.
	if len(elems) > InlineLimit {
		if err := takeSlot(ctx); err != nil {
			out.End(failure(ctx, err))
			return
		}
		defer giveSlot()
	}
	if j.encode(encoders, out); j.err == nil {
		driver.Reuse(cursor.TakeMemory())
	}
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

// producer cuts batches into pieces and starts their encoding, while fetcher gets the next one.
func (f *find) producer() {
	defer close(f.ordered)
	f.add()
	first := f.batch()
	batches := make(chan batch)
	if first.last {
		close(batches)
	} else {
		go f.fetcher(batches, len(first.elems))
	}
	err := f.cutAll(first, batches)
	if err != nil {
		f.stop(err)
	}
	// fetcher is always joined: a cursor is not safe for concurrent use, and the close that follows an error uses it.
	for range batches {
	}
	f.produced = errors.Join(f.fetched, err)
}

// cutAll starts the encoding of all batches, or returns why not.
func (f *find) cutAll(first batch, batches <-chan batch) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.FromPanic(p)
		}
	}()
	f.panicAt.is("producer")
	err = f.pieces(first)
	for err == nil {
		b, more := <-batches
		if !more {
			break
		}
		err = f.pieces(b)
	}
	return err
}

// nothing is the chunk of an empty batch, and what that is charged as.
var nothing [8]byte

// pieces starts the encoding of a batch's documents.
func (f *find) pieces(b batch) error {
	rest, used := b.elems, newMemory(b.memory)
	defer used.letGo()
	if len(rest) == 0 {
		if !b.last {
			f.ordered <- &job{elems: nothing[:], batchEnd: true, done: closed, inline: nothing[:]}
		}
		return nil
	}
	if f.inspect != nil {
		if err := f.inspect(rest); err != nil {
			return err
		}
		f.inspect = nil
	}
	for len(rest) > 0 {
		var piece []byte
		piece, rest = cut(rest, pieceBytes(f.encoders.kind))
		if err := f.window.awaitAcks(f.ctx); err != nil {
			return err
		}
		if err := takeSlot(f.ctx); err != nil {
			return err
		}
		end := len(rest) == 0
		j := &job{elems: piece, batchEnd: end, last: b.last && end, done: make(chan struct{}), panicAt: f.panicAt}
		used.keep()
		go func() {
			defer close(j.done)
			defer giveSlot()
			if j.encode(f.encoders, f.out); j.err == nil {
				used.letGo()
			}
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
