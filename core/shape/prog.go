// Package shape holds what documents of a kind have in common: their sequence of keys and the kinds of the values under
// them. A Shape is such a sequence; a Prog is one immutable version of its layout, which the encoder follows when it
// writes and JavaScript compiles when it reads. Everything here is per process and safe for concurrent use.
package shape

import (
	"math/bits"
	"sync/atomic"
)

// A Slot is a place in a document: a key with the kinds of value seen under it, or the elements of an array.
type Slot struct {
	Key  string // with its NUL, so that one comparison checks the name and its end; empty for elements
	Mask uint32 // the kinds seen
	Kind Kind   // the one kind of Mask; Tagged if there are several, None if there is none yet
	Dict uint16 // which of the encoder's counters says whether the strings here repeat
	Doc  *Doc   // how documents here are laid out; nil before the first
	Elem *Slot  // the elements of arrays here; nil before the first
}

// A Doc is the layout of the documents under a slot.
type Doc struct {
	Slots []Slot // inline: every document here has exactly these keys
	Poly  bool   // the keys vary: each document says which shape it has, if any
	Hint  atomic.Pointer[Shape]
}

// A Prog is one version of a shape's layout. It never changes.
type Prog struct {
	ID, Version uint32
	Slots       []Slot
	definition  []byte
}

// A Shape is a sequence of keys.
type Shape struct {
	ID         uint32
	hash       uint64
	prog       atomic.Pointer[Prog]
	generation atomic.Uint32
	versions   []*Prog // under the table's lock
}

// Prog returns the newest layout.
func (s *Shape) Prog() *Prog { return s.prog.Load() }

// add notes a kind in the slot.
func (s *Slot) add(k Kind) {
	s.Mask |= k.Bit()
	if s.Mask&LongSafe.Bit() != 0 {
		s.Mask &^= Long32.Bit() // travels as a float64 then, which saves the tag
	}
	s.Kind = Tagged
	if bits.OnesCount32(s.Mask) == 1 {
		s.Kind = Kind(bits.TrailingZeros32(s.Mask))
	}
}
