// Package fetch runs reads: it executes a command, cuts the batches of its cursor into pieces, has them encoded on a
// bounded number of cores and delivers the chunks in document order, while the next batch is already on its way. It
// knows neither how a chunk is encoded nor where it goes.
package fetch

import (
	"unsafe"

	"rumongo-go/core/fault"
)

// Kind says what a chunk's bytes are. The numbers are part of the C ABI.
type Kind uint32

// The kinds of chunks.
const (
	Frames Kind = 1 // documents as frames, for eager reads
	Lazy   Kind = 2 // documents as bytes with an offset index
	Reply  Kind = 3 // one reply document
	Text   Kind = 5 // a part of a text, such as JSON; 4 and 6 are taken by the C ABI
	// Columns: rows as columns
	Columns Kind = 7
)

// InlineLimit is the largest chunk that goes to JavaScript inside the completion itself. A copy of 32 KB costs less
// than the round of taking, wrapping and giving back a block.
const InlineLimit = 32 << 10

// Block is C-owned memory for one chunk. Whoever holds it either delivers it in a Chunk or gives it to Outlet.Drop.
type Block struct {
	Data []byte         // 8-byte aligned, exactly as long as asked for
	Ref  unsafe.Pointer // the outlet's own
}

// Chunk is one delivery: documents in a Block, or, up to InlineLimit, in Inline.
type Chunk struct {
	Kind     Kind
	Count    int
	BatchEnd bool // the last chunk of a server batch
	Last     bool // nothing follows, not even End: saves a small read its second completion
	Block    Block
	Inline   []byte // valid during the call of Outlet.Chunk
}

// Encoder turns the documents of one piece into one chunk. Not goroutine-safe; pooled.
type Encoder interface {
	// Encode reads elems, consecutive elements of a BSON array body (type byte, key, NUL, document; repeated).
	// It returns how many documents it took and the chunk's size in bytes. On malformed BSON err is set and
	// count documents before the bad one are still in the chunk.
	Encode(elems []byte) (count, size int, err error)
	// WriteTo puts the chunk into dst (C-owned, len(dst) == size, 8-byte aligned) and resets the encoder.
	WriteTo(dst []byte)
}

// Outlet takes what a read produces. Alloc and Drop may be called from several goroutines at a time; Chunk and End from
// one, in order, and after End or a Chunk with Last from none.
type Outlet interface {
	Alloc(kind Kind, size int) (Block, error)
	Drop(Block)
	Chunk(Chunk)
	End(*fault.Fault)
	// Cursor tells the number of the server's cursor, before the first chunk, of a read that is not over with its first batch.
	Cursor(id int64)
	// Leave is End for a request whose goroutine goes on for a while, without the outlet. It may be called from another one.
	Leave(*fault.Fault)
}
