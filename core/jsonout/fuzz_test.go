package jsonout

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/coretest/corpus"
	"rumongo-go/core/fault"
	"rumongo-go/tools/wirefixture/sets"
)

// options are made of bits, so that all come up.
func options(bits uint16) Options {
	on := func(n int) bool { return bits>>n&1 != 0 }
	o := Options{
		Mode: Mode((bits & 3) % 3), Framing: Framing((bits >> 2 & 3) % 3), Longs: Longs((bits >> 4 & 3) % 3), Pretty: on(6),
		PromoteLongs: on(7), PromoteValues: on(8), PromoteBuffers: on(9), UseBigInt64: on(10), BSONRegExp: on(11), ValidateUTF8: on(12),
		LowFirst: on(13), ScopeReferences: on(14), LateDates: on(15),
	}
	o.UseBigInt64 = o.UseBigInt64 && o.PromoteLongs && o.PromoteValues
	return o
}

// Whatever bytes come as a batch: what is written is JSON, of as many documents as it says, and the fault says where it
// stopped. Each is written twice, since names are remembered.
func FuzzEncode(f *testing.F) {
	docs := corpus.Documents(f)
	for _, name := range []string{"types", "mixed45", "text"} {
		made, err := sets.Generate(name, 2, 1)
		if err != nil {
			f.Fatal(err)
		}
		docs = append(docs, made...)
	}
	for i, d := range docs {
		f.Add(elements(d, d), uint16(0b0001_1001_1000_0000))
		f.Add(elements(d, d), uint16(i*257))
	}
	f.Fuzz(func(t *testing.T, elems []byte, bits uint16) {
		o := options(bits)
		e := NewEncoder(o)
		elems = slices.Clip(elems) // a read past the end is a panic
		var first []byte
		for again := range 2 {
			count, size, err := e.Encode(elems)
			chunk := make([]byte, size)
			e.WriteTo(chunk)
			check(t, o, count, chunk)
			if again == 0 {
				first = chunk
			} else if !bytes.Equal(first, chunk) {
				t.Fatalf("first %s\nthen  %s", first, chunk)
			}
			if f, ok := err.(*fault.Fault); ok {
				if f.Kind != fault.BSON || f.Offset < 0 || f.Offset > int64(len(elems)) {
					t.Fatalf("%v at %d of %d bytes", f, f.Offset, len(elems))
				}
			} else if err != nil {
				t.Fatal(err)
			} else if whole(elems) != count && o.Framing != Single {
				t.Fatalf("%d documents, no error", count)
			}
		}
	})
}

// whole counts the documents in elems, all of which must be valid.
func whole(elems []byte) (count int) {
	for at := 0; at < len(elems); count++ {
		start, ok := bsonscan.Key(elems, at+1, len(elems))
		if !ok || elems[at] != bsonscan.Document {
			return -1
		}
		size, err := bsonscan.Validate(elems[start:])
		if err != nil {
			return -1
		}
		at = start + size
	}
	return count
}

func check(t *testing.T, o Options, count int, chunk []byte) {
	switch o.Framing {
	case Array:
		if count == 0 {
			if len(chunk) != 0 {
				t.Fatalf("no documents: %s", chunk)
			}
			return
		}
		whole := append(bytes.Clone(chunk), o.Tail()...)
		whole[0] = '['
		var list []json.RawMessage
		if !json.Valid(whole) || json.Unmarshal(whole, &list) != nil || len(list) != count {
			t.Fatalf("%d documents: %s", count, whole)
		}
	case Lines:
		if o.Pretty {
			return
		}
		lines := bytes.SplitAfter(chunk, []byte("\n"))
		if len(lines) != count+1 {
			t.Fatalf("%d documents: %s", count, chunk)
		}
		for _, line := range lines[:count] {
			if !json.Valid(line) {
				t.Fatalf("no JSON: %s", line)
			}
		}
	case Single:
		if count > 1 || count == 1 && !json.Valid(chunk) {
			t.Fatalf("%d documents: %s", count, chunk)
		}
	}
}
