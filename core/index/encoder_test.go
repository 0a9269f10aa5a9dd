package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"rumongo-go/core/coretest/corpus"
	"rumongo-go/core/fault"
	"rumongo-go/core/shape"
)

// A record is what a reader of a chunk finds out about one document.
type record struct {
	shape  uint32
	doc    []byte
	fields []string // "name:type"
	flag   uint32
}

// decode reads a chunk as js/lazy.js does.
func decode(t *testing.T, chunk []byte) []record {
	t.Helper()
	word := func(i int) uint32 { return binary.NativeEndian.Uint32(chunk[i*4:]) }
	if word(0) != layoutVersion {
		t.Fatalf("version %d", word(0))
	}
	table := int(word(2)) / 4
	raw := chunk[word(2):]
	if len(raw) != int(word(3)) {
		t.Fatalf("raw part has %d bytes, header says %d", len(raw), word(3))
	}
	var out []record
	for at := headerWords; at < table; {
		id, docs, fields := word(at), word(at+1), word(at+2)
		at += 3
		var names []string
		r := record{shape: id, flag: fields}
		if id == 0 {
			fields = 0
		} else {
			names = namesOf(t, id, int(fields))
			r.flag = 0
		}
		for range docs {
			start := word(at)
			size := binary.LittleEndian.Uint32(raw[start:])
			r.doc, r.fields = raw[start:start+size], nil
			for i := range int(fields) {
				p := word(at + 1 + i)
				if got := cstring(raw[p+1:]); got != names[i] {
					t.Fatalf("field %d at %d is %q, the shape says %q", i, p, got, names[i])
				}
				r.fields = append(r.fields, fmt.Sprintf("%s:%d", names[i], raw[p]))
			}
			out = append(out, r)
			at += 1 + int(fields)
		}
	}
	if len(out) != int(word(1)) {
		t.Fatalf("%d documents, header says %d", len(out), word(1))
	}
	return out
}

func cstring(b []byte) string { return string(b[:bytes.IndexByte(b, 0)]) }

func namesOf(t *testing.T, id uint32, want int) []string {
	t.Helper()
	definition := shape.Definition(3, id, 0)
	if definition == nil {
		t.Fatalf("no definition of shape %d", id)
	}
	n := int(binary.LittleEndian.Uint32(definition))
	names := strings.Split(strings.TrimSuffix(string(definition[4:]), "\x00"), "\x00")
	if n != want || len(names) != n {
		t.Fatalf("shape %d: definition of %d names, %d found, run says %d", id, n, len(names), want)
	}
	return names
}

func encode(t *testing.T, e *Encoder, elems []byte) ([]byte, int, error) {
	t.Helper()
	count, size, err := e.Encode(elems)
	dst := bytes.Repeat([]byte{0xee}, size+8)
	e.WriteTo(dst[:size])
	if !bytes.Equal(dst[size:], bytes.Repeat([]byte{0xee}, 8)) {
		t.Fatal("WriteTo wrote past the size")
	}
	return dst[:size], count, err
}

