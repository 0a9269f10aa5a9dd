package fetch

import (
	"runtime/debug"
	"sync/atomic"
)

// Go by itself would let several replies of 16 MB gather before it collects. So it is told to: before the next one is
// fetched, when the one before the last has become free and its memory is where the next one fits, and at the end of a
// read. The heap has next to no pointers to follow: a collection costs less than a millisecond, a reply of this size ten
// times that. The memory goes back to the system at once: a reply that is a page larger than the gap would otherwise be
// the third of its kind (10 MB of RSS; no measurable CPU time).
const (
	largeReply   = 4 << 20
	collectEvery = 8 << 20 // bytes of large replies
)

// gathered counts the bytes of large replies since the last collection here.
var gathered atomic.Int64

// collectBefore is called before a reply is fetched that will have about size bytes.
func collectBefore(size int64) {
	if size >= largeReply && gathered.Add(size) >= collectEvery {
		collect()
	}
}

// collectAfter is called when a read has ended that has no use for its replies any more.
func collectAfter() {
	if gathered.Load() > 0 {
		collect()
	}
}

func collect() {
	gathered.Store(0)
	debug.FreeOSMemory()
}
