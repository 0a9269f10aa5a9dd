// Package main is the C ABI of the core, built with -buildmode=c-shared: the only Go package with import "C". abi.h says
// how the two sides talk.
package main

/*
#include <stdlib.h>
#include "abi.h"
*/
import "C"

import "unsafe"

// version is the package version, set by scripts/compile-core.js with -ldflags -X; the addon compares it at load.
var version = "unknown"

var versionC = C.CString(version)

func main() {}

//export rmg_abi
func rmg_abi() C.uint32_t { return C.RMG_ABI }

//export rmg_version
func rmg_version() *C.char { return versionC }

//export rmg_env_open
func rmg_env_open(env unsafe.Pointer, host *C.rmg_host, wakeFDs *C.int) C.int {
	e, err := newEnvironment(env, *host)
	if err != nil {
		return -1
	}
	fds := unsafe.Slice(wakeFDs, len(e.ears))
	for i := range e.ears {
		fds[i] = C.int(e.ears[i].writeFD)
		go e.listen(i)
	}
	return 0
}

//export rmg_definition
func rmg_definition(kind, id, version C.uint32_t, size *C.size_t) *C.uint8_t {
	return answer(definition(int(kind), uint32(id), uint32(version)), size)
}

//export rmg_stats
func rmg_stats(size *C.size_t) *C.uint8_t {
	return answer(stats(), size)
}

// answer copies data into malloc'd memory for the caller.
func answer(data []byte, size *C.size_t) *C.uint8_t {
	*size = C.size_t(len(data))
	if data == nil {
		return nil
	}
	return (*C.uint8_t)(C.CBytes(data))
}
