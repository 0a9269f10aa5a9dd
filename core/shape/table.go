package shape

import (
	"sync"
	"sync/atomic"
	"time"
)

// Limits of the process's shape table.
const (
	// AdmitAfter is how often a sequence of keys has to be seen lately to become a shape. Until then its documents
	// travel without one, which costs about twice as much to read; compiling a shape costs as much as reading about a
	// hundred documents.
	AdmitAfter = 32

	maxShapes   = 4096     // in a generation; two are kept
	maxAllSlots = 1 << 17  // top-level slots in a generation
	maxVersions = 200      // of one shape; what fits none of them travels without a shape
	maxText     = 64 << 20 // bytes of definitions, all versions of all shapes
	// A definition has to outlive the chunks that refer to it, which JavaScript may leave unread for a while.
	minGeneration = time.Minute
)

// A Table holds shapes by the hash of their keys. When a generation is full it becomes the old one; a shape that is
// still used moves to the new one with its id, the others are dropped at the next turn and their definitions at the turn
// after that, so that chunks on their way can still be read. Ids are never reused.
type Table struct {
	mu         sync.Mutex
	current    map[uint64]*Shape
	old        map[uint64]*Shape
	dropped    map[uint64]*Shape
	byID       map[uint32]*Shape // current, old and dropped
	slots      int               // of current
	text       int               // bytes of definitions
	lastID     uint32
	turned     time.Time
	generation atomic.Uint32
	door       door
	now        func() time.Time
}

// Frames is the process's table of frame shapes.
var Frames = NewTable()

// NewTable returns an empty table.
func NewTable() *Table {
	t := &Table{current: map[uint64]*Shape{}, byID: map[uint32]*Shape{}, now: time.Now}
	t.generation.Store(1)
	return t
}

// Find returns the shape of the key sequence with that hash, or nil. The caller compares keys as it encodes.
func (t *Table) Find(hash uint64) *Shape {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.find(hash)
}

func (t *Table) find(hash uint64) *Shape {
	if s := t.current[hash]; s != nil {
		return s
	}
	s := t.old[hash]
	if s != nil && t.room(len(s.Prog().Slots)) {
		delete(t.old, hash)
		t.add(s)
	}
	return s
}

// Current says whether s is in the newest generation; an encoder that keeps shapes of its own asks Find again if not,
// so that the table knows the shape is in use.
func (t *Table) Current(s *Shape) bool { return s.generation.Load() == t.generation.Load() }

// Admit counts one more document, b[p:end] between its length and its final NUL, with that key sequence, and returns
// its shape when it has come often enough. fresh says that the sequence was not seen lately.
func (t *Table) Admit(hash uint64, b []byte, p, end int) (s *Shape, fresh bool) {
	seen := t.door.knock(hash)
	if seen < AdmitAfter {
		return nil, seen <= 1
	}
	return t.admit(hash, b, p, end), false
}

func (t *Table) admit(hash uint64, b []byte, p, end int) *Shape {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.find(hash); s != nil {
		return s
	}
	t.door.forget(hash)
	if t.text > maxText || !t.room(0) {
		return nil
	}
	slots, _, ok := learn(nil, b, p, end)
	if !ok {
		return nil
	}
	t.lastID++
	s := &Shape{ID: t.lastID, hash: hash}
	t.publish(s, slots)
	t.byID[s.ID] = s
	t.add(s)
	return s
}

// Widen gives s a new version whose layout takes the document b[p:end] too, unless somebody has done so: prog is the
// version that did not fit. It returns false if no version can.
func (t *Table) Widen(s *Shape, prog *Prog, b []byte, p, end int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	newest := s.prog.Load()
	if newest != prog {
		return true
	}
	if len(s.versions) >= maxVersions || t.text > maxText {
		return false
	}
	slots, changed, ok := learn(newest.Slots, b, p, end)
	if !ok || !changed {
		return false
	}
	t.publish(s, slots)
	return true
}

func (t *Table) publish(s *Shape, slots []Slot) {
	p := &Prog{ID: s.ID, Version: uint32(len(s.versions)), Slots: slots}
	p.definition = define(slots)
	t.text += len(p.definition)
	s.versions = append(s.versions, p)
	s.prog.Store(p)
}

func (t *Table) full(more int) bool {
	return len(t.current) >= maxShapes || t.slots+more > maxAllSlots
}

// room says whether a shape can be added: the generation has space, or is old enough to turn.
func (t *Table) room(slots int) bool {
	return !t.full(slots) || t.now().Sub(t.turned) >= minGeneration
}

// add puts s into the current generation, beginning a new one if that is full.
func (t *Table) add(s *Shape) {
	if t.full(len(s.Prog().Slots)) {
		for _, gone := range t.dropped {
			delete(t.byID, gone.ID)
			for _, p := range gone.versions {
				t.text -= len(p.definition)
			}
		}
		t.dropped, t.old, t.current, t.slots = t.old, t.current, map[uint64]*Shape{}, 0
		t.turned = t.now()
		t.generation.Add(1)
	}
	t.current[s.hash] = s
	t.slots += len(s.Prog().Slots)
	s.generation.Store(t.generation.Load())
}

func (t *Table) definition(id, version uint32) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.byID[id]
	if s == nil || int(version) >= len(s.versions) {
		return nil
	}
	return s.versions[version].definition
}

var dicts atomic.Uint32

func nextDict() uint16 { return uint16(dicts.Add(1)) }
