package bsontext

import "unicode/utf8"

// AppendReplaced appends s with a replacement character for what is not UTF-8, as the WHATWG's decoder: one for the
// longest part that could have begun a character, so that a character cut short is one and not one for each byte.
func AppendReplaced(dst, s []byte) []byte {
	for len(s) > 0 {
		if _, n := utf8.DecodeRune(s); n > 1 || s[0] < utf8.RuneSelf {
			dst = append(dst, s[:n]...)
			s = s[n:]
			continue
		}
		dst = append(dst, "\ufffd"...)
		s = s[begun(s):]
	}
	return dst
}

// begun returns how many bytes at the start of s, which is no character, could begin one; at least 1.
func begun(s []byte) int {
	c := s[0]
	low, high, more := byte(0x80), byte(0xBF), 0
	switch {
	case c >= 0xC2 && c <= 0xDF:
		more = 1
	case c >= 0xE0 && c <= 0xEF:
		more = 2
		if c == 0xE0 {
			low = 0xA0
		} else if c == 0xED {
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		more = 3
		if c == 0xF0 {
			low = 0x90
		} else if c == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for ; n <= more && n < len(s) && s[n] >= low && s[n] <= high; n++ {
		low, high = 0x80, 0xBF
	}
	return n
}
