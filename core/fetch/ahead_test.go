package fetch_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"rumongo-go/core/coretest"
	"rumongo-go/core/driver"
	"rumongo-go/core/fetch"
)

// Of a batch of 9 MB that nobody reads 4 MB become chunks; the rest follows as these are acknowledged.
func TestFewChunksAreMadeAhead(t *testing.T) {
	r := newRig(t)
	const count, size = 900, 10_000
	var documents [][]byte
	for i := range count {
		documents = append(documents, coretest.Marshal(t, bson.D{
			{Key: "_id", Value: int32(i)}, {Key: "text", Value: strings.Repeat("x", size)}}))
	}
	r.Put(t, "huge", documents...)
	c := newCollector(t, fetch.NewWindow(0))
	c.ack = false
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		fetch.Find(context.Background(), r.client, coretest.Command(t, find("huge", bson.E{Key: "batchSize", Value: count})),
			fetch.Params{Cursor: driver.CursorParams{BatchSize: count}}, copiers(fetch.Frames), c.window, c)
	}()
	for last := -1; ; time.Sleep(100 * time.Millisecond) {
		if n := c.count(); n == last && n > 0 {
			break
		} else {
			last = n
		}
	}
	if n := c.count() * size; n < 4<<20 || n > 6<<20 {
		t.Errorf("%d bytes of chunks are made ahead", n)
	}
	c.mu.Lock()
	c.ack = true
	owed := c.unacked
	c.unacked = 0
	c.mu.Unlock()
	c.window.Ack(owed)
	<-finished
	c.settled()
	c.inOrder(t, count)
}

// An empty batch owes something from when it arrives, not from when it is handed out: a thread that comes late to that,
// here the test in the first chunk, is no reason to ask again.
func TestAnEmptyBatchThatIsNotTakenYetIsNoReasonToAskAgain(t *testing.T) {
	r := newRig(t)
	r.Faults(t, bson.D{{Key: "command", Value: "getMore"}, {Key: "action", Value: "empty"}, {Key: "times", Value: int32(-1)}})
	asked := func() int64 {
		n, _ := r.Stats(t).Lookup("commands", "getMore").AsInt64OK()
		return n
	}
	late := false
	ctx, cancel := context.WithCancelCause(context.Background())
	r.run(t, read{ctx: ctx, command: find("small", bson.E{Key: "batchSize", Value: 1}),
		params: fetch.Params{Window: 1, Cursor: driver.CursorParams{BatchSize: 1}},
		setup: func(c *collector) {
			c.onData = func(c *collector) {
				if late {
					return
				}
				c.ack = false
				for asked() == 0 {
					time.Sleep(time.Millisecond)
				}
				time.Sleep(50 * time.Millisecond)
				if n := asked(); n != 1 {
					t.Errorf("asked %d times", n)
				}
				late = true
				cancel(fetch.ErrStopped)
			}
		}})
	if !late {
		t.Error("no chunk came late")
	}
}
