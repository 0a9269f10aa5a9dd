package index

import "bytes"

// BSON type bytes.
const (
	typeDouble     = 0x01
	typeString     = 0x02
	typeDocument   = 0x03
	typeArray      = 0x04
	typeBinary     = 0x05
	typeUndefined  = 0x06
	typeObjectID   = 0x07
	typeBoolean    = 0x08
	typeDate       = 0x09
	typeNull       = 0x0a
	typeRegex      = 0x0b
	typeDBPointer  = 0x0c
	typeCode       = 0x0d
	typeSymbol     = 0x0e
	typeCodeScope  = 0x0f
	typeInt32      = 0x10
	typeTimestamp  = 0x11
	typeInt64      = 0x12
	typeDecimal128 = 0x13
	typeMinKey     = 0xff
	typeMaxKey     = 0x7f
)

// fixed holds one more than the size of the types that have a fixed one, 0 for the others.
var fixed = [256]uint8{
	typeDouble: 9, typeUndefined: 1, typeObjectID: 13, typeBoolean: 2, typeDate: 9, typeNull: 1, typeInt32: 5,
	typeTimestamp: 9, typeInt64: 9, typeDecimal128: 17, typeMinKey: 1, typeMaxKey: 1,
}

// Why a value is refused. These are js-bson's structural rules; what it checks of a value alone is left to the reader.
const (
	pastEnd    = "it goes past the end of its document"
	badString  = "bad string length, or the string is not terminated"
	badNested  = "bad length of an embedded document or array, or its terminator is missing"
	badKey     = "a name inside has no end"
	badBinary  = "bad binary length"
	badRegex   = "a part of the regular expression has no end"
	badScope   = "bad length of code with scope"
	unknown    = "unknown type"
	noProblems = ""
)

// A stack holds the ends of the documents that are open during validation. It is a slice and not the call stack because
// a Go stack overflow cannot be recovered: 16 MB of BSON can nest two million levels.
type stack struct{ frames []int }

// value validates the value of type typ at b[at:limit] with all that is in it, and returns where it ends or why it is
// refused.
func (s *stack) value(b []byte, typ byte, at, limit int) (next int, reason string) {
	if size := fixed[typ]; size != 0 {
		if next = at + int(size) - 1; next > limit {
			return 0, pastEnd
		}
		return next, noProblems
	}
	switch typ {
	case typeString:
		return text(b, at, limit)
	case typeDocument, typeArray, typeCodeScope:
		return s.nested(b, typ, at, limit)
	}
	return leaf(b, typ, at, limit)
}

// leaf validates a value of variable size that holds no document.
func leaf(b []byte, typ byte, at, limit int) (next int, reason string) {
	switch typ {
	case typeString, typeCode, typeSymbol:
		return text(b, at, limit)
	case typeBinary:
		return blob(b, at, limit)
	case typeRegex:
		for range 2 {
			nul := bytes.IndexByte(b[at:limit], 0)
			if nul < 0 {
				return 0, badRegex
			}
			at += nul + 1
		}
		return at, noProblems
	case typeDBPointer:
		if at, reason = text(b, at, limit); reason != noProblems {
			return 0, reason
		}
		if at += 12; at > limit {
			return 0, pastEnd
		}
		return at, noProblems
	}
	return 0, unknown
}

// nested validates an embedded document, array or code with scope without recursion.
func (s *stack) nested(b []byte, typ byte, at, limit int) (next int, reason string) {
	end, body, reason := enter(b, typ, at, limit)
	if reason != noProblems {
		return 0, reason
	}
	outer, at := end, body
	s.frames = s.frames[:0]
	for {
		// end is that of the innermost open document; its last byte is known to be a NUL.
		if at == end-1 {
			if end == outer {
				return outer, noProblems
			}
			at = end
			end = s.frames[len(s.frames)-1]
			s.frames = s.frames[:len(s.frames)-1]
			continue
		}
		typ = b[at]
		at++
		for at < end-1 && b[at] != 0 {
			at++
		}
		if at >= end-1 {
			return 0, badKey
		}
		at++
		if size := fixed[typ]; size != 0 {
			if at += int(size) - 1; at > end-1 {
				return 0, pastEnd
			}
			continue
		}
		if typ == typeDocument || typ == typeArray || typ == typeCodeScope {
			inner, body, reason := enter(b, typ, at, end-1)
			if reason != noProblems {
				return 0, reason
			}
			s.frames = append(s.frames, end)
			end, at = inner, body
			continue
		}
		if at, reason = leaf(b, typ, at, end-1); reason != noProblems {
			return 0, reason
		}
	}
}

// enter returns the end of the document that begins at at, or that follows the code there, and where its elements
// begin.
func enter(b []byte, typ byte, at, limit int) (end, body int, reason string) {
	if typ == typeCodeScope {
		if limit-at < 4 {
			return 0, 0, pastEnd
		}
		total := int32At(b, at)
		if total < 4+4+4+1 || total > limit-at {
			return 0, 0, badScope
		}
		code, reason := text(b, at+4, at+total)
		if reason != noProblems {
			return 0, 0, reason
		}
		limit, at = at+total, code
		if end, ok := container(b, at, limit); ok && end == limit {
			return end, at + 4, noProblems
		}
		return 0, 0, badScope
	}
	end, ok := container(b, at, limit)
	if !ok {
		return 0, 0, badNested
	}
	return end, at + 4, noProblems
}

// container returns the end of the document at b[at:limit]. Its length is right and its last byte a NUL.
func container(b []byte, at, limit int) (end int, ok bool) {
	if limit-at < 5 {
		return 0, false
	}
	size := int32At(b, at)
	if size < 5 || size > limit-at || b[at+size-1] != 0 {
		return 0, false
	}
	return at + size, true
}

func text(b []byte, at, limit int) (next int, reason string) {
	if limit-at < 5 {
		return 0, badString
	}
	size := int32At(b, at)
	at += 4
	if size <= 0 || size > limit-at || b[at+size-1] != 0 {
		return 0, badString
	}
	return at + size, noProblems
}

func blob(b []byte, at, limit int) (next int, reason string) {
	if limit-at < 5 {
		return 0, badBinary
	}
	size := int32At(b, at)
	next = at + 5 + size
	if size < 0 || next > limit {
		return 0, badBinary
	}
	// The old subtype repeats its length inside; what js-bson reads is the inner one.
	if b[at+4] == 2 && (size < 4 || int32At(b, at+5) != size-4) {
		return 0, "the inner length of a binary of subtype 2 is not the outer one less 4"
	}
	return next, noProblems
}
