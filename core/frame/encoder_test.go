package frame

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/fault"
	"rumongo-go/core/shape"
)

// elements puts documents together as the body of an array.
func elements(docs ...[]byte) []byte {
	var b []byte
	for i, doc := range docs {
		b = append(append(append(b, bsonscan.Document), fmt.Sprint(i)...), 0)
		b = append(b, doc...)
	}
	return b
}

// encode returns the chunk for docs and what the reader makes of it.
func encode(t testing.TB, e *Encoder, docs ...[]byte) ([]string, [3]int) {
	t.Helper()
	count, size, err := e.Encode(elements(docs...))
	if err != nil || count != len(docs) {
		t.Fatalf("%d of %d documents: %v", count, len(docs), err)
	}
	chunk := make([]byte, size)
	e.WriteTo(chunk)
	return readChunk(chunk)
}

// check encodes docs and compares.
func check(t testing.TB, e *Encoder, docs ...[]byte) [3]int {
	t.Helper()
	got, paths := encode(t, e, docs...)
	for i, doc := range docs {
		if want := source(doc); got[i] != want {
			t.Fatalf("document %d is\n%s\nshould be\n%s", i, got[i], want)
		}
	}
	return paths
}

func doc() *bsoncore.DocumentBuilder { return bsoncore.NewDocumentBuilder() }

// person is a document with the given value under one of its keys.
func person(name string, set func(b *bsoncore.DocumentBuilder)) []byte {
	b := doc().AppendObjectID("_id", [12]byte{1, 2, 3}).AppendString(name+"first", "Ada")
	set(b)
	return b.AppendDateTime("born", 1).AppendDouble("score", 0.5).Build()
}

func repeat(doc []byte, n int) [][]byte {
	docs := make([][]byte, n)
	for i := range docs {
		docs[i] = doc
	}
	return docs
}

func TestShapesAreLearnt(t *testing.T) {
	e := NewEncoder()
	plain := person("learn", func(b *bsoncore.DocumentBuilder) { b.AppendInt32("x", 1) })
	paths := check(t, e, repeat(plain, 100)...)
	if want := ([3]int{100 - shape.AdmitAfter + 1, shape.AdmitAfter - 1, 0}); paths != want {
		t.Fatalf("paths %v, want %v", paths, want)
	}
	// Each of these fits the shape, widened.
	variants := []func(b *bsoncore.DocumentBuilder){
		func(b *bsoncore.DocumentBuilder) { b.AppendNull("x") },
		func(b *bsoncore.DocumentBuilder) { b.AppendInt64("x", 5) },
		func(b *bsoncore.DocumentBuilder) { b.AppendInt64("x", 1<<40) },
		func(b *bsoncore.DocumentBuilder) { b.AppendInt64("x", 1<<60) },
		func(b *bsoncore.DocumentBuilder) { b.AppendString("x", "text") },
		func(b *bsoncore.DocumentBuilder) { b.AppendString("x", "\xff") },
		func(b *bsoncore.DocumentBuilder) { b.AppendSymbol("x", "s") },
		func(b *bsoncore.DocumentBuilder) { b.AppendDocument("x", doc().AppendInt32("a", 1).Build()) },
		func(b *bsoncore.DocumentBuilder) { b.AppendDocument("x", doc().AppendInt32("b", 1).Build()) },
		func(b *bsoncore.DocumentBuilder) { b.AppendDocument("x", doc().Build()) },
		func(b *bsoncore.DocumentBuilder) { b.AppendArray("x", bsoncore.NewArrayBuilder().Build()) },
		func(b *bsoncore.DocumentBuilder) {
			b.AppendArray("x", bsoncore.NewArrayBuilder().AppendInt32(1).AppendInt32(2).Build())
		},
		func(b *bsoncore.DocumentBuilder) {
			b.AppendArray("x", bsoncore.NewArrayBuilder().AppendInt32(1).AppendString("s").Build())
		},
		func(b *bsoncore.DocumentBuilder) {
			inner := bsoncore.NewArrayBuilder().AppendDocument(doc().AppendInt32("c", 1).Build()).AppendNull().Build()
			b.AppendArray("x", bsoncore.NewArrayBuilder().AppendArray(inner).Build())
		},
	}
	var docs [][]byte
	for range 3 {
		for _, v := range variants {
			docs = append(docs, person("learn", v), plain)
		}
	}
	if paths := check(t, e, docs...); paths[0] != len(docs) {
		t.Fatalf("paths %v of %d documents", paths, len(docs))
	}
}

func TestMixedShapes(t *testing.T) {
	e := NewEncoder()
	a := person("a", func(b *bsoncore.DocumentBuilder) { b.AppendInt32("x", 1) })
	b := person("b", func(b *bsoncore.DocumentBuilder) { b.AppendInt32("y", 1) })
	check(t, e, append(repeat(a, 50), repeat(b, 50)...)...)
	var docs [][]byte
	for range 50 {
		docs = append(docs, a, b, b)
	}
	if paths := check(t, e, docs...); paths[0] != len(docs) {
		t.Fatalf("paths %v", paths)
	}
}

