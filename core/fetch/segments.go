package fetch

import (
	"sync"
	"unsafe"
)

// segmentBytes is the most that is asked for at a time, unless a single block is larger. The glue keeps blocks of up to
// 4 MB, its header included, for the next read, and takes those of 256 KB and more from huge pages.
const segmentBytes = 4<<20 - 4<<10

// segments is the Outlet of encoders whose blocks stay until the read has ended, because they are copied into one then. It
// cuts them from larger ones: forty megabytes in blocks of 300 KB are ten thousand page faults, which were two fifths of a
// findJSON's CPU time. A segment is as large as all before it together, so that a small result costs no large one.
type segments struct {
	Outlet // takes segments; Chunk is not for what Alloc returns

	mu      sync.Mutex
	current *segment
	total   int
	closed  bool
}

// segment is a block with the blocks that are cut from it. Guarded by segments.mu.
type segment struct {
	block Block
	used  int
	users int
}

// Alloc implements Outlet.
func (s *segments) Alloc(kind Kind, size int) (Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	room := (size + 7) &^ 7
	if s.current == nil || len(s.current.block.Data)-s.current.used < room {
		block, err := s.Outlet.Alloc(kind, max(room, min(s.total, segmentBytes)))
		if err != nil {
			return Block{}, err
		}
		s.leave()
		s.current = &segment{block: block}
		s.total += len(block.Data)
	}
	at := s.current
	data := at.block.Data[at.used : at.used+size : at.used+size]
	at.used += room
	at.users++
	if s.closed {
		s.leave()
	}
	return Block{Data: data, Ref: unsafe.Pointer(at)}, nil
}

// Drop implements Outlet.
func (s *segments) Drop(b Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := (*segment)(b.Ref)
	if at.users--; at.users == 0 && at != s.current {
		s.Outlet.Drop(at.block)
	}
}

// close lets the last segment go with its last block. What is still being encoded after it has one of its own.
func (s *segments) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.leave()
}

// leave begins no more blocks in the current segment. Under mu.
func (s *segments) leave() {
	at := s.current
	s.current = nil
	if at != nil && at.users == 0 {
		s.Outlet.Drop(at.block)
	}
}
