package index

import (
	"bytes"
	"encoding/binary"
	"unsafe"

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
	open   stack       // scratch of the validator
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
		return 0, e.size(), malformed(0, "more than 2 GB in one piece")
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
	if cap(e.words) > keep || cap(e.fields) > keep || cap(e.names) > keep || cap(e.open.frames) > keep {
		e.words, e.fields, e.names, e.open = nil, nil, nil, stack{}
	}
	e.elems, e.words, e.taken, e.count, e.run = nil, e.words[:0], 0, 0, 0
}

// document returns where the document of the array element at begins and ends.
func document(b []byte, at int) (start, end int, err error) {
	if b[at] != typeDocument {
		return 0, 0, malformed(at, "an element of the batch is not a document but of type 0x%02x", b[at])
	}
	nul := bytes.IndexByte(b[at+1:], 0)
	if nul < 0 {
		return 0, 0, malformed(at+1, "the key of an element of the batch has no end")
	}
	start = at + 1 + nul + 1
	end, ok := container(b, start, len(b))
	if !ok {
		return 0, 0, malformed(start, "a document's length does not fit or its terminator is missing")
	}
	return start, end, nil
}

// index validates the document b[start:end] and appends its record.
func (e *Encoder) index(b []byte, start, end int) error {
	last, fields := e.last, e.fields[:0]
	same := last != nil
	at := start + 4
	for at < end-1 {
		value := 0
		if n := len(fields); same && n < last.Len() && hasKey(b[at+1:end-1], last.Key(n)) {
			value = at + 1 + len(last.Key(n))
		} else {
			same = false
			nul := bytes.IndexByte(b[at+1:end-1], 0)
			if nul < 0 {
				return malformed(at+1, "a field's name has no end")
			}
			value = at + 1 + nul + 1
		}
		next, reason := e.open.value(b, b[at], value, end-1)
		if reason != "" {
			return malformed(value, "field %q, type 0x%02x: %s", b[at+1:value-1], b[at], reason)
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

func malformed(offset int, format string, args ...any) error {
	f := fault.New(fault.BSON, "malformed BSON: "+format, args...)
	f.Offset = int64(offset)
	return f
}

func int32At(b []byte, at int) int { return int(int32(binary.LittleEndian.Uint32(b[at:]))) }
