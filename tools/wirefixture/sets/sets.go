// Package sets generates the named document sets of the benchmarks: the same bytes for the same name,
// count and seed.
package sets

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// writer appends one document's fields; index is the document's number in the set.
type writer func(g *gen, index int)

var writers = map[string]writer{
	"mixed45":    mixed45,
	"arrays":     arrays,
	"optional20": optional20,
	"nulls20":    nulls20,
	"text":       text,
	"types":      types,
	"wide45":     wide45,
	"small":      small,
	"point":      point,
	"tweet":      tweet,
	"randomKeys": randomKeys,
	"deep":       deep,
	"flat":       flat,
	"full":       full,
	"large":      large,
	"decimals":   decimals,
	"binaries":   binaries,
}

// Names lists the sets.
func Names() []string {
	names := make([]string, 0, len(writers))
	for name := range writers {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Generate returns count documents of a named set, back to back in one allocation.
func Generate(name string, count int, seed uint64) ([][]byte, error) {
	write := writers[name]
	if write == nil {
		return nil, fmt.Errorf("unknown set '%s', expected one of: %s", name, strings.Join(Names(), ", "))
	}
	g := &gen{rng: rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15))}
	ends := make([]int, count)
	for i := range ends {
		at, buf := bsoncore.AppendDocumentStart(g.buf)
		g.buf = buf
		write(g, i)
		g.end(at)
		ends[i] = len(g.buf)
	}
	docs := make([][]byte, count)
	start := 0
	for i, end := range ends {
		docs[i] = g.buf[start:end:end]
		start = end
	}
	return docs, nil
}

// gen appends elements to one growing buffer.
type gen struct {
	buf []byte
	rng *rand.Rand
}

func (g *gen) end(at int32) {
	g.buf = append(g.buf, 0)
	g.buf = bsoncore.UpdateLength(g.buf, at, int32(len(g.buf))-at)
}

func (g *gen) str(key, s string)         { g.buf = bsoncore.AppendStringElement(g.buf, key, s) }
func (g *gen) i32(key string, n int)     { g.buf = bsoncore.AppendInt32Element(g.buf, key, int32(n)) }
func (g *gen) i64(key string, n int64)   { g.buf = bsoncore.AppendInt64Element(g.buf, key, n) }
func (g *gen) f64(key string, f float64) { g.buf = bsoncore.AppendDoubleElement(g.buf, key, f) }
func (g *gen) bool(key string, b bool)   { g.buf = bsoncore.AppendBooleanElement(g.buf, key, b) }
func (g *gen) null(key string)           { g.buf = bsoncore.AppendNullElement(g.buf, key) }
func (g *gen) coin() bool                { return g.rng.Uint32()&1 == 0 }

// date is a moment of the twelve years before 2026, in whole milliseconds.
func (g *gen) date(key string) {
	g.buf = bsoncore.AppendDateTimeElement(g.buf, key, 1_388_534_400_000+g.rng.Int64N(378_000_000_000))
}

func (g *gen) objectID(key string) {
	g.buf = bsoncore.AppendObjectIDElement(g.buf, key, g.bytes12())
}

// id is the _id of document index: unique, and rising as real ones do.
func (g *gen) id(index int) {
	id := [12]byte{0x65, 0x4f, byte(index >> 24), byte(index >> 16), 0xc0, 0xff, 0xee, 0x42, 0x10,
		byte(index >> 16), byte(index >> 8), byte(index)}
	g.buf = bsoncore.AppendObjectIDElement(g.buf, "_id", id)
}

func (g *gen) document(key string, fields func()) {
	at, buf := bsoncore.AppendDocumentElementStart(g.buf, key)
	g.buf = buf
	fields()
	g.end(at)
}

func (g *gen) array(key string, elements func()) {
	at, buf := bsoncore.AppendArrayElementStart(g.buf, key)
	g.buf = buf
	elements()
	g.end(at)
}

func (g *gen) pick(words []string) string { return words[g.rng.IntN(len(words))] }

// words is a sentence of n words out of a list.
func (g *gen) words(list []string, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(g.pick(list))
	}
	return b.String()
}

// code is n characters of an alphabet, such as a reference number.
func (g *gen) code(n int) string {
	const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[g.rng.IntN(len(alphabet))]
	}
	return string(b)
}

// price has two decimals, which is rarely a whole number.
func (g *gen) price(below int) float64 { return float64(g.rng.IntN(below*100)) / 100 }
