package jsonout

import (
	"encoding/binary"

	"rumongo-go/core/bsonscan"
)

// A Mark follows the text of a chunk, when it is asked for, and says how far the text has come: a BSON document with the
// _id of the last document, nothing where that has none, then two numbers of four bytes, little-endian: how many documents
// are in the chunk, and how long the BSON is. js/json/marked.js reads it.
const markNumbers = 8

// AppendMark appends a mark whose BSON, if any, is last.
func AppendMark(out, last []byte, count int) []byte {
	out = append(out, last...)
	out = binary.LittleEndian.AppendUint32(out, uint32(count))
	return binary.LittleEndian.AppendUint32(out, uint32(len(last)))
}

// SplitMark separates a marked chunk into its text and the mark's BSON.
func SplitMark(chunk []byte) (text, last []byte) {
	end := len(chunk) - markNumbers
	length := int(binary.LittleEndian.Uint32(chunk[end+4:]))
	return chunk[:end-length], chunk[end-length : end]
}

// mark ends the chunk with the mark of count documents, of which the last is at start.
func (e *Encoder) mark(start, count int) {
	var last []byte
	if count > 0 {
		last = idDocument(e.b, start)
	}
	e.out = AppendMark(e.out, last, count)
}

// idDocument returns a document with nothing but the _id of the one at start, whose structure is sound, or nil.
func idDocument(b []byte, start int) []byte {
	for at, end := start+4, start+bsonscan.Length(b, start)-1; at < end; {
		value, ok := bsonscan.Key(b, at+1, end)
		if !ok {
			return nil
		}
		next, ok := bsonscan.Value(b[at], b, value, end)
		if !ok {
			return nil
		}
		if string(b[at+1:value-1]) == "_id" {
			doc := binary.LittleEndian.AppendUint32(nil, uint32(4+next-at+1))
			return append(append(doc, b[at:next]...), 0)
		}
		at = next
	}
	return nil
}
