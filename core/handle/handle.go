// Package handle gives Go values to JavaScript as integers. A handle names a slot and the generation of that slot, so a
// handle kept after its value was removed is refused instead of reaching whatever took the slot over.
package handle

import (
	"errors"
	"sync"
)

// A handle must survive a trip through a JavaScript number: 53 bits, of which the low bits are the slot.
const (
	slotBits       = 24
	generationBits = 28
	maxSlots       = 1 << slotBits
	generationMask = 1<<generationBits - 1
)

// ErrStale is returned for a handle that was never given out or whose value has been removed.
var ErrStale = errors.New("handle is not in use: it was closed or never existed")

// ErrFull is returned when every slot is taken.
var ErrFull = errors.New("too many handles are open")

type slot[T any] struct {
	value      T
	generation uint64
	used       bool
}

// Table maps handles to values. The zero Table is ready for use and safe for concurrent use.
type Table[T any] struct {
	mu    sync.RWMutex
	slots []slot[T]
	free  []uint32
	used  int
}

// Put stores v and returns its handle, which is never zero.
func (t *Table[T]) Put(v T) (uint64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var index uint32
	if n := len(t.free); n > 0 {
		index = t.free[n-1]
		t.free = t.free[:n-1]
	} else {
		if len(t.slots) == maxSlots {
			return 0, ErrFull
		}
		index = uint32(len(t.slots))
		t.slots = append(t.slots, slot[T]{})
	}
	s := &t.slots[index]
	s.generation = (s.generation + 1) & generationMask
	if s.generation == 0 {
		s.generation = 1
	}
	s.value, s.used = v, true
	t.used++
	return s.generation<<slotBits | uint64(index), nil
}

// Get returns the value of h, or ErrStale.
func (t *Table[T]) Get(h uint64) (T, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if s := t.find(h); s != nil {
		return s.value, nil
	}
	var zero T
	return zero, ErrStale
}

// Remove takes h out of the table and returns its value, or ErrStale. Of several callers one gets the value.
func (t *Table[T]) Remove(h uint64) (T, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var zero T
	s := t.find(h)
	if s == nil {
		return zero, ErrStale
	}
	v := s.value
	s.value, s.used = zero, false
	t.free = append(t.free, uint32(h&(maxSlots-1)))
	t.used--
	return v, nil
}

// Len returns how many handles are in use.
func (t *Table[T]) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.used
}

// find returns the used slot of h or nil. The caller holds the lock.
func (t *Table[T]) find(h uint64) *slot[T] {
	index, generation := h&(maxSlots-1), h>>slotBits
	if index >= uint64(len(t.slots)) {
		return nil
	}
	if s := &t.slots[index]; s.used && s.generation == generation {
		return s
	}
	return nil
}
