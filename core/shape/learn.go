package shape

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"rumongo-go/core/bsonscan"
)

// Limits of one layout. Past about 500 keys V8's literals get slow (at 1,020 they become dictionaries), and the
// function compiled for a layout has to stay small enough for V8 to optimise it.
const (
	maxFields = 500 // in one document
	maxSlots  = 700 // in a layout, inline documents included
	maxInline = 8   // levels of inline documents
	maxDepth  = 40  // levels of arrays and inline documents
)

// A learner merges one document into a layout. It is on the rare path: a new shape, or a kind of value not seen before.
type learner struct {
	slots   int
	changed bool
}

// learn returns old (nil for a new shape) widened by the document body b[p:end]. ok is false if the document can't have
// this layout, or any: other keys than old, duplicate keys, keys that are not UTF-8, bad structure.
func learn(old []Slot, b []byte, p, end int) (slots []Slot, changed, ok bool) {
	l := learner{}
	slots, ok = l.document(old, b, p, end, 0, 0)
	return slots, l.changed, ok
}

func (l *learner) document(old []Slot, b []byte, p, end, inline, depth int) ([]Slot, bool) {
	slots := make([]Slot, 0, max(len(old), 8))
	var seen map[string]bool
	if old == nil {
		seen = make(map[string]bool)
	}
	for p < end {
		t := b[p]
		value, ok := bsonscan.Key(b, p+1, end)
		if !ok {
			return nil, false
		}
		next, ok := bsonscan.Value(t, b, value, end)
		if !ok {
			return nil, false
		}
		key := b[p+1 : value]
		var s Slot
		if old != nil {
			if len(slots) == len(old) || old[len(slots)].Key != string(key) {
				return nil, false
			}
			s = old[len(slots)]
		} else {
			name := key[:len(key)-1]
			if len(slots) == maxFields || seen[string(name)] || !utf8.Valid(name) || IsDBRefKey(name) {
				return nil, false
			}
			s = Slot{Key: string(key), Kind: None, Dict: nextDict()}
			seen[string(name)] = true
			l.changed = true
		}
		l.slots++
		l.value(&s, t, b, value, next, inline, depth)
		slots = append(slots, s)
		p = next
	}
	return slots, len(slots) == len(old) || old == nil
}

// value notes one value in the slot, a copy that the caller owns.
func (l *learner) value(s *Slot, t byte, b []byte, p, next, inline, depth int) {
	k := KindOf(t, b, p, next)
	switch {
	case k.Text() && !utf8.Valid(b[p+4:next-1]):
		k = Odd
	case k == Array && depth >= maxDepth:
		k = Odd
	case k == Long32 && s.Mask&LongSafe.Bit() != 0:
		return
	}
	if s.Mask&k.Bit() == 0 {
		s.add(k)
		l.changed = true
	}
	switch k {
	case Document:
		s.Doc = l.embedded(s.Doc, b, p+4, next-1, inline+1, depth+1)
	case Array:
		elem := Slot{Kind: None, Dict: nextDict()}
		if s.Elem != nil {
			elem = *s.Elem
		} else {
			l.changed = true
		}
		l.elements(&elem, b, p+4, next-1, inline, depth+1)
		s.Elem = &elem
	}
}

func (l *learner) elements(s *Slot, b []byte, p, end, inline, depth int) {
	for p < end {
		value, ok := bsonscan.Key(b, p+1, end)
		if !ok {
			return // the encoder stumbles over it as well, and falls back
		}
		next, ok := bsonscan.Value(b[p], b, value, end)
		if !ok {
			return
		}
		l.value(s, b[p], b, value, next, inline, depth)
		p = next
	}
}

func (l *learner) embedded(old *Doc, b []byte, p, end, inline, depth int) *Doc {
	if old != nil && old.Poly {
		return old
	}
	if inline <= maxInline && depth <= maxDepth && l.slots < maxSlots {
		before := *l
		var slots []Slot
		if old != nil {
			slots = old.Slots
			if slots == nil {
				slots = []Slot{} // an empty document: not the same as no layout
			}
		}
		if merged, ok := l.document(slots, b, p, end, inline, depth); ok && l.slots <= maxSlots {
			if old != nil && !l.changed {
				return old
			}
			return &Doc{Slots: merged}
		}
		*l = before
	}
	l.changed = true
	return &Doc{Poly: true}
}

// IsDBRefKey reports whether the key makes js-bson look for a DBRef: such documents are left to it.
func IsDBRefKey(name []byte) bool {
	return len(name) > 2 && name[0] == '$' &&
		(bytes.Equal(name, dollarRef) || bytes.Equal(name, dollarID) || bytes.Equal(name, dollarDB))
}

var dollarRef, dollarID, dollarDB = []byte("$ref"), []byte("$id"), []byte("$db")

// name returns the key without its NUL.
func (s *Slot) name() string { return strings.TrimSuffix(s.Key, "\x00") }
