package shape

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/bsonscan"
)

// body returns a document with int32 fields of these names, and where its fields begin and end.
func body(names ...string) (b []byte, p, end int) {
	d := bsoncore.NewDocumentBuilder()
	for _, name := range names {
		d.AppendInt32(name, 1)
	}
	b = d.Build()
	return b, 4, len(b) - 1
}

// sequence hashes the keys of a document as the encoder does.
func sequence(b []byte, p, end int) uint64 {
	var h uint64
	for p < end {
		v, _ := bsonscan.Key(b, p+1, end)
		h = Chain(h, Hash(b, p+1, v-1))
		p, _ = bsonscan.Value(b[p], b, v, end)
	}
	return h
}

// admit shows the document to the table often enough.
func admit(t *Table, names ...string) *Shape {
	b, p, end := body(names...)
	h := sequence(b, p, end)
	for i := range AdmitAfter - 1 {
		if s, fresh := t.Admit(h, b, p, end); s != nil || fresh && i > 0 && len(t.byID) == 0 {
			panic("admitted too early, or forgotten")
		}
	}
	s, _ := t.Admit(h, b, p, end)
	return s
}

func TestAdmission(t *testing.T) {
	t.Parallel()
	table := NewTable()
	s := admit(table, "a", "b")
	if s == nil {
		t.Fatal("not admitted")
	}
	b, p, end := body("a", "b")
	if table.Find(sequence(b, p, end)) != s {
		t.Fatal("not found")
	}
	if got := string(table.definition(s.ID, 0)); got != `[["a",4,null,null],["b",4,null,null]]` {
		t.Fatal(got)
	}
	for _, names := range [][]string{{"a", "a"}, {"\xff"}, {"$ref"}} {
		if admit(table, names...) != nil {
			t.Errorf("%q got a shape", names)
		}
	}
	wide := make([]string, maxFields+1)
	for i := range wide {
		wide[i] = fmt.Sprint("f", i)
	}
	if admit(table, wide...) != nil {
		t.Error("a document too wide got a shape")
	}
}

// Documents with a hundred thousand different shapes leave the table, and the key names, as they were.
func TestFloodOfShapes(t *testing.T) {
	t.Parallel()
	table := NewTable()
	regular := admit(table, "regular")
	b, p, end := body("regular")
	for i := range 100_000 {
		fb, fp, fend := body(fmt.Sprint("x", i), "y")
		if s, fresh := table.Admit(sequence(fb, fp, fend), fb, fp, fend); s != nil || !fresh {
			t.Fatalf("document %d: %v, %v", i, s, fresh)
		}
	}
	if table.Find(sequence(b, p, end)) != regular || len(table.byID) != 1 {
		t.Fatalf("%d shapes", len(table.byID))
	}
}

func TestFloodOfRepeatedShapes(t *testing.T) {
	t.Parallel()
	table := NewTable()
	now := time.Now()
	table.now = func() time.Time { return now }
	first := admit(table, "first")
	used := admit(table, "used")
	ub, up, uend := body("used")
	live := 0
	for i := range 6 * maxShapes {
		if i%maxShapes == maxShapes/2 {
			now = now.Add(2 * minGeneration)
		}
		if admit(table, fmt.Sprint("k", i)) != nil {
			live++
		}
		if !table.Current(used) && table.Find(sequence(ub, up, uend)) != used {
			t.Fatalf("a shape in use is gone after %d others", i)
		}
	}
	if len(table.byID) > 3*maxShapes+2 {
		t.Fatalf("%d shapes are kept", len(table.byID))
	}
	if live < 4*maxShapes {
		t.Fatalf("only %d were admitted", live)
	}
	if table.definition(first.ID, 0) != nil {
		t.Error("a shape not used for generations still has a definition")
	}
	if table.definition(used.ID, 0) == nil {
		t.Error("a shape in use has no definition")
	}
}

// Without time passing, generations do not turn: a definition outlives the chunks that need it.
func TestGenerationsTakeTime(t *testing.T) {
	t.Parallel()
	table := NewTable()
	now := time.Now()
	table.turned = now
	table.now = func() time.Time { return now }
	first := admit(table, "first")
	for i := range 2 * maxShapes {
		admit(table, fmt.Sprint("k", i))
	}
	if table.definition(first.ID, 0) == nil || len(table.byID) != maxShapes {
		t.Fatalf("%d shapes", len(table.byID))
	}
}

func TestWiden(t *testing.T) {
	t.Parallel()
	table := NewTable()
	s := admit(table, "a")
	first := s.Prog()
	b := bsoncore.NewDocumentBuilder().AppendString("a", "x").Build()
	if !table.Widen(s, first, b, 4, len(b)-1) || s.Prog() == first {
		t.Fatal("no new version")
	}
	second := s.Prog()
	if !table.Widen(s, first, b, 4, len(b)-1) || s.Prog() != second {
		t.Error("widened again for what the newest version takes")
	}
	if table.Widen(s, second, b, 4, len(b)-1) {
		t.Error("claims to be wider without a change")
	}
	other, p, end := body("b")
	if table.Widen(s, second, other, p, end) {
		t.Error("takes other keys")
	}
	for v, want := range []string{`[["a",4,null,null]]`, `[["a",20,null,null]]`} {
		if got := string(table.definition(s.ID, uint32(v))); got != want {
			t.Errorf("version %d: %s", v, got)
		}
	}
	if first.Slots[0].Mask != Int32.Bit() {
		t.Error("a published version changed")
	}
}