func TestOddDocuments(t *testing.T) {
	e := NewEncoder()
	for name, d := range map[string][]byte{
		"duplicate keys": doc().AppendInt32("a", 1).AppendInt32("b", 1).AppendInt32("a", 2).Build(),
		"invalid key":    doc().AppendInt32("\xff", 1).Build(),
		"reference":      doc().AppendString("$ref", "c").AppendInt32("$id", 1).Build(),
	} {
		if paths := check(t, e, repeat(d, 100)...); paths != [3]int{0, 0, 100} {
			t.Errorf("%s: paths %v", name, paths)
		}
		outer := doc().AppendInt32("n", 1).AppendDocument("inner", d).Build()
		if paths := check(t, e, repeat(outer, 100)...); paths[2] != 0 {
			t.Errorf("%s inside: paths %v", name, paths)
		}
	}
}

// nest returns a document of that many levels whose innermost has the field given.
func nest(levels int, leaf func(b *bsoncore.DocumentBuilder)) []byte {
	b := doc()
	leaf(b)
	d := b.Build()
	for i := range levels {
		d = doc().AppendDocument("n", d).AppendInt32(fmt.Sprint("k", i%3), 1).Build()
	}
	return d
}

func TestDeepDocuments(t *testing.T) {
	e := NewEncoder()
	for _, levels := range []int{1, 5, 10, 62, 63, 64, 65, 200} {
		d := nest(levels, func(b *bsoncore.DocumentBuilder) { b.AppendInt32("x", 1) })
		check(t, e, repeat(d, 80)...)
	}
}

// A document whose every level fails late must not cost twice as much with each level.
func TestDeepSurprises(t *testing.T) {
	e := NewEncoder()
	for i := range 300 {
		d := doc().AppendInt32("x", int32(i)).Build()
		for level := range 60 {
			d = doc().AppendDocument("n", d).AppendInt32(fmt.Sprint("k", level, "-", (i>>(level%8))%5), 1).Build()
		}
		check(t, e, d)
	}
}

func TestMalformedDocuments(t *testing.T) {
	good := doc().AppendString("good", "x").Build()
	for _, warm := range []int{0, 100} {
		e := NewEncoder()
		if warm > 0 {
			check(t, e, repeat(good, warm)...)
		}
		bad := nest(70, func(b *bsoncore.DocumentBuilder) { b.AppendString("s", "text") })
		at := strings.Index(string(bad), "text")
		bad[at-4] = 200
		elems := elements(good, good, bad, good)
		count, size, err := e.Encode(elems)
		f, ok := err.(*fault.Fault)
		if !ok || f.Kind != fault.BSON || count != 2 {
			t.Fatalf("got %d documents, %v", count, err)
		}
		if want := int64(strings.Index(string(elems), "text") - 4); f.Offset != want {
			t.Fatalf("offset %d, want %d: %s", f.Offset, want, f.Message)
		}
		chunk := make([]byte, size)
		e.WriteTo(chunk)
		if got, _ := readChunk(chunk); len(got) != 2 || got[1] != source(good) {
			t.Fatalf("before it came %v", got)
		}
	}
	for name, elems := range map[string][]byte{
		"not a document": {bsonscan.Int32, '0', 0, 1, 0, 0, 0},
		"key":            {bsonscan.Document, '0'},
		"cut":            elements(good)[:10],
	} {
		if count, _, err := NewEncoder().Encode(elems); count != 0 || err == nil {
			t.Errorf("%s: %d documents, %v", name, count, err)
		}
	}
}

func TestChunksAreIndependent(t *testing.T) {
	e := NewEncoder()
	for n := range 20 {
		var docs [][]byte
		for i := range 50 {
			docs = append(docs, doc().AppendString("state", fmt.Sprint("state ", i%3)).AppendString("text", strings.Repeat("long text ", (i+n)%60)).
				AppendString("wide", strings.Repeat("\u65e5\u672c", (i*n)%200)).Build())
		}
		check(t, e, docs...)
	}
}

func TestNothing(t *testing.T) {
	count, size, err := NewEncoder().Encode(nil)
	if count != 0 || err != nil || size != 4*headerWords {
		t.Fatal(count, size, err)
	}
}

// Many goroutines learn the same shapes at once; run with -race.
func TestConcurrentEncoders(t *testing.T) {
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			e := NewEncoder()
			r := rand.New(rand.NewPCG(1, uint64(g)))
			for range 60 {
				var docs [][]byte
				for range 20 {
					docs = append(docs, person("together", func(b *bsoncore.DocumentBuilder) {
						switch r.IntN(6) {
						case 0:
							b.AppendNull("x")
						case 1:
							b.AppendInt64("x", r.Int64())
						case 2:
							b.AppendString("x", fmt.Sprint(r.IntN(5)))
						case 3:
							b.AppendDocument("x", doc().AppendInt32(fmt.Sprint("k", r.IntN(4)), 1).Build())
						case 4:
							b.AppendArray("x", bsoncore.NewArrayBuilder().AppendDocument(doc().AppendInt32(fmt.Sprint("k", r.IntN(4)), 1).Build()).AppendNull().Build())
						default:
							b.AppendInt32(fmt.Sprint("y", r.IntN(3)), 5)
						}
					}))
				}
				check(t, e, docs...)
			}
		})
	}
	group.Wait()
}
