package frame

import (
	"sync/atomic"
	"unicode/utf8"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/shape"
)

// A field is where the parts of a field are in the source.
type field struct {
	hash       uint64
	at         int // type byte
	value, end int
}

// A dupMark is a cell of the table that finds duplicate keys: of the document numbered scan, its field-th field.
type dupMark struct {
	scan  uint32
	field int32
}

// scan pushes the fields of the document b[p:end] onto e.fields and returns the hash of its keys. ok is false if
// bson.deserialize has to decode it: bad structure, duplicate keys, keys that are not UTF-8, keys of a DBRef.
func (e *Encoder) scan(b []byte, p, end int) (sequence uint64, ok bool) {
	base := len(e.fields)
	e.dupMark++
	if e.dupMark == 0 {
		clear(e.marks)
		e.dupMark = 1
	}
	for p < end {
		v, ok := bsonscan.Key(b, p+1, end)
		if !ok {
			return 0, false
		}
		next, ok := bsonscan.Value(b[p], b, v, end)
		if !ok {
			return 0, false
		}
		hash := shape.Hash(b, p+1, v-1)
		name := b[p+1 : v-1]
		if len(name) > 0 && name[0] == '$' && shape.IsDBRefKey(name) || asciiPrefix(name) < len(name) && !utf8.Valid(name) {
			return 0, false
		}
		e.fields = append(e.fields, field{hash, p, v, next})
		if e.duplicate(base, b) {
			return 0, false
		}
		sequence = shape.Chain(sequence, hash)
		p = next
	}
	return sequence, p == end
}

// duplicate enters the last of e.fields[base:] into the table and reports whether its key was there.
func (e *Encoder) duplicate(base int, b []byte) bool {
	n := len(e.fields) - base
	if 2*n > len(e.marks) {
		e.marks = make([]dupMark, 2*len(e.marks))
		for i := range n - 1 {
			e.enter(base, i, b)
		}
	}
	return e.enter(base, n-1, b)
}

func (e *Encoder) enter(base, i int, b []byte) bool {
	f := &e.fields[base+i]
	mask := uint64(len(e.marks) - 1)
	for cell := f.hash & mask; ; cell = (cell + 1) & mask {
		m := &e.marks[cell]
		if m.scan != e.dupMark {
			*m = dupMark{e.dupMark, int32(i)}
			return false
		}
		other := &e.fields[base+int(m.field)]
		if other.hash == f.hash && string(b[other.at+1:other.value]) == string(b[f.at+1:f.value]) {
			return true
		}
	}
}

// generic writes a document field by field, each with its key and kind.
func (e *Encoder) generic(fields []field, b []byte, depth int, fresh bool) bool {
	n := int32(len(fields))
	if n >= fewFields && fresh {
		n |= newKeys
	}
	e.word(n)
	for i := range fields {
		f := &fields[i]
		word := len(e.i)
		counter := uint16(f.hash)
		if key := e.key(f, b); key != nil {
			e.word(int32(key.ID << 5))
			e.topKey = max(e.topKey, key.ID)
		} else {
			e.word(0)
			e.text(b, f.at+1, f.value-1, counter^0x5555)
		}
		k := e.free(b[f.at], b, f.value, f.end, depth, word, counter)
		e.i[word] |= int32(k)
	}
	return true
}

// key returns the interned key of a field, or nil. The encoder's own table saves the shared one's lock.
func (e *Encoder) key(f *field, b []byte) *shape.Key {
	name := b[f.at+1 : f.value-1]
	cell := &e.keys[f.hash%uint64(len(e.keys))]
	if cell.key != nil && cell.hash == f.hash && cell.key.Name == string(name) {
		return cell.key
	}
	key := shape.FindKey(name, f.hash)
	if key != nil {
		*cell = foundKey{f.hash, key}
	}
	return key
}

// free writes a value where no slot says what to expect, after its kind's word, and returns the kind.
func (e *Encoder) free(t byte, b []byte, p, next, depth, word int, counter uint16) shape.Kind {
	k := shape.KindOf(t, b, p, next)
	switch k {
	case shape.Document:
		e.reserved(&e.hints[counter%uint16(len(e.hints))], b, p+4, next-1, depth+1)
		return k
	case shape.Array:
		if depth < maxDepth && e.freeArray(b, p+4, next-1, depth+1, counter) {
			return k
		}
		k = shape.Odd
	case shape.String, shape.Code, shape.Symbol:
		if e.text(b, p+4, next-1, counter) {
			return k
		}
		k = shape.Odd
	}
	e.scalar(k, t, b, p, next)
	return k
}

// freeArray writes an array: its length, the kind of its elements, the elements. It returns false, with nothing
// written, if the array's structure is bad.
func (e *Encoder) freeArray(b []byte, p, end, depth int, counter uint16) bool {
	n, kind, ok := e.survey(b, p, end, depth)
	if !ok {
		return false
	}
	e.word(int32(n))
	e.word(int32(kind))
	counter += 0x3333
	for p < end {
		v, _ := bsonscan.Key(b, p+1, end)
		next, _ := bsonscan.Value(b[p], b, v, end)
		word := len(e.i)
		if kind == shape.Tagged {
			e.word(0)
		}
		k := e.free(b[p], b, v, next, depth, word, counter)
		if kind == shape.Tagged {
			e.i[word] = int32(k)
		}
		p = next
	}
	return true
}

// survey returns the number of elements of the array b[p:end] and their kind. It goes one level deep only: finding the
// kind by writing the elements, and writing them again if it was wrong, would double the work with each level.
func (e *Encoder) survey(b []byte, p, end, depth int) (n int, kind shape.Kind, ok bool) {
	kind = shape.None
	for ; p < end; n++ {
		v, ok := bsonscan.Key(b, p+1, end)
		if !ok {
			return 0, 0, false
		}
		next, ok := bsonscan.Value(b[p], b, v, end)
		if !ok {
			return 0, 0, false
		}
		k := shape.KindOf(b[p], b, v, next)
		switch {
		case k == shape.Array, k.Text() && !utf8.Valid(b[v+4:next-1]):
			k = shape.Tagged // an inner array may turn out odd
		}
		switch {
		case kind == shape.None:
			kind = k
		case kind != k:
			kind = shape.Tagged
		}
		p = next
	}
	return n, kind, p == end
}

type hintTable [64]atomic.Pointer[shape.Shape]
