package frame

import (
	"rumongo-go/core/bsonscan"
	"rumongo-go/core/fault"
	"rumongo-go/core/shape"
)

// An Encoder makes one eager chunk at a time. It is not safe for concurrent use; pool it: it remembers shapes, keys and
// which strings repeat.
type Encoder struct {
	streams
	texts
	table *shape.Table

	runs      []int32 // pairs
	documents int
	refs      []*shape.Prog // the chunk's shapes
	refIndex  map[*shape.Prog]int32
	topKey    uint32 // the highest key id in the chunk
	odd       bool   // something of the current document was left to bson.deserialize unseen

	last    *shape.Shape // prediction: the next document is like this one
	fields  []field      // scratch, a stack: the fields of the generic documents being written
	found   [512]foundShape
	keys    [2048]foundKey
	marks   []dupMark
	dupMark uint32
	hints   hintTable // what the documents in generic ones looked like, by the key they were under
}

type foundShape struct {
	hash  uint64
	shape *shape.Shape
}

type foundKey struct {
	hash uint64
	key  *shape.Key
}

// NewEncoder returns an encoder ready for Encode.
func NewEncoder() *Encoder {
	return &Encoder{table: shape.Frames, refIndex: map[*shape.Prog]int32{}, marks: make([]dupMark, 256)}
}

// Encode takes elems, consecutive elements of a BSON array body (type byte, key, NUL, document; repeated). It returns
// how many documents it took and the size of the chunk. On malformed BSON err is a *fault.Fault of kind BSON with the
// offset in elems, and the documents before the bad one are in the chunk. Elems is not needed after Encode.
func (e *Encoder) Encode(elems []byte) (count, size int, err error) {
	e.reset()
	for p := 0; p < len(elems); {
		at := p
		if elems[p] != bsonscan.Document {
			return e.documents, e.size(), fault.Malformed(at, "an element of the batch is not a document but of type 0x%02x", elems[p])
		}
		start, ok := bsonscan.Key(elems, p+1, len(elems))
		if !ok {
			return e.documents, e.size(), fault.Malformed(at+1, "the key of an element of the batch has no end")
		}
		next, ok := bsonscan.Value(bsonscan.Document, elems, start, len(elems))
		if !ok {
			return e.documents, e.size(), invalid(elems[start:], start)
		}
		if err := e.root(elems, start, next); err != nil {
			return e.documents, e.size(), err
		}
		p = next
	}
	return e.documents, e.size(), nil
}

// root writes the document b[start:next].
func (e *Encoder) root(b []byte, start, next int) error {
	m := e.mark()
	e.odd = false
	ref, last := e.document(e.last, true, b, start+4, next-1, 1)
	if e.odd {
		// Part of it went as it is. JavaScript's decoder would find a fault in its structure as well, but without
		// an offset, and only after the documents before it.
		if err := invalid(b[start:next], start); err != nil {
			e.rollback(m)
			return err
		}
	}
	if last != nil {
		e.last = last
	}
	e.documents++
	if n := len(e.runs); n > 0 && e.runs[n-2] == ref {
		e.runs[n-1]++
	} else {
		e.runs = append(e.runs, ref, 1)
	}
	return nil
}

func (e *Encoder) reset() {
	e.streams.reset()
	e.texts.reset()
	e.runs, e.documents, e.topKey = e.runs[:0], 0, 0
	if len(e.refs) > 0 {
		clear(e.refs) // so that a shape the table dropped is not kept by an idle encoder
		clear(e.refIndex)
		e.refs = e.refs[:0]
	}
	if cap(e.fields) > keepFields {
		e.fields = nil
	}
	if len(e.marks) > keepFields {
		e.marks = make([]dupMark, 256)
	}
}

// reference returns the index of prog in the chunk's shapes.
func (e *Encoder) reference(prog *shape.Prog) int32 {
	if n := len(e.refs); n > 0 && e.refs[n-1] == prog {
		return int32(n - 1)
	}
	if at, ok := e.refIndex[prog]; ok {
		return at
	}
	at := int32(len(e.refs))
	e.refs = append(e.refs, prog)
	e.refIndex[prog] = at
	return at
}

type mark struct {
	streams streamMark
	texts   textMark
}

func (e *Encoder) mark() mark { return mark{e.streams.mark(), e.texts.mark()} }

func (e *Encoder) rollback(m mark) {
	e.streams.rollback(m.streams)
	e.texts.rollback(m.texts)
}

// invalid returns what is wrong with the structure of the document at the start of b, which is at offset base.
func invalid(b []byte, base int) error {
	if _, err := bsonscan.Validate(b); err != nil {
		err.Offset += base
		return fault.Malformed(err.Offset, "%s", err.Reason)
	}
	return nil
}
