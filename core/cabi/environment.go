package main

/*
#include "abi.h"

static inline void rmg_call_env_release(rmg_env_release_fn fn, void *env) { fn(env); }
*/
import "C"

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"unsafe"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
	"rumongo-go/core/handle"
)

// environment is the Go side of one JavaScript environment (main thread or worker).
type environment struct {
	env  unsafe.Pointer // the glue's; used until env_release
	host C.rmg_host
	ears [C.RMG_LISTENERS]*ear

	taking sync.Mutex // one listener at a time takes commands and starts what they ask for, so that their order stays
	deaf   bool       // RMG_OP_CLOSE_ENV has been taken; guarded by taking

	mu       sync.Mutex
	closed   bool
	requests map[uint64]*request
	owing    map[uint64]*fetch.Window // of requests that have ended with unacknowledged bytes; removed by ack or cancel
	clients  map[uint64]struct{}
	running  sync.WaitGroup // one for each request and pending wake; Add under mu and only while not closed

	listeners map[uint64]*driver.Listener // by the token of the client's connect; guarded by mu, see events.go
	flushing  atomic.Bool                 // events wait for wake_events
}

// client is an open driver.Client with the requests that run on it.
type client struct {
	env     *environment
	client  *driver.Client
	source  uint64         // token of its connect
	running sync.WaitGroup // one for each request; Add under env.mu and only while open
	closing bool           // guarded by env.mu
}

var (
	environments atomic.Int64 // how many there are
	requests     atomic.Int64 // that are not at their end, of all environments
	clients      handle.Table[*client]

	errForeignClient = errors.New("the client belongs to another environment")
)

func newEnvironment(env unsafe.Pointer, host C.rmg_host) (*environment, error) {
	e := &environment{
		env:      env,
		host:     host,
		requests: map[uint64]*request{},
		owing:    map[uint64]*fetch.Window{},
		clients:  map[uint64]struct{}{},

		listeners: map[uint64]*driver.Listener{},
	}
	for i := range e.ears {
		var err error
		if e.ears[i], err = newEar(); err != nil {
			for _, opened := range e.ears[:i] {
				opened.close()
			}
			return nil, err
		}
	}
	environments.Add(1) // partner: close
	return e, nil
}

// start makes the request of token, which the caller runs. entry is the client it runs on, or nil. Returns nil where the
// environment is gone and takes no completion.
func (e *environment) start(token uint64, entry *client, work func(*request)) *request {
	r := &request{env: e, token: token, client: entry, work: work}
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.running.Add(1)
	if entry != nil {
		if entry.closing {
			r.client = nil
			r.cancel(fault.New(fault.Closed, "the client is closed"))
		} else {
			entry.running.Add(1)
		}
	}
	e.requests[token] = r
	e.mu.Unlock()
	requests.Add(1) // partner: forget
	return r
}

// forget ends the request's life: partner of start.
func (e *environment) forget(r *request) {
	requests.Add(-1)
	e.mu.Lock()
	delete(e.requests, r.token)
	if w := r.window.Load(); w != nil {
		if e.closed || errors.Is(context.Cause(r.ctx), fetch.ErrStopped) {
			w.Close() // nobody will acknowledge
		} else if w.Used() > 0 {
			e.owing[r.token] = w
		}
	}
	e.mu.Unlock()
	if r.client != nil {
		r.client.running.Done()
	}
	e.running.Done()
	r.cancel(nil)
}

// ack gives credit back to a request, or to what an ended one still owes.
func (e *environment) ack(token uint64, bytes int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.requests[token]; r != nil {
		if w := r.window.Load(); w != nil {
			w.Ack(bytes)
		}
	} else if w := e.owing[token]; w != nil {
		if w.Ack(bytes); w.Used() == 0 {
			delete(e.owing, token)
		}
	}
}

// cancel stops a request. Of one that has ended it forgives the debt: its chunks will not be read.
func (e *environment) cancel(token uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.requests[token]; r != nil {
		r.cancel(fetch.ErrStopped)
	} else if w := e.owing[token]; w != nil {
		w.Close()
		delete(e.owing, token)
	}
}

// connect opens a client. Its listener is given up again when that fails.
func (e *environment) connect(ctx context.Context, params []byte, source uint64, listener *driver.Listener) (id uint64, err error) {
	defer func() {
		if err != nil {
			e.forgetListener(source)
		}
	}()
	if budget, ok := bsoncore.Document(params).Lookup("processReadAheadBytes").AsInt64OK(); ok && budget > 0 {
		fetch.SetBudget(budget)
	}
	c, err := driver.ConnectListening(ctx, params, listener)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return 0, err
	}
	id, err = clients.Put(&client{env: e, client: c, source: source})
	if err != nil {
		_ = c.Close(ctx)
		return 0, fault.New(fault.InvalidArgument, "%v", err)
	}
	e.mu.Lock()
	closed := e.closed
	if !closed {
		e.clients[id] = struct{}{}
	}
	e.mu.Unlock()
	if closed {
		listener.Stop() // nothing may be delivered after env_release
		go closeLate(id)
		return 0, context.Canceled
	}
	return id, nil
}

// closeLate closes a client whose environment ended while it was connecting.
func closeLate(id uint64) {
	defer ignorePanic()
	if entry, err := clients.Remove(id); err == nil {
		_ = entry.client.Close(context.Background())
	}
}

// closeClient cancels the client's requests, waits for them and closes it. Closing twice is not an error.
func (e *environment) closeClient(id uint64) error {
	entry, err := clients.Get(id)
	if err != nil {
		return nil
	}
	if entry.env != e {
		return fault.New(fault.InvalidArgument, "%v", errForeignClient)
	}
	if entry, err = clients.Remove(id); err != nil {
		return nil
	}
	e.mu.Lock()
	entry.closing = true
	delete(e.clients, id)
	for _, r := range e.requests {
		if r.client == entry {
			r.cancel(fault.New(fault.Closed, "the client was closed while the operation ran"))
		}
	}
	e.mu.Unlock()
	entry.running.Wait()
	_ = entry.client.Close(context.Background())
	e.forgetListener(entry.source)
	return nil
}

// close cancels all requests and closes all clients of the environment, in the background. The glue's memory is released
// when nothing can reach it any more.
func (e *environment) close() {
	environments.Add(-1)
	e.mu.Lock()
	e.closed = true
	for _, w := range e.owing {
		w.Close()
	}
	e.owing = nil
	for _, r := range e.requests {
		r.cancel(context.Canceled)
	}
	ids := make([]uint64, 0, len(e.clients))
	for id := range e.clients {
		ids = append(ids, id)
	}
	e.mu.Unlock()
	go func() {
		defer ignorePanic()
		defer C.rmg_call_env_release(e.host.env_release, e.env)
		e.running.Wait()
		for _, id := range ids {
			_ = e.closeClient(id)
		}
	}()
}
