package columns

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/coretest/corpus"
	"rumongo-go/core/fault"
	"rumongo-go/tools/wirefixture/sets"
)

// Whatever bytes come as a batch: nothing is read beyond them, what is taken are valid documents, and the columns are those
// that the documents give one by one.
func FuzzEncode(f *testing.F) {
	docs := corpus.Documents(f)
	for _, name := range []string{"types", "mixed45", "tweet"} {
		made, err := sets.Generate(name, 2, 1)
		if err != nil {
			f.Fatal(err)
		}
		docs = append(docs, made...)
	}
	for i, d := range docs {
		f.Add(elements(d, d), "a b.c d.0 user.name _id", byte(i))
	}
	f.Fuzz(func(t *testing.T, elems []byte, paths string, bits byte) {
		elems = slices.Clip(elems) // a read past the end is a panic
		schema := &Schema{Strict: bits&1 != 0, Validate: bits&2 != 0}
		if bits&4 != 0 {
			if schema.Inspect(elems) != nil {
				return
			}
		} else {
			for i, path := range strings.Fields(paths) {
				schema.Columns = append(schema.Columns, Column{path, Type((i + int(bits>>3)) % int(typeCount))})
			}
		}
		e := NewEncoder(schema)
		part, count, err := encode(e, elems)
		again, _, _ := encode(e, elems)
		if !bytes.Equal(part, again) {
			t.Fatal("not the same again")
		}
		bad, ok := err.(*fault.Fault)
		if err != nil && !ok {
			t.Fatal(err)
		}
		if ok && bad.Kind == fault.BSON && (bad.Offset < 0 || bad.Offset > int64(len(elems))) {
			t.Fatalf("%v at %d of %d bytes", bad, bad.Offset, len(elems))
		}
		// One by one, as far as they are sound.
		var parts [][]byte
		at := 0
		for range count {
			start, _ := bsonscan.Key(elems, at+1, len(elems))
			size, broken := bsonscan.Validate(elems[start:])
			if broken != nil {
				t.Fatalf("a document that is taken is broken: %v", broken)
			}
			one, n, err := encode(NewEncoder(schema), elems[at:start+size])
			if err != nil || n != 1 {
				t.Fatal(n, err)
			}
			parts, at = append(parts, one), start+size
		}
		if err == nil && at != len(elems) {
			t.Fatalf("%d of %d bytes are taken without an error", at, len(elems))
		}
		whole := join(t, schema, part)
		if !bytes.Equal(whole, join(t, schema, parts...)) {
			t.Fatal("not what the documents give one by one")
		}
		for i := range schema.Columns {
			if list, _ := read(t, whole, i); len(list) != count {
				t.Fatalf("%d rows", len(list))
			}
		}
	})
}
