package columns

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/bsontext"
	"rumongo-go/core/fault"
)

// outcome is what became of a row in a column.
type outcome uint8

const (
	valid outcome = iota
	missing
	null
	mismatched
	outcomes
)

// column collects the values of one column.
type column struct {
	typ      Type
	outcomes []outcome // of each row
	empties  int       // rows without a value
	w1       []byte    // bool, objectId
	w4       []uint32
	w8       []uint64
	ends     []int32 // of each row in data; of a dictionary, of each entry
	data     []byte
	known    map[string]uint32 // dictionary: entries by their text
	same     uint32            // its last entry that was met
}

// keep is the largest buffer that waits in the pool for the next piece.
const keep = 4 << 20

func (c *column) reset() {
	c.empties, c.same = 0, 0
	c.outcomes, c.w1, c.data = fit(c.outcomes), fit(c.w1), fit(c.data)
	c.w4, c.w8, c.ends = fit(c.w4), fit(c.w8), fit(c.ends)
	if len(c.known) > 0 {
		c.known = nil
	}
}

// fit empties a buffer, or lets go of it when it is too large to wait for the next piece.
func fit[T any](buffer []T) []T {
	if cap(buffer) > keep {
		return nil
	}
	return buffer[:0]
}

// put takes the value of column i of the document at hand.
func (e *Encoder) put(i int) *problem {
	c, s := &e.columns[i], &e.slots[i]
	result := missing
	if s.doc == e.doc {
		var bad *problem
		if result, bad = c.add(e, s); bad != nil {
			return bad
		}
		if result == mismatched && e.schema.Strict {
			return &problem{kind: fault.Mismatch}
		}
	}
	c.outcomes = append(c.outcomes, result)
	if result != valid {
		c.empties++
		c.empty()
	}
	return nil
}

// empty is add for a row without a value.
func (c *column) empty() {
	switch c.typ {
	case Bool:
		c.w1 = append(c.w1, 0)
	case Int32, Dictionary:
		c.w4 = append(c.w4, 0)
	case Int64, Float64, Date:
		c.w8 = append(c.w8, 0)
	case ObjectID:
		c.w1 = append(c.w1, make([]byte, 12)...)
	default:
		c.ends = append(c.ends, int32(len(c.data)))
	}
}

// undo takes back the row that was put last, which is row.
func (c *column) undo(row int) {
	if c.outcomes[row] != valid {
		c.empties--
	}
	c.outcomes = c.outcomes[:row]
	switch c.typ {
	case Bool:
		c.w1 = c.w1[:row]
	case Int32, Dictionary:
		c.w4 = c.w4[:row]
	case Int64, Float64, Date:
		c.w8 = c.w8[:row]
	case ObjectID:
		c.w1 = c.w1[:12*row]
	default:
		c.ends = c.ends[:row]
		end := 0
		if row > 0 {
			end = int(c.ends[row-1])
		}
		c.data = c.data[:end]
	}
}

// add appends the value of a slot, unless there is none that the type can hold.
func (c *column) add(e *Encoder, s *slot) (outcome, *problem) {
	b, typ, at := e.b, s.typ, s.at
	if typ == bsonscan.Null || typ == bsonscan.Undefined {
		return null, nil
	}
	switch c.typ {
	case Bool:
		if typ != bsonscan.Boolean {
			return mismatched, nil
		}
		if b[at] > 1 {
			return 0, &problem{offset: at, kind: fault.BSON, reason: "a boolean is neither 0 nor 1"}
		}
		c.w1 = append(c.w1, b[at])
	case Int32:
		v, ok := integer(typ, b, at)
		if !ok || v != int64(int32(v)) {
			return mismatched, nil
		}
		c.w4 = append(c.w4, uint32(v))
	case Int64:
		v, ok := integer(typ, b, at)
		if !ok {
			return mismatched, nil
		}
		c.w8 = append(c.w8, uint64(v))
	case Float64:
		v, ok := float(typ, b, at)
		if !ok {
			return mismatched, nil
		}
		c.w8 = append(c.w8, math.Float64bits(v))
	case Date:
		if typ != bsonscan.DateTime {
			return mismatched, nil
		}
		c.w8 = append(c.w8, binary.LittleEndian.Uint64(b[at:]))
	case ObjectID:
		if typ != bsonscan.ObjectID {
			return mismatched, nil
		}
		c.w1 = append(c.w1, b[at:at+12]...)
	case Decimal128:
		if typ != bsonscan.Decimal128 {
			return mismatched, nil
		}
		c.data = bsontext.AppendDecimal(c.data, b[at:at+16])
		c.ends = append(c.ends, int32(len(c.data)))
	case Binary:
		return c.binary(b[at:s.next], typ, at)
	default:
		return c.text(e, s)
	}
	return valid, nil
}

