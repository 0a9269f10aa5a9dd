package bsonscan

import (
	"bytes"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/coretest/corpus"
)

// sample has every type, nested.
func sample() []byte {
	scalars := func(b *bsoncore.DocumentBuilder) *bsoncore.DocumentBuilder {
		return b.AppendDouble("double", 1.5).AppendString("string", "text").AppendString("", "").
			AppendBinary("binary", 0, []byte{1, 2, 3}).AppendBinary("none", 4, nil).AppendUndefined("undefined").
			AppendObjectID("id", [12]byte{1}).AppendBoolean("yes", true).AppendDateTime("date", -1).AppendNull("null").
			AppendRegex("regex", "a+", "i").AppendDBPointer("pointer", "a.b", [12]byte{2}).AppendJavaScript("code", "f()").
			AppendSymbol("symbol", "s").AppendInt32("int", 7).AppendTimestamp("time", 1, 2).AppendInt64("long", 1<<60).
			AppendDecimal128("decimal", 1, 2).AppendMinKey("min").AppendMaxKey("max").
			AppendCodeWithScope("scoped", "g", bsoncore.NewDocumentBuilder().AppendInt32("x", 1).Build())
	}
	inner := scalars(bsoncore.NewDocumentBuilder()).Build()
	list := bsoncore.NewArrayBuilder().AppendInt32(1).AppendDocument(inner).AppendString("x").Build()
	return scalars(bsoncore.NewDocumentBuilder()).AppendDocument("document", inner).AppendArray("array", list).
		AppendDocument("empty", bsoncore.NewDocumentBuilder().Build()).Build()
}

func TestValidateTakesEveryType(t *testing.T) {
	t.Parallel()
	doc := sample()
	size, err := Validate(append(bytes.Clone(doc), 1, 2, 3))
	if err != nil || size != len(doc) {
		t.Fatalf("got %d, %v; want %d", size, err, len(doc))
	}
}

// Whatever byte is changed or missing, Validate accepts nothing that the Go driver's own validation refuses (which is
// laxer: it lets strings without an end pass), and never reads past the end.
func TestValidateDamaged(t *testing.T) {
	t.Parallel()
	doc := sample()
	for i := range doc {
		if _, err := Validate(bytes.Clone(doc[:i])); err == nil {
			t.Errorf("accepts the document cut at %d", i)
		}
		for _, v := range []byte{0, 1, 0x7F, 0xFF, doc[i] + 1, doc[i] - 1} {
			bad := bytes.Clone(doc)
			bad[i] = v
			_, err := Validate(bad)
			if theirs := bsoncore.Document(bad).Validate(); err == nil && theirs != nil {
				t.Errorf("byte %d = %#x: accepted, the driver says %v", i, v, theirs)
			}
			if err != nil && (err.Offset < 0 || err.Offset > len(bad)) {
				t.Errorf("byte %d = %#x: offset %d is outside", i, v, err.Offset)
			}
		}
	}
}

func TestValidateReasons(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		doc    []byte
		offset int
		reason string
	}{
		{"nothing", nil, 0, "needs at least 5 bytes, 0 are left"},
		{"short", []byte{4, 0, 0, 0, 0}, 0, "says it has 4 bytes"},
		{"longer than it is", []byte{9, 0, 0, 0, 0}, 0, "says it has 9 bytes, 5 are left"},
		{"no final zero", []byte{5, 0, 0, 0, 1}, 4, "does not end with a zero byte"},
		{"ends early", []byte{6, 0, 0, 0, 0, 0}, 4, "ends before its length says"},
		{"key without end", []byte{7, 0, 0, 0, 1, 97, 0}, 5, "a field name has no end"},
		{"unknown type", []byte{8, 0, 0, 0, 0x20, 97, 0, 0}, 4, `unknown BSON type 0x20 (field "a")`},
		{"value cut off", []byte{9, 0, 0, 0, 0x10, 97, 0, 1, 0}, 7, "ends inside a value of type 0x10"},
		{"string", []byte{13, 0, 0, 0, 2, 97, 0, 9, 0, 0, 0, 0, 0}, 7, `bad string length (field "a")`},
		{"string without end", []byte{14, 0, 0, 0, 2, 97, 0, 2, 0, 0, 0, 97, 97, 0}, 7, `bad string length (field "a")`},
		{"embedded", []byte{13, 0, 0, 0, 3, 97, 0, 6, 0, 0, 0, 0, 0}, 7, "embedded document says it has 6 bytes, 5 are left"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Validate(test.doc)
			if err == nil {
				t.Fatal("accepted")
			}
			if err.Offset != test.offset || !strings.Contains(err.Reason, test.reason) {
				t.Fatalf("got %d, %q; want %d, %q", err.Offset, err.Reason, test.offset, test.reason)
			}
		})
	}
}

func TestValidateDeep(t *testing.T) {
	t.Parallel()
	const levels = 200_000
	doc := make([]byte, 0, levels*8+5)
	for size := levels*8 + 5; size > 5; size -= 8 {
		doc = append(doc, byte(size), byte(size>>8), byte(size>>16), byte(size>>24), Document, 'n', 0)
	}
	doc = append(doc, 5, 0, 0, 0, 0)
	doc = append(doc, make([]byte, levels)...)
	if size, err := Validate(doc); err != nil || size != len(doc) {
		t.Fatal(size, err)
	}
}

// What the corpus calls broken is refused here for its structure, or has a value that is bad for whoever decodes it.
func TestValidateCorpus(t *testing.T) {
	t.Parallel()
	values := 0
	for _, c := range corpus.Cases(t) {
		size, err := Validate(c.BSON)
		switch {
		case !c.Bad && (err != nil || size != len(c.BSON)):
			t.Errorf("%s: %d of %d bytes, %v", c.Name, size, len(c.BSON), err)
		case c.Bad && err == nil:
			values++
		}
	}
	if values > 10 { // three of binary subtype 2, two booleans, four of UTF-8, and one with bytes after its end
		t.Errorf("%d broken documents are taken: more than have a sound structure", values)
	}
}

func FuzzValidate(f *testing.F) {
	f.Add(sample())
	f.Add([]byte{5, 0, 0, 0, 0})
	for _, doc := range corpus.Documents(f) {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		// With no room behind it a read past its end is a panic; and what is behind it changes nothing.
		size, err := Validate(doc[:len(doc):len(doc)])
		if err == nil {
			for _, behind := range []byte{0, 0xFF} {
				longer := append(bytes.Clone(doc[:size]), bytes.Repeat([]byte{behind}, 32)...)
				if again, err := Validate(longer); again != size || err != nil {
					t.Fatalf("with %#x behind it: %d, %v", behind, again, err)
				}
			}
		}
		switch {
		case err == nil && (size < 5 || size > len(doc)):
			t.Fatalf("size %d of %d bytes", size, len(doc))
		case err != nil && (err.Offset < 0 || err.Offset > len(doc)):
			t.Fatalf("offset %d of %d bytes", err.Offset, len(doc))
		case err == nil && bsoncore.Document(doc[:size]).Validate() != nil:
			t.Fatalf("accepts what the driver refuses: %v", bsoncore.Document(doc[:size]).Validate())
		}
	})
}
