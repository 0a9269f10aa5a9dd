package columns

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/fault"
)

// elements makes a batch of documents.
func elements(docs ...[]byte) []byte {
	var elems []byte
	for _, d := range docs {
		elems = append(append(elems, 0x03, '0', 0), d...)
	}
	return elems
}

func marshal(t testing.TB, value any) []byte {
	t.Helper()
	doc, err := bson.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// encode makes a part of a batch.
func encode(e *Encoder, elems []byte) (part []byte, count int, err error) {
	count, size, err := e.Encode(elems)
	part = make([]byte, size)
	for i := range part {
		part[i] = 0xAA // what was in the block before
	}
	e.WriteTo(part)
	return part, count, err
}

// join makes a chunk of parts.
func join(t testing.TB, schema *Schema, parts ...[]byte) []byte {
	t.Helper()
	j := NewJoiner(schema)
	for _, p := range parts {
		j.Add(p, 0, rowsOf(p))
	}
	return finish(t, j)
}

func finish(t testing.TB, j *Joiner) []byte {
	t.Helper()
	size, err := j.Size()
	if err != nil {
		t.Fatal(err)
	}
	chunk := bytes.Repeat([]byte{0xAA}, size)
	j.WriteTo(chunk)
	return chunk
}

func rowsOf(chunk []byte) int { return int(words[uint32](chunk[:4*headerWords])[wordRows]) }

// read is a reader of chunks of its own: a value for each row, nil where there is none.
func read(t testing.TB, chunk []byte, i int) (list []any, counts [3]int) {
	t.Helper()
	w := words[uint32](chunk[:4*(headerWords+columnWords*(i+1))])
	rows := int(w[wordRows])
	w = w[headerWords+columnWords*i:]
	buffer := func(at int) []byte { return chunk[w[at] : w[at]+w[at+1]] }
	bits, vals, offs, bytes := buffer(ofValidity), buffer(ofValues), buffer(ofOffsets), buffer(ofData)
	for _, at := range []int{ofValidity, ofValues, ofOffsets, ofData} {
		if w[at]%alignment != 0 {
			t.Errorf("column %d: a buffer begins at %d", i, w[at])
		}
	}
	text := func(n int) []byte {
		return bytes[binary.LittleEndian.Uint32(offs[4*n:]):binary.LittleEndian.Uint32(offs[4*n+4:])]
	}
	empty := 0
	for row := range rows {
		if len(bits) > 0 && bits[row/8]>>(row%8)&1 == 0 {
			empty++
			list = append(list, nil)
			continue
		}
		var v any
		switch Type(w[ofType]) {
		case Bool:
			v = vals[row/8]>>(row%8)&1 == 1
		case Int32:
			v = int32(binary.LittleEndian.Uint32(vals[4*row:]))
		case Int64, Date:
			v = int64(binary.LittleEndian.Uint64(vals[8*row:]))
		case Float64:
			v = math.Float64frombits(binary.LittleEndian.Uint64(vals[8*row:]))
		case ObjectID:
			v = [12]byte(vals[12*row:])
		case Dictionary:
			v = string(text(int(binary.LittleEndian.Uint32(vals[4*row:]))))
		default:
			v = string(text(row))
		}
		list = append(list, v)
	}
	counts = [3]int{int(w[ofMissing]), int(w[ofNull]), int(w[ofMismatched])}
	if counts[0]+counts[1]+counts[2] != empty {
		t.Errorf("column %d: %v rows are counted as empty, %d are", i, counts, empty)
	}
	return list, counts
}

func check(t *testing.T, schema *Schema, docs []any, want ...[]any) {
	t.Helper()
	var all [][]byte
	for _, d := range docs {
		all = append(all, marshal(t, d))
	}
	part, count, err := encode(NewEncoder(schema), elements(all...))
	if err != nil || count != len(docs) {
		t.Fatal(count, err)
	}
	chunk := join(t, schema, part)
	for i, list := range want {
		if got, _ := read(t, chunk, i); !reflect.DeepEqual(got, list) {
			t.Errorf("column %s: %v, not %v", schema.Columns[i].Path, got, list)
		}
	}
}

func TestConversions(t *testing.T) {
	t.Parallel()
	id := bson.ObjectID{1, 2, 3}
	doc := func(v any) bson.D { return bson.D{{Key: "a", Value: v}} }
	docs := []any{
		doc(int32(-7)), doc(int64(7)), doc(int64(1 << 40)), doc(7.0), doc(-0.5), doc(math.Inf(1)), doc(math.NaN()), doc(-1.0 * (1 << 63)),
		doc(int64(math.MaxInt64)), doc(float64(1 << 63)), doc("x"), doc(true), doc(nil), bson.D{}, doc(id), doc(bson.DateTime(5)),
		doc(bson.Symbol("s")), doc(bson.Binary{Subtype: 2, Data: []byte("bin")}), doc(bson.NewDecimal128(0x3040000000000000, 15)),
		doc(bson.D{{Key: "b", Value: 1}}), doc(bson.A{1}), doc(bson.CodeWithScope{Code: "c", Scope: bson.D{}}), doc(bson.Undefined{}), doc(1e300),
	}
	at := func(found map[int]any) []any {
		list := make([]any, len(docs))
		for i, v := range found {
			list[i] = v
		}
		return list
	}
	wanted := map[Type]map[int]any{
		Int32:      {0: int32(-7), 1: int32(7), 3: int32(7)},
		Int64:      {0: int64(-7), 1: int64(7), 2: int64(1 << 40), 3: int64(7), 7: int64(math.MinInt64), 8: int64(math.MaxInt64)},
		UTF8:       {10: "x", 16: "s"},
		Dictionary: {10: "x", 16: "s"},
		Bool:       {11: true},
		ObjectID:   {14: [12]byte(id)},
		Date:       {15: int64(5)},
		Binary:     {17: "bin"},
		Decimal128: {18: "15"},
	}
	for typ, found := range wanted {
		t.Run(typ.String(), func(t *testing.T) {
			t.Parallel()
			check(t, &Schema{Columns: []Column{{"a", typ}}}, docs, at(found))
		})
	}
	// NaN is not equal to itself.
	docs[6] = doc(0.25)
	check(t, &Schema{Columns: []Column{{"a", Float64}}}, docs, at(map[int]any{0: -7.0, 1: 7.0, 2: float64(1 << 40), 3: 7.0, 4: -0.5, 5: math.Inf(1),
		6: 0.25, 7: -1.0 * (1 << 63), 9: float64(1 << 63), 23: 1e300}))
}

func TestPaths(t *testing.T) {
	t.Parallel()
	schema := &Schema{Columns: []Column{{"a.b.c", Int32}, {"a.b.d", UTF8}, {"list.1", Int32}, {"list.2.x", Int32}, {"", Int32}}}
	docs := []any{
		bson.D{{Key: "a", Value: bson.D{{Key: "b", Value: bson.D{{Key: "c", Value: 1}, {Key: "d", Value: "x"}}}}}, {Key: "list", Value: bson.A{5, 6, bson.D{{Key: "x", Value: 7}}}}},
		bson.D{{Key: "a", Value: 5}, {Key: "list", Value: bson.D{{Key: "1", Value: 8}}}},
		bson.D{{Key: "a", Value: bson.D{{Key: "b", Value: nil}}}, {Key: "list", Value: bson.A{1}}, {Key: "", Value: 3}},
		// the last of equal keys counts, with all that is in it
		bson.D{{Key: "a", Value: bson.D{{Key: "b", Value: bson.D{{Key: "c", Value: 1}, {Key: "d", Value: "y"}}}}}, {Key: "a", Value: bson.D{{Key: "b", Value: bson.D{{Key: "d", Value: "z"}}}}}},
		bson.D{{Key: "a", Value: bson.D{{Key: "b", Value: bson.D{{Key: "c", Value: 1}}}}}, {Key: "a", Value: bson.D{}}},
	}
	check(t, schema, docs, []any{int32(1), nil, nil, nil, nil}, []any{"x", nil, nil, "z", nil}, []any{int32(6), int32(8), nil, nil, nil},
		[]any{int32(7), nil, nil, nil, nil}, []any{nil, nil, int32(3), nil, nil})
}

func TestCounts(t *testing.T) {
	t.Parallel()
	schema := &Schema{Columns: []Column{{"a", Int32}, {"b", UTF8}}}
	part, _, err := encode(NewEncoder(schema), elements(marshal(t, bson.D{{Key: "a", Value: nil}}), marshal(t, bson.D{{Key: "a", Value: "x"}, {Key: "b", Value: "x"}}), marshal(t, bson.D{})))
	if err != nil {
		t.Fatal(err)
	}
	chunk := join(t, schema, part)
	if _, counts := read(t, chunk, 0); counts != [3]int{1, 1, 1} {
		t.Error(counts)
	}
	if _, counts := read(t, chunk, 1); counts != [3]int{2, 0, 0} {
		t.Error(counts)
	}
}

// Whatever ends a piece, what was there before is whole.
func TestWhatEndsAPiece(t *testing.T) {
	t.Parallel()
	var columns []Column
	good := bson.D{}
	for typ, value := range map[Type]any{Bool: true, Int32: 1, Int64: int64(2), Float64: 1.5, Date: bson.DateTime(3), UTF8: "text", Dictionary: "entry",
		ObjectID: bson.ObjectID{9}, Binary: []byte("b"), Decimal128: bson.NewDecimal128(0x3040000000000000, 1)} {
		columns = append(columns, Column{typ.String(), typ})
		good = append(good, bson.E{Key: typ.String(), Value: value})
	}
	columns = append(columns, Column{"last", UTF8})
	invalid := marshal(t, append(bson.D{{Key: "last", Value: "\xFF"}}, good...))
	wrong := marshal(t, append(bson.D{{Key: "last", Value: 5}}, good...))
	broken := marshal(t, good)
	broken[len(broken)-1] = 1
	for name, bad := range map[string][]byte{"text": invalid, "type": wrong, "structure": broken} {
		for n := range 10 {
			schema := &Schema{Columns: columns, Strict: true, Validate: true}
			e := NewEncoder(schema)
			for range 2 { // the encoder is as good as new
				docs := [][]byte{}
				for range n {
					docs = append(docs, marshal(t, good))
				}
				part, count, err := encode(e, elements(append(docs, bad, marshal(t, good))...))
				f, ok := err.(*fault.Fault)
				if !ok || count != n {
					t.Fatalf("%s: %d documents, %v", name, count, err)
				}
				if f.Kind == fault.Mismatch && (f.Column != "last" || f.Found != "int") {
					t.Fatalf("%s: %+v", name, f)
				}
				whole, _, err := encode(NewEncoder(schema), elements(docs...))
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(join(t, schema, part), join(t, schema, whole)) {
					t.Errorf("%s after %d documents: not what they give alone", name, n)
				}
			}
		}
	}
}

// However rows are cut into parts and batches, the values are the same.
func TestJoin(t *testing.T) {
	t.Parallel()
	schema := &Schema{}
	for typ := range typeCount {
		schema.Columns = append(schema.Columns, Column{typ.String(), typ})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	some := func(v any) any {
		switch rng.IntN(5) {
		case 0:
			return nil
		case 1:
			return bson.A{}
		}
		return v
	}
	var docs [][]byte
	for range 300 {
		text := strings.Repeat("x", rng.IntN(4))
		docs = append(docs, marshal(t, bson.D{
			{Key: "bool", Value: some(rng.IntN(2) == 0)}, {Key: "int32", Value: some(rng.Int32())}, {Key: "int64", Value: some(rng.Int64())},
			{Key: "float64", Value: some(rng.Float64())}, {Key: "date", Value: some(bson.DateTime(rng.Int64()))}, {Key: "utf8", Value: some(text)},
			{Key: "dictionary", Value: some(text)}, {Key: "objectId", Value: some(bson.ObjectID{byte(rng.Int32())})}, {Key: "binary", Value: some([]byte(text))},
			{Key: "decimal128", Value: some(bson.NewDecimal128(0x3040000000000000, rng.Uint64N(100)))},
		}))
	}
	part, _, err := encode(NewEncoder(schema), elements(docs...))
	if err != nil {
		t.Fatal(err)
	}
	whole := join(t, schema, part)
	for range 50 {
		var parts [][]byte
		e := NewEncoder(schema)
		for rest := docs; len(rest) > 0; {
			n := min(1+rng.IntN(100), len(rest))
			part, _, err := encode(e, elements(rest[:n]...))
			if err != nil {
				t.Fatal(err)
			}
			parts, rest = append(parts, part), rest[n:]
		}
		if !bytes.Equal(whole, join(t, schema, parts...)) {
			t.Fatal("not the same of parts")
		}
		from := rng.IntN(len(docs))
		to := from + rng.IntN(len(docs)-from)
		j := NewJoiner(schema)
		at := 0
		for _, p := range parts {
			n := rowsOf(p)
			if a, b := max(from, at), min(to, at+n); a < b {
				j.Add(p, a-at, b-at)
			}
			at += n
		}
		chunk := finish(t, j)
		for i := range schema.Columns {
			all, _ := read(t, whole, i)
			got, _ := read(t, chunk, i)
			if len(got) != to-from || len(got) > 0 && !reflect.DeepEqual(all[from:to], got) {
				t.Fatalf("rows %d to %d of %s: %v", from, to, schema.Columns[i].Path, got)
			}
		}
	}
}

func TestOffsetsOverflow(t *testing.T) {
	schema := &Schema{Columns: []Column{{"a", UTF8}}}
	part, _, err := encode(NewEncoder(schema), elements(marshal(t, bson.D{{Key: "a", Value: strings.Repeat("x", 1<<20)}})))
	if err != nil {
		t.Fatal(err)
	}
	j := NewJoiner(schema)
	for range 2048 {
		j.Add(part, 0, 1)
	}
	if _, err := j.Size(); err == nil || !strings.Contains(err.Error(), `"a" has more than 2147483647 bytes`) {
		t.Fatal(err)
	}
}

func TestInspect(t *testing.T) {
	t.Parallel()
	s := &Schema{Infer: true}
	docs := [][]byte{
		marshal(t, bson.D{{Key: "a", Value: nil}, {Key: "n", Value: 1}, {Key: "m", Value: int64(1)}, {Key: "tags", Value: bson.A{}}, {Key: "in", Value: bson.D{{Key: "x", Value: "y"}}}, {Key: "x.y", Value: 1}}),
		marshal(t, bson.D{{Key: "a", Value: true}, {Key: "n", Value: 1.5}, {Key: "m", Value: int32(1)}, {Key: "in", Value: bson.D{{Key: "z", Value: int32(1)}}}, {Key: "no", Value: nil}, {Key: "in2", Value: bson.D{}}}),
		marshal(t, bson.D{{Key: "in", Value: bson.D{{Key: "z", Value: int64(1)}}}, {Key: "tags", Value: "late"}}),
	}
	if err := s.Inspect(elements(docs...)); err != nil {
		t.Fatal(err)
	}
	if want := []Column{{"a", Bool}, {"n", Float64}, {"m", Int64}, {"in.x", UTF8}, {"in.z", Int64}}; !reflect.DeepEqual(s.Columns, want) {
		t.Error(s.Columns)
	}
	if want := []string{"tags", "x.y", "no"}; !reflect.DeepEqual(s.Omitted, want) {
		t.Error(s.Omitted)
	}
	many := bsoncore.NewDocumentBuilder()
	for i := range 2000 {
		many.AppendInt32(strings.Repeat("k", 1+i%50)+string(rune('a'+i/50)), 1)
	}
	if err := s.Inspect(elements(many.Build())); err == nil {
		t.Error("2000 fields")
	}
}
