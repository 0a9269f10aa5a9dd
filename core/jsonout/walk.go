package jsonout

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"

	"rumongo-go/core/bsonscan"
)

func uint32At(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func uint64At(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// document writes the document in b[start:end].
func (e *Encoder) document(start, end, level int) *problem {
	e.stack, e.fields = e.stack[:0], e.fields[:0]
	if bad := e.open(start, end, &e.keys.root, level, e.Mode, true); bad != nil {
		return bad
	}
	for len(e.stack) > 0 {
		f := &e.stack[len(e.stack)-1]
		var bad *problem
		switch {
		case f.array:
			bad = e.elements(f)
		default:
			bad = e.members(f)
		}
		if bad != nil {
			return bad
		}
		if len(e.out) > e.limit {
			return &problem{reason: "as JSON the document is longer than 512 MB", length: true}
		}
	}
	return nil
}

// members writes fields of the object on top of the stack up to the next one that puts something on top of it, or closes
// the object.
func (e *Encoder) members(f *frame) *problem {
	if f.drop >= 0 {
		e.out = e.out[:f.drop]
		f.drop = -1
	}
	depth := len(e.stack)
	for f.next < f.end {
		r := &e.fields[f.next]
		f.next++
		if r.fate >= checked {
			mode := f.mode
			if r.fate == checked {
				mode = Plain
			}
			f.drop = len(e.out)
			if bad := e.value(r.typ, int(r.at), int(r.end), r.key, f.level+1, mode); bad != nil {
				return bad
			}
			if len(e.stack) > depth {
				return nil
			}
			e.out = e.out[:f.drop]
			f.drop = -1
			continue
		}
		if r.typ == bsonscan.Undefined && f.mode == Plain {
			continue
		}
		if !f.empty {
			e.out = append(e.out, ',')
		}
		f.empty = false
		if e.Pretty {
			e.newline(f.level + 1)
		}
		e.out = append(e.out, r.key.text...)
		if r.fate == part {
			if !e.text(e.b[r.at:r.end]) {
				return invalid(int(r.at))
			}
			continue
		}
		if bad := e.value(r.typ, int(r.at), int(r.end), r.key, f.level+1, f.mode); bad != nil {
			return bad
		}
		if len(e.stack) > depth {
			return nil
		}
	}
	e.fields = e.fields[:f.base]
	e.close(f, '}')
	return nil
}

// elements does the same for an array.
func (e *Encoder) elements(f *frame) *problem {
	depth := len(e.stack)
	for f.next < f.end {
		typ := e.b[f.next]
		value, ok := bsonscan.Key(e.b, f.next+1, f.end)
		if !ok {
			return &problem{}
		}
		next, ok := bsonscan.Value(typ, e.b, value, f.end)
		if !ok {
			return &problem{}
		}
		f.next = next
		if !f.empty {
			e.out = append(e.out, ',')
		}
		f.empty = false
		if e.Pretty {
			e.newline(f.level + 1)
		}
		if bad := e.value(typ, value, next, f.elements, f.level+1, f.mode); bad != nil {
			return bad
		}
		if len(e.stack) > depth {
			return nil
		}
	}
	e.close(f, ']')
	return nil
}

// close writes the bracket that ends the top of the stack and takes it off.
func (e *Encoder) close(f *frame, bracket byte) {
	if f.empty {
		e.out = append(e.out, bracket)
	} else {
		e.closing(f.level, bracket)
	}
	e.stack = e.stack[:len(e.stack)-1]
}

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
		e.quoted(`"$numberDecimal":`, level, func() { e.out = appendDecimal(e.out, b[p:p+16]) })
	case bsonscan.MinKey:
		e.extreme(`"$minKey":`, level, mode)
	case bsonscan.MaxKey:
		e.extreme(`"$maxKey":`, level, mode)
	case bsonscan.JavaScript:
		return e.code(p, b[p+4:end-1], level, mode, func() { e.closing(level, '}') })
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

// code writes an object with its code, and leaves the rest to then.
func (e *Encoder) code(p int, text []byte, level int, mode Mode, then func()) *problem {
	e.out = append(e.out, '{')
	if mode == Plain {
		e.member(`"code":`, level+1, true)
	} else {
		e.member(`"$code":`, level+1, true)
	}
	if !e.text(text) {
		return invalid(p)
	}
	then()
	return nil
}

func (e *Encoder) scoped(p, end int, name *key, level int, mode Mode) *problem {
	text := p + 8
	scope := text + bsonscan.Length(e.b, p+4)
	return e.code(p, e.b[text:scope-1], level, mode, func() {}).or(func() *problem {
		if mode == Plain {
			e.member(`"scope":`, level+1, false)
		} else {
			e.member(`"$scope":`, level+1, false)
		}
		// An object without further fields, which closes after the scope has.
		base := len(e.fields)
		e.stack = append(e.stack, frame{next: base, end: base, base: base, level: level, drop: -1, mode: mode})
		return e.open(scope, end, name, level+1, mode, e.ScopeReferences)
	})
}

func (p *problem) or(next func() *problem) *problem {
	if p != nil {
		return p
	}
	return next()
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

const (
	subtypeOld    = 2 // repeats its length
	subtypeUUID   = 4
	subtypeVector = 9
)

func (e *Encoder) binary(p, end, level int, mode Mode) *problem {
	subtype := e.b[p+4]
	data := e.b[p+5 : end]
	if subtype == subtypeOld {
		if len(data) < 4 || bsonscan.Length(data, 0) != len(data)-4 {
			return &problem{offset: p, reason: "the inner length of a binary of subtype 2 does not fit", value: true}
		}
		data = data[4:]
	}
	switch {
	case e.PromoteBuffers && e.PromoteValues:
		e.buffer(data, level, mode)
	case mode != Plain:
		if subtype == subtypeVector && !validVector(data) {
			return &problem{offset: p, reason: "a binary is no valid vector", value: true}
		}
		e.out = append(e.out, '{')
		e.member(`"$binary":`, level+1, true)
		e.out = append(e.out, '{')
		e.member(`"base64":`, level+2, true)
		e.base64(data)
		e.member(`"subType":`, level+2, false)
		e.out = append(e.out, '"')
		e.out = hex.AppendEncode(e.out, []byte{subtype})
		e.out = append(e.out, '"')
		e.closing(level+1, '}')
		e.closing(level, '}')
	case subtype == subtypeUUID && len(data) == 16:
		e.out = append(e.out, '"')
		e.out = hex.AppendEncode(e.out, data[:4])
		for _, part := range [][]byte{data[4:6], data[6:8], data[8:10], data[10:]} {
			e.out = append(e.out, '-')
			e.out = hex.AppendEncode(e.out, part)
		}
		e.out = append(e.out, '"')
	default:
		e.base64(data)
	}
	return nil
}

func (e *Encoder) base64(data []byte) {
	e.out = append(e.out, '"')
	e.out = base64.StdEncoding.AppendEncode(e.out, data)
	e.out = append(e.out, '"')
}

// buffer writes a Buffer: it has a toJSON of its own, and to EJSON it is an object with a number under each index.
func (e *Encoder) buffer(data []byte, level int, mode Mode) {
	if mode != Plain {
		e.out = append(e.out, '{')
		for i, c := range data {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			if e.Pretty {
				e.newline(level + 1)
			}
			e.out = append(strconv.AppendInt(append(e.out, '"'), int64(i), 10), '"', ':')
			if e.Pretty {
				e.out = append(e.out, ' ')
			}
			e.number(float64(c), level+1, mode)
		}
		e.end(len(data), level, '}')
		return
	}
	e.out = append(e.out, '{')
	e.member(`"type":`, level+1, true)
	e.out = append(e.out, `"Buffer"`...)
	e.member(`"data":`, level+1, false)
	e.out = append(e.out, '[')
	for i, c := range data {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		if e.Pretty {
			e.newline(level + 2)
		}
		e.digits(int64(c))
	}
	e.end(len(data), level+1, ']')
	e.closing(level, '}')
}

// end closes a list of n.
func (e *Encoder) end(n, level int, bracket byte) {
	if n == 0 {
		e.out = append(e.out, bracket)
		return
	}
	e.closing(level, bracket)
}

// validVector is validateBinaryVector of js-bson.
func validVector(data []byte) bool {
	const int8s, floats, packed = 0x03, 0x27, 0x10
	if len(data) == 0 {
		return true
	}
	kind, padding, known := data[0], byte(0), len(data) > 1
	if known {
		padding = data[1]
	}
	switch kind {
	case int8s, floats:
		return known && padding == 0 && (kind == int8s || (len(data)-2)%4 == 0)
	case packed:
		return !(known && padding != 0 && len(data) == 2) && padding <= 7
	}
	return true
}
