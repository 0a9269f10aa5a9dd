package shape

import (
	"sync/atomic"
	"time"
)

// Recent remembers which key sequences without a shape passed in the last minute, for one decision: V8 makes a hidden
// class for each step of a sequence it has not met, at about half a microsecond each, and keeps it for a while. A
// document of new random keys is built three to four times faster as a dictionary; one that came a moment ago, whose
// hidden classes are there, is built faster without. (20,000 documents of 12 random keys: 190 ms with new hidden classes,
// 46 as dictionaries, 12 when the classes are there.)
type recent struct {
	cells atomic.Pointer[[recentCells]atomic.Uint64] // a megabyte, so only made when there is something to remember
}

const (
	recentCells   = 1 << 17
	recentSeconds = 60
	secondBits    = 0xFFFF
)

var start = time.Now()

// Second returns the time as Seen wants it, coarse enough to be asked for once per chunk.
func Second() uint64 { return uint64(time.Since(start)/time.Second) + recentSeconds + 1 }

// Seen notes that the sequence passed and returns whether it did so in the minute before second.
func (t *Table) Seen(sequence, second uint64) bool { return t.recent.seen(sequence, second) }

func (r *recent) seen(sequence, second uint64) bool {
	cells := r.cells.Load()
	if cells == nil {
		r.cells.CompareAndSwap(nil, new([recentCells]atomic.Uint64))
		cells = r.cells.Load()
	}
	cell := &cells[sequence>>47]
	old := cell.Load()
	second &= secondBits
	cell.Store(sequence&^secondBits | second)
	return old&^secondBits == sequence&^secondBits && (second-old)&secondBits < recentSeconds
}
