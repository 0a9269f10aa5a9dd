package main

/*
#include <stdlib.h>

extern void rmg_profile_stop(void);

static inline int rmg_profile_at_exit(void) { return atexit(rmg_profile_stop); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime/pprof"
)

// profileVariable is a path prefix: with it set, the Go side of the process is profiled from load to exit and written to
// <prefix>.<pid>.pprof (docs/performance.md). mask.c leaves SIGPROF alone then, which the process must not use otherwise.
const profileVariable = "RUMONGO_PPROF"

var profile *os.File

func init() {
	prefix := os.Getenv(profileVariable)
	if prefix == "" {
		return
	}
	f, err := os.Create(fmt.Sprintf("%s.%d.pprof", prefix, os.Getpid()))
	if err == nil {
		err = pprof.StartCPUProfile(f)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "rumongo-go: %s: %v\n", profileVariable, err)
		return
	}
	profile = f
	C.rmg_profile_at_exit()
}

//export rmg_profile_stop
func rmg_profile_stop() {
	defer ignorePanic()
	pprof.StopCPUProfile() // waits until all is written
	_ = profile.Close()
}
