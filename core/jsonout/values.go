package jsonout

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/bsontext"
)

func uint32At(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func uint64At(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

func invalid(offset int) *problem {
	return &problem{offset: offset, reason: "a string is not UTF-8", value: true}
}

// value writes the value of type typ in b[p:end], or, of an object or array, its opening bracket, and puts it on the
// stack. name is what it is called, level its indentation.
func (e *Encoder) value(typ byte, p, end int, name *key, level int, mode Mode) *problem {
	b := e.b
	switch typ {
	case bsonscan.String:
		if !e.text(b[p+4 : end-1]) {
			return invalid(p)
		}
	case bsonscan.Int32:
		e.int32(int32(uint32At(b[p:])), level, mode)
	case bsonscan.Int64:
		e.int64(int64(uint64At(b[p:])), level, mode)
	case bsonscan.Double:
		e.double(math.Float64frombits(uint64At(b[p:])), level, mode)
	case bsonscan.Boolean:
		switch b[p] {
		case 0:
			e.out = append(e.out, "false"...)
		case 1:
			e.out = append(e.out, "true"...)
		default:
			return &problem{offset: p, reason: "a boolean is neither 0 nor 1", value: true}
		}
	case bsonscan.DateTime:
		e.date(int64(uint64At(b[p:])), level, mode)
	case bsonscan.ObjectID:
		e.objectID(b[p:p+12], level, mode)
	case bsonscan.Null, bsonscan.Undefined:
		e.out = append(e.out, "null"...)
	case bsonscan.Document:
		return e.open(p, end, name, level, mode, true)
	case bsonscan.Array:
		e.out = append(e.out, '[')
		e.stack = append(e.stack, frame{next: p + 4, end: end - 1, level: level, drop: -1, mode: mode, array: true, empty: true, elements: name})
	default:
		return e.rare(typ, p, end, name, level, mode)
	}
	return nil
}

func (e *Encoder) rare(typ byte, p, end int, name *key, level int, mode Mode) *problem {
	b := e.b
	switch typ {
	case bsonscan.Binary:
		return e.binary(p, end, level, mode)
	case bsonscan.Regex:
		options, _ := bsonscan.Key(b, p, end)
		if reason := e.regex(b[p:options-1], b[options:end-1], level, mode); reason != "" {
			return &problem{offset: p, reason: reason, value: true}
		}
	case bsonscan.Symbol:
		return e.symbol(p, b[p+4:end-1], level, mode)
	case bsonscan.Timestamp:
		e.timestamp(b[p:], level, mode)
	case bsonscan.Decimal128:
		e.quoted(`"$numberDecimal":`, level, func() { e.out = bsontext.AppendDecimal(e.out, b[p:p+16]) })
	case bsonscan.MinKey:
		e.extreme(`"$minKey":`, level, mode)
	case bsonscan.MaxKey:
		e.extreme(`"$maxKey":`, level, mode)
	case bsonscan.JavaScript:
		if bad := e.code(p, b[p+4:end-1], level, mode); bad != nil {
			return bad
		}
		e.closing(level, '}')
	case bsonscan.CodeWithScope:
		return e.scoped(p, end, name, level, mode)
	case bsonscan.DBPointer:
		return e.pointer(p, end, level, mode)
	}
	return nil
}

func (e *Encoder) objectID(id []byte, level int, mode Mode) {
	if mode == Plain {
		e.out = append(e.out, '"')
		e.out = hex.AppendEncode(e.out, id)
		e.out = append(e.out, '"')
		return
	}
	e.quoted(`"$oid":`, level, func() { e.out = hex.AppendEncode(e.out, id) })
}

func (e *Encoder) timestamp(b []byte, level int, mode Mode) {
	if mode == Plain {
		e.quoted(`"$timestamp":`, level, func() { e.out = strconv.AppendUint(e.out, uint64At(b), 10) })
		return
	}
	e.out = append(e.out, '{')
	e.member(`"$timestamp":`, level+1, true)
	e.out = append(e.out, '{')
	e.member(`"t":`, level+2, true)
	e.digits(int64(uint32At(b[4:])))
	e.member(`"i":`, level+2, false)
	e.digits(int64(uint32At(b)))
	e.closing(level+1, '}')
	e.closing(level, '}')
}

func (e *Encoder) extreme(name string, level int, mode Mode) {
	if mode == Plain {
		e.out = append(e.out, "{}"...)
		return
	}
	e.wrapped(name, "1", level)
}

func (e *Encoder) symbol(p int, text []byte, level int, mode Mode) *problem {
	if e.PromoteValues || mode == Plain {
		if !e.text(text) {
			return invalid(p)
		}
		return nil
	}
	e.out = append(e.out, '{')
	e.member(`"$symbol":`, level+1, true)
	if !e.text(text) {
		return invalid(p)
	}
	e.closing(level, '}')
	return nil
}

// code begins an object with its code.
func (e *Encoder) code(p int, text []byte, level int, mode Mode) *problem {
	e.out = append(e.out, '{')
	if mode == Plain {
		e.member(`"code":`, level+1, true)
	} else {
		e.member(`"$code":`, level+1, true)
	}
	if !e.text(text) {
		return invalid(p)
	}
	return nil
}

func (e *Encoder) scoped(p, end int, name *key, level int, mode Mode) *problem {
	text := p + 8
	scope := text + bsonscan.Length(e.b, p+4)
	if bad := e.code(p, e.b[text:scope-1], level, mode); bad != nil {
		return bad
	}
	if mode == Plain {
		e.member(`"scope":`, level+1, false)
	} else {
		e.member(`"$scope":`, level+1, false)
	}
	// An object without further fields, which closes after the scope has.
	base := len(e.fields)
	e.stack = append(e.stack, frame{next: base, end: base, base: base, level: level, drop: -1, mode: mode})
	return e.open(scope, end, name, level+1, mode, e.ScopeReferences)
}

// pointer writes a DBPointer, which js-bson makes a DBRef.
func (e *Encoder) pointer(p, end, level int, mode Mode) *problem {
	text := e.b[p+4 : end-13]
	id := e.b[end-12 : end]
	var db []byte
	dot, split := namespace(text)
	if split {
		db, text = text[:dot], text[dot+1:]
	}
	e.out = append(e.out, '{')
	e.member(`"$ref":`, level+1, true)
	if !e.text(text) {
		return invalid(p)
	}
	e.member(`"$id":`, level+1, false)
	e.objectID(id, level+1, mode)
	if split && (mode == Plain || len(db) > 0) {
		e.member(`"$db":`, level+1, false)
		if !e.text(db) {
			return invalid(p)
		}
	}
	e.closing(level, '}')
	return nil
}
