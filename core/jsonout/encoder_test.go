package jsonout

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/bsontext"
	"rumongo-go/core/fault"
	"rumongo-go/tools/wirefixture/sets"
)

// That the text is the one of js-bson is for __tests__/json, which has js-bson. Here: what needs no JavaScript.

var usual = Options{PromoteLongs: true, PromoteValues: true, ValidateUTF8: true}

func elements(docs ...[]byte) []byte {
	var b []byte
	for i, doc := range docs {
		b = append(append(append(b, bsonscan.Document), fmt.Sprint(i)...), 0)
		b = append(b, doc...)
	}
	return b
}

func doc() *bsoncore.DocumentBuilder { return bsoncore.NewDocumentBuilder() }

// text is the chunk of docs, as a whole.
func text(t testing.TB, o Options, docs ...[]byte) string {
	t.Helper()
	e := NewEncoder(o)
	count, size, err := e.Encode(elements(docs...))
	if err != nil || count != len(docs) && o.Framing != Single {
		t.Fatalf("%d of %d documents: %v", count, len(docs), err)
	}
	chunk := make([]byte, size)
	e.WriteTo(chunk)
	return string(chunk)
}

func TestFraming(t *testing.T) {
	a, b := doc().AppendInt32("a", 1).Build(), doc().AppendArray("b", bsoncore.NewArrayBuilder().AppendNull().Build()).Build()
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, `,{"a":1},{"b":[null]}`},
		{Options{Pretty: true}, ",\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": [\n      null\n    ]\n  }"},
		{Options{Framing: Lines}, "{\"a\":1}\n{\"b\":[null]}\n"},
		{Options{Framing: Single}, `{"a":1}`},
		{Options{Framing: Single, Pretty: true}, "{\n  \"a\": 1\n}"},
	} {
		c.o.PromoteValues = true
		if got := text(t, c.o, a, b); got != c.want {
			t.Errorf("%+v: %q, want %q", c.o, got, c.want)
		}
	}
}

