package jsonout

import (
	"bytes"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

func TestMarks(t *testing.T) {
	id := bson.NewObjectID()
	first := doc().AppendInt32("_id", 1).Build()
	nested := doc().AppendDocument("a", doc().AppendInt32("_id", 7).Build()).AppendObjectID("_id", id).AppendInt32("z", 2).Build()
	without := doc().AppendInt32("a", 1).Build()
	for _, c := range []struct {
		docs [][]byte
		want []byte
	}{
		{[][]byte{first}, first},
		{[][]byte{first, nested}, doc().AppendObjectID("_id", id).Build()},
		{[][]byte{first, without}, nil},
		{[][]byte{bsoncore.NewDocumentBuilder().Build()}, nil},
	} {
		o := usual
		o.Framing = Lines
		plain := text(t, o, c.docs...)
		o.Marks = true
		chunk := []byte(text(t, o, c.docs...))
		got, last := SplitMark(chunk)
		if string(got) != plain || !bytes.Equal(last, c.want) {
			t.Errorf("%q with mark %x, want %q with %x", got, last, plain, c.want)
		}
		if count := chunk[len(chunk)-8]; int(count) != len(c.docs) {
			t.Errorf("%d documents in the mark of %d", count, len(c.docs))
		}
	}
}

func TestMarkBeforeABadDocument(t *testing.T) {
	o := usual
	o.Marks = true
	e := NewEncoder(o)
	good := doc().AppendInt32("_id", 1).Build()
	bad := doc().AppendInt32("_id", 2).Build()
	bad[4] = 0x7e
	count, size, err := e.Encode(elements(good, bad))
	if err == nil || count != 1 {
		t.Fatalf("%d documents, %v", count, err)
	}
	chunk := make([]byte, size)
	e.WriteTo(chunk)
	if got, last := SplitMark(chunk); string(got) != `,{"_id":1}` || !bytes.Equal(last, good) {
		t.Errorf("%q with mark %x", got, last)
	}
}
