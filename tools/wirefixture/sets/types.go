package sets

import (
	"fmt"
	"math"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// types has a field of every BSON type, the deprecated ones too, with the values that are special to each.
func types(g *gen, index int) {
	b := bsoncore.NewDocumentBuilder().
		AppendInt32("_id", int32(index)).
		AppendDouble("double", g.price(1000)).
		AppendDouble("special", []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}[index%4]).
		AppendString("string", g.words(english, 5)).
		AppendString("wide", g.pick(cities)+" \u65e5\u672c\u8a9e \U0001f600").
		AppendDocument("document", bsoncore.NewDocumentBuilder().AppendInt32("x", int32(g.rng.IntN(100))).Build()).
		AppendArray("array", bsoncore.NewArrayBuilder().AppendInt32(1).AppendString("two").AppendDouble(3.5).AppendNull().Build()).
		AppendUndefined("undefined").
		AppendBoolean("boolean", g.coin()).
		AppendDateTime("date", g.rng.Int64N(4e12)-2e12).
		AppendNull("null").
		AppendRegex("regex", "^"+g.pick(english)+"+", "im").
		AppendDBPointer("pointer", "db.things", g.bytes12()).
		AppendJavaScript("code", "function () { return 1; }").
		AppendSymbol("symbol", g.pick(english)).
		AppendCodeWithScope("scoped", "f", bsoncore.NewDocumentBuilder().AppendInt32("x", 1).Build()).
		AppendInt32("int32", int32(g.rng.Uint32())).
		AppendTimestamp("timestamp", g.rng.Uint32(), g.rng.Uint32()).
		AppendInt64("small64", g.rng.Int64N(1<<53)-1<<52).
		AppendInt64("int64", int64(g.rng.Uint64())).
		AppendDecimal128("decimal", 0x3040000000000000, g.rng.Uint64N(1e15)).
		AppendObjectID("objectId", g.bytes12()).
		AppendMinKey("min").
		AppendMaxKey("max").
		AppendDocument("reference", bsoncore.NewDocumentBuilder().AppendString("$ref", "things").AppendObjectID("$id", g.bytes12()).Build())
	for _, subtype := range []byte{0, 2, 3, 4, 5, 6, 8, 128} {
		id := g.bytes12()
		data := append(id[:], 1, 2, 3, 4)
		b.AppendBinary(fmt.Sprintf("binary%d", subtype), subtype, data)
	}
	b.AppendBinary("vector", 9, []byte{3, 0, byte(g.rng.Uint32()), byte(g.rng.Uint32())})
	// The fields go after the length that the caller has begun, without the end that it adds.
	doc := b.Build()
	g.buf = append(g.buf, doc[4:len(doc)-1]...)
}

func (g *gen) bytes12() (id [12]byte) {
	for i := range id {
		id[i] = byte(g.rng.Uint32())
	}
	return id
}
