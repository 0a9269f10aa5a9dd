package fetch

import (
	"bytes"
	"context"

	"rumongo-go/core/fault"
)

// batchBytes ends a batch of columns before it has all its rows, so that a batch of long texts is bounded too.
const batchBytes = 128 << 20

// A Joiner makes one chunk of rows of the chunks of an encoder. See columns.Joiner.
type Joiner interface {
	// Least returns how many bytes the rows of chunk take at least.
	Least(chunk []byte) int
	Add(chunk []byte, from, to int)
	Size() (int, error)
	WriteTo(dst []byte)
}

// ColumnsParams says how many rows there are in a chunk.
type ColumnsParams struct {
	BatchRows int   // 0: one chunk with everything
	MaxBytes  int64 // of that
}

// NewColumns returns the outlet between a read of columns and out. stop ends the read with an error.
func NewColumns(p ColumnsParams, joiner Joiner, window *Window, stop context.CancelCauseFunc, out Outlet) Outlet {
	return &columns{Outlet: out, params: p, joiner: joiner, window: window, stop: stop}
}

// columns keeps chunks until they are enough rows. They are no read-ahead then: the reader waits for all of them.
type columns struct {
	Outlet
	params ColumnsParams
	joiner Joiner
	window *Window
	stop   context.CancelCauseFunc
	parts  []columnPart
	rows   int   // in parts, that are not delivered
	size   int64 // of parts
	least  int64 // what the chunk with everything will have at least
	before int   // rows that are delivered
	failed *fault.Fault
	ended  bool
}

// columnPart is a block, or bytes of its own.
type columnPart struct {
	block Block
	bytes []byte
	rows  int
	given int // of rows
}

// Chunk implements Outlet.
func (c *columns) Chunk(chunk Chunk) {
	if c.ended || c.failed != nil {
		if chunk.Block.Ref != nil {
			c.Drop(chunk.Block)
		}
		return
	}
	data := chunk.data()
	c.window.Ack(int64(len(data)))
	if chunk.Count > 0 {
		p := columnPart{block: chunk.Block, bytes: data, rows: chunk.Count}
		if chunk.Block.Ref == nil {
			p.bytes = bytes.Clone(data)
		}
		c.parts = append(c.parts, p)
		c.rows += p.rows
		c.size += int64(len(data))
		c.least += int64(c.joiner.Least(p.bytes))
		c.deliver(chunk.Last)
	}
	if chunk.Last {
		c.End(c.failed)
	}
}

// deliver hands out what are whole batches.
func (c *columns) deliver(last bool) {
	most := c.params.BatchRows
	if most == 0 {
		if c.least > c.params.MaxBytes {
			c.fail(c.tooLarge())
		}
		return
	}
	for c.failed == nil && (c.rows > most || c.rows == most && !last) {
		c.emit(most, false)
	}
	if c.failed == nil && c.size > batchBytes && c.rows > 0 && !last {
		c.emit(c.rows, false)
	}
}

func (c *columns) tooLarge() *fault.Fault {
	return fault.New(fault.InvalidArgument, "The columns are larger than %d bytes; raise the option \"maxBytes\" "+
		"(up to 4294967295), ask for less, or read them in batches with streamColumns()", c.params.MaxBytes)
}

func (c *columns) fail(f *fault.Fault) {
	c.failed = f
	c.free()
	c.stop(f)
}

// End implements Outlet.
func (c *columns) End(f *fault.Fault) {
	if c.ended {
		return
	}
	c.ended = true
	if c.failed != nil {
		f = c.failed
	}
	if f == nil {
		c.finish()
		return
	}
	if f.Kind == fault.Mismatch {
		f.Row = int64(c.before + c.rows)
	}
	if c.params.BatchRows > 0 && c.rows > 0 && c.failed == nil {
		c.emit(c.rows, false) // what comes before a bad document, as of every stream
	}
	c.free()
	c.Outlet.End(f)
}

// finish delivers what is left.
func (c *columns) finish() {
	if c.params.BatchRows > 0 && c.rows == 0 {
		c.Outlet.End(nil)
		return
	}
	c.emit(c.rows, true)
	if c.failed != nil {
		c.Outlet.End(c.failed)
	}
}

// emit delivers the next rows as one chunk.
func (c *columns) emit(rows int, last bool) {
	left, used := rows, 0
	for i := range c.parts {
		p := &c.parts[i]
		n := min(left, p.rows-p.given)
		if n == 0 {
			break
		}
		c.joiner.Add(p.bytes, p.given, p.given+n)
		p.given += n
		left -= n
		if p.given == p.rows {
			used++
		}
	}
	size, err := c.joiner.Size()
	if err != nil {
		c.fail(fault.From(err))
		return
	}
	if c.params.BatchRows == 0 && int64(size) > c.params.MaxBytes {
		c.fail(c.tooLarge())
		return
	}
	chunk := Chunk{Kind: Columns, Count: rows, BatchEnd: true, Last: last}
	if size <= InlineLimit {
		chunk.Inline = make([]byte, size)
		c.joiner.WriteTo(chunk.Inline)
	} else {
		block, err := c.Alloc(Columns, size)
		if err != nil {
			c.fail(fault.From(err))
			return
		}
		c.joiner.WriteTo(block.Data)
		chunk.Block = block
	}
	for i := range used {
		c.release(i)
	}
	c.parts = append(c.parts[:0], c.parts[used:]...)
	c.rows -= rows
	c.before += rows
	if !last {
		c.window.Charge(int64(size))
		c.window.deliver(int64(size))
	}
	c.Outlet.Chunk(chunk)
}

func (c *columns) free() {
	for i := range c.parts {
		c.release(i)
	}
	c.parts, c.rows, c.size = nil, 0, 0
}

func (c *columns) release(i int) {
	p := &c.parts[i]
	c.size -= int64(len(p.bytes))
	if p.block.Ref != nil {
		c.Drop(p.block)
	}
	*p = columnPart{}
}
