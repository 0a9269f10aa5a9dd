// Package columns turns the documents of a piece into columns in Apache Arrow's layout, and makes one chunk of the rows of
// several. It makes nothing of a document but the values that are asked for; the rest it checks, as every reader does.
package columns

import "unsafe"

// A chunk of columns, mirrored in js/columns/layout.js. Numbers are in the machine's byte order, which is little-endian
// wherever this is built, as Arrow's; positions are in bytes from the start of the chunk.
//
//	header     headerWords uint32s, see word...
//	columns    columnWords uint32s for each, see of...
//	names      JSON of the columns where they were inferred: {"columns": [["age", "int32"], ...], "omitted": ["tags"]}
//	buffers    each on a multiple of alignment
//
// The buffers of a column:
//
//	validity   a bit for each row, the lowest first, 1 where there is a value; none of it when there is one everywhere
//	values     int32, int64, float64, date (int64 milliseconds): the numbers. bool: bits. objectId: 12 bytes each.
//	           dictionary: int32 indices. utf8, decimal128, binary: nothing
//	offsets    utf8, decimal128, binary: rows+1 int32s into data. dictionary: the same of its entries
//	data       the bytes
//
// Where there is no value, values have 0 and offsets do not move.
const (
	layoutVersion = 1
	alignment     = 64

	headerWords = 16
	wordVersion = 0
	wordRows    = 1
	wordColumns = 2
	wordNames   = 3 // position, then length
	columnWords = 16

	ofType       = 0
	ofMissing    = 1 // rows where the path leads nowhere
	ofNull       = 2 // where there is a null
	ofMismatched = 3 // where there is a value that the type cannot hold
	ofEntries    = 4 // of a dictionary
	ofValidity   = 6 // position, then length, as of the next three
	ofValues     = 8
	ofOffsets    = 10
	ofData       = 12
)

// Type is what a column holds. The numbers are part of the layout.
type Type uint8

// The types.
const (
	Bool Type = iota
	Int32
	Int64
	Float64
	Date
	UTF8
	Dictionary
	ObjectID
	Binary
	Decimal128
	typeCount
)

var typeNames = [typeCount]string{"bool", "int32", "int64", "float64", "date", "utf8", "dictionary", "objectId", "binary", "decimal128"}

// String returns the name that users know.
func (t Type) String() string { return typeNames[t] }

// ParseType is the reverse of String.
func ParseType(name string) (Type, bool) {
	for i, n := range typeNames {
		if n == name {
			return Type(i), true
		}
	}
	return 0, false
}

// width is the size of a value in values, 0 where it is a bit or has its bytes in data.
func (t Type) width() int {
	switch t {
	case Int32, Dictionary:
		return 4
	case Int64, Float64, Date:
		return 8
	case ObjectID:
		return 12
	}
	return 0
}

// variable says whether rows have offsets into data.
func (t Type) variable() bool { return t == UTF8 || t == Binary || t == Decimal128 }

func aligned(n int) int { return (n + alignment - 1) &^ (alignment - 1) }

func bitBytes(rows int) int { return (rows + 7) / 8 }

// raw returns the bytes of s.
func raw[T int32 | uint32 | uint64](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// words returns b, which is aligned, as numbers.
func words[T int32 | uint32](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}
