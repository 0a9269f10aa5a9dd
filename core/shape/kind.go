package shape

import (
	"encoding/binary"
	"unicode/utf8"

	"rumongo-go/core/bsonscan"
)

// Kind says how a value is laid out in the streams of a chunk. js/frames/layout.js lists the same numbers. Kinds do not depend
// on the reader's BSON options: an int64 has three kinds by its size, and JavaScript promotes each as asked.
type Kind uint8

// The kinds, and which streams hold a value of each: I int32, F float64, B bytes.
const (
	Null      Kind = iota // nothing
	Bool                  // I: 0 or 1
	Int32                 // I
	Double                // F
	String                // I: a string code
	Date                  // F: milliseconds
	ObjectID              // B: 12 bytes
	Long32                // I: an int64 that fits in 32 bits
	LongSafe              // F: an int64 that a float64 holds exactly
	LongBig               // I: low, high
	Document              // the fields of the inline document; or I: reference, then what it refers to
	Array                 // I: length, then the elements
	Decimal               // B: 16 bytes
	Binary                // I: length, subtype; B: the bytes
	Timestamp             // I: increment, seconds
	Regex                 // I: two string codes, pattern and options
	MinKey                // nothing
	MaxKey                // nothing
	Undefined             // nothing
	Odd                   // I: length; B: the document {"": value}, for bson.deserialize
	Code                  // I: a string code
	Symbol                // I: a string code
	kinds
	Tagged Kind = 31 // several kinds: I: the kind, then the value
	None   Kind = 30 // no value seen yet: elements of arrays that were all empty
)

// Text reports whether values of the kind are a string code and nothing else.
func (k Kind) Text() bool { return k == String || k == Code || k == Symbol }

// Bit returns the kind's bit in a mask.
func (k Kind) Bit() uint32 { return 1 << k }

// maxSafe is js-bson's bound for promoting an int64: 2^53 itself is still a number there.
const maxSafe = 1 << 53

// LongKind returns the kind of an int64.
func LongKind(v int64) Kind {
	switch {
	case v == int64(int32(v)):
		return Long32
	case v >= -maxSafe && v <= maxSafe:
		return LongSafe
	}
	return LongBig
}

var plain = [256]Kind{
	bsonscan.Double: Double, bsonscan.ObjectID: ObjectID, bsonscan.DateTime: Date, bsonscan.Null: Null,
	bsonscan.Int32: Int32, bsonscan.Timestamp: Timestamp, bsonscan.Decimal128: Decimal, bsonscan.MaxKey: MaxKey,
	bsonscan.MinKey: MinKey, bsonscan.Undefined: Undefined, bsonscan.Document: Document, bsonscan.Array: Array,
	bsonscan.DBPointer: Odd, bsonscan.JavaScript: Code, bsonscan.Symbol: Symbol, bsonscan.CodeWithScope: Odd,
	bsonscan.String: String, bsonscan.Boolean: None, bsonscan.Int64: None, bsonscan.Binary: None, bsonscan.Regex: None,
}

// KindOf returns the kind of the value b[p:next] of BSON type t, whose size was checked. Text whose bytes turn out
// not to be UTF-8 is Odd as well: KindOf does not look (Valid does), because the encoder finds out as it copies.
func KindOf(t byte, b []byte, p, next int) Kind {
	if k := plain[t]; k != None {
		return k
	}
	switch t {
	case bsonscan.Boolean:
		if b[p] <= 1 {
			return Bool
		}
	case bsonscan.Int64:
		return LongKind(int64(binary.LittleEndian.Uint64(b[p:])))
	case bsonscan.Binary:
		if b[p+4] != 2 { // the old subtype has a second length inside, which js-bson checks
			return Binary
		}
	case bsonscan.Regex:
		if utf8.Valid(b[p:next]) {
			return Regex
		}
	}
	return Odd
}
