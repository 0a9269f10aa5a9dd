package sets

import (
	"bytes"
	"testing"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

func TestSetsAreValidAndRepeatable(t *testing.T) {
	for _, name := range Names() {
		a, err := Generate(name, 200, 7)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := Generate(name, 200, 7)
		other, _ := Generate(name, 200, 8)
		same := true
		for i, d := range a {
			if err := bsoncore.Document(d).Validate(); err != nil {
				t.Fatalf("%s: document %d: %v", name, i, err)
			}
			if !bytes.Equal(d, b[i]) {
				t.Fatalf("%s: document %d differs between two runs of one seed", name, i)
			}
			same = same && bytes.Equal(d, other[i])
		}
		if same {
			t.Errorf("%s: the seed changes nothing", name)
		}
	}
}

func TestMixedSize(t *testing.T) {
	docs, err := Generate("mixed45", 1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, d := range docs {
		elems, err := bsoncore.Document(d).Elements()
		if err != nil || len(elems) != 45 {
			t.Fatalf("%d fields, %v", len(elems), err)
		}
		size += len(d)
	}
	if mean := size / len(docs); mean < 1150 || mean > 1280 {
		t.Errorf("%d bytes a document, expected about 1,200", mean)
	}
}

func TestUnknownSet(t *testing.T) {
	if _, err := Generate("nope", 1, 1); err == nil {
		t.Error("no error")
	}
}
