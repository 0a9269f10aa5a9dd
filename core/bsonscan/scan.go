package bsonscan

import (
	"bytes"
	"encoding/binary"
)

// fixed holds the size plus one of the values that have one size; 0 means that the size is in the bytes.
var fixed = [256]uint8{
	Double: 9, Undefined: 1, ObjectID: 13, Boolean: 2, DateTime: 9, Null: 1, Int32: 5, Timestamp: 9, Int64: 9,
	Decimal128: 17, MaxKey: 1, MinKey: 1,
}

// Length reads the int32 at p. The caller has checked that four bytes are there.
func Length(b []byte, p int) int { return int(int32(binary.LittleEndian.Uint32(b[p:]))) }

// Key returns the position after the NUL that ends the key at p. Keys are short, so a loop beats a call to IndexByte
// until about 16 bytes.
func Key(b []byte, p, end int) (next int, ok bool) {
	stop := min(p+16, end)
	for i := p; i < stop; i++ {
		if b[i] == 0 {
			return i + 1, true
		}
	}
	if stop == end {
		return 0, false
	}
	n := bytes.IndexByte(b[stop:end], 0)
	if n < 0 {
		return 0, false
	}
	return stop + n + 1, true
}

// Value returns the position after the value of type t at p. It does not look inside documents and arrays; of them it
// checks the length and the final NUL. The value has to end at or before end.
func Value(t byte, b []byte, p, end int) (next int, ok bool) {
	if n := fixed[t]; n != 0 {
		p += int(n) - 1
		return p, p <= end
	}
	switch t {
	case String, JavaScript, Symbol:
		return StringEnd(b, p, end)
	case Document, Array:
		return ContainerEnd(b, p, end)
	case Binary:
		if end-p < 5 {
			return 0, false
		}
		n := Length(b, p)
		if n < 0 || n > end-p-5 {
			return 0, false
		}
		return p + 5 + n, true
	case Regex:
		if p, ok = Key(b, p, end); !ok {
			return 0, false
		}
		return Key(b, p, end)
	case DBPointer:
		if p, ok = StringEnd(b, p, end); !ok || end-p < 12 {
			return 0, false
		}
		return p + 12, true
	case CodeWithScope:
		if end-p < 14 {
			return 0, false
		}
		n := Length(b, p)
		if n < 14 || n > end-p {
			return 0, false
		}
		scope, ok := StringEnd(b, p+4, p+n)
		if !ok {
			return 0, false
		}
		next, ok := ContainerEnd(b, scope, p+n)
		return next, ok && next == p+n
	}
	return 0, false
}

// StringEnd is Value for strings, small enough to be inlined.
func StringEnd(b []byte, p, end int) (next int, ok bool) {
	if end-p < 5 {
		return 0, false
	}
	n := Length(b, p)
	if n < 1 || n > end-p-4 || b[p+3+n] != 0 {
		return 0, false
	}
	return p + 4 + n, true
}

// ContainerEnd is Value for documents and arrays, small enough to be inlined.
func ContainerEnd(b []byte, p, end int) (next int, ok bool) {
	if end-p < 5 {
		return 0, false
	}
	n := Length(b, p)
	if n < 5 || n > end-p || b[p+n-1] != 0 {
		return 0, false
	}
	return p + n, true
}
