package ejson

import (
	"encoding/binary"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// appendElement appends type, name and value. Its recursion is bounded by MaxDepth.
func appendElement(dst []byte, name string, v gjson.Result) ([]byte, error) {
	typeAt := len(dst)
	dst = append(dst, 0)
	dst = append(dst, name...)
	dst = append(dst, 0)
	t, dst, err := appendValue(dst, v)
	if err != nil {
		return nil, err
	}
	if len(dst) > maxOutput {
		return nil, at(v.Index, "more than %d bytes of BSON", maxOutput)
	}
	dst[typeAt] = byte(t)
	return dst, nil
}

// appendValue appends a value and returns its type.
func appendValue(dst []byte, v gjson.Result) (bsoncore.Type, []byte, error) {
	switch v.Type {
	case gjson.String:
		return bsoncore.TypeString, appendString(dst, unquote(v.Raw)), nil
	case gjson.Number:
		t, dst := appendNumber(dst, v.Raw)
		return t, dst, nil
	case gjson.True, gjson.False:
		return bsoncore.TypeBoolean, bsoncore.AppendBoolean(dst, v.Type == gjson.True), nil
	case gjson.JSON:
		if v.Raw[0] == '[' {
			dst, err := appendArray(dst, v)
			return bsoncore.TypeArray, dst, err
		}
		return appendObject(dst, v)
	}
	return bsoncore.TypeNull, dst, nil
}

func appendArray(dst []byte, v gjson.Result) ([]byte, error) {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	var err error
	i := 0
	v.ForEach(func(_, item gjson.Result) bool {
		dst, err = appendElement(dst, strconv.Itoa(i), item)
		i++
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	return endDocument(dst, start), nil
}

// member is a field of an object.
type member struct {
	name  string
	value gjson.Result
	at    int // of the name in the text
}

func appendObject(dst []byte, v gjson.Result) (bsoncore.Type, []byte, error) {
	fields, err := members(v)
	if err != nil {
		return 0, nil, err
	}
	if w, err := wrapperOf(fields); err != nil {
		return 0, nil, err
	} else if w != nil {
		return w(dst, fields)
	}
	dst, err = appendFields(dst, fields)
	return bsoncore.TypeEmbeddedDocument, dst, err
}

// appendFields appends them as a document.
func appendFields(dst []byte, fields []member) ([]byte, error) {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	var err error
	for _, f := range fields {
		if dst, err = appendElement(dst, f.name, f.value); err != nil {
			return nil, err
		}
	}
	return endDocument(dst, start), nil
}

// members returns the fields as a JavaScript object has them: of a name that occurs twice the last value in the first
// place, and names that are array indexes first, in their order.
func members(v gjson.Result) (fields []member, err error) {
	var seen map[string]int
	indexes := 0
	v.ForEach(func(key, value gjson.Result) bool {
		m := member{name: unquote(key.Raw), value: value, at: key.Index}
		if strings.IndexByte(m.name, 0) >= 0 {
			err = at(m.at, "a field name may not contain a NUL")
			return false
		}
		if i := find(fields, seen, m.name); i >= 0 {
			fields[i].value = value
			return true
		}
		if isIndex(m.name) {
			indexes++
		}
		if seen != nil {
			seen[m.name] = len(fields)
		}
		fields = append(fields, m)
		if len(fields) == scanUpTo {
			seen = make(map[string]int, 2*scanUpTo)
			for i, f := range fields {
				seen[f.name] = i
			}
		}
		return true
	})
	if indexes > 0 {
		sort.SliceStable(fields, func(i, j int) bool { return before(fields[i].name, fields[j].name) })
	}
	return fields, err
}

// scanUpTo is the number of fields from which on a map finds a name faster than looking at each.
const scanUpTo = 12

func find(fields []member, seen map[string]int, name string) int {
	if seen != nil {
		if i, ok := seen[name]; ok {
			return i
		}
		return -1
	}
	for i := range fields {
		if fields[i].name == name {
			return i
		}
	}
	return -1
}

func before(a, b string) bool {
	if !isIndex(a) {
		return false
	}
	if !isIndex(b) {
		return true
	}
	return len(a) < len(b) || len(a) == len(b) && a < b
}

// isIndex says whether JavaScript takes a name for an array index: 0 to 2^32 - 2, written without leading zeros.
func isIndex(name string) bool {
	if len(name) == 0 || len(name) > 10 || name[0] == '0' && len(name) > 1 {
		return false
	}
	for i := 0; i < len(name); i++ {
		if name[i] < '0' || name[i] > '9' {
			return false
		}
	}
	n, _ := strconv.ParseUint(name, 10, 64)
	return n < math.MaxUint32
}

const maxSafeInteger = 1<<53 - 1

// appendNumber appends a JSON number: as js-bson a JavaScript number, but integers that such a number cannot tell apart
// as int64, as far as they fit.
func appendNumber(dst []byte, text string) (bsoncore.Type, []byte) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && (n > maxSafeInteger || n < -maxSafeInteger) {
		return bsoncore.TypeInt64, bsoncore.AppendInt64(dst, n)
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range is an infinity, as in JavaScript
	return appendFloat(dst, f)
}

// appendFloat appends a JavaScript number.
func appendFloat(dst []byte, f float64) (bsoncore.Type, []byte) {
	if i := int32(f); float64(i) == f && !(i == 0 && math.Signbit(f)) {
		return bsoncore.TypeInt32, bsoncore.AppendInt32(dst, i)
	}
	return bsoncore.TypeDouble, bsoncore.AppendDouble(dst, f)
}

func appendString(dst []byte, s string) []byte { return bsoncore.AppendString(dst, s) }

// endDocument terminates the document or array whose length is at start.
func endDocument(dst []byte, start int) []byte {
	dst = append(dst, 0)
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start))
	return dst
}
