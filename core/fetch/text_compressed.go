package fetch

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"rumongo-go/core/fault"
	"rumongo-go/core/jsonout"
)

// compressedPart is how much compressed text is delivered at a time, about: a block costs JavaScript 20 microseconds.
const compressedPart = 128 << 10

// compressor is what gzip and zstd have in common.
type compressor interface {
	io.WriteCloser
	Flush() error
	Reset(io.Writer)
}

// compressors are kept, by kind and level: one has up to some megabytes of tables.
var compressors sync.Map // of method to *sync.Pool

type method struct {
	name  string
	level int
}

func (m method) pool() *sync.Pool {
	if pool, ok := compressors.Load(m); ok {
		return pool.(*sync.Pool)
	}
	pool, _ := compressors.LoadOrStore(m, &sync.Pool{})
	return pool.(*sync.Pool)
}

func (m method) get(to io.Writer) (compressor, error) {
	if c, ok := m.pool().Get().(compressor); ok {
		c.Reset(to)
		return c, nil
	}
	if m.name == "gzip" {
		return gzip.NewWriterLevel(to, m.level)
	}
	return zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(m.level)), zstd.WithEncoderConcurrency(1))
}

// compressed compresses the parts into one stream, on the goroutine that delivers: the pieces that follow are encoded
// meanwhile.
type compressed struct {
	out    Outlet
	window *Window
	stop   context.CancelCauseFunc
	method method
	writer compressor
	buffer bytes.Buffer
	count  int // documents that are in buffer, or in writer
	marks  bool
	most   int64 // text of a member, see TextParams.Member
	member int64 // text of the one that is being written
	failed *fault.Fault
}

func newCompressed(p TextParams, window *Window, stop context.CancelCauseFunc, out Outlet) (*compressed, error) {
	c := &compressed{out: out, window: window, stop: stop, method: method{p.Compress, p.Level}, marks: p.Marks, most: p.Member}
	if p.Compress != "gzip" && p.Compress != "zstd" {
		return nil, fault.New(fault.InvalidArgument, "params.compress must be \"gzip\" or \"zstd\"")
	}
	var err error
	c.writer, err = c.method.get(&c.buffer)
	return c, err
}

func (c *compressed) take(chunk Chunk) {
	data := chunk.data()
	owed := int64(len(data))
	var last []byte
	if c.marks {
		data, last = jsonout.SplitMark(data)
	}
	_, err := c.writer.Write(data)
	c.member += int64(len(data))
	c.count += chunk.Count
	whole := c.most > 0 && c.member >= c.most && len(last) > 0
	if whole && err == nil {
		err = c.endMember(last)
	}
	// From here on the read owes what is in the buffer, once that is delivered.
	c.window.Ack(owed)
	if chunk.Block.Ref != nil {
		c.out.Drop(chunk.Block)
	}
	if err == nil && chunk.BatchEnd && !whole {
		err = c.writer.Flush() // the next batch may take its time
	}
	if err == nil && !whole && (c.buffer.Len() >= compressedPart || chunk.BatchEnd) {
		err = c.deliver(nil)
	}
	if err != nil && c.failed == nil {
		c.failed = fault.From(err)
		c.stop(c.failed)
	}
}

// endMember hands out all that has been taken, as a compressed text that is whole; what follows is one of its own. Readers
// of either format take them one after the other.
func (c *compressed) endMember(last []byte) error {
	if err := c.writer.Close(); err != nil {
		return err
	}
	if err := c.deliver(last); err != nil {
		return err
	}
	c.member = 0
	c.writer.Reset(&c.buffer)
	return nil
}

// deliver hands out what is in the buffer. last: of its mark.
func (c *compressed) deliver(last []byte) error {
	if c.marks {
		c.buffer.Write(jsonout.AppendMark(nil, last, c.count))
	}
	chunk := Chunk{Kind: Text, Count: c.count, BatchEnd: true}
	if c.buffer.Len() <= InlineLimit {
		chunk.Inline = c.buffer.Bytes()
	} else {
		block, err := c.out.Alloc(Text, c.buffer.Len())
		if err != nil {
			return err
		}
		copy(block.Data, c.buffer.Bytes())
		chunk.Block = block
	}
	c.window.Charge(int64(c.buffer.Len()))
	c.window.deliver(int64(c.buffer.Len()))
	c.out.Chunk(chunk)
	c.buffer.Reset()
	c.count = 0
	return nil
}

func (c *compressed) finish(tail string) {
	_, err := c.writer.Write([]byte(tail))
	if err == nil {
		err = c.writer.Close()
	}
	if err == nil && c.buffer.Len() > InlineLimit {
		err = c.deliver(nil)
	}
	if c.marks {
		c.buffer.Write(jsonout.AppendMark(nil, nil, c.count))
	}
	if err != nil && c.failed == nil {
		c.failed = fault.From(err)
	}
	if c.failed != nil {
		c.drop(c.failed)
		return
	}
	c.keep()
	end(c.out, c.count, c.buffer.Bytes())
}

func (c *compressed) drop(f *fault.Fault) {
	c.keep()
	c.out.End(f)
}

// keep gives the compressor back: partner of get.
func (c *compressed) keep() {
	c.writer.Reset(io.Discard)
	c.method.pool().Put(c.writer)
}
