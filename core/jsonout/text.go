package jsonout

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"rumongo-go/core/bsontext"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops marks the bytes of a word that are not themselves in a JSON string: control characters, quotes, backslashes. The
// lowest mark is exact; a borrow may set false ones above it.
func stops(x uint64) uint64 {
	quote := x ^ ones*'"'
	slash := x ^ ones*'\\'
	return ((x-ones*0x20)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & highs
}

// clean returns how many bytes at the start of s are ASCII that needs no escape.
func clean(s []byte) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		if stop := stops(x) | x&highs; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return i
}

// unescaped is clean for text that is known to be UTF-8.
func unescaped(s []byte) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if stop := stops(binary.LittleEndian.Uint64(s[i:])); stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

// appendString appends s, which is UTF-8, as a JSON string, escaped as JSON.stringify does it.
func appendString(dst, s []byte) []byte {
	dst = append(dst, '"')
	for {
		n := unescaped(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[n])
		s = s[n+1:]
	}
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// text writes s as a JSON string. False: it is not UTF-8, and that matters.
func (e *Encoder) text(s []byte) bool {
	n := clean(s)
	if n == len(s) {
		e.out = append(e.out, '"')
		e.out = append(e.out, s...)
		e.out = append(e.out, '"')
		return true
	}
	if !utf8.Valid(s[n:]) {
		if e.ValidateUTF8 {
			return false
		}
		s = bsontext.AppendReplaced(nil, s)
	}
	e.out = appendString(e.out, s)
	return true
}

// loose writes s as a JSON string, whatever it is.
func (e *Encoder) loose(s []byte) {
	if !utf8.Valid(s) {
		s = bsontext.AppendReplaced(nil, s)
	}
	e.out = appendString(e.out, s)
}

// newline begins a line at a level of indentation.
func (e *Encoder) newline(level int) {
	const spaces = "                                                                "
	e.out = append(e.out, '\n')
	for n := 2 * level; n > 0; n -= len(spaces) {
		e.out = append(e.out, spaces[:min(n, len(spaces))]...)
	}
}
