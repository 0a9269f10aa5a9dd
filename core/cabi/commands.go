package main

/*
#include "abi.h"
*/
import "C"

import (
	"bytes"
	"context"

	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
)

// guarded is dispatch, in which a panic costs the command's own request and not the environment.
func (e *environment) guarded(cmd *C.rmg_command, payload []byte) (started *request) {
	defer func() {
		if p := recover(); p != nil {
			started = e.refuse(uint64(cmd.token), fault.FromPanic(p))
		}
	}()
	return e.dispatch(cmd, payload)
}

// refuse ends the request of token with a fault, whether it is there or not.
func (e *environment) refuse(token uint64, f *fault.Fault) *request {
	e.mu.Lock()
	r := e.requests[token]
	e.mu.Unlock()
	if r != nil {
		r.cancel(f)
		return nil
	}
	return e.start(token, nil, func(r *request) { r.End(f) })
}

// opPanic panics where commands are taken from the queue; with fetch.TestHooks only.
const opPanic = 15

// dispatch does what one command asks for, or returns the request that is to be run for it. payload is C memory, valid
// during the call.
func (e *environment) dispatch(cmd *C.rmg_command, payload []byte) *request {
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
		return e.start(token, nil, func(r *request) {
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
		return e.start(token, nil, func(r *request) {
			if err := e.closeClient(argument); err != nil {
				r.fail(err)
				return
			}
			r.End(nil)
		})
	case C.RMG_OP_DECODE:
		return e.decode(token, payload[:cmd.body_size], bytes.Clone(payload[cmd.body_size:cmd.body_size+cmd.params_size]))
	default:
		return e.submit(token, int(cmd.op), argument, payload[:cmd.body_size+cmd.params_size], int(cmd.body_size))
	}
	return nil
}

// submit makes the request of a read on a client. data is the command's body and, from split on, its params.
func (e *environment) submit(token uint64, op int, id uint64, data []byte, split int) *request {
	data = bytes.Clone(data) // one allocation for both; the body goes on the wire from here
	entry, err := clients.Get(id)
	if err == nil && entry.env != e {
		entry, err = nil, errForeignClient // its counts are guarded by the other environment's lock
	}
	if err != nil {
		err = fault.New(fault.Closed, "the client is closed")
	}
	return e.start(token, entry, func(r *request) {
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
		enc, out, err := r.encoding(&p, window, params)
		if err != nil {
			r.fail(err)
			return
		}
		fetch.Find(ctx, r.client.client, cmd, p, enc, window, out)
	default:
		r.fail(fault.New(fault.InvalidArgument, "operation %d is not known", op))
	}
}
