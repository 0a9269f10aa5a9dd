package frame

import (
	"encoding/binary"
	"math/bits"
)

// A transcoder turns UTF-8 into Latin-1, or UTF-16 if a character needs it, in one pass that also validates: to validate,
// measure and convert one after the other took three times as long.
type transcoder struct {
	chars []byte // the last result, if Latin-1
	units []uint16
}

const highBits = 0x8080808080808080

// asciiPrefix returns how many bytes at the start of s are below 0x80.
func asciiPrefix(s []byte) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if high := binary.LittleEndian.Uint64(s[i:]) & highBits; high != 0 {
			return i + bits.TrailingZeros64(high)/8
		}
	}
	for ; i < len(s); i++ {
		if s[i] >= 0x80 {
			break
		}
	}
	return i
}

// transcode converts s, whose first start bytes are known to be ASCII, and returns the length of the result. It is in
// chars, or in units if wide. ok is false if s is not UTF-8.
func (x *transcoder) transcode(s []byte, start int) (n int, wide, ok bool) {
	if cap(x.chars) < len(s) {
		x.chars = make([]byte, 0, 2*len(s))
	}
	dst := x.chars[:len(s)]
	copy(dst, s[:start])
	n = start
	for i := start; i < len(s); n++ {
		c := s[i]
		if c >= 0x80 {
			i++
			if c&0xFE != 0xC2 || i == len(s) || s[i]&0xC0 != 0x80 {
				n, ok = x.widen(s, i-1, n)
				return n, true, ok
			}
			c = c<<6 | s[i]&0x3F
		}
		dst[n] = c
		i++
	}
	return n, false, true
}

// widen goes on with s at i in UTF-16, after n characters of Latin-1.
func (x *transcoder) widen(s []byte, i, n int) (length int, ok bool) {
	if cap(x.units) < len(s) {
		x.units = make([]uint16, 0, 2*len(s))
	}
	dst := x.units[:len(s)] // a character has at least as many bytes as units
	for k, c := range x.chars[:n] {
		dst[k] = uint16(c)
	}
	for i < len(s) {
		c := s[i]
		switch {
		case c < 0x80:
			dst[n] = uint16(c)
			i++
			n++
		case c < 0xE0:
			if c < 0xC2 || i+1 >= len(s) || s[i+1]&0xC0 != 0x80 {
				return 0, false
			}
			dst[n] = uint16(c&0x1F)<<6 | uint16(s[i+1]&0x3F)
			i += 2
			n++
		case c < 0xF0:
			if i+2 >= len(s) {
				return 0, false
			}
			c1, c2 := s[i+1], s[i+2]
			u := uint16(c)<<12 | uint16(c1&0x3F)<<6 | uint16(c2&0x3F)
			if c1&0xC0 != 0x80 || c2&0xC0 != 0x80 || u < 0x800 || u&0xF800 == 0xD800 {
				return 0, false // also too long a form, or half of a surrogate pair
			}
			dst[n] = u
			i += 3
			n++
		default:
			if c > 0xF4 || i+3 >= len(s) || s[i+1]&0xC0 != 0x80 || s[i+2]&0xC0 != 0x80 || s[i+3]&0xC0 != 0x80 {
				return 0, false
			}
			r := uint32(c&0x07)<<18 | uint32(s[i+1]&0x3F)<<12 | uint32(s[i+2]&0x3F)<<6 | uint32(s[i+3]&0x3F)
			if r < 0x10000 || r > 0x10FFFF {
				return 0, false
			}
			r -= 0x10000
			dst[n], dst[n+1] = 0xD800|uint16(r>>10), 0xDC00|uint16(r&0x3FF)
			i += 4
			n += 2
		}
	}
	return n, true
}
