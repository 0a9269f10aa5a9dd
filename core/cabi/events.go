package main

/*
#include "abi.h"

#cgo nocallback rmg_call_event
#cgo noescape rmg_call_event
#cgo nocallback rmg_call_wake_events
#cgo noescape rmg_call_wake_events

static inline int rmg_call_event(rmg_event_fn fn, void *env, double source, double token, uint32_t kind,
                                 const uint8_t *info, uint32_t info_size, const uint8_t *body, uint32_t body_size) {
  rmg_event e = {source, token, kind, info_size, body_size, 0};
  return fn(env, &e, info, body);
}

static inline void rmg_call_wake_events(rmg_wake_events_fn fn, void *env) { fn(env); }
*/
import "C"

import (
	"time"
	"unsafe"

	"rumongo-go/core/driver"
)

// wakeDelay is how long an event waits for a completion to wake the JavaScript thread with: the events of a short command
// then cost no wake of their own.
const wakeDelay = time.Millisecond

// listener makes the listener of the client that connects with the token source.
func (e *environment) listener(source uint64, mask uint32) *driver.Listener {
	l := driver.NewListener(mask, func(event driver.Event) { e.deliver(source, event) })
	e.mu.Lock()
	defer e.mu.Unlock()
	e.listeners[source] = l
	return l
}

// listenTo changes what the client wants. One that is closed, or could not connect, has no listener any more.
func (e *environment) listenTo(source uint64, mask uint32) {
	e.mu.Lock()
	l := e.listeners[source]
	e.mu.Unlock()
	if l != nil {
		l.Listen(mask)
	}
}

func (e *environment) forgetListener(source uint64) {
	e.mu.Lock()
	l := e.listeners[source]
	delete(e.listeners, source)
	e.mu.Unlock()
	if l != nil {
		l.Stop()
	}
}

// deliver copies an event to the glue. It may be called until the listener has stopped, which is before env_release.
func (e *environment) deliver(source uint64, event driver.Event) {
	first := C.rmg_call_event(e.host.event, e.env, C.double(source), C.double(event.Token), C.uint32_t(event.Kind),
		(*C.uint8_t)(unsafe.SliceData(event.Info)), C.uint32_t(len(event.Info)),
		(*C.uint8_t)(unsafe.SliceData(event.Body)), C.uint32_t(len(event.Body)))
	if first != 0 {
		e.wakeSoon()
	}
}

func (e *environment) wakeSoon() {
	if e.flushing.Swap(true) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	e.running.Add(1)
	time.AfterFunc(wakeDelay, func() {
		defer e.running.Done()
		e.flushing.Store(false)
		C.rmg_call_wake_events(e.host.wake_events, e.env)
	})
}
