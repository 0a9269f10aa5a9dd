package sets

import (
	"bytes"
	"testing"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

func TestSetsAreValidAndRepeatable(t *testing.T) {
	for _, name := range Names() {
		count := 200
		if name == "large" {
			count = 1
		}
		a, err := Generate(name, count, 7)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := Generate(name, count, 7)
		other, _ := Generate(name, count, 8)
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

// What the benchmarks say of a set: its fields, where there are always as many, and the mean size of its documents.
func TestSizes(t *testing.T) {
	for _, tc := range []struct {
		name            string
		fields          int
		least, greatest int
	}{
		{"mixed45", 45, 1150, 1280},
		{"wide45", 45, 1400, 1800},
		{"point", 48, 1450, 1650},
		{"small", 10, 183, 183},
		{"deep", 3, 1800, 2300},
		{"flat", 145, 7000, 8000},
		{"full", 11, 5000, 7000},
		{"decimals", 21, 500, 640},
		{"large", 3, 2_450_000, 2_650_000},
	} {
		count := 100
		if tc.name == "large" {
			count = 1
		}
		docs, err := Generate(tc.name, count, 1)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, d := range docs {
			elems, err := bsoncore.Document(d).Elements()
			if err != nil || len(elems) != tc.fields {
				t.Fatalf("%s: %d fields, %v", tc.name, len(elems), err)
			}
			size += len(d)
		}
		if mean := size / len(docs); mean < tc.least || mean > tc.greatest {
			t.Errorf("%s: %d bytes a document, expected %d to %d", tc.name, mean, tc.least, tc.greatest)
		}
	}
}

func TestUnknownSet(t *testing.T) {
	if _, err := Generate("nope", 1, 1); err == nil {
		t.Error("no error")
	}
}
