package fetch_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"rumongo-go/core/coretest"
	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
	"rumongo-go/tools/wirefixture/fixture"
)

// rig is a fixture, a client of it, and collections:
//
//	small: 20 documents   large: 3000 of about 1 KB (12 eager pieces)   empty: none
type rig struct {
	*coretest.Fixture
	client *driver.Client
}

func newRig(t *testing.T) *rig {
	t.Helper()
	f := coretest.Start(t, fixture.Options{})
	f.Number(t, "small", 20)
	var documents [][]byte
	for i := range 3000 {
		documents = append(documents, coretest.Marshal(t, bson.D{
			{Key: "_id", Value: int32(i)}, {Key: "text", Value: strings.Repeat("x", 900+i%100)}}))
	}
	f.Put(t, "large", documents...)
	return &rig{f, coretest.Connect(t, f.URI(), nil)}
}

type read struct {
	command  bson.D
	params   fetch.Params
	encoders *fetch.Encoders
	ctx      context.Context
	setup    func(c *collector)
}

func copiers(kind fetch.Kind) *fetch.Encoders {
	return fetch.NewEncoders(kind, func() fetch.Encoder { return &copier{} })
}

// run does one read on the calling goroutine and checks what must always hold after it.
func (r *rig) run(t *testing.T, rd read) *collector {
	t.Helper()
	if rd.ctx == nil {
		rd.ctx = context.Background()
	}
	if rd.encoders == nil {
		rd.encoders = copiers(fetch.Frames)
	}
	window := fetch.NewWindow(rd.params.Window)
	c := newCollector(t, window)
	if rd.setup != nil {
		rd.setup(c)
	}
	fetch.Find(rd.ctx, r.client, coretest.Command(t, rd.command), rd.params, rd.encoders, window, c)
	c.settled()
	return c
}

func (c *collector) inOrder(t *testing.T, n int) {
	t.Helper()
	if len(c.ids) != n {
		t.Errorf("%d documents, want %d", len(c.ids), n)
	}
	for i, id := range c.ids {
		if id != int32(i) {
			t.Errorf("document %d has _id %d", i, id)
			return
		}
	}
}

func find(collection string, more ...bson.E) bson.D {
	return append(bson.D{{Key: "find", Value: collection}}, more...)
}

func TestFindDeliversEverythingInOrder(t *testing.T) {
	r := newRig(t)
	for _, tc := range []struct {
		name       string
		collection string
		batchSize  int32
		kind       fetch.Kind
		documents  int
		chunks     int // 0: not checked
		batchEnds  int
	}{
		{"one small chunk", "small", 0, fetch.Frames, 20, 1, 1},
		{"small batches", "small", 6, fetch.Frames, 20, 4, 4},
		{"one large batch", "large", 5000, fetch.Frames, 3000, 12, 1},
		{"large batches", "large", 1000, fetch.Frames, 3000, 13, 4}, // the fixture ends with an empty batch
		{"lazy pieces are larger", "large", 5000, fetch.Lazy, 3000, 3, 1},
		{"nothing", "none", 0, fetch.Frames, 0, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			command := find(tc.collection)
			if tc.batchSize > 0 {
				command = find(tc.collection, bson.E{Key: "batchSize", Value: tc.batchSize})
			}
			c := r.run(t, read{command: command, encoders: copiers(tc.kind),
				params: fetch.Params{Kind: tc.kind, Cursor: driver.CursorParams{BatchSize: float64(tc.batchSize)}}})
			if c.fault != nil {
				t.Fatalf("%+v", c.fault)
			}
			c.inOrder(t, tc.documents)
			if told := c.cursor != 0; told != (tc.batchEnds > 1) {
				t.Errorf("the server's cursor was %d", c.cursor)
			}
			ends := 0
			for _, chunk := range c.chunks {
				if chunk.BatchEnd {
					ends++
				}
				if chunk.Kind != tc.kind {
					t.Errorf("a chunk of kind %d", chunk.Kind)
				}
			}
			if tc.batchEnds != ends && !(tc.batchEnds == ends+1 && tc.name == "large batches") {
				t.Errorf("%d ends of batches, want %d", ends, tc.batchEnds)
			}
			if tc.chunks > 0 && (len(c.chunks) < tc.chunks-1 || len(c.chunks) > tc.chunks+1) {
				t.Errorf("%d chunks, want about %d", len(c.chunks), tc.chunks)
			}
		})
	}
}

