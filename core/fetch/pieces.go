package fetch

import (
	"bytes"
	"encoding/binary"
	"errors"

	"rumongo-go/core/fault"
)

// Piece sizes, in bytes of BSON. An eager piece becomes objects in one go on the JavaScript thread: 256 KB is about a
// millisecond there, half of what one turn of the fair queue may take, and a block of that size still fits a core's
// second-level cache. A lazy piece costs that thread next to nothing, and its block lives as long as any document in it,
// so it is larger: fewer, longer runs. A piece of columns is joined with others before JavaScript sees it.
const (
	framesPieceBytes = 256 << 10
	lazyPieceBytes   = 1 << 20
)

func pieceBytes(kind Kind) int {
	if kind == Lazy || kind == Columns {
		return lazyPieceBytes
	}
	return framesPieceBytes
}

// cut splits elems, the body of a BSON array of documents, after the first whole documents that make up at least size
// bytes. Where the structure is broken everything that is left belongs to the piece, and its encoder says what is wrong.
func cut(elems []byte, size int) (piece, rest []byte) {
	at := 0
	for at < len(elems) && at < size {
		next := skipElement(elems, at)
		if next < 0 {
			return elems, nil
		}
		at = next
	}
	return elems[:at], elems[at:]
}

// place completes a fault about the document that follows the first count of elems. An encoder counts bytes from the
// start of what it was given, which is of no use to a user: from here on the offset is that in the document.
func place(err error, elems []byte, count int) error {
	var f *fault.Fault
	if !errors.As(err, &f) || f.Kind != fault.BSON {
		return err
	}
	at := 0
	for range count {
		if at = skipElement(elems, at); at < 0 {
			return err
		}
	}
	nul := bytes.IndexByte(elems[at+1:], 0)
	start := at + 1 + nul + 1
	if nul < 0 || f.Offset < int64(start) {
		return err // what is wrong is not in a document
	}
	f.Offset -= int64(start)
	end := skipElement(elems, at)
	if end < 0 {
		end = len(elems)
	}
	f.Document = bytes.Clone(elems[start:end]) // the fault outlives the batch
	return err
}

// skipElement returns where the element after the document at position at begins, or -1.
func skipElement(elems []byte, at int) int {
	const typeDocument = 0x03
	if elems[at] != typeDocument {
		return -1
	}
	nul := bytes.IndexByte(elems[at+1:], 0)
	if nul < 0 {
		return -1
	}
	start := at + 1 + nul + 1
	if len(elems)-start < 5 {
		return -1
	}
	length := int(int32(binary.LittleEndian.Uint32(elems[start:])))
	if length < 5 || length > len(elems)-start {
		return -1
	}
	return start + length
}
