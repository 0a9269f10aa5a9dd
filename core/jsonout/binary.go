package jsonout

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"

	"rumongo-go/core/bsonscan"
)

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
