package fetch

import (
	"sync"

	"rumongo-go/core/fault"
)

// job is one piece on its way from BSON to a chunk. encode runs on a parse goroutine, deliver or drop afterwards on the
// read's own.
type job struct {
	elems    []byte // part of the server's reply; read until encode ends
	batchEnd bool
	last     bool
	done     chan struct{} // closed when encode has ended
	panicAt  spot

	count  int
	block  Block              // the chunk, when it is larger than InlineLimit
	inline []byte             // otherwise: a part of buffer
	buffer *[InlineLimit]byte // from inlineBuffers
	err    error              // malformed BSON after count documents, or why there is no chunk
}

var inlineBuffers = sync.Pool{New: func() any { return new([InlineLimit]byte) }}

// closed is the done of jobs that need no encoding.
var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// encode makes the chunk. Errors and panics end in err.
func (j *job) encode(encoders *Encoders, out Outlet) {
	defer func() {
		if p := recover(); p != nil {
			j.drop(out)
			j.err = fault.FromPanic(p)
		}
	}()
	j.panicAt.is("encode")
	enc := encoders.get()
	count, size, err := enc.Encode(j.elems)
	if err != nil {
		j.err = place(err, j.elems, count)
		if count == 0 {
			return // the encoder, in the middle of something, is left to the collector
		}
	}
	if size <= InlineLimit {
		j.buffer = inlineBuffers.Get().(*[InlineLimit]byte)
		j.inline = j.buffer[:size]
		enc.WriteTo(j.inline)
	} else {
		block, err := out.Alloc(encoders.kind, size)
		if err != nil {
			j.err = err
			return
		}
		j.block = block
		enc.WriteTo(block.Data)
	}
	j.count = count
	encoders.put(enc)
}

// owed is what the chunk costs until it is acknowledged. The end of a read that is small enough to be inline is not
// acknowledged: it is consumed as it arrives, and would cost every findOne a call.
func (j *job) owed() int {
	if j.last && j.err == nil && j.block.Ref == nil {
		return 0
	}
	return len(j.inline) + len(j.block.Data)
}

// deliver passes the chunk on. False: the read ends here, with err.
func (j *job) deliver(kind Kind, out Outlet) bool {
	if j.err == nil || j.count > 0 {
		out.Chunk(Chunk{
			Kind:     kind,
			Count:    j.count,
			BatchEnd: j.batchEnd && j.err == nil,
			Last:     j.last && j.err == nil,
			Block:    j.block,
			Inline:   j.inline,
		})
		j.block = Block{}
	}
	j.recycle()
	return j.err == nil
}

// drop frees the chunk of a read that has failed before.
func (j *job) drop(out Outlet) {
	if j.block.Ref != nil {
		out.Drop(j.block)
		j.block = Block{}
	}
	j.recycle()
}

func (j *job) recycle() {
	if j.buffer != nil {
		inlineBuffers.Put(j.buffer)
		j.buffer, j.inline = nil, nil
	}
}