func TestVersionsAreBounded(t *testing.T) {
	t.Parallel()
	table := NewTable()
	names := make([]string, 400)
	for i := range names {
		names[i] = fmt.Sprint("f", i)
	}
	s := admit(table, names...)
	for i := range names {
		d := bsoncore.NewDocumentBuilder()
		for k, name := range names {
			if k == i {
				d.AppendNull(name)
			} else {
				d.AppendInt32(name, 1)
			}
		}
		b := d.Build()
		table.Widen(s, s.Prog(), b, 4, len(b)-1)
	}
	if len(s.versions) != maxVersions {
		t.Fatalf("%d versions", len(s.versions))
	}
}

func TestLayouts(t *testing.T) {
	t.Parallel()
	type D = *bsoncore.DocumentBuilder
	doc := func() D { return bsoncore.NewDocumentBuilder() }
	list := bsoncore.NewArrayBuilder
	tests := []struct {
		name string
		docs []D
		want string
	}{
		{"inline", []D{doc().AppendDocument("d", doc().AppendNull("x").Build())}, `[["d",1024,[["x",1,null,null]],null]]`},
		{"keys vary", []D{doc().AppendDocument("d", doc().AppendNull("x").Build()), doc().AppendDocument("d", doc().Build())}, `[["d",1024,0,null]]`},
		{"empty inline", []D{doc().AppendDocument("d", doc().Build()), doc().AppendDocument("d", doc().Build())}, `[["d",1024,[],null]]`},
		{"inner kinds vary", []D{doc().AppendDocument("d", doc().AppendNull("x").Build()), doc().AppendDocument("d", doc().AppendInt32("x", 1).Build())},
			`[["d",1024,[["x",5,null,null]],null]]`},
		{"reference", []D{doc().AppendDocument("d", doc().AppendString("$ref", "c").Build())}, `[["d",1024,0,null]]`},
		{"array", []D{doc().AppendArray("a", list().AppendInt32(1).AppendInt32(2).Build())}, `[["a",2048,null,["",4,null,null]]]`},
		{"empty array", []D{doc().AppendArray("a", list().Build())}, `[["a",2048,null,["",0,null,null]]]`},
		{"array, kinds vary", []D{doc().AppendArray("a", list().AppendInt32(1).Build()), doc().AppendArray("a", list().AppendNull().Build())},
			`[["a",2048,null,["",5,null,null]]]`},
		{"array or null", []D{doc().AppendArray("a", list().AppendInt32(1).Build()), doc().AppendNull("a")}, `[["a",2049,null,["",4,null,null]]]`},
		{"int64", []D{doc().AppendInt64("l", 1)}, `[["l",128,null,null]]`},
		{"int64 of two sizes", []D{doc().AppendInt64("l", 1), doc().AppendInt64("l", 1<<40), doc().AppendInt64("l", 2)}, `[["l",256,null,null]]`},
		{"code", []D{doc().AppendJavaScript("c", "f").AppendSymbol("s", "x")}, `[["c",1048576,null,null],["s",2097152,null,null]]`},
		{"odd code", []D{doc().AppendJavaScript("c", "f"), doc().AppendJavaScript("c", "\xff")}, `[["c",1572864,null,null]]`},
		{"odd string", []D{doc().AppendString("s", "\xff")}, `[["s",524288,null,null]]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var slots []Slot
			for _, d := range test.docs {
				b := d.Build()
				var ok bool
				if slots, _, ok = learn(slots, b, 4, len(b)-1); !ok {
					t.Fatal("not learnt")
				}
			}
			got := define(slots)
			if string(got) != test.want {
				t.Fatalf("got %s, want %s", got, test.want)
			}
			if !json.Valid(got) {
				t.Fatal("not JSON")
			}
		})
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	table := keyTable{byKey: map[string]*Key{}}
	find := func(name string) *Key { return table.find([]byte(name), Hash([]byte(name), 0, len(name))) }
	for i := range 100_000 {
		if find(fmt.Sprint("once", i)) != nil {
			t.Fatal("a name that came once was interned")
		}
	}
	for _, name := range []string{"__proto__", string(make([]byte, maxKeyBytes+1))} {
		for range 10 {
			if find(name) != nil {
				t.Errorf("%q was interned", name)
			}
		}
	}
	for i := range maxKeys + 10 {
		for range keyKnocks {
			find(fmt.Sprint("k", i))
		}
	}
	if len(table.all) != maxKeys {
		t.Fatalf("%d names", len(table.all))
	}
	var names []string
	if err := json.Unmarshal(table.definition(5), &names); err != nil || len(names) != keyPage || names[0] != table.all[4].Name {
		t.Fatal(len(names), err)
	}
	if table.definition(0) != nil || table.definition(maxKeys+1) != nil {
		t.Error("unknown ids have names")
	}
}
