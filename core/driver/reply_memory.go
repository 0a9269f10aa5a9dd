package driver

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Replies with many documents come into memory that is used again, since the reader of a cursor knows when a batch is done
// with. Left to Go's collector, several replies of 16 MB gather before it frees one. To collect after each, and to give the
// memory back to the system, was half of the CPU time of a read of 36 MB on a busy machine: 9,000 page faults. Now there is
// as much of it as is in use at a time, and nothing to collect.
//
// What is taken and never given back is the collector's, as any memory: after a failure, or where the driver reads.
const (
	reusedFrom = 64 << 10         // bytes of a reply
	spareLimit = 64 << 20         // bytes that nobody uses
	spareTime  = 10 * time.Second // that they are kept
	freedFrom  = 4 << 20          // bytes for which the collector is called
)

var spare spareMemory

type spareMemory struct {
	mu     sync.Mutex
	free   []unused // a handful
	bytes  int
	timing bool // letGo will be called
}

type unused struct {
	memory []byte
	since  time.Time
}

// replyMemory returns room for a message; what is in it is not said.
func replyMemory(size int) []byte {
	if size < reusedFrom {
		return make([]byte, size)
	}
	if memory := spare.take(size); memory != nil {
		return memory[:size]
	}
	// Rounded up: the batches of a cursor differ by less than a document.
	step := reusedFrom
	if size > 1<<20 {
		step = 1 << 20
	}
	return make([]byte, size, (size+step-1)/step*step)
}

// take returns the smallest that has the size, or nil.
func (s *spareMemory) take(size int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	best := -1
	for i := range s.free {
		if room := cap(s.free[i].memory); room >= size && (best < 0 || room < cap(s.free[best].memory)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	memory := s.free[best].memory
	s.free = slices.Delete(s.free, best, best+1)
	s.bytes -= cap(memory)
	return memory
}

// Reuse gives back the memory of a batch, see Cursor.TakeMemory. Nothing may refer to it.
func Reuse(memory []byte) {
	size := cap(memory)
	if size < reusedFrom {
		return
	}
	s := &spare
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes+size > spareLimit {
		return
	}
	s.free = append(s.free, unused{memory, time.Now()})
	s.bytes += size
	if !s.timing {
		s.timing = true
		time.AfterFunc(spareTime, s.letGo)
	}
}

// letGo leaves to the system what nobody has used for a while.
func (s *spareMemory) letGo() {
	s.mu.Lock()
	before := s.bytes
	s.free = slices.DeleteFunc(s.free, func(u unused) bool {
		old := time.Since(u.since) >= spareTime
		if old {
			s.bytes -= cap(u.memory)
		}
		return old
	})
	freed := before - s.bytes
	if s.timing = len(s.free) > 0; s.timing {
		time.AfterFunc(spareTime, s.letGo)
	}
	s.mu.Unlock()
	if freed >= freedFrom {
		debug.FreeOSMemory()
	}
}

type memoryKey struct{}

// inMemory returns a context whose command has its reply read by replyMemory, where that is possible; then memory is set.
func inMemory(ctx context.Context, memory *[]byte) context.Context {
	return context.WithValue(ctx, memoryKey{}, memory)
}

// noteMemory tells whoever asked for the message in which memory it is.
func noteMemory(ctx context.Context, message []byte) {
	if memory, asked := ctx.Value(memoryKey{}).(*[]byte); asked {
		*memory = message
	}
}
