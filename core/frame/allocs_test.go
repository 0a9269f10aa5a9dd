package frame

import (
	"testing"

	"rumongo-go/tools/wirefixture/sets"
)

// A warm encoder makes a chunk without allocating, whatever the number of documents.
func TestEncodingAllocatesNothing(t *testing.T) {
	for _, name := range []string{"mixed45", "tweet", "arrays", "nulls20", "text", "point", "full"} {
		t.Run(name, func(t *testing.T) {
			docs, err := sets.Generate(name, 400, 1)
			if err != nil {
				t.Fatal(err)
			}
			elems := elements(docs...)
			e := NewEncoder()
			var dst []byte
			encode := func() {
				_, size, err := e.Encode(elems)
				if err != nil {
					t.Fatal(err)
				}
				if cap(dst) < size {
					dst = make([]byte, size)
				}
				e.WriteTo(dst[:size])
			}
			for range 3 {
				encode()
			}
			if n := testing.AllocsPerRun(10, encode); n > 0 {
				t.Fatalf("%v allocations for 400 documents", n)
			}
		})
	}
}
