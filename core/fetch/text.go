package fetch

import (
	"context"

	"rumongo-go/core/fault"
	"rumongo-go/core/jsonout"
)

// TextParams says what becomes of the chunks of a text, which its encoder writes with a comma before each document.
type TextParams struct {
	Head     byte   // takes the place of the first comma; 0: there are no commas
	Tail     string // comes after the last document, if there is one
	Empty    string // is the text of no documents at all
	Single   bool   // only the first document is wanted
	Joined   bool   // one chunk with everything, instead of one after the other
	MaxBytes int64  // of a joined text
	Compress string // "", "gzip" or "zstd"; not for joined text
	Level    int    // of compression, in the terms of zlib or zstd
	Marks    bool   // the chunks have a mark, see jsonout.AppendMark, and so will the parts; not for joined text
	Member   int64  // with Compress and Marks: a part has a mark of an _id where the compressed text so far is whole, every so many bytes of text
}

// NewText returns the outlet between a read of text and out. stop ends the read with an error.
func NewText(p TextParams, window *Window, stop context.CancelCauseFunc, out Outlet) (Outlet, error) {
	t := &text{Outlet: out, params: p, window: window, stop: stop}
	switch {
	case p.Joined:
		parts := &segments{Outlet: out}
		t.Outlet = parts
		t.to = &joined{out: out, parts: parts, window: window, most: p.MaxBytes, stop: stop}
	case p.Compress != "":
		c, err := newCompressed(p, window, stop, out)
		if err != nil {
			return nil, err
		}
		t.to = c
	default:
		t.to = passed{out, p.Marks}
	}
	return t, nil
}

// A textSink takes the parts of a text in order. take owns the chunk's block; after finish or drop nothing comes.
type textSink interface {
	take(Chunk)
	finish(tail string)
	drop(*fault.Fault)
}

// text makes the chunks of documents one text.
type text struct {
	Outlet
	params  TextParams
	to      textSink
	window  *Window
	stop    context.CancelCauseFunc
	started bool
	ended   bool
}

func (c *Chunk) data() []byte {
	if c.Block.Ref != nil {
		return c.Block.Data
	}
	return c.Inline
}

// Chunk implements Outlet.
func (t *text) Chunk(c Chunk) {
	if t.ended {
		if c.Block.Ref != nil {
			t.Drop(c.Block)
		}
		return
	}
	last := c.Last
	c.Last, c.BatchEnd = false, c.BatchEnd && !last
	if data := c.data(); c.Count == 0 {
		t.window.Ack(int64(len(data))) // an empty batch is no text
	} else {
		if !t.started && t.params.Head != 0 {
			data[0] = t.params.Head
		}
		t.started = true
		t.to.take(c)
	}
	if last {
		t.End(nil)
	} else if t.started && t.params.Single {
		t.End(nil)
		t.stop(ErrStopped)
	}
}

// End implements Outlet.
func (t *text) End(f *fault.Fault) {
	if t.ended {
		return
	}
	t.ended = true
	switch {
	case f != nil:
		t.to.drop(f)
	case t.started:
		t.to.finish(t.params.Tail)
	default:
		t.to.finish(t.params.Empty)
	}
}

// end delivers the last part of a text, which is small.
func end(out Outlet, count int, text []byte) {
	if len(text) == 0 {
		out.End(nil)
		return
	}
	out.Chunk(Chunk{Kind: Text, Count: count, BatchEnd: true, Last: true, Inline: text})
}

// passed hands the parts on as they are.
type passed struct {
	out   Outlet
	marks bool
}

func (p passed) take(c Chunk) { p.out.Chunk(c) }

func (p passed) finish(tail string) {
	text := []byte(tail)
	if p.marks {
		text = jsonout.AppendMark(text, nil, 0)
	}
	end(p.out, 0, text)
}

func (p passed) drop(f *fault.Fault) { p.out.End(f) }
