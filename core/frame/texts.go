package frame

import (
	"encoding/binary"
	"unicode/utf8"
)

// texts are the parts of a chunk that hold text: see the layout. JavaScript cannot make a string from UTF-8 cheaply
// (one native call each, about 150 ns), but it cuts substrings out of one big string in 10 to 20 ns, and that string is
// made from Latin-1 or UTF-16 by a plain copy. So Go transcodes.
type texts struct {
	t, l []byte
	w    []uint16
	// The sizes of the closed pages, and how full the open one is.
	pagesL, pagesW []int32
	openL, openW   int
	dictionary
}

type textMark struct{ t, l, w, pagesL, pagesW, openL, openW int }

func (x *texts) reset() {
	x.t, x.l, x.w = reuse(x.t, 1), reuse(x.l, 1), reuse(x.w, 2)
	x.pagesL, x.pagesW = x.pagesL[:0], x.pagesW[:0]
	x.openL, x.openW = 0, 0
	x.dictionary.reset()
}

func (x *texts) mark() textMark {
	return textMark{len(x.t), len(x.l), len(x.w), len(x.pagesL), len(x.pagesW), x.openL, x.openW}
}

func (x *texts) rollback(m textMark) {
	x.t, x.l, x.w = x.t[:m.t], x.l[:m.l], x.w[:m.w]
	x.pagesL, x.pagesW = x.pagesL[:m.pagesL], x.pagesW[:m.pagesW]
	x.openL, x.openW = m.openL, m.openW
}

// ascii tells whether s has no byte above 0x7F.
func ascii(s []byte) bool {
	for len(s) >= 8 {
		if binary.LittleEndian.Uint64(s)&0x8080808080808080 != 0 {
			return false
		}
		s = s[8:]
	}
	for _, c := range s {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// text writes the UTF-8 string b[p:q] into the stream that suits it, its code into i. It returns false, having written
// nothing, if it is not UTF-8. counter says which counter of the dictionary the place of the string has.
func (e *Encoder) text(b []byte, p, q int, counter uint16) bool {
	if n := q - p; n > 1 && n <= dictText {
		if number := e.repeated(b, p, q, counter); number >= 0 {
			e.word(^number)
			return true
		}
	}
	s := b[p:q]
	if !ascii(s) {
		return e.notASCII(s)
	}
	n := len(s)
	e.word(int32(n))
	if n < shortText {
		e.t = append(e.t, s...)
		return true
	}
	e.pageL(n)
	e.l = append(e.l, s...)
	return true
}

// pageL makes room for n bytes in the open page of L, or opens another.
func (x *texts) pageL(n int) {
	if x.openL > 0 && x.openL+n > pageText {
		x.pagesL = append(x.pagesL, int32(x.openL))
		x.openL = 0
	}
	x.openL += n
}

func (x *texts) pageW(n int) {
	if x.openW > 0 && x.openW+n > pageText/2 {
		x.pagesW = append(x.pagesW, int32(x.openW))
		x.openW = 0
	}
	x.openW += n
}

// closePages ends the open pages. Nothing more may be written.
func (x *texts) closePages() {
	if x.openL > 0 {
		x.pagesL = append(x.pagesL, int32(x.openL))
		x.openL = 0
	}
	if x.openW > 0 {
		x.pagesW = append(x.pagesW, int32(x.openW))
		x.openW = 0
	}
}

func (e *Encoder) notASCII(s []byte) bool {
	if n := latin1Length(s); n >= 0 {
		e.word(int32(n))
		if n < shortText {
			e.t = appendLatin1(e.t, s)
		} else {
			e.pageL(n)
			e.l = appendLatin1(e.l, s)
		}
		return true
	}
	if !utf8.Valid(s) {
		return false
	}
	n := utf16Length(s)
	e.pageW(n)
	e.word(int32(n) | wideFlag)
	e.w = appendUTF16(e.w, s)
	return true
}

// latin1Length returns the number of characters of s, or -1 if one is above U+00FF or the bytes are not UTF-8.
func latin1Length(s []byte) int {
	n := 0
	for i := 0; i < len(s); n++ {
		c := s[i]
		if c < 0x80 {
			i++
			continue
		}
		if c&0xFE != 0xC2 || i+1 == len(s) || s[i+1]&0xC0 != 0x80 {
			return -1
		}
		i += 2
	}
	return n
}

func appendLatin1(dst, s []byte) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x80 {
			i++
			c = c<<6 | s[i]&0x3F
		}
		dst = append(dst, c)
	}
	return dst
}

// utf16Length returns the number of code units of s, which is UTF-8.
func utf16Length(s []byte) int {
	n := 0
	for _, c := range s {
		if c&0xC0 != 0x80 {
			n++
		}
		if c >= 0xF0 {
			n++ // a surrogate pair
		}
	}
	return n
}

// appendUTF16 transcodes s, which is UTF-8.
func appendUTF16(dst []uint16, s []byte) []uint16 {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c < 0x80:
			dst = append(dst, uint16(c))
			i++
		case c < 0xE0:
			dst = append(dst, uint16(c&0x1F)<<6|uint16(s[i+1]&0x3F))
			i += 2
		case c < 0xF0:
			dst = append(dst, uint16(c)<<12|uint16(s[i+1]&0x3F)<<6|uint16(s[i+2]&0x3F))
			i += 3
		default:
			r := uint32(c&0x07)<<18 | uint32(s[i+1]&0x3F)<<12 | uint32(s[i+2]&0x3F)<<6 | uint32(s[i+3]&0x3F)
			r -= 0x10000
			dst = append(dst, 0xD800|uint16(r>>10), 0xDC00|uint16(r&0x3FF))
			i += 4
		}
	}
	return dst
}