func TestLongs(t *testing.T) {
	d := doc().AppendInt64("small", 7).AppendInt64("large", math.MaxInt64).Build()
	for longs, want := range map[Longs]string{
		LongObject: `,{"small":7,"large":{"high":2147483647,"low":-1,"unsigned":false}}`,
		LongString: `,{"small":7,"large":"9223372036854775807"}`,
		LongNumber: `,{"small":7,"large":9223372036854775807}`,
	} {
		o := usual
		o.Longs = longs
		if got := text(t, o, d); got != want {
			t.Errorf("%d: %s, want %s", longs, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 1: "1", -1.5: "-1.5", 0.1: "0.1", 12.34: "12.34", 1e20: "100000000000000000000",
		1e21: "1e+21", 1.5e300: "1.5e+300", 1e-6: "0.000001", 1e-7: "1e-7", 1.25e-10: "1.25e-10", 5e-324: "5e-324",
		123456789.12: "123456789.12", 999999999999.99: "999999999999.99", 1 << 53: "9007199254740992", 0.30000000000000004: "0.30000000000000004",
		math.MaxFloat64: "1.7976931348623157e+308", 1e15: "1000000000000000", 4.35: "4.35", 0.015: "0.015",
	} {
		if got := string(appendNumber(nil, v)); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

func TestDatesOfAllYears(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "1970-01-01T00:00:00.000Z", -1: "1969-12-31T23:59:59.999Z", 951_782_400_000: "2000-02-29T00:00:00.000Z",
		253_402_300_800_000: "+010000-01-01T00:00:00.000Z", -62_167_219_200_001: "-000001-12-31T23:59:59.999Z",
		maxTime: "+275760-09-13T00:00:00.000Z", -maxTime: "-271821-04-20T00:00:00.000Z",
	} {
		if got := string(appendISO(nil, ms, true)); got != want {
			t.Errorf("%d: %s, want %s", ms, got, want)
		}
	}
}

func TestEscapes(t *testing.T) {
	for c := range 0x3000 {
		for _, at := range []int{0, 7, 8, 20} {
			s := strings.Repeat("x", at) + string(rune(c)) + "tail"
			got := string(appendString(nil, []byte(s)))
			var back string
			if err := json.Unmarshal([]byte(got), &back); err != nil || back != s {
				t.Fatalf("%U at %d: %s is %q, %v", c, at, got, back, err)
			}
			if long := len(got) > len(s)+2; long != (c < 0x20 || c == '"' || c == '\\') {
				t.Fatalf("%U at %d: %s", c, at, got)
			}
		}
	}
}

func TestReplacedBytes(t *testing.T) {
	for s, want := range map[string]string{
		"a\xffb": "a\ufffdb", "\xc3(": "\ufffd(", "\xe6\x97": "\ufffd", "\xe6\x97\xe6": "\ufffd\ufffd", "\xed\xa0\x80": "\ufffd\ufffd\ufffd",
		"\xf4\x90\x80\x80": "\ufffd\ufffd\ufffd\ufffd", "\xc0\xaf": "\ufffd\ufffd", "\xf0\x9f\x98": "\ufffd", "\u65e5\xff": "\u65e5\ufffd",
	} {
		if got := string(bsontext.AppendReplaced(nil, []byte(s))); got != want {
			t.Errorf("%x: %q, want %q", s, got, want)
		}
	}
}

// What is wrong is said with its place, and the documents before it are in the chunk.
func TestBadDocuments(t *testing.T) {
	good := doc().AppendInt32("a", 1).Build()
	for name, bad := range map[string][]byte{
		"bad value": doc().AppendDocument("in", doc().AppendString("s", "\xff").Build()).Build(),
		"malformed": bytesWith(doc().AppendDocument("in", doc().AppendInt32("x", 1).Build()).Build(), 12, 0x55),
	} {
		e := NewEncoder(usual)
		elems := elements(good, bad, good)
		count, size, err := e.Encode(elems)
		f, ok := err.(*fault.Fault)
		if count != 1 || !ok || f.Kind != fault.BSON || !strings.HasPrefix(f.Message, name) {
			t.Fatalf("%s: %d, %v", name, count, err)
		}
		if start := int64(len(elements(good))) + 3; f.Offset <= start || f.Offset > start+int64(len(bad)) {
			t.Errorf("%s: offset %d, the document begins at %d", name, f.Offset, start)
		}
		chunk := make([]byte, size)
		if e.WriteTo(chunk); string(chunk) != `,{"a":1}` {
			t.Errorf("%s: %s", name, chunk)
		}
	}
}

func bytesWith(b []byte, at int, c byte) []byte {
	b[at] = c
	return b
}

// nested is levels objects in each other, each with a key twice and one that comes first in JavaScript.
func nested(levels int) []byte {
	field := func(b []byte, name string) []byte { return append(append(append(b, 0x0A), name...), 0) }
	head := append(field(field(field(nil, "d"), "d"), "7"), 0x03, 'n', 0)
	inner := doc().AppendInt32("x", 1).Build()
	out := make([]byte, 0, levels*(len(head)+5)+len(inner))
	for k := range levels {
		size := len(inner) + (levels-k)*(len(head)+5)
		out = append(binary.LittleEndian.AppendUint32(out, uint32(size)), head...)
	}
	out = append(out, inner...)
	return append(out, make([]byte, levels)...)
}

// Levels cost heap, in proportion, and neither stack nor time without end.
func TestDepth(t *testing.T) {
	got := text(t, usual, nested(300_000))
	if want := strings.Repeat(`{"7":null,"d":null,"n":`, 300_000) + `{"x":1}` + strings.Repeat("}", 300_000); got[1:] != want {
		t.Fatalf("%d bytes, want %d", len(got)-1, len(want))
	}
	pretty := usual
	pretty.Pretty = true
	e := NewEncoder(pretty)
	e.most = 1 << 20
	if count, _, err := e.Encode(elements(nested(100), nested(10_000))); count != 1 || err == nil || !strings.Contains(err.Error(), "longer than 512 MB") {
		t.Fatalf("%d documents, 10,000 levels of indentation: %v", count, err)
	}
}

// Names without end are forgotten, and those in use are not mixed up.
func TestManyKeys(t *testing.T) {
	e := NewEncoder(usual)
	for i := range 30_000 {
		name := fmt.Sprintf("key%d", i)
		if _, _, err := e.Encode(elements(doc().AppendInt32(name, 1).AppendInt32("b", 2).AppendInt32(name, 3).Build())); err != nil {
			t.Fatal(err)
		}
		if got, want := string(e.out), fmt.Sprintf(`,{"%s":3,"b":2}`, name); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	if e.keys.bytes > 2*maxKeyBytes {
		t.Errorf("%d bytes of names", e.keys.bytes)
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, name := range []string{"mixed45", "arrays", "optional20", "text", "types", "randomKeys"} {
		docs, err := sets.Generate(name, 300, 1)
		if err != nil {
			b.Fatal(err)
		}
		elems := elements(docs...)
		for label, o := range map[string]Options{"plain": usual, "canonical": {Mode: Canonical, PromoteLongs: true, PromoteValues: true, ValidateUTF8: true}} {
			b.Run(name+"/"+label, func(b *testing.B) {
				e := NewEncoder(o)
				dst := make([]byte, 0)
				b.SetBytes(int64(len(elems)))
				for b.Loop() {
					_, size, err := e.Encode(elems)
					if err != nil {
						b.Fatal(err)
					}
					if cap(dst) < size {
						dst = make([]byte, size)
					}
					e.WriteTo(dst[:size])
				}
			})
		}
		b.Run(name+"/driver", func(b *testing.B) { // the Go driver's own, which is not js-bson's text
			b.SetBytes(int64(len(elems)))
			for b.Loop() {
				for _, d := range docs {
					if _, err := bson.MarshalExtJSON(bson.Raw(d), false, false); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
