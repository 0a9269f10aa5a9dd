package sets

import (
	"fmt"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// The documents of this file are like those that the benchmark specification of the MongoDB drivers describes: one that
// is deep, one that is flat, one of every current type; and documents of one type only.

// deep is a binary tree of documents, six levels of it, with text at its leaves: about 2 KB.
func deep(g *gen, index int) {
	g.id(index)
	n := 0
	g.tree(6, &n)
}

func (g *gen) tree(levels int, n *int) {
	for _, side := range []string{"le", "ri"} {
		*n++
		key := fmt.Sprintf("%s%03d", side, *n)
		if levels == 1 {
			g.str(key, g.code(8))
		} else {
			g.document(key, func() { g.tree(levels-1, n) })
		}
	}
}

// flat has 145 top-level fields of simple types: about 7.5 KB.
func flat(g *gen, index int) {
	g.id(index)
	for i := range 144 {
		key := fmt.Sprintf("property%03d", i)
		switch i % 6 {
		case 0, 1, 2:
			g.str(key, g.code(70))
		case 3:
			g.i32(key, int(int32(g.rng.Uint32())))
		case 4:
			g.f64(key, g.rng.Float64()*1e6)
		case 5:
			g.bool(key, g.coin())
		}
	}
}

// full has every current BSON type several times, about 6 KB.
func full(g *gen, index int) {
	g.id(index)
	for i := range 10 {
		g.document(fmt.Sprintf("part%d", i), func() {
			g.str("string", g.words(english, 8))
			g.f64("double", g.rng.Float64()*1000)
			g.i32("int32", g.rng.IntN(1<<30))
			g.i64("int64", int64(g.rng.Uint64()>>2)) // mostly beyond what a JavaScript number holds
			g.i64("safe64", g.rng.Int64N(1<<52))
			g.bool("boolean", g.coin())
			g.null("null")
			g.date("date")
			g.objectID("objectId")
			g.decimal("decimal")
			g.binary("binary", 0, 40)
			g.binary("uuid", 4, 16)
			g.buf = bsoncore.AppendRegexElement(g.buf, "regex", "^"+g.pick(english), "i")
			g.buf = bsoncore.AppendTimestampElement(g.buf, "timestamp", g.rng.Uint32(), g.rng.Uint32())
			g.buf = bsoncore.AppendJavaScriptElement(g.buf, "code", "function () { return 1; }")
			g.buf = bsoncore.AppendMinKeyElement(g.buf, "min")
			g.buf = bsoncore.AppendMaxKeyElement(g.buf, "max")
			g.array("array", func() {
				for j := range 8 {
					g.i32(digits[j], g.rng.IntN(1000))
				}
			})
			g.array("mixed", func() {
				g.str("0", g.pick(english))
				g.f64("1", g.price(100))
				g.null("2")
			})
			g.document("document", func() {
				g.str("x", g.code(6))
				g.document("y", func() { g.i32("z", i) })
			})
		})
	}
}

// large is one report of 2.5 MB: eleven thousand lines in an array.
func large(g *gen, index int) {
	g.id(index)
	g.str("title", g.words(english, 6))
	g.array("lines", func() {
		for i := range 11_000 {
			g.document(fmt.Sprint(i), func() {
				g.i32("line", i)
				g.str("sku", g.code(12))
				g.str("text", g.words(english, 16+g.rng.IntN(10)))
				g.f64("price", g.price(1000))
				g.i32("quantity", 1+g.rng.IntN(50))
				g.date("at")
				g.bool("done", g.coin())
			})
		}
	})
}

// decimals has twenty fields of Decimal128 and nothing else but its _id.
func decimals(g *gen, index int) {
	g.id(index)
	for i := range 20 {
		g.decimal(fmt.Sprintf("amount%02d", i))
	}
}

// binaries has twenty fields of Binary, 32 bytes each, and nothing else but its _id.
func binaries(g *gen, index int) {
	g.id(index)
	for i := range 20 {
		g.binary(fmt.Sprintf("hash%02d", i), 0, 32)
	}
}

func (g *gen) decimal(key string) {
	g.buf = bsoncore.AppendDecimal128Element(g.buf, key, 0x303c000000000000, g.rng.Uint64N(1e15))
}

func (g *gen) binary(key string, subtype byte, length int) {
	data := make([]byte, length)
	for i := range data {
		data[i] = byte(g.rng.Uint32())
	}
	g.buf = bsoncore.AppendBinaryElement(g.buf, key, subtype, data)
}
