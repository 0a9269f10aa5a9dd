package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"rumongo-go/core/coretest"
	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
)

// runText does one read of text on the calling goroutine. What the collector gets are the documents' own bytes.
func (r *rig) runText(t *testing.T, p fetch.TextParams, command bson.D) *collector {
	t.Helper()
	window := fetch.NewWindow(0)
	c := newCollector(t, window)
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	out, err := fetch.NewText(p, window, stop, c)
	if err != nil {
		t.Fatal(err)
	}
	fetch.Find(ctx, r.client, coretest.Command(t, command), fetch.Params{Kind: fetch.Text}, copiers(fetch.Text), window, out)
	c.settled()
	if used := window.Used(); used != 0 && p.Joined {
		t.Errorf("%d bytes are still charged", used)
	}
	return c
}

func TestJoinedTextIsOneChunk(t *testing.T) {
	r := newRig(t)
	for name, n := range map[string]int{"small": 20, "large": 3000, "none": 0} {
		c := r.runText(t, fetch.TextParams{Joined: true, MaxBytes: 1 << 30}, find(name, bson.E{Key: "batchSize", Value: 7}))
		c.inOrder(t, n)
		if len(c.chunks) > 1 {
			t.Errorf("%s: %d chunks", name, len(c.chunks))
		}
	}
}

func TestJoinedTextTooLarge(t *testing.T) {
	r := newRig(t)
	for _, most := range []int64{1, 100, 40_000, 2_000_000} {
		c := r.runText(t, fetch.TextParams{Joined: true, MaxBytes: most}, find("large", bson.E{Key: "batchSize", Value: 50}))
		if c.fault == nil || c.fault.Kind != fault.InvalidArgument || !strings.Contains(c.fault.Message, "maxBytes") || len(c.chunks) != 0 {
			t.Errorf("%d bytes: %v, %d chunks", most, c.fault, len(c.chunks))
		}
	}
	if open := r.Stats(t).Lookup("cursors", "open").AsInt64(); open != 0 {
		t.Errorf("%d cursors are open", open)
	}
}

func TestTextOfTheFirstDocuments(t *testing.T) {
	r := newRig(t)
	c := r.runText(t, fetch.TextParams{Joined: true, MaxBytes: 1 << 30, Single: true}, find("large", bson.E{Key: "batchSize", Value: 5}))
	c.inOrder(t, 5) // this encoder writes a whole piece
	if open := r.Stats(t).Lookup("cursors", "open").AsInt64(); open != 0 {
		t.Errorf("%d cursors are open", open)
	}
}

// texts keeps bytes, whatever they are.
type texts struct {
	*collector
	data bytes.Buffer
}

func (x *texts) Chunk(chunk fetch.Chunk) {
	x.data.Write(chunk.Block.Data)
	x.data.Write(chunk.Inline)
	if chunk.Block.Ref != nil {
		x.window.Ack(int64(len(chunk.Block.Data)))
		x.Drop(chunk.Block)
	}
	if chunk.Last {
		x.End(nil)
	}
}

func TestCompressedText(t *testing.T) {
	r := newRig(t)
	window := fetch.NewWindow(0)
	x := &texts{collector: newCollector(t, window)}
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	out, err := fetch.NewText(fetch.TextParams{Head: '[', Tail: "]", Compress: "gzip", Level: 0}, window, stop, x)
	if err != nil {
		t.Fatal(err)
	}
	fetch.Find(ctx, r.client, coretest.Command(t, find("large", bson.E{Key: "batchSize", Value: 500})), fetch.Params{Kind: fetch.Text}, copiers(fetch.Text), window, out)
	x.settled()
	reader, err := gzip.NewReader(&x.data)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(reader); err != nil {
		t.Fatal(err)
	}
	if s := text.Bytes(); len(s) < 3000*900 || s[0] != '[' || s[len(s)-1] != ']' {
		t.Errorf("%d bytes", len(s))
	}
	if used := window.Used(); used != 0 {
		t.Errorf("%d bytes are still charged", used)
	}
}

func TestTextParams(t *testing.T) {
	if _, err := fetch.NewText(fetch.TextParams{Compress: "br"}, fetch.NewWindow(0), nil, nil); err == nil {
		t.Error("brotli")
	}
	if _, err := fetch.NewText(fetch.TextParams{Compress: "gzip", Level: 12}, fetch.NewWindow(0), nil, nil); err == nil {
		t.Error("level 12")
	}
}
