package fetch

import (
	"sync"
	"testing"
	"unsafe"
)

// store is an Outlet that only hands blocks out.
type store struct {
	Outlet
	mu    sync.Mutex
	sizes []int
	live  map[unsafe.Pointer]bool
}

func (s *store) Alloc(_ Kind, size int) (Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data := make([]byte, size)
	ref := unsafe.Pointer(&data[0])
	s.sizes = append(s.sizes, size)
	s.live[ref] = true
	return Block{Data: data, Ref: ref}, nil
}

func (s *store) Drop(b Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.live[b.Ref] {
		panic("dropped twice")
	}
	delete(s.live, b.Ref)
}

func TestSegmentsAreFewAndAllGoBack(t *testing.T) {
	from := &store{live: map[unsafe.Pointer]bool{}}
	s := &segments{Outlet: from}
	const size, count = 300_001, 120
	var blocks []Block
	for i := range count {
		b, err := s.Alloc(Text, size)
		if err != nil || len(b.Data) != size || uintptr(unsafe.Pointer(&b.Data[0]))%8 != 0 {
			t.Fatalf("%d bytes, %v", len(b.Data), err)
		}
		for at := range b.Data {
			b.Data[at] = byte(i)
		}
		blocks = append(blocks, b)
	}
	if from.sizes[0] >= 2*size || len(from.sizes) > 20 {
		t.Errorf("%d segments for %d blocks, the first of %d bytes", len(from.sizes), count, from.sizes[0])
	}
	for i, b := range blocks {
		if b.Data[0] != byte(i) || b.Data[size-1] != byte(i) {
			t.Fatalf("block %d was written by another one", i)
		}
		s.Drop(b)
	}
	if len(from.live) != 1 {
		t.Errorf("%d segments are kept, want the current one", len(from.live))
	}
	s.close()
	late, err := s.Alloc(Text, size)
	if err != nil || len(from.live) != 1 {
		t.Fatalf("%v, %d segments", err, len(from.live))
	}
	s.Drop(late)
	if len(from.live) != 0 {
		t.Errorf("%d segments are left", len(from.live))
	}
}

func TestSegmentsOfSeveralGoroutines(t *testing.T) {
	from := &store{live: map[unsafe.Pointer]bool{}}
	s := &segments{Outlet: from}
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 200 {
				b, _ := s.Alloc(Text, 1+(i*7919+g)%100_000)
				b.Data[0] = byte(g)
				if i == 150 && g == 0 {
					s.close()
				}
				s.Drop(b)
			}
		})
	}
	all.Wait()
	if len(from.live) != 0 {
		t.Errorf("%d segments are left", len(from.live))
	}
}