func TestASmallResultIsOneDelivery(t *testing.T) {
	r := newRig(t)
	c := r.run(t, read{command: find("small")})
	if len(c.chunks) != 1 || !c.chunks[0].Last || !c.chunks[0].BatchEnd {
		t.Fatalf("%+v", c.chunks)
	}
}

func TestEmptyLiveBatch(t *testing.T) {
	r := newRig(t)
	r.Faults(t, bson.D{{Key: "command", Value: "getMore"}, {Key: "action", Value: "empty"}, {Key: "times", Value: 3}})
	c := r.run(t, read{command: find("small", bson.E{Key: "batchSize", Value: 5}),
		params: fetch.Params{Cursor: driver.CursorParams{BatchSize: 5}}})
	c.inOrder(t, 20)
	empty := 0
	for _, chunk := range c.chunks {
		if chunk.Count == 0 {
			empty++
			if !chunk.BatchEnd {
				t.Error("an empty batch without its end")
			}
		}
	}
	if empty != 3 || c.fault != nil {
		t.Fatalf("%d empty chunks, fault %v", empty, c.fault)
	}
}

func TestMalformedDocument(t *testing.T) {
	r := newRig(t)
	for _, tc := range []struct {
		name     string
		document int
		at       int
		patch    []byte
		batch    int32
		cursor   int // killCursors
	}{
		{"in the only batch", 7, 0, []byte{2, 0, 0, 0}, 0, 0},
		{"in the first of several batches", 7, 0, []byte{2, 0, 0, 0}, 10, 1},
		{"no terminator", 3, -1, []byte{1}, 5, 1},
		{"the first document", 0, 0, []byte{255, 255, 255, 127}, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r.Faults(t, bson.D{{Key: "command", Value: "find"}, {Key: "action", Value: "malformed"},
				{Key: "document", Value: tc.document}, {Key: "at", Value: tc.at}, {Key: "patch", Value: bson.Binary{Data: tc.patch}}})
			defer r.Faults(t)
			r.StartLog(t)
			command := find("small")
			if tc.batch > 0 {
				command = find("large", bson.E{Key: "batchSize", Value: tc.batch})
			}
			c := r.run(t, read{command: command, params: fetch.Params{Cursor: driver.CursorParams{BatchSize: float64(tc.batch)}}})
			if c.fault == nil || c.fault.Kind != fault.BSON {
				t.Fatalf("fault %+v", c.fault)
			}
			c.inOrder(t, tc.document)
			if n := len(r.Log(t, "killCursors")); n != tc.cursor {
				t.Errorf("%d killCursors, want %d", n, tc.cursor)
			}
		})
	}
}

