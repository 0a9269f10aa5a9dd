package index

import (
	"fmt"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// wide returns a document of 45 mixed fields, about 1.1 KB.
func wide(i int) []byte {
	d := bson.D{{Key: "_id", Value: bson.NewObjectID()}}
	for k := range 14 {
		d = append(d, bson.E{Key: fmt.Sprintf("name%d", k), Value: fmt.Sprintf("value %d of %d, some more text", i, k)},
			bson.E{Key: fmt.Sprintf("count%d", k), Value: int32(i * k)},
			bson.E{Key: fmt.Sprintf("ratio%d", k), Value: float64(i) / 3})
	}
	d = append(d, bson.E{Key: "address", Value: bson.D{{Key: "street", Value: "x"}, {Key: "city", Value: "y"}}},
		bson.E{Key: "tags", Value: bson.A{"a", "b", int32(3), bson.D{{Key: "n", Value: 1}}}})
	b, err := bson.Marshal(d)
	if err != nil {
		panic(err)
	}
	return b
}

func piece(docs ...[]byte) []byte {
	var elems []byte
	for i, d := range docs {
		elems = append(append(append(elems, 3), fmt.Sprint(i)...), 0)
		elems = append(elems, d...)
	}
	return elems
}

func BenchmarkEncode(b *testing.B) {
	var docs [][]byte
	for i := range 800 {
		docs = append(docs, wide(i))
	}
	elems := piece(docs...)
	e := NewEncoder()
	b.SetBytes(int64(len(elems)))
	var dst []byte
	for b.Loop() {
		_, size, err := e.Encode(elems)
		if err != nil {
			b.Fatal(err)
		}
		if cap(dst) < size {
			dst = make([]byte, size)
		}
		e.WriteTo(dst[:size])
	}
}
