package frame

import (
	"rumongo-go/core/bsonscan"
	"rumongo-go/core/shape"
)

// document writes the fields of the document whose body is b[p:end]; b[end] is its final NUL. It returns how they are
// written, and the shape used, if any. It never fails: what it cannot write goes as bytes, and e.odd says so.
//
// hint is the shape to expect. At the root it is tried at once (guess). Below, its keys are compared first: a document
// that fails at its last key after its inner documents failed at theirs, and so on, would cost twice as much with every
// level of nesting.
func (e *Encoder) document(hint *shape.Shape, guess bool, b []byte, p, end, depth int) (int32, *shape.Shape) {
	if depth > maxDepth {
		return e.oddDocument(b, p, end), nil
	}
	if hint != nil && e.table.Current(hint) {
		prog := hint.Prog()
		if guess || sameKeys(prog.Slots, b, p, end) {
			m := e.mark()
			if e.slots(prog.Slots, b, p, end, depth) {
				return e.reference(prog), hint
			}
			e.rollback(m)
		}
	}
	base := len(e.fields)
	sequence, ok := e.scan(b, p, end)
	ref, s := int32(refOdd), (*shape.Shape)(nil)
	if ok {
		ref, s = e.scanned(sequence, e.fields[base:], b, p, end, depth)
	}
	e.fields = e.fields[:base]
	if ref == refOdd {
		ref = e.oddDocument(b, p, end)
	}
	return ref, s
}

// scanned writes a document whose keys are known. It returns refOdd, with nothing written, if it cannot.
func (e *Encoder) scanned(sequence uint64, fields []field, b []byte, p, end, depth int) (int32, *shape.Shape) {
	m := e.mark()
	s, fresh := e.shape(sequence, b, p, end)
	for tries := 0; s != nil && tries < 3; tries++ {
		prog := s.Prog()
		if e.slots(prog.Slots, b, p, end, depth) {
			return e.reference(prog), s
		}
		e.rollback(m)
		if !e.table.Widen(s, prog, b, p, end) {
			break
		}
	}
	if e.generic(fields, b, depth, fresh) {
		return refGeneric, nil
	}
	e.rollback(m)
	return refOdd, nil
}

// shape finds the shape of a key sequence, counting one more document that has it. fresh: it was not seen lately.
func (e *Encoder) shape(sequence uint64, b []byte, p, end int) (s *shape.Shape, fresh bool) {
	cell := &e.found[sequence%uint64(len(e.found))]
	if cell.hash == sequence && cell.shape != nil && e.table.Current(cell.shape) {
		return cell.shape, false
	}
	if s = e.table.Find(sequence); s == nil {
		s, fresh = e.table.Admit(sequence, b, p, end)
	}
	if s != nil {
		*cell = foundShape{sequence, s}
	}
	return s, fresh
}

// oddDocument leaves the document to bson.deserialize: its bytes go as they are.
func (e *Encoder) oddDocument(b []byte, p, end int) int32 {
	e.odd = true
	e.word(int32(end + 1 - (p - 4)))
	e.b = append(e.b, b[p-4:end+1]...)
	return refOdd
}

// oddValue leaves the value b[p:next] to bson.deserialize, as the only field of a document.
func (e *Encoder) oddValue(t byte, b []byte, p, next int) {
	e.odd = true
	size := next - p + 7
	e.word(int32(size))
	e.b = append(e.b, byte(size), byte(size>>8), byte(size>>16), byte(size>>24), t, 0)
	e.b = append(append(e.b, b[p:next]...), 0)
}

// sameKeys reports whether the document b[p:end] has exactly the keys of slots, without looking at its values.
func sameKeys(slots []shape.Slot, b []byte, p, end int) bool {
	for i := range slots {
		k := slots[i].Key
		v := p + 1 + len(k)
		if v > end || string(b[p+1:v]) != k {
			return false
		}
		next, ok := bsonscan.Value(b[p], b, v, end)
		if !ok {
			return false
		}
		p = next
	}
	return p == end
}
