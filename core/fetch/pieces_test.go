package fetch

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/coretest/corpus"
	"rumongo-go/core/fault"
	"rumongo-go/core/frame"
	"rumongo-go/core/index"
)

func element(doc []byte) []byte { return append([]byte{bsonscan.Document, '7', 0}, doc...) }

func TestPlace(t *testing.T) {
	good := element([]byte{5, 0, 0, 0, 0})
	bad := element([]byte{13, 0, 0, 0, bsonscan.String, 'a', 0, 9, 0, 0, 0, 0, 0})
	elems := slices.Concat(good, good, bad, good)
	other := errors.New("other")
	if place(other, elems, 2) != other {
		t.Error("an error that is no fault is changed")
	}
	for _, tc := range []struct {
		name           string
		elems          []byte
		count          int
		offset, want   int64
		documentLength int
	}{
		{"in a document", elems, 2, int64(2*len(good) + 3 + 7), 7, 13},
		{"of a length that lies", slices.Concat(good, element([]byte{200, 0, 0, 0, 0})), 1, int64(len(good) + 3), 0, 5},
		{"in front of a document", elems, 2, int64(2 * len(good)), int64(2 * len(good)), 0},
		{"fewer documents than counted", elems[:3], 2, 1, 1, 0},
	} {
		f := fault.New(fault.BSON, "bad")
		f.Offset = tc.offset
		if place(f, tc.elems, tc.count) != error(f) || f.Offset != tc.want || len(f.Document) != tc.documentLength {
			t.Errorf("%s: offset %d, %d bytes", tc.name, f.Offset, len(f.Document))
		}
	}
}

// Cut as the fetch does it and encoded both ways, a batch of any bytes gives the documents before the first bad one,
// and the same fault about it.
func FuzzBatch(f *testing.F) {
	for _, doc := range corpus.Documents(f) {
		f.Add(slices.Concat(element(doc), element(doc)), uint16(1))
		f.Add(slices.Concat(element([]byte{5, 0, 0, 0, 0}), element(doc)), uint16(1000))
	}
	run := func(encoder Encoder, elems []byte, size int) (documents int, failed *fault.Fault) {
		for len(elems) > 0 {
			var piece []byte
			piece, elems = cut(elems, size)
			count, _, err := encoder.Encode(slices.Clip(bytes.Clone(piece)))
			documents += count
			if err != nil {
				place(err, piece, count)
				return documents, fault.From(err)
			}
		}
		return documents, nil
	}
	f.Fuzz(func(t *testing.T, elems []byte, size uint16) {
		eager, bad := run(frame.NewEncoder(), elems, 1+int(size))
		lazy, other := run(index.NewEncoder(), elems, 1+int(size))
		if eager != lazy || (bad == nil) != (other == nil) {
			t.Fatalf("%d documents and %v, lazily %d and %v", eager, bad, lazy, other)
		}
		if bad == nil {
			return
		}
		if bad.Offset != other.Offset || !bytes.Equal(bad.Document, other.Document) {
			t.Fatalf("at %d of % x, lazily at %d of % x", bad.Offset, bad.Document, other.Offset, other.Document)
		}
		if bad.Document != nil {
			if _, err := bsonscan.Validate(bad.Document); err == nil || int64(err.Offset) != bad.Offset {
				t.Fatalf("at %d: %v", bad.Offset, err)
			}
		}
	})
}
