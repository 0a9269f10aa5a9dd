package main

/*
#include "abi.h"

#cgo nocallback rmg_call_complete
#cgo noescape rmg_call_complete
#cgo nocallback rmg_call_block_alloc
#cgo noescape rmg_call_block_alloc
#cgo nocallback rmg_call_block_drop
#cgo noescape rmg_call_block_drop

// The struct is built on this side: a Go pointer inside Go memory may not be passed to C, a Go pointer as an argument may.
static inline void rmg_call_complete(rmg_complete_fn fn, void *env, uint64_t token, uint32_t kind, uint32_t flags,
                                     uint32_t count, uint32_t length, rmg_block *block, const uint8_t *data) {
  rmg_completion c = {token, kind, flags, count, length, block, data};
  fn(env, &c);
}

static inline rmg_block *rmg_call_block_alloc(rmg_block_alloc_fn fn, void *env, uint32_t kind, size_t size) {
  return fn(env, kind, size);
}

static inline void rmg_call_block_drop(rmg_block_drop_fn fn, void *env, rmg_block *block) { fn(env, block); }
*/
import "C"

import (
	"context"
	"encoding/binary"
	"math"
	"sync/atomic"
	"unsafe"

	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
)

// request is one token's work. It is the fetch.Outlet of its read, and completes exactly once.
type request struct {
	env    *environment
	token  uint64
	client *client // nil for connect and close
	work   func(*request)
	ctx    context.Context
	cancel context.CancelCauseFunc
	window atomic.Pointer[fetch.Window] // set once a FIND runs
	ended  bool                         // only the request's delivering goroutine uses it
	left   bool                         // the same
}

// do does the work and makes sure that the request ends: a panic is the request's error, and so is forgetting to end.
func (r *request) do() {
	growStack()
	defer func() {
		if !r.left {
			r.env.forget(r)
		}
	}()
	defer func() {
		if p := recover(); p != nil {
			r.End(fault.FromPanic(p))
		} else if !r.ended {
			r.End(fault.New(fault.Internal, "the operation ended without a result"))
		}
	}()
	if r.ctx.Err() != nil {
		r.env.forgetListener(r.token) // that of a connect, whose work would do it
		r.fail(context.Cause(r.ctx))
		return
	}
	r.work(r)
}

func (r *request) fail(err error) { r.End(fault.From(err)) }

// clientID ends a connect with its result.
func (r *request) clientID(id uint64) {
	var payload [8]byte
	binary.NativeEndian.PutUint64(payload[:], math.Float64bits(float64(id)))
	r.ended = true
	r.complete(C.RMG_KIND_CLIENT, C.RMG_LAST, 0, len(payload), nil, payload[:])
}

// Alloc implements fetch.Outlet.
func (r *request) Alloc(kind fetch.Kind, size int) (fetch.Block, error) {
	b := C.rmg_call_block_alloc(r.env.host.block_alloc, r.env.env, C.uint32_t(kind), C.size_t(size))
	if b == nil {
		return fetch.Block{}, fault.New(fault.Internal, "no memory for a result of %d bytes", size)
	}
	return fetch.Block{
		Data: unsafe.Slice((*byte)(unsafe.Pointer(b.data)), size),
		Ref:  unsafe.Pointer(b),
	}, nil
}

// Drop implements fetch.Outlet.
func (r *request) Drop(b fetch.Block) {
	C.rmg_call_block_drop(r.env.host.block_drop, r.env.env, (*C.rmg_block)(b.Ref))
}

// Chunk implements fetch.Outlet.
func (r *request) Chunk(c fetch.Chunk) {
	var flags C.uint32_t
	if c.BatchEnd {
		flags |= C.RMG_BATCH_END
	}
	if c.Last {
		flags |= C.RMG_LAST
		r.ended = true
	}
	length := len(c.Inline)
	if c.Block.Ref != nil {
		length = len(c.Block.Data)
	}
	r.complete(C.uint32_t(c.Kind), flags, c.Count, length, (*C.rmg_block)(c.Block.Ref), c.Inline)
}

// Cursor implements fetch.Outlet.
func (r *request) Cursor(id int64) {
	var payload [8]byte
	binary.NativeEndian.PutUint64(payload[:], uint64(id))
	r.complete(C.RMG_KIND_CURSOR, 0, 0, len(payload), nil, payload[:])
}

// End implements fetch.Outlet.
func (r *request) End(f *fault.Fault) {
	if r.ended {
		return
	}
	r.ended = true
	if f == nil {
		r.complete(C.RMG_KIND_NONE, C.RMG_LAST, 0, 0, nil, nil)
		return
	}
	data := f.AppendBSON(nil)
	r.complete(C.RMG_KIND_NONE, C.RMG_LAST|C.RMG_FAULT, 0, len(data), nil, data)
}

// Leave implements fetch.Outlet. The environment and the client wait for this request no longer.
func (r *request) Leave(f *fault.Fault) {
	r.End(f)
	r.left = true
	r.env.forget(r)
}

func (r *request) complete(kind, flags C.uint32_t, count, length int, block *C.rmg_block, data []byte) {
	C.rmg_call_complete(r.env.host.complete, r.env.env, C.uint64_t(r.token), kind, flags, C.uint32_t(count),
		C.uint32_t(length), block, (*C.uint8_t)(unsafe.SliceData(data)))
}

// ignorePanic is for goroutines that answer to no request: losing their work is better than losing the host process.
func ignorePanic() { _ = recover() }
