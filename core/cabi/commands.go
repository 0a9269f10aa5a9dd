package main

/*
#include "abi.h"

#cgo nocallback rmg_call_take_commands
#cgo noescape rmg_call_take_commands

static inline const uint8_t *rmg_call_take_commands(rmg_take_commands_fn fn, void *env, size_t *size) {
  return fn(env, size);
}
*/
import "C"

import (
	"bytes"
	"context"
	"unsafe"

	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
)

// listen takes the environment's commands, in order, until it closes.
func (e *environment) listen() {
	// The reading end goes first: nothing writes after RMG_OP_CLOSE_ENV.
	defer e.wake.Close()
	var wakes [64]byte // one byte each; more than one only when this goroutine was late
	for {
		if _, err := e.wake.Read(wakes[:]); err != nil {
			return
		}
		var size C.size_t
		data := C.rmg_call_take_commands(e.host.take_commands, e.env, &size)
		for rest := unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size)); len(rest) > 0; {
			cmd := (*C.rmg_command)(unsafe.Pointer(unsafe.SliceData(rest)))
			if cmd.op == C.RMG_OP_CLOSE_ENV {
				e.close()
				return
			}
			e.guarded(cmd, rest[unsafe.Sizeof(*cmd):cmd.size])
			rest = rest[cmd.size:]
		}
	}
}

// guarded is dispatch, in which a panic costs the command's own request and not the environment.
func (e *environment) guarded(cmd *C.rmg_command, payload []byte) {
	defer func() {
		if p := recover(); p != nil {
			e.refuse(uint64(cmd.token), fault.FromPanic(p))
		}
	}()
	e.dispatch(cmd, payload)
}

// refuse ends the request of token with a fault, whether it has been started or not.
func (e *environment) refuse(token uint64, f *fault.Fault) {
	e.mu.Lock()
	r := e.requests[token]
	e.mu.Unlock()
	if r != nil {
		r.cancel(f)
		return
	}
	e.start(token, nil, func(r *request) { r.End(f) })
}

// opPanic panics where commands are taken from the queue; with fetch.TestHooks only.
const opPanic = 15

// dispatch does what one command asks for, or starts it. payload is C memory, valid during the call.
func (e *environment) dispatch(cmd *C.rmg_command, payload []byte) {
	token, argument := uint64(cmd.token), uint64(cmd.argument)
	if cmd.op == opPanic && fetch.TestHooks {
		panic("on purpose: listen")
	}
	switch cmd.op {
	case C.RMG_OP_ACK:
		e.ack(token, int64(argument))
	case C.RMG_OP_CANCEL:
		e.cancel(token)
	case C.RMG_OP_CONNECT:
		params := bytes.Clone(payload[:cmd.params_size])
		listener := e.listener(token, uint32(argument))
		e.start(token, nil, func(r *request) {
			id, err := e.connect(r.ctx, params, token, listener)
			if err != nil {
				r.fail(err)
				return
			}
			r.clientID(id)
		})
	case C.RMG_OP_LISTEN:
		e.listenTo(token, uint32(argument))
	case C.RMG_OP_CLOSE_CLIENT:
		e.start(token, nil, func(r *request) {
			if err := e.closeClient(argument); err != nil {
				r.fail(err)
				return
			}
			r.End(nil)
		})
	default:
		e.submit(token, int(cmd.op), argument, payload[:cmd.body_size+cmd.params_size], int(cmd.body_size))
	}
}

// submit starts a read on a client. data is the command's body and, from split on, its params.
func (e *environment) submit(token uint64, op int, id uint64, data []byte, split int) {
	data = bytes.Clone(data) // one allocation for both; the body goes on the wire from here
	entry, err := clients.Get(id)
	if err == nil && entry.env != e {
		err = errForeignClient
	}
	if err != nil {
		err = fault.New(fault.Closed, "the client is closed")
	}
	e.start(token, entry, func(r *request) {
		if err != nil {
			r.fail(err)
			return
		}
		body, params := data[:split:split], data[split:]
		cmd, err := driver.ParseCommand(body, params)
		if err != nil {
			r.fail(err)
			return
		}
		ctx := r.ctx
		if entry.client.HearsCommands() {
			ctx = driver.WithToken(ctx, token)
		}
		r.run(ctx, op, cmd, params)
	})
}

func (r *request) run(ctx context.Context, op int, cmd driver.Command, params []byte) {
	switch op {
	case C.RMG_OP_COMMAND:
		fetch.Command(ctx, r.client.client, cmd, r)
	case C.RMG_OP_FIND:
		p, err := fetch.ParseParams(params)
		if err != nil {
			r.fail(err)
			return
		}
		window := fetch.NewWindow(p.Window)
		r.window.Store(window)
		enc, out, err := r.encoding(p.Kind, window, params)
		if err != nil {
			r.fail(err)
			return
		}
		fetch.Find(ctx, r.client.client, cmd, p, enc, window, out)
	default:
		r.fail(fault.New(fault.InvalidArgument, "operation %d is not known", op))
	}
}
