package fetch_test

import (
	"bytes"
	"context"
	"testing"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
)

func someDocuments(n int) []byte {
	var docs []byte
	for i := range n {
		docs = append(docs, bsoncore.NewDocumentBuilder().AppendInt32("_id", int32(i)).AppendString("s", "0123456789012345678901234567890").Build()...)
	}
	return docs
}

func TestElementsNeedsWholeDocuments(t *testing.T) {
	t.Parallel()
	docs := someDocuments(3)
	if elems, whole := fetch.Elements(docs); !whole || len(elems) != len(docs)+6 {
		t.Fatalf("%d bytes of %d, %v", len(elems), len(docs), whole)
	}
	if elems, whole := fetch.Elements(nil); !whole || len(elems) != 0 {
		t.Fatal("nothing is nothing")
	}
	for cut := 1; cut < len(docs)/3; cut++ {
		if _, whole := fetch.Elements(docs[:len(docs)-cut]); whole {
			t.Fatalf("%d bytes are missing, and nobody says so", cut)
		}
	}
	for _, bad := range [][]byte{{4, 0, 0, 0, 0}, {0xff, 0xff, 0xff, 0xff, 0}, {0xff, 0xff, 0xff, 0x7f, 0}} {
		if _, whole := fetch.Elements(append(bytes.Clone(docs), bad...)); whole {
			t.Fatalf("%v is no document", bad)
		}
	}
}

func TestDocumentsDelivers(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 50, 30_000} {
		window := fetch.NewWindow(0)
		out := newCollector(t, window)
		out.ack = true
		elems, _ := fetch.Elements(someDocuments(n))
		fetch.Documents(context.Background(), elems, fetch.NewEncoders(fetch.Frames, func() fetch.Encoder { return new(copier) }), window, out)
		if !out.ended || out.fault != nil || len(out.ids) != n {
			t.Fatalf("%d documents of %d, ended: %v, %v", len(out.ids), n, out.ended, out.fault)
		}
		for i, id := range out.ids {
			if int(id) != i {
				t.Fatalf("document %d is at %d", id, i)
			}
		}
		out.settled()
	}
}

func TestDocumentsStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(fetch.ErrStopped)
	window := fetch.NewWindow(0)
	out := newCollector(t, window)
	elems, _ := fetch.Elements(someDocuments(30_000))
	fetch.Documents(ctx, elems, fetch.NewEncoders(fetch.Frames, func() fetch.Encoder { return new(copier) }), window, out)
	if out.fault == nil || out.fault.Kind != fault.Cancelled {
		t.Fatalf("ended with %v", out.fault)
	}
	out.settled()
}