func marshal(t *testing.T, d bson.D) []byte {
	t.Helper()
	b, err := bson.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEncodeRuns(t *testing.T) {
	a := func(i int) []byte { return marshal(t, bson.D{{Key: "runs a", Value: i}, {Key: "b", Value: "x"}}) }
	b := func(i int) []byte { return marshal(t, bson.D{{Key: "runs c", Value: i}}) }
	dollar := marshal(t, bson.D{{Key: "$ref", Value: "runs"}, {Key: "$id", Value: 1}})
	docs := [][]byte{a(0), a(1), a(2), b(3), b(4), a(5), b(6), dollar, a(7), marshal(t, bson.D{}), a(8)}
	chunk, count, err := encode(t, NewEncoder(), piece(docs...))
	if err != nil || count != len(docs) {
		t.Fatalf("count %d, err %v", count, err)
	}
	records := decode(t, chunk)
	var shapes []uint32
	for i, r := range records {
		if !bytes.Equal(r.doc, docs[i]) {
			t.Errorf("document %d differs", i)
		}
		shapes = append(shapes, r.shape)
	}
	// A sequence has a shape from the second time on.
	A, B := shapes[1], shapes[4]
	if want := []uint32{0, A, A, 0, B, A, B, 0, A, 0, A}; fmt.Sprint(shapes) != fmt.Sprint(want) || A == 0 || B == 0 || A == B {
		t.Errorf("shapes %v", shapes)
	}
	if got := fmt.Sprint(records[2].fields); got != "[runs a:16 b:2]" {
		t.Errorf("fields %s", got)
	}
	if records[7].flag != mayBeReference || records[0].flag != 0 {
		t.Errorf("flags %d and %d", records[7].flag, records[0].flag)
	}
}

func TestEncodeIsReusable(t *testing.T) {
	e := NewEncoder()
	for round := range 3 {
		for _, n := range []int{0, 1, 50} {
			var docs [][]byte
			for i := range n {
				docs = append(docs, wide(i))
			}
			chunk, count, err := encode(t, e, piece(docs...))
			if err != nil || count != n || len(decode(t, chunk)) != n {
				t.Fatalf("round %d: count %d of %d, err %v", round, count, n, err)
			}
		}
	}
}

func TestEncodePrediction(t *testing.T) {
	// Prefixes, extensions and other orders of a known sequence are other sequences; names that begin alike are not equal.
	sequences := [][]string{{"p", "q", "r"}, {"p", "q"}, {"p", "q", "r", "s"}, {"q", "p", "r"}, {"p", "qq", "r"}, {"p", "", "r"}, {}, {"p", "p"}}
	var docs [][]byte
	var want []string
	for range 4 {
		for _, names := range sequences {
			d := bson.D{}
			for _, name := range names {
				d = append(d, bson.E{Key: name, Value: int32(1)})
			}
			docs = append(docs, marshal(t, d))
			want = append(want, strings.Join(names, ":16 "))
		}
	}
	chunk, _, err := encode(t, NewEncoder(), piece(docs...))
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range decode(t, chunk) {
		if r.shape != 0 && strings.TrimSuffix(strings.Join(r.fields, " "), ":16") != want[i] {
			t.Errorf("document %d: %v, want %s", i, r.fields, want[i])
		}
		if i >= len(sequences) && r.shape == 0 && len(want[i]) > 0 {
			t.Errorf("document %d has no shape the %d. time", i, i/len(sequences)+1)
		}
	}
}

func TestEncodeMalformed(t *testing.T) {
	good := marshal(t, bson.D{{Key: "a", Value: 1}})
	patch := func(b []byte, at int, with ...byte) []byte {
		b = bytes.Clone(b)
		copy(b[at:], with)
		return b
	}
	text := marshal(t, bson.D{{Key: "s", Value: "abc"}})
	nested := marshal(t, bson.D{{Key: "d", Value: bson.D{{Key: "x", Value: bson.A{int32(1)}}}}})
	tests := []struct {
		name   string
		doc    []byte
		offset int // of the bad byte in the document
	}{
		{"length too small", patch(good, 0, 4), 0},
		{"length too large", patch(good, 0, 200), 0},
		{"no terminator", patch(good, len(good)-1, 1), len(good) - 1},
		{"unknown type", patch(good, 4, 0x77), 4},
		{"name without end", patch(good, 6, 'b', 'b', 'b', 'b', 'b'), 5},
		{"string too long", patch(text, 7, 100), 7},
		{"string not terminated", patch(text, len(text)-2, 'x'), 7},
		{"deep inside", patch(nested, 14, 0x77), -1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			elems := piece(good, good, test.doc)
			before := len(piece(good, good)) + 3
			chunk, count, err := encode(t, NewEncoder(), elems)
			var f *fault.Fault
			if !errors.As(err, &f) || f.Kind != fault.BSON {
				t.Fatalf("err %v", err)
			}
			if count != 2 || len(decode(t, chunk)) != 2 {
				t.Errorf("count %d", count)
			}
			if got := int(f.Offset) - before; test.offset >= 0 && got != test.offset {
				t.Errorf("offset %d in the document, want %d: %v", got, test.offset, err)
			}
		})
	}
	for name, elems := range map[string][]byte{
		"not a document": {2, '0', 0, 1, 0, 0, 0, 0},
		"key cut off":    {3, '0', '1'},
		"document cut":   {3, '0', 0, 5, 0},
		"type only":      {3},
	} {
		if _, count, err := encode(t, NewEncoder(), elems); err == nil || count != 0 {
			t.Errorf("%s: count %d, err %v", name, count, err)
		}
	}
}

func TestEncodeDeep(t *testing.T) {
	const depth = 200_000
	doc := make([]byte, 0, depth*8)
	for i := range depth {
		doc = binary.LittleEndian.AppendUint32(doc, uint32((depth-i)*8-3+5))
		doc = append(doc, 3, 'd', 0)
	}
	doc = append(doc, 5, 0, 0, 0, 0)
	doc = append(doc, make([]byte, depth)...)
	for i := range depth {
		binary.LittleEndian.PutUint32(doc[i*7:], uint32(len(doc)-i*8))
	}
	chunk, count, err := encode(t, NewEncoder(), piece(doc, doc))
	if err != nil || count != 2 {
		t.Fatalf("count %d, err %v", count, err)
	}
	decode(t, chunk)
}

func FuzzEncode(f *testing.F) {
	f.Add(wide(1))
	every, err := bson.Marshal(bson.D{
		{Key: "a", Value: bson.Binary{Subtype: 2, Data: []byte{1}}}, {Key: "b", Value: bson.CodeWithScope{Code: "f", Scope: bson.D{{Key: "x", Value: 1}}}},
		{Key: "c", Value: bson.Regex{Pattern: "a", Options: "i"}}, {Key: "d", Value: bson.DBPointer{DB: "d"}}, {Key: "e", Value: bson.JavaScript("f")},
		{Key: "f", Value: bson.Symbol("s")}, {Key: "g", Value: bson.Timestamp{}}, {Key: "h", Value: bson.Decimal128{}}, {Key: "i", Value: bson.MinKey{}},
		{Key: "j", Value: bson.MaxKey{}}, {Key: "k", Value: bson.Undefined{}}, {Key: "l", Value: nil}, {Key: "m", Value: bson.A{bson.D{{Key: "$ref", Value: 1}}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(every)
	for _, doc := range corpus.Documents(f) {
		f.Add(doc)
	}
	e := NewEncoder()
	good := wide(0)
	f.Fuzz(func(t *testing.T, doc []byte) {
		elems := slices.Clip(piece(good, doc, doc, good)) // a read past the end is a panic
		chunk, count, err := encode(t, e, elems)
		records := decode(t, chunk)
		if len(records) != count {
			t.Fatalf("%d records, count %d", len(records), count)
		}
		if err == nil && count < 4 && len(doc) >= 5 {
			t.Fatalf("count %d without an error", count)
		}
		if err == nil && count == 4 {
			// What was let through can be walked to its end by the driver's reader.
			elements, err := bson.Raw(records[1].doc).Elements()
			if err != nil {
				t.Fatalf("the driver does not read what was let through: %v", err)
			}
			if r := records[2]; r.shape != 0 && len(elements) != len(r.fields) {
				t.Fatalf("%d fields, the driver finds %d", len(r.fields), len(elements))
			}
		}
	})
}
