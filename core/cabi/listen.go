package main

/*
#include "abi.h"

#cgo nocallback rmg_call_take_commands
#cgo noescape rmg_call_take_commands

static inline const uint8_t *rmg_call_take_commands(rmg_take_commands_fn fn, void *env, int listener, size_t *size) {
  return fn(env, listener, size);
}
*/
import "C"

import (
	"os"
	"syscall"
	"unsafe"
)

// An environment has several goroutines that take its commands. The one that is woken runs the last request it has taken
// itself: to start a goroutine for it is to wake another thread, which for a findOne was a third of all system calls.
// Meanwhile another one listens, and the last of them never runs a request, so that somebody always does.
//
// An ear is what a listener is woken by: readable once for each time. The glue writes to it only while its listener waits.
type ear struct {
	file    *os.File
	raw     syscall.RawConn
	writeFD int // of the glue, until RMG_OP_CLOSE_ENV
}

// listen takes the environment's commands, in order, until it closes.
func (e *environment) listen(index int) {
	ear, runs := e.ears[index], index < len(e.ears)-1
	var size C.size_t
	var data *C.uint8_t
	// Looks before it waits: that tells the glue that it does. Returns with e.taking held, except when it waits.
	take := func(fd uintptr) bool {
		ear.clear(fd)
		e.taking.Lock()
		if e.deaf {
			return true // the glue may be gone
		}
		data = C.rmg_call_take_commands(e.host.take_commands, e.env, C.int(index), &size)
		if size == 0 {
			e.taking.Unlock()
			return false
		}
		return true
	}
	for {
		if ear.raw.Read(take) != nil {
			return // it has been closed
		}
		if e.deaf {
			e.taking.Unlock()
			return
		}
		last := e.takeAll(unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size)))
		closing := e.deaf
		e.taking.Unlock()
		switch {
		case closing:
			for _, ear := range e.ears {
				ear.close()
			}
			e.close()
			return
		case last == nil:
		case runs:
			last.do()
		default:
			go last.do()
		}
	}
}

// takeAll does what the queued commands ask for. It returns the last request there is to be run; the others run already.
func (e *environment) takeAll(queued []byte) (last *request) {
	for len(queued) > 0 {
		cmd := (*C.rmg_command)(unsafe.Pointer(unsafe.SliceData(queued)))
		if cmd.op == C.RMG_OP_CLOSE_ENV {
			e.deaf = true
			break
		}
		if r := e.guarded(cmd, queued[unsafe.Sizeof(*cmd):cmd.size]); r != nil {
			if last != nil {
				go last.do()
			}
			last = r
		}
		queued = queued[cmd.size:]
	}
	if e.deaf && last != nil {
		go last.do()
	}
	return last
}

// close ends the listener's wait. The glue writes no more.
func (e *ear) close() {
	_ = e.file.Close()
	e.closeWriter()
}

// newEar opens an ear. Non-blocking, so that to wait parks a goroutine in the network poller and not a thread.
func newEar() (*ear, error) {
	readFD, writeFD, err := openEar()
	if err != nil {
		return nil, err
	}
	e := &ear{file: os.NewFile(uintptr(readFD), "rumongo-wake"), writeFD: writeFD}
	if e.raw, err = e.file.SyscallConn(); err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}
