package frame

import (
	"rumongo-go/core/bsonscan"
	"rumongo-go/core/shape"
)

// slots writes the document body b[p:end] as slots say. It returns false if the document is not like that; what it has
// written by then is the caller's to roll back. It is the hot path: common kinds are handled where they are met.
func (e *Encoder) slots(slots []shape.Slot, b []byte, p, end, depth int) bool {
	for i := range slots {
		s := &slots[i]
		v := p + 1 + len(s.Key)
		if v > end || string(b[p+1:v]) != s.Key {
			return false
		}
		t := b[p]
		switch s.Kind {
		case shape.Int32:
			if p = v + 4; t != bsonscan.Int32 || p > end {
				return false
			}
			e.word(int32At(b, v))
		case shape.Double:
			if p = v + 8; t != bsonscan.Double || p > end {
				return false
			}
			e.double(doubleAt(b, v))
		case shape.Date:
			if p = v + 8; t != bsonscan.DateTime || p > end {
				return false
			}
			e.double(float64(int64At(b, v)))
		case shape.ObjectID:
			if p = v + 12; t != bsonscan.ObjectID || p > end {
				return false
			}
			e.b = append(e.b, b[v:p]...)
		case shape.String:
			next, ok := bsonscan.StringEnd(b, v, end)
			if t != bsonscan.String || !ok || !e.text(b, v+4, next-1, s.Dict) {
				return false
			}
			p = next
		case shape.Null:
			if p = v; t != bsonscan.Null {
				return false
			}
		default:
			next, ok := e.value(s, t, b, v, end, depth)
			if !ok {
				return false
			}
			p = next
		}
	}
	return p == end
}

// value writes one value of type t at p, with its kind before it if the slot has several, and returns where it ends.
func (e *Encoder) value(s *shape.Slot, t byte, b []byte, p, end, depth int) (next int, ok bool) {
	if next, ok = bsonscan.Value(t, b, p, end); !ok {
		return 0, false
	}
	k := shape.KindOf(t, b, p, next)
	switch {
	case k == shape.Long32 && s.Mask&shape.LongSafe.Bit() != 0:
		k = shape.LongSafe
	case k == shape.Array && depth >= maxDepth:
		k = shape.Odd
	}
	if s.Mask&k.Bit() == 0 {
		return 0, false
	}
	tag := len(e.i)
	if s.Kind == shape.Tagged {
		e.word(int32(k))
	}
	switch k {
	case shape.Document:
		return next, e.embedded(s.Doc, b, p+4, next-1, depth+1)
	case shape.Array:
		return next, e.elements(s.Elem, b, p+4, next-1, depth+1)
	case shape.String, shape.Code, shape.Symbol:
		if e.text(b, p+4, next-1, s.Dict) {
			return next, true
		}
		if s.Kind != shape.Tagged || s.Mask&shape.Odd.Bit() == 0 {
			return 0, false
		}
		e.i[tag] = int32(shape.Odd)
		e.oddValue(t, b, p, next)
		return next, true
	}
	e.scalar(k, t, b, p, next)
	return next, true
}

// scalar writes a value that is neither document nor array nor string.
func (e *Encoder) scalar(k shape.Kind, t byte, b []byte, p, next int) {
	switch k {
	case shape.Bool:
		e.word(int32(b[p]))
	case shape.Int32:
		e.word(int32At(b, p))
	case shape.Double:
		e.double(doubleAt(b, p))
	case shape.Date, shape.LongSafe:
		e.double(float64(int64At(b, p)))
	case shape.Long32:
		e.word(int32At(b, p))
	case shape.LongBig, shape.Timestamp:
		e.word(int32At(b, p))
		e.word(int32At(b, p+4))
	case shape.ObjectID, shape.Decimal:
		e.b = append(e.b, b[p:next]...)
	case shape.Binary:
		e.word(int32(next - p - 5))
		e.word(int32(b[p+4]))
		e.b = append(e.b, b[p+5:next]...)
	case shape.Regex:
		pattern, _ := bsonscan.Key(b, p, next)
		e.text(b, p, pattern-1, 0) // known to be UTF-8, as KindOf looked
		e.text(b, pattern, next-1, 0)
	case shape.Odd:
		e.oddValue(t, b, p, next)
	}
}

// embedded writes a document under a slot.
func (e *Encoder) embedded(d *shape.Doc, b []byte, p, end, depth int) bool {
	if !d.Poly {
		return depth <= maxDepth && e.slots(d.Slots, b, p, end, depth)
	}
	e.reserved(&d.Hint, b, p, end, depth)
	return true
}

// reserved writes a reference, then the document. The reference is known only afterwards.
func (e *Encoder) reserved(hint hintCell, b []byte, p, end, depth int) {
	at := len(e.i)
	e.word(0)
	old := hint.Load()
	ref, s := e.document(old, false, b, p, end, depth)
	e.i[at] = ref
	if s != nil && s != old {
		hint.Store(s)
	}
}

// hintCell is where a place keeps the shape its documents had lately.
type hintCell interface {
	Load() *shape.Shape
	Store(*shape.Shape)
}

// elements writes the array b[p:end] under a slot.
func (e *Encoder) elements(s *shape.Slot, b []byte, p, end, depth int) bool {
	at, n := len(e.i), int32(0)
	e.word(0)
	for ; p < end; n++ {
		v := p + 1
		for b[v] != 0 { // b[end] is; js-bson does not read the keys of an array either
			v++
		}
		if v++; v > end {
			return false
		}
		t := b[p]
		switch s.Kind {
		case shape.Int32:
			if p = v + 4; t != bsonscan.Int32 || p > end {
				return false
			}
			e.word(int32At(b, v))
		case shape.Double:
			if p = v + 8; t != bsonscan.Double || p > end {
				return false
			}
			e.double(doubleAt(b, v))
		case shape.String:
			next, ok := bsonscan.StringEnd(b, v, end)
			if t != bsonscan.String || !ok || !e.text(b, v+4, next-1, s.Dict) {
				return false
			}
			p = next
		case shape.Document:
			next, ok := bsonscan.ContainerEnd(b, v, end)
			if t != bsonscan.Document || !ok || !e.embedded(s.Doc, b, v+4, next-1, depth+1) {
				return false
			}
			p = next
		default:
			next, ok := e.value(s, t, b, v, end, depth)
			if !ok {
				return false
			}
			p = next
		}
	}
	e.i[at] = n
	return p == end
}