// text appends a string, or finds it in the dictionary.
func (c *column) text(e *Encoder, s *slot) (outcome, *problem) {
	if s.typ != bsonscan.String && s.typ != bsonscan.Symbol {
		return mismatched, nil
	}
	text := e.b[s.at+4 : s.next-1]
	if !utf8.Valid(text) {
		if e.schema.Validate {
			return 0, &problem{offset: s.at, kind: fault.BSON, reason: "a string is not valid UTF-8"}
		}
		text = bsontext.AppendReplaced(nil, text)
	}
	if c.typ == UTF8 {
		c.data = append(c.data, text...)
		c.ends = append(c.ends, int32(len(c.data)))
		return valid, nil
	}
	c.w4 = append(c.w4, c.entry(text))
	return valid, nil
}

// entry returns the number of text in the dictionary.
func (c *column) entry(text []byte) uint32 {
	if int(c.same) < len(c.ends) && string(c.entryText(c.same)) == string(text) {
		return c.same
	}
	n, ok := c.known[string(text)]
	if !ok {
		if c.known == nil {
			c.known = map[string]uint32{}
		}
		n = uint32(len(c.ends))
		c.known[string(text)] = n
		c.data = append(c.data, text...)
		c.ends = append(c.ends, int32(len(c.data)))
	}
	c.same = n
	return n
}

func (c *column) entryText(n uint32) []byte {
	start := int32(0)
	if n > 0 {
		start = c.ends[n-1]
	}
	return c.data[start:c.ends[n]]
}

func (c *column) binary(b []byte, typ byte, at int) (outcome, *problem) {
	if typ != bsonscan.Binary {
		return mismatched, nil
	}
	const repeatsLength = 2 // the old subtype
	data := b[5:]
	if b[4] == repeatsLength {
		if len(data) < 4 || bsonscan.Length(data, 0) != len(data)-4 {
			return 0, &problem{offset: at, kind: fault.BSON, reason: "the inner length of a binary of subtype 2 does not fit"}
		}
		data = data[4:]
	}
	c.data = append(c.data, data...)
	c.ends = append(c.ends, int32(len(c.data)))
	return valid, nil
}

// integer returns a number that is one without loss.
func integer(typ byte, b []byte, at int) (int64, bool) {
	switch typ {
	case bsonscan.Int32:
		return int64(int32(binary.LittleEndian.Uint32(b[at:]))), true
	case bsonscan.Int64:
		return int64(binary.LittleEndian.Uint64(b[at:])), true
	case bsonscan.Double:
		v := math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))
		if v >= -1<<63 && v < 1<<63 && v == math.Trunc(v) {
			return int64(v), true
		}
	}
	return 0, false
}

// float returns a number that is a double without loss.
func float(typ byte, b []byte, at int) (float64, bool) {
	switch typ {
	case bsonscan.Double:
		return math.Float64frombits(binary.LittleEndian.Uint64(b[at:])), true
	case bsonscan.Int32:
		return float64(int32(binary.LittleEndian.Uint32(b[at:]))), true
	case bsonscan.Int64:
		v := int64(binary.LittleEndian.Uint64(b[at:]))
		f := float64(v)
		return f, f < 1<<63 && int64(f) == v
	}
	return 0, false
}

// bsonNames are those of $type.
var bsonNames = map[byte]string{
	bsonscan.Double: "double", bsonscan.String: "string", bsonscan.Document: "object", bsonscan.Array: "array",
	bsonscan.Binary: "binData", bsonscan.ObjectID: "objectId", bsonscan.Boolean: "bool", bsonscan.DateTime: "date",
	bsonscan.Regex: "regex", bsonscan.DBPointer: "dbPointer", bsonscan.JavaScript: "javascript", bsonscan.Symbol: "symbol",
	bsonscan.CodeWithScope: "javascriptWithScope", bsonscan.Int32: "int", bsonscan.Timestamp: "timestamp",
	bsonscan.Int64: "long", bsonscan.Decimal128: "decimal", bsonscan.MinKey: "minKey", bsonscan.MaxKey: "maxKey",
}
