package fetch

import (
	"context"
	"errors"
	"sync"
	"time"

	"rumongo-go/core/driver"
)

// lateLimit bounds how long a reply is waited for that only says which cursor to close.
const lateLimit = 30 * time.Second

// opening is the wait for the reply to a read's first command. When the read is cancelled, the reply to what is sent is
// waited for all the same, for the cursor in it; but after cancelGrace the request has ended and only its goroutine goes
// on. That keeps nobody waiting: no close(), no worker that ends, no process that exits, no read that needs a connection.
type opening struct {
	ctx    context.Context // the command's
	cancel context.CancelCauseFunc
	caller context.Context
	client *driver.Client
	out    Outlet

	mu    sync.Mutex
	sent  bool
	over  bool   // the reply is here
	ended func() // set when the request has ended before that
	limit *time.Timer
}

// open runs a read's first command. goesOn is false when the request has ended meanwhile.
func open(ctx context.Context, client *driver.Client, cmd driver.Command, params driver.CursorParams, out Outlet) (cursor *driver.Cursor, goesOn bool, err error) {
	o := &opening{caller: ctx, client: client, out: out}
	o.ctx, o.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, o.cancelled)
	defer func() {
		unhook()
		o.arrived() // also after a panic
		o.cancel(nil)
		if o.ended != nil {
			o.limit.Stop()
			o.ended()
		}
	}()
	cmd.Sending = o.sending
	cursor, err = client.Find(o.ctx, cmd, params)
	if goesOn = o.arrived(); !goesOn && err == nil {
		cursor.Close(ctx, nil)
	}
	return cursor, goesOn, err
}

// sending is asked before the command is written. Once the request has ended there is no further attempt.
func (o *opening) sending() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended != nil {
		return context.Cause(o.caller)
	}
	o.sent = true
	return nil
}

func (o *opening) arrived() (goesOn bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	return o.ended == nil
}

func (o *opening) cancelled() {
	cause := context.Cause(o.caller)
	if errors.Is(cause, ErrStopped) {
		time.AfterFunc(cancelGrace, func() { o.leave(cause) })
	} else {
		time.AfterFunc(goneGrace, func() { o.cancel(cause) })
	}
}

// leave ends the request if there is no reply yet.
func (o *opening) leave(cause error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over || !o.sent {
		o.cancel(cause)
		return
	}
	o.limit = time.AfterFunc(lateLimit, func() { o.cancel(cause) })
	o.ended = o.client.Late(func() { o.cancel(cause) })
	o.out.Leave(failure(o.caller, cause))
}
