package shape

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"sync"
)

// A Lazy is the sequence of a document's top-level key names, in document order, duplicates included. It is immutable
// and shared by every encoder of the process.
type Lazy struct {
	// ID names the sequence for JavaScript. It is never 0 and never reused.
	ID uint32

	names []byte   // every key followed by its NUL
	ends  []uint32 // where in names each key ends, past its NUL
}

// Len returns the number of keys.
func (s *Lazy) Len() int { return len(s.ends) }

// Key returns the i-th key with its NUL, so that one comparison checks the name and its end.
func (s *Lazy) Key(i int) []byte {
	if i == 0 {
		return s.names[:s.ends[0]]
	}
	return s.names[s.ends[i-1]:s.ends[i]]
}

// Limits of the lazy shape table. A sequence past them gets no shape: JavaScript then finds the fields itself, when one
// is first asked for. A generation holds at most lazyMaxShapes and lazyMaxBytes, and two are kept.
const (
	lazyMaxShapes = 4096
	lazyMaxBytes  = 4 << 20
	lazyMaxNames  = 64 << 10
	lazySeen      = 4096 // a power of two
)

var lazySeed = maphash.MakeSeed()

// lazyTable holds the key sequences of the process.
//
// A sequence gets a shape when it is met for the second time: documents whose keys are all different would otherwise
// fill the table, and JavaScript would prepare a handler per document. When a generation is full it becomes the old
// one; what is still used moves to the new one with its id. JavaScript copes with an id that is gone.
type lazyTable struct {
	mu       sync.Mutex
	current  map[uint64]*Lazy
	old      map[uint64]*Lazy
	byID     map[uint32]*Lazy // current and old
	bytes    int              // of current
	oldBytes int
	lastID   uint32
	seen     [lazySeen]uint64 // hashes met once; a collision only delays or hastens a shape
}

var lazyShapes = newLazyTable()

func newLazyTable() *lazyTable {
	return &lazyTable{current: map[uint64]*Lazy{}, byID: map[uint32]*Lazy{}}
}

// FindLazy returns the shape of the key sequence in names, every key followed by its NUL, or nil if it has none (yet).
// It keeps no reference to names.
func FindLazy(names []byte) *Lazy { return lazyShapes.find(names) }

// LazyDefinition returns what JavaScript needs to know about a lazy shape: the number of keys as a little-endian
// uint32, then the names, each with its NUL. It returns nil if the id is unknown.
func LazyDefinition(id uint32) []byte { return lazyShapes.definition(id) }

func (t *lazyTable) find(names []byte) *Lazy {
	if len(names) == 0 || len(names) > lazyMaxNames {
		return nil
	}
	hash := maphash.Bytes(lazySeed, names)
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.current[hash]; s != nil {
		return s.ifNamed(names)
	}
	if s := t.old[hash]; s != nil {
		s = s.ifNamed(names)
		if s != nil {
			delete(t.old, hash)
			t.add(hash, s)
		}
		return s
	}
	if seen := &t.seen[hash&(lazySeen-1)]; *seen != hash {
		*seen = hash
		return nil
	}
	t.lastID++
	s := newLazy(t.lastID, names)
	t.byID[s.ID] = s
	t.add(hash, s)
	return s
}

// add puts s into the current generation, beginning a new one if that is full. The lock is held.
func (t *lazyTable) add(hash uint64, s *Lazy) {
	if len(t.current) >= lazyMaxShapes || t.bytes+len(s.names) > lazyMaxBytes {
		for _, gone := range t.old {
			delete(t.byID, gone.ID)
		}
		t.old, t.oldBytes, t.current, t.bytes = t.current, t.bytes, map[uint64]*Lazy{}, 0
	}
	t.current[hash] = s
	t.bytes += len(s.names)
}

func (t *lazyTable) definition(id uint32) []byte {
	t.mu.Lock()
	s := t.byID[id]
	t.mu.Unlock()
	if s == nil {
		return nil
	}
	out := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(s.names)), uint32(s.Len()))
	return append(out, s.names...)
}

func newLazy(id uint32, names []byte) *Lazy {
	s := &Lazy{ID: id, names: bytes.Clone(names)}
	for i, c := range s.names {
		if c == 0 {
			s.ends = append(s.ends, uint32(i+1))
		}
	}
	return s
}

// ifNamed returns s if it really has these names, nil if only the hash is the same.
func (s *Lazy) ifNamed(names []byte) *Lazy {
	if bytes.Equal(s.names, names) {
		return s
	}
	return nil
}
