package fetch

import (
	"context"
	"encoding/binary"
)

// elementHead makes an element of a BSON array out of the document that follows it: its type, and an empty key.
var elementHead = [2]byte{0x03, 0}

// Elements copies BSON documents that follow one another into the form in which a batch has them. whole is false where
// their lengths do not add up; elems is then of no use.
func Elements(docs []byte) (elems []byte, whole bool) {
	count := 0
	for rest := docs; len(rest) > 0; count++ {
		size := documentSize(rest)
		if size == 0 {
			return nil, false
		}
		rest = rest[size:]
	}
	elems = make([]byte, 0, len(docs)+count*len(elementHead))
	for len(docs) > 0 {
		size := documentSize(docs)
		elems = append(elems, elementHead[:]...)
		elems = append(elems, docs[:size]...)
		docs = docs[size:]
	}
	return elems, true
}

// documentSize is the size of the document at the start of docs, or 0 where that is no document.
func documentSize(docs []byte) int {
	if len(docs) < 5 {
		return 0
	}
	size := int(int32(binary.LittleEndian.Uint32(docs)))
	if size < 5 || size > len(docs) {
		return 0
	}
	return size
}

// Documents delivers elems, consecutive elements of a BSON array body, to out as a find delivers its batches. Whoever asks
// for it bounds how much there is of it, and has several requests of this kind at a time to keep the cores busy.
func Documents(ctx context.Context, elems []byte, encoders *Encoders, window *Window, out Outlet) {
	if len(elems) == 0 {
		out.End(nil)
		return
	}
	for len(elems) > 0 {
		var piece []byte
		piece, elems = cut(elems, pieceBytes(encoders.kind))
		j := &job{elems: piece, batchEnd: len(elems) == 0, last: len(elems) == 0}
		if err := takeSlot(ctx); err != nil {
			out.End(failure(ctx, err))
			return
		}
		func() {
			defer giveSlot()
			j.encode(encoders, out)
		}()
		if ctx.Err() != nil {
			j.drop(out)
			out.End(failure(ctx, ctx.Err()))
			return
		}
		window.Charge(int64(j.owed()))
		window.deliver(int64(j.owed()))
		if !j.deliver(encoders.kind, out) {
			out.End(failure(ctx, j.err))
			return
		}
	}
}