func TestFailureAfterDocuments(t *testing.T) {
	r := newRig(t)
	for _, tc := range []struct {
		action bson.D
		kind   fault.Kind
		kills  int
	}{
		{bson.D{{Key: "action", Value: "error"}, {Key: "code", Value: 43}, {Key: "codeName", Value: "CursorNotFound"}}, fault.Server, 0},
		{bson.D{{Key: "action", Value: "error"}, {Key: "code", Value: 8}, {Key: "keepCursor", Value: true}}, fault.Server, 1},
		{bson.D{{Key: "action", Value: "close"}}, fault.Network, 1},
	} {
		t.Run(string(tc.kind), func(t *testing.T) {
			r.Faults(t, append(bson.D{{Key: "command", Value: "getMore"}}, tc.action...))
			defer r.Faults(t)
			r.StartLog(t)
			c := r.run(t, read{command: find("small", bson.E{Key: "batchSize", Value: 5})})
			if c.fault == nil || c.fault.Kind != tc.kind {
				t.Fatalf("fault %+v", c.fault)
			}
			c.inOrder(t, 5)
			if n := len(r.Log(t, "killCursors")); n != tc.kills {
				t.Errorf("%d killCursors, want %d", n, tc.kills)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	r := newRig(t)
	for _, tc := range []struct {
		name     string
		faults   []bson.D
		getMores int // -1: a matter of timing
		kills    int
	}{
		{"between batches", nil, -1, 1},
		{"during a getMore that answers soon", []bson.D{{{Key: "command", Value: "getMore"}, {Key: "action", Value: "delay"}, {Key: "ms", Value: 50}}}, 1, 1},
		{"during a getMore that hangs", []bson.D{{{Key: "command", Value: "getMore"}, {Key: "action", Value: "never"}}}, 1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r.Faults(t, tc.faults...)
			defer r.Faults(t)
			r.StartLog(t)
			ctx, cancel := context.WithCancelCause(context.Background())
			start := time.Now()
			c := r.run(t, read{ctx: ctx, command: find("large", bson.E{Key: "batchSize", Value: 5}),
				params: fetch.Params{Cursor: driver.CursorParams{BatchSize: 5}},
				setup: func(c *collector) {
					c.onData = func(c *collector) {
						if c.count() == 5 {
							cancel(fetch.ErrStopped)
						}
					}
				}})
			if c.fault == nil || c.fault.Kind != fault.Cancelled {
				t.Fatalf("fault %+v", c.fault)
			}
			c.inOrder(t, 5)
			log := r.Log(t, "getMore", "killCursors")
			getMores := 0
			for _, command := range log {
				if _, err := command.LookupErr("getMore"); err == nil {
					getMores++
				}
			}
			if n := len(log) - getMores; n != tc.kills {
				t.Errorf("%d killCursors, want %d", n, tc.kills)
			}
			// On a busy machine the cancel may come before the getMore has been sent.
			if tc.getMores >= 0 && getMores > tc.getMores {
				t.Errorf("%d getMores, want %d at most: none may follow the cancel", getMores, tc.getMores)
			}
			if took := time.Since(start); took > 4*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
	// The request ends, its goroutine waits for the cursor to close.
	t.Run("during a first command that takes long", func(t *testing.T) {
		r.Faults(t, bson.D{{Key: "command", Value: "find"}, {Key: "action", Value: "delay"}, {Key: "ms", Value: 400}})
		defer r.Faults(t)
		r.StartLog(t)
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(50*time.Millisecond, func() { cancel(fetch.ErrStopped) })
		c := r.run(t, read{ctx: ctx, command: find("large")})
		if c.fault == nil || c.fault.Kind != fault.Cancelled || len(c.chunks) != 0 || !c.left {
			t.Fatalf("fault %+v, %d chunks, left %t", c.fault, len(c.chunks), c.left)
		}
		if n := len(r.Log(t, "killCursors")); n != 1 || driver.LateReads() != 0 {
			t.Errorf("%d killCursors, %d late reads", n, driver.LateReads())
		}
	})
	t.Run("during a first command that hangs, until the connection is needed or the client closes", func(t *testing.T) {
		for _, closes := range []bool{false, true} {
			client := coretest.Connect(t, r.URI(), bson.D{{Key: "maxPoolSize", Value: 1}})
			own := &rig{r.Fixture, client}
			r.Faults(t, bson.D{{Key: "command", Value: "find"}, {Key: "action", Value: "never"}})
			ctx, cancel := context.WithCancelCause(context.Background())
			cancelled := time.Now()
			time.AfterFunc(50*time.Millisecond, func() { cancel(fetch.ErrStopped) })
			time.AfterFunc(500*time.Millisecond, func() {
				if closes {
					_ = client.Close(context.Background())
				} else {
					_, _ = client.Run(context.Background(), coretest.Command(t, bson.D{{Key: "ping", Value: 1}}))
				}
			})
			c := own.run(t, read{ctx: ctx, command: find("large")})
			if c.fault == nil || c.fault.Kind != fault.Cancelled || !c.left {
				t.Errorf("fault %+v, left %t", c.fault, c.left)
			}
			if took := time.Since(cancelled); took < 500*time.Millisecond || took > 4*time.Second {
				t.Errorf("closes %t: took %v", closes, took)
			}
			_ = client.Close(context.Background())
		}
		r.Faults(t)
	})
	t.Run("before anything was sent", func(t *testing.T) {
		client := coretest.Connect(t, r.URI(), bson.D{{Key: "maxPoolSize", Value: 1}})
		r.Faults(t, bson.D{{Key: "command", Value: "ping"}, {Key: "action", Value: "delay"}, {Key: "ms", Value: 600}})
		defer r.Faults(t)
		r.StartLog(t)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = client.Run(context.Background(), coretest.Command(t, bson.D{{Key: "ping", Value: 1}}))
		}()
		time.Sleep(50 * time.Millisecond)
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(50*time.Millisecond, func() { cancel(fetch.ErrStopped) })
		c := (&rig{r.Fixture, client}).run(t, read{ctx: ctx, command: find("large")})
		<-done
		if c.fault == nil || c.fault.Kind != fault.Cancelled || c.left || len(r.Log(t, "find")) != 0 {
			t.Errorf("fault %+v, left %t", c.fault, c.left)
		}
	})
	t.Run("because the client closes", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(context.Background())
		c := r.run(t, read{ctx: ctx, command: find("large", bson.E{Key: "batchSize", Value: 5}),
			setup: func(c *collector) {
				c.onData = func(*collector) { cancel(fault.New(fault.Closed, "the client was closed")) }
			}})
		if c.fault == nil || c.fault.Kind != fault.Closed {
			t.Fatalf("fault %+v", c.fault)
		}
	})
}

func TestReadAheadStopsAtTheWindow(t *testing.T) {
	r := newRig(t)
	const window = 300 << 10 // a batch of 100 is about 100 KB
	c := newCollector(t, fetch.NewWindow(window))
	c.ack = false
	r.StartLog(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		fetch.Find(ctx, r.client, coretest.Command(t, find("large", bson.E{Key: "batchSize", Value: 100})),
			fetch.Params{Window: window, Cursor: driver.CursorParams{BatchSize: 100}}, copiers(fetch.Frames), c.window, c)
	}()
	still := func() int {
		for last := -1; ; time.Sleep(150 * time.Millisecond) {
			if n := c.count(); n == last && n > 0 {
				return n
			} else {
				last = n
			}
		}
	}
	before := still()
	if before < 200 || before > 400 {
		t.Errorf("%d documents were read ahead of an unread window", before)
	}
	if used := c.window.Used(); used > window {
		t.Errorf("%d bytes are charged to a window of %d", used, window)
	}
	c.window.Ack(100 << 10)
	c.mu.Lock()
	c.unacked -= 100 << 10
	c.mu.Unlock()
	if after := still(); after <= before || after > before+200 {
		t.Errorf("an acknowledgement of a batch let %d documents through", after-before)
	}
	cancel(fetch.ErrStopped)
	<-finished
	c.settled()
	c.window.Close()
}

func TestAWindowSmallerThanABatchStillMoves(t *testing.T) {
	r := newRig(t)
	c := r.run(t, read{command: find("large", bson.E{Key: "batchSize", Value: 500}),
		params: fetch.Params{Window: 1, Cursor: driver.CursorParams{BatchSize: 500}}})
	c.inOrder(t, 3000)
}

func TestPanicIsThatReadsError(t *testing.T) {
	r := newRig(t)
	broken := fetch.NewEncoders(fetch.Frames, func() fetch.Encoder { return &panicker{} })
	for _, command := range []bson.D{find("small"), find("large"), find("large", bson.E{Key: "batchSize", Value: 100})} {
		c := r.run(t, read{command: command, encoders: broken})
		if c.fault == nil || c.fault.Kind != fault.Internal || !strings.Contains(c.fault.Message, "a bug in the encoder") {
			t.Fatalf("fault %+v", c.fault)
		}
		if !strings.Contains(c.fault.Stack, "panicker") {
			t.Errorf("the stack does not name the place:\n%s", c.fault.Stack)
		}
	}
	r.run(t, read{command: find("large")}).inOrder(t, 3000)
}

func TestManyReadsAtOnce(t *testing.T) {
	r := newRig(t)
	done := make(chan *collector)
	for range 12 {
		go func() {
			c := newCollector(t, fetch.NewWindow(0))
			fetch.Find(context.Background(), r.client, coretest.Command(t, find("large", bson.E{Key: "batchSize", Value: 700})),
				fetch.Params{Cursor: driver.CursorParams{BatchSize: 700}}, copiers(fetch.Frames), c.window, c)
			done <- c
		}()
	}
	for range 12 {
		c := <-done
		c.settled()
		c.inOrder(t, 3000)
	}
	if under := fetch.BytesUnderWay(); under != 0 {
		t.Errorf("%d bytes are still counted", under)
	}
}

func TestParseParams(t *testing.T) {
	for _, tc := range []struct {
		params bson.D
		says   string
	}{
		{bson.D{}, "mode"},
		{bson.D{{Key: "mode", Value: "eager"}}, "mode"},
		{bson.D{{Key: "mode", Value: "lazy"}, {Key: "batchSize", Value: "1"}}, "batchSize"},
		{bson.D{{Key: "mode", Value: "lazy"}, {Key: "limit", Value: "1"}}, "limit"},
		{bson.D{{Key: "mode", Value: "lazy"}, {Key: "window", Value: -1}}, "window"},
		{bson.D{{Key: "mode", Value: "lazy"}, {Key: "maxAwaitTimeMS", Value: true}}, "maxAwaitTimeMS"},
		{bson.D{{Key: "mode", Value: "frames"}, {Key: "batchSize", Value: 3.0}, {Key: "window", Value: int64(1)}}, ""},
	} {
		_, err := fetch.ParseParams(coretest.Marshal(t, tc.params))
		if (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%v: %v", tc.params, err)
		}
	}
}
