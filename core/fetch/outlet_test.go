package fetch_test

import (
	"encoding/binary"
	"sync"
	"testing"
	"unsafe"

	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
)

// copier is an Encoder whose chunk is the documents one after the other. It fails as the real ones do.
type copier struct{ chunk []byte }

func (c *copier) Encode(elems []byte) (count, size int, err error) {
	c.chunk = c.chunk[:0]
	for at := 0; at < len(elems); {
		start := at
		for at++; elems[at] != 0; at++ {
		}
		at++
		length := int(int32(binary.LittleEndian.Uint32(elems[at:])))
		if elems[start] != 3 || length < 5 || at+length > len(elems) || elems[at+length-1] != 0 {
			return count, len(c.chunk), &fault.Fault{Kind: fault.BSON, Message: "malformed BSON", Offset: int64(at)}
		}
		c.chunk = append(c.chunk, elems[at:at+length]...)
		at += length
		count++
	}
	return count, len(c.chunk), nil
}

func (c *copier) WriteTo(dst []byte) { copy(dst, c.chunk) }

// panicker is an Encoder with a bug.
type panicker struct{ copier }

func (p *panicker) Encode([]byte) (int, int, error) { panic("a bug in the encoder") }

// collector is an Outlet that keeps what it gets and checks the rules of Outlet.
type collector struct {
	cursor int64
	t      *testing.T
	window *fetch.Window
	ack    bool // acknowledge each chunk when it arrives
	onData func(c *collector)

	mu      sync.Mutex
	live    map[unsafe.Pointer][]byte // blocks handed out
	ids     []int32                   // the _id of each document
	chunks  []fetch.Chunk             // without their bytes
	unacked int64
	ended   bool
	left    bool
	fault   *fault.Fault
}

func newCollector(t *testing.T, window *fetch.Window) *collector {
	return &collector{t: t, window: window, ack: true, live: map[unsafe.Pointer][]byte{}}
}

func (c *collector) Alloc(kind fetch.Kind, size int) (fetch.Block, error) {
	data := make([]byte, size)
	ref := unsafe.Pointer(unsafe.SliceData(data))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live[ref] = data
	return fetch.Block{Data: data, Ref: ref}, nil
}

func (c *collector) Drop(b fetch.Block) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.live[b.Ref]; !ok {
		c.t.Error("a block was dropped that is not out")
	}
	delete(c.live, b.Ref)
}

func (c *collector) Chunk(chunk fetch.Chunk) {
	c.mu.Lock()
	if c.ended {
		c.t.Error("a chunk after the end")
	}
	data := chunk.Inline
	if chunk.Block.Ref != nil {
		data = chunk.Block.Data
		if _, ok := c.live[chunk.Block.Ref]; !ok {
			c.t.Error("a block was delivered that is not out")
		}
		delete(c.live, chunk.Block.Ref)
	} else if len(data) > fetch.InlineLimit {
		c.t.Errorf("%d bytes inline", len(data))
	}
	count := 0
	documents := data
	if chunk.Count == 0 {
		documents = nil // what an empty batch owes for
	}
	for rest := documents; len(rest) > 0; count++ {
		length := binary.LittleEndian.Uint32(rest)
		// Every test document begins with an int32 _id.
		c.ids = append(c.ids, int32(binary.LittleEndian.Uint32(rest[9:])))
		rest = rest[length:]
	}
	if count != chunk.Count {
		c.t.Errorf("a chunk of %d documents says %d", count, chunk.Count)
	}
	owed := int64(len(data))
	if chunk.Last && chunk.Block.Ref == nil {
		owed = 0
	}
	chunk.Block, chunk.Inline = fetch.Block{}, nil
	c.chunks = append(c.chunks, chunk)
	c.unacked += owed
	acked := int64(0)
	if c.ack {
		acked, c.unacked = c.unacked, 0
	}
	if chunk.Last {
		c.end(nil)
	}
	c.mu.Unlock()
	if acked > 0 {
		c.window.Ack(acked)
	}
	if c.onData != nil {
		c.onData(c)
	}
}

func (c *collector) End(f *fault.Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end(f)
}

func (c *collector) Cursor(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cursor != 0 || len(c.chunks) > 0 {
		c.t.Error("the number of the cursor is told once, before the first chunk")
	}
	c.cursor = id
}

func (c *collector) Leave(f *fault.Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = true
	c.end(f)
}

func (c *collector) end(f *fault.Fault) {
	if c.ended {
		c.t.Error("ended twice")
		return
	}
	c.ended, c.fault = true, f
}

// settled checks what must hold when Find has returned: no block is out, and only unacknowledged bytes are charged.
func (c *collector) settled() {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.t.Error("the read did not end")
	}
	if len(c.live) != 0 {
		c.t.Errorf("%d blocks are left with the core", len(c.live))
	}
	if used := c.window.Used(); used != c.unacked {
		c.t.Errorf("%d bytes are charged, %d are unacknowledged", used, c.unacked)
	}
}

func (c *collector) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.ids)
}
