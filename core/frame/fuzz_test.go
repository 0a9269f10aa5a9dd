package frame

import (
	"bytes"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/coretest/corpus"
	"rumongo-go/core/fault"
)

// seeds are documents of all kinds; the corpus comes on top where it is.
func seeds(f *testing.F) [][]byte {
	return append(corpus.Documents(f),
		person("fuzz", func(b *bsoncore.DocumentBuilder) {
			b.AppendString("x", "a text of some length").AppendRegex("r", "a", "i")
		}),
		nest(5, func(b *bsoncore.DocumentBuilder) {
			b.AppendDecimal128("d", 1, 2).AppendBinary("b", 4, make([]byte, 16))
		}),
		doc().AppendArray("a", bsoncore.NewArrayBuilder().AppendInt32(1).AppendString("\u65e5\u672c").AppendString("\u00e9").Build()).
			AppendCodeWithScope("c", "f", doc().AppendInt64("l", 1<<60).Build()).AppendBoolean("t", true).Build(),
		doc().AppendJavaScript("c", "function () { return 1; }").AppendSymbol("s", "\u65e5").Build(),
	)
}

// Whatever bytes come as a batch, the encoder takes the documents that are valid up to the first that is not, and
// writes them as they are.
func FuzzEncode(f *testing.F) {
	for _, d := range seeds(f) {
		f.Add(elements(d, d), uint8(0))
		f.Add(elements(d, d), uint8(40))
	}
	e := NewEncoder()
	f.Fuzz(func(t *testing.T, elems []byte, warm uint8) {
		elems = slices.Clip(elems) // a read past the end is a panic
		for range warm % 64 {
			if _, _, err := e.Encode(elems); err != nil {
				break
			}
		}
		count, size, err := e.Encode(elems)
		chunk := make([]byte, size)
		e.WriteTo(chunk)
		docs, _ := readChunk(chunk)
		if len(docs) != count {
			t.Fatalf("%d documents in a chunk of %d", len(docs), count)
		}
		p := 0
		for i, got := range docs {
			start, _ := bsonscan.Key(elems, p+1, len(elems))
			size, bad := bsonscan.Validate(elems[start:])
			if bad != nil {
				t.Fatalf("document %d was taken: %v", i, bad)
			}
			p = start + size
			if want := source(elems[start:p]); got != want {
				t.Fatalf("document %d is\n%s\nshould be\n%s", i, got, want)
			}
		}
		if f, ok := err.(*fault.Fault); ok {
			if f.Offset < int64(p) || f.Offset > int64(len(elems)) {
				t.Fatalf("offset %d after %d of %d bytes", f.Offset, p, len(elems))
			}
		} else if p != len(elems) {
			t.Fatalf("stopped at %d of %d without an error", p, len(elems))
		}
	})
}

// A document among others is taken if, and only if, it is valid, and is not mixed up with what is around it.
func FuzzDocument(f *testing.F) {
	for _, d := range seeds(f) {
		f.Add(d, uint8(0))
		f.Add(d, uint8(50))
	}
	e := NewEncoder()
	good := doc().AppendString("before and", "after").AppendInt32("n", 1).Build()
	f.Fuzz(func(t *testing.T, d []byte, warm uint8) {
		size, bad := bsonscan.Validate(d)
		valid := bad == nil && size == len(d)
		if valid {
			for range warm % 64 {
				check(t, e, d)
			}
			check(t, e, good, d, good, d)
			return
		}
		if bad == nil {
			return // it ends before the bytes do: elements of its own follow
		}
		elems := slices.Clip(elements(good, d))
		count, chunkSize, err := e.Encode(elems)
		fault, ok := err.(*fault.Fault)
		if !ok || count != 1 {
			t.Fatalf("%d documents, %v; it is invalid: %v", count, err, bad)
		}
		start := int64(len(elems) - len(d))
		if fault.Offset != start+int64(bad.Offset) {
			t.Fatalf("offset %d in the document, want %d", fault.Offset-start, bad.Offset)
		}
		chunk := bytes.Repeat([]byte{0xEE}, chunkSize)
		e.WriteTo(chunk)
		if got, _ := readChunk(chunk); len(got) != 1 || got[0] != source(good) {
			t.Fatalf("before it came %v", got)
		}
	})
}
