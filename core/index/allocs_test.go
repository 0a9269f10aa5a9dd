package index

import "testing"

// A warm encoder makes a chunk without allocating, whatever the number of documents.
func TestEncodingAllocatesNothing(t *testing.T) {
	var docs [][]byte
	for i := range 800 {
		docs = append(docs, wide(i))
	}
	elems := piece(docs...)
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
	encode()
	if n := testing.AllocsPerRun(20, encode); n > 0 {
		t.Fatalf("%v allocations for 800 documents", n)
	}
}
