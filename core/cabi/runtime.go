package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// How the Go runtime behaves as a guest in a Node.js process. The usual variables (GOGC, GOMEMLIMIT, GOMAXPROCS) win.
//
//   - GOMAXPROCS stays the number of cores the process may use (cgroup limits included, since Go 1.25), but is at least
//     2: with one, the goroutine that takes JavaScript's commands would wait for whatever piece is being parsed. Parsing
//     itself uses one less (fetch.parseSlots), which leaves the JavaScript thread its core.
//   - GOGC is 50. What lives in the Go heap is mostly whole replies without pointers: a collection marks next to nothing,
//     and the heap stays at one and a half times the replies in flight, which fetch bounds (DefaultBudget). A service of
//     point reads has nearly no live heap and would collect every 2 MB, hundreds of times a second; the ballast makes it
//     every 16 MB. It is address space only: nothing touches it, so it has no memory behind it.
//   - The memory limit makes the collector return early, long before the host notices, when many readers are slow.
//   - No signal is asked for. Go's handlers for faults pass on what did not happen in Go code (WebAssembly traps), and
//     SIGPIPE stays ignored as Node.js has it; __tests__/lifecycle shows it.
const (
	minProcs    = 2
	memoryLimit = 1 << 30
	gcPercent   = 50
	ballastSize = 32 << 20
)

var ballast []byte

func init() {
	if os.Getenv("GOGC") == "" {
		ballast = make([]byte, ballastSize)
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMAXPROCS") == "" && runtime.GOMAXPROCS(0) < minProcs {
		runtime.GOMAXPROCS(minProcs)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
