package index

import (
	"bytes"
	"unsafe"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/fault"
	"rumongo-go/core/shape"
)

// An Encoder makes one lazy chunk at a time. It is not safe for concurrent use; pool it.
type Encoder struct {
	elems  []byte // the caller's, borrowed from Encode to WriteTo
	taken  int    // how much of elems is in the chunk
	count  int
	words  []uint32
	run    int         // index in words of the current run's header, 0 if none
	last   *shape.Lazy // prediction: documents of a collection mostly repeat their keys
	fields []uint32    // scratch: where the fields of the current document are
	names  []byte      // scratch: the keys of a document that was not as predicted
}

// NewEncoder returns an encoder ready for Encode.
func NewEncoder() *Encoder { return &Encoder{} }

// Encode indexes elems, consecutive elements of a BSON array body (type byte, key, NUL, document; repeated). It
// returns how many documents it took and the size of the chunk. On malformed BSON err is a *fault.Fault of kind BSON
// with the offset in elems, and the documents before the bad one are in the chunk. The encoder reads elems again in
// WriteTo: the caller leaves it untouched until then.
func (e *Encoder) Encode(elems []byte) (count, size int, err error) {
	e.reset()
	e.elems = elems
	e.words = append(e.words, layoutVersion, 0, 0, 0)
	if len(elems) > maxRaw {
		return 0, e.size(), fault.Malformed(0, "more than 2 GB in one piece")
	}
	for at := 0; at < len(elems); {
		doc, end, err := document(elems, at)
		if err == nil {
			err = e.index(elems, doc, end)
		}
		if err != nil {
			return e.count, e.size(), err
		}
		e.count++
		e.taken, at = end, end
	}
	return e.count, e.size(), nil
}

// WriteTo puts the chunk into dst, whose length is the size that Encode returned, and resets the encoder.
func (e *Encoder) WriteTo(dst []byte) {
	table := len(e.words) * 4
	e.words[1], e.words[2], e.words[3] = uint32(e.count), uint32(table), uint32(e.taken)
	// The words are made and read on the same machine, so its own byte order is the right one.
	copy(dst, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(e.words))), table))
	copy(dst[table:], e.elems[:e.taken])
	e.reset()
}

func (e *Encoder) size() int { return len(e.words)*4 + e.taken }

func (e *Encoder) reset() {
	const keep = 1 << 20 // a single huge piece should not stay in the pool
	if cap(e.words) > keep || cap(e.fields) > keep || cap(e.names) > keep {
		e.words, e.fields, e.names = nil, nil, nil
	}
	e.elems, e.words, e.taken, e.count, e.run = nil, e.words[:0], 0, 0, 0
}

// document returns where the document of the array element at begins and ends.
func document(b []byte, at int) (start, end int, err error) {
	if b[at] != bsonscan.Document {
		return 0, 0, fault.Malformed(at, "an element of the batch is not a document but of type 0x%02x", b[at])
	}
	start, ok := bsonscan.Key(b, at+1, len(b))
	if !ok {
		return 0, 0, fault.Malformed(at+1, "the key of an element of the batch has no end")
	}
	end, ok = bsonscan.Value(bsonscan.Document, b, start, len(b))
	if !ok {
		return 0, 0, invalid(b, start)
	}
	return start, end, nil
}

// value validates a field's value and all that is in it, and returns where it ends.
func value(b []byte, typ byte, at, limit int) (next int, ok bool) {
	next, ok = bsonscan.Value(typ, b, at, limit)
	if !ok {
		return 0, false
	}
	switch typ {
	case bsonscan.Document, bsonscan.Array:
	case bsonscan.CodeWithScope:
		// The total length, the code with its length, the scope: both ends are known to be right.
		at += 4 + 4 + bsonscan.Length(b, at+4)
	default:
		return next, true
	}
	_, err := bsonscan.Validate(b[at:next])
	return next, err == nil
}

// index validates the document b[start:end] and appends its record.
func (e *Encoder) index(b []byte, start, end int) error {
	last, fields := e.last, e.fields[:0]
	same := last != nil
	at := start + 4
	for at < end-1 {
		from := 0 // where the value begins
		if n := len(fields); same && n < last.Len() && hasKey(b[at+1:end-1], last.Key(n)) {
			from = at + 1 + len(last.Key(n))
		} else {
			var ok bool
			if from, ok = bsonscan.Key(b, at+1, end-1); !ok {
				return invalid(b, start)
			}
			same = false
		}
		next, ok := value(b, b[at], from, end-1)
		if !ok {
			return invalid(b, start)
		}
		fields, at = append(fields, uint32(at)), next
	}
	e.fields = fields
	if !same || len(fields) != last.Len() {
		last = e.shapeOf(b)
	}
	e.add(start, last)
	return nil
}

// shapeOf finds the shape of the document whose fields are in e.fields, nil if it has none.
func (e *Encoder) shapeOf(b []byte) *shape.Lazy {
	names := e.names[:0]
	for _, at := range e.fields {
		key := b[at+1:]
		names = append(names, key[:bytes.IndexByte(key, 0)+1]...)
	}
	e.names = names
	found := shape.FindLazy(names)
	if found != nil {
		e.last = found
	}
	return found
}

// add appends the record of a document of shape s, which may be nil, opening a run if it needs one.
func (e *Encoder) add(start int, s *shape.Lazy) {
	var id, fields uint32
	if s != nil {
		id, fields = s.ID, uint32(s.Len())
	} else if hasDollarKey(e.names) {
		fields = mayBeReference
	}
	if e.run == 0 || e.words[e.run] != id || e.words[e.run+2] != fields {
		e.run = len(e.words)
		e.words = append(e.words, id, 0, fields)
	}
	e.words[e.run+1]++
	e.words = append(e.words, uint32(start))
	if s != nil {
		e.words = append(e.words, e.fields...)
	}
}

// hasDollarKey reports whether one of names, each with its NUL, begins with a dollar sign.
func hasDollarKey(names []byte) bool {
	return len(names) > 0 && (names[0] == '$' || bytes.Contains(names, []byte("\x00$")))
}

// hasKey reports whether b begins with key, which includes the NUL.
func hasKey(b, key []byte) bool {
	return len(b) >= len(key) && string(b[:len(key)]) == string(key)
}

// invalid says what is wrong with the document at start, which was found not to be valid.
func invalid(b []byte, start int) error {
	_, err := bsonscan.Validate(b[start:])
	if err == nil {
		return fault.Malformed(start, "the document does not end where its length says")
	}
	return fault.Malformed(start+err.Offset, "%s", err.Reason)
}
