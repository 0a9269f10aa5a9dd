// Package main is the C ABI of the core, built with -buildmode=c-shared: the only Go package with import "C". Its
// functions read arguments, start what was asked for and return at once; the JavaScript thread is on the other end.
package main

/*
#include <stdlib.h>
#include "abi.h"
*/
import "C"

import (
	"unsafe"

	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
)

// version is the package version, set by scripts/build.js with -ldflags -X; the addon compares it at load.
var version = "unknown"

var versionC = C.CString(version)

func main() {}

//export rmg_abi
func rmg_abi() C.uint32_t { return C.RMG_ABI }

//export rmg_version
func rmg_version() *C.char { return versionC }

//export rmg_env_open
func rmg_env_open(env unsafe.Pointer, host *C.rmg_host) C.uint64_t {
	e := &environment{
		env:      env,
		host:     *host,
		requests: map[uint64]*request{},
		owing:    map[uint64]*fetch.Window{},
		clients:  map[uint64]struct{}{},
	}
	id, err := environments.Put(e)
	if err != nil {
		return 0
	}
	return C.uint64_t(id)
}

//export rmg_env_close
func rmg_env_close(env C.uint64_t) {
	if e, err := environments.Remove(uint64(env)); err == nil {
		e.close()
	}
}

//export rmg_connect
func rmg_connect(env, token C.uint64_t, params *C.uint8_t, paramsSize C.size_t) {
	e := lookup(env)
	if e == nil {
		return
	}
	data := copyBytes(params, paramsSize)
	e.start(uint64(token), nil, func(r *request) {
		id, err := e.connect(r.ctx, data)
		if err != nil {
			r.fail(err)
			return
		}
		r.clientID(id)
	})
}

//export rmg_close_client
func rmg_close_client(env, token, id C.uint64_t) {
	e := lookup(env)
	if e == nil {
		return
	}
	e.start(uint64(token), nil, func(r *request) {
		if err := e.closeClient(uint64(id)); err != nil {
			r.fail(err)
			return
		}
		r.End(nil)
	})
}

//export rmg_submit
func rmg_submit(env, token C.uint64_t, op C.uint32_t, id C.uint64_t, command *C.uint8_t, commandSize C.size_t,
	params *C.uint8_t, paramsSize C.size_t) {
	e := lookup(env)
	if e == nil {
		return
	}
	// One allocation for both; the command's bytes go on the wire from here.
	data := make([]byte, int(commandSize)+int(paramsSize))
	copy(data, view(command, commandSize))
	copy(data[commandSize:], view(params, paramsSize))
	body, extra := data[:commandSize:commandSize], data[commandSize:]
	entry, err := clients.Get(uint64(id))
	if err == nil && entry.env != e {
		err = errForeignClient
	}
	if err != nil {
		err = fault.New(fault.Closed, "the client is closed")
	}
	e.start(uint64(token), entry, func(r *request) {
		if err != nil {
			r.fail(err)
			return
		}
		cmd, err := driver.ParseCommand(body, extra)
		if err != nil {
			r.fail(err)
			return
		}
		r.run(int(op), cmd, extra)
	})
}

func (r *request) run(op int, cmd driver.Command, params []byte) {
	switch op {
	case C.RMG_OP_COMMAND:
		fetch.Command(r.ctx, r.client.client, cmd, r)
	case C.RMG_OP_FIND:
		p, err := fetch.ParseParams(params)
		if err != nil {
			r.fail(err)
			return
		}
		window := fetch.NewWindow(p.Window)
		r.window.Store(window)
		fetch.Find(r.ctx, r.client.client, cmd, p, encoders[p.Kind], window, r)
	default:
		r.fail(fault.New(fault.InvalidArgument, "operation %d is not known", op))
	}
}

//export rmg_ack
func rmg_ack(env, token, bytes C.uint64_t) {
	if e := lookup(env); e != nil {
		e.ack(uint64(token), int64(bytes))
	}
}

//export rmg_cancel
func rmg_cancel(env, token C.uint64_t) {
	if e := lookup(env); e != nil {
		e.cancel(uint64(token))
	}
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

// view is the caller's memory for the time of the call.
func view(data *C.uint8_t, size C.size_t) []byte {
	if data == nil || size == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size))
}

func copyBytes(data *C.uint8_t, size C.size_t) []byte {
	return append([]byte(nil), view(data, size)...)
}
