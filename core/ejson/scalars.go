package ejson

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

func appendObjectID(dst []byte, v gjson.Result) ([]byte, error) {
	s, _ := text(v, "$oid")
	id, err := hex.DecodeString(s)
	if err != nil || len(id) != 12 {
		return nil, at(v.Index, "$oid must be 24 hexadecimal digits")
	}
	return append(dst, id...), nil
}

func appendUUID(dst []byte, v gjson.Result) ([]byte, error) {
	s, _ := text(v, "$uuid")
	if len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' {
		s = s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:]
	}
	id, err := hex.DecodeString(s)
	if err != nil || len(id) != 16 {
		return nil, at(v.Index, "$uuid must be 32 hexadecimal digits, with dashes or without")
	}
	return bsoncore.AppendBinary(dst, bson.TypeBinaryUUID, id), nil
}

// appendNumberInt and its siblings become plain numbers, as in relaxed parsing.
func appendNumberInt(dst []byte, fields []member) (bsoncore.Type, []byte, error) {
	v := fields[0].value
	f, ok := numberInt(v)
	if !ok {
		return 0, nil, at(v.Index, "$numberInt must be a whole number of 32 bits, as text")
	}
	t, dst := appendFloat(dst, f)
	return t, dst, nil
}

func appendNumberLong(dst []byte, fields []member) (bsoncore.Type, []byte, error) {
	v := fields[0].value
	n, ok := numberLong(v)
	if !ok {
		return 0, nil, at(v.Index, "$numberLong must be a whole number of 64 bits, as text")
	}
	if n > maxSafeInteger || n < -maxSafeInteger {
		return bsoncore.TypeInt64, bsoncore.AppendInt64(dst, n), nil
	}
	t, dst := appendFloat(dst, float64(n))
	return t, dst, nil
}

func appendNumberDouble(dst []byte, fields []member) (bsoncore.Type, []byte, error) {
	v := fields[0].value
	f, ok := numberDouble(v)
	if !ok {
		return 0, nil, at(v.Index, "$numberDouble must be a number, Infinity, -Infinity or NaN, as text")
	}
	t, dst := appendFloat(dst, f)
	return t, dst, nil
}

func numberInt(v gjson.Result) (float64, bool) {
	if v.Type == gjson.Number {
		// A number goes through its text in EJSON.parse, and the text of minus zero is 0.
		return v.Num + 0, v.Num == math.Trunc(v.Num) && v.Num >= math.MinInt32 && v.Num <= math.MaxInt32
	}
	s := v.Str
	n, err := strconv.ParseInt(s, 10, 32)
	if v.Type != gjson.String || err != nil {
		return 0, false
	}
	if n == 0 && s[0] == '-' {
		return math.Copysign(0, -1), true
	}
	return float64(n), true
}

func numberLong(v gjson.Result) (int64, bool) {
	s := v.Str
	n, err := strconv.ParseInt(s, 10, 64)
	if v.Type != gjson.String || err != nil {
		return 0, false
	}
	// No leading zeros and no minus zero, as js-bson has it.
	digits := strings.TrimLeft(s, "+-")
	return n, digits[0] != '0' || digits == s && len(s) == 1 || s == "+0"
}

// javascriptNaN is what JavaScript writes; Go's has another bit set.
const javascriptNaN = 0x7ff8 << 48

func numberDouble(v gjson.Result) (float64, bool) {
	if v.Type == gjson.Number {
		return v.Num + 0, true // no minus zero, see numberInt
	}
	if v.Type != gjson.String {
		return 0, false
	}
	switch v.Str {
	case "Infinity", "+Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	case "NaN":
		return math.Float64frombits(javascriptNaN), true
	}
	if !isDecimal(v.Str) {
		return 0, false
	}
	f, _ := strconv.ParseFloat(v.Str, 64)
	return f, true
}

// isDecimal: [+-] digits [. digits] [e [+-] digits], with a digit before the exponent.
func isDecimal(s string) bool {
	i, digits := 0, 0
	sign := func() {
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
	}
	count := func() (n int) {
		for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			n++
		}
		return n
	}
	sign()
	digits = count()
	if i < len(s) && s[i] == '.' {
		i++
		digits += count()
	}
	if digits == 0 {
		return false
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		sign()
		if count() == 0 {
			return false
		}
	}
	return i == len(s)
}

// longestDecimal is js-bson's bound; longer text could only be zeros.
const longestDecimal = 7000

func appendDecimal(dst []byte, v gjson.Result) ([]byte, error) {
	s, _ := text(v, "$numberDecimal")
	var d bson.Decimal128
	ok := false
	if len(s) < longestDecimal && (isDecimal(s) || isSpecialDecimal(s)) {
		var err error
		d, err = bson.ParseDecimal128(s)
		ok = err == nil
	}
	if !ok {
		return nil, at(v.Index, "$numberDecimal must be a number of at most 34 digits, Infinity or NaN, as text")
	}
	high, low := d.GetBytes()
	return bsoncore.AppendDecimal128(dst, high, low), nil
}

func isSpecialDecimal(s string) bool {
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "nan", "inf", "infinity":
		return true
	}
	return false
}

func appendBinary(dst []byte, v gjson.Result) ([]byte, error) {
	fields, err := exactly(v, "$binary", "base64", "subType")
	if err != nil {
		return nil, err
	}
	data, _ := lookup(fields, "base64")
	bytes, ok := decodeBase64(data)
	if !ok {
		return nil, at(v.Index, "$binary.base64 must be base64 text")
	}
	var subtype uint64
	if given, has := lookup(fields, "subType"); has {
		if subtype, err = strconv.ParseUint(given.Str, 16, 8); given.Type != gjson.String || err != nil || len(given.Str) > 2 {
			return nil, at(v.Index, "$binary.subType must be one or two hexadecimal digits, as text")
		}
	}
	switch byte(subtype) {
	case bson.TypeBinaryUUID:
		if len(bytes) != 16 {
			return nil, at(v.Index, "$binary of subtype 4, a UUID, must have 16 bytes")
		}
	case vectorSubtype:
		if problem := checkVector(bytes); problem != "" {
			return nil, at(v.Index, "$binary of subtype 9, a vector: %s", problem)
		}
	}
	return bsoncore.AppendBinary(dst, byte(subtype), bytes), nil
}

// decodeBase64 takes both alphabets, with padding and without, as Buffer.from does.
func decodeBase64(v gjson.Result) ([]byte, bool) {
	if v.Type != gjson.String {
		return nil, false
	}
	s := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(v.Str, "="))
	bytes, err := base64.RawStdEncoding.DecodeString(s)
	return bytes, err == nil
}

const (
	vectorSubtype = 9
	vectorInt8    = 0x03
	vectorFloat32 = 0x27
	vectorBits    = 0x10
)

// checkVector refuses what js-bson's serializer refuses.
func checkVector(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	padding := -1 // not there
	if len(b) > 1 {
		padding = int(b[1])
	}
	switch b[0] {
	case vectorInt8, vectorFloat32:
		if padding != 0 {
			return "the padding must be 0"
		}
		if b[0] == vectorFloat32 && (len(b)-2)%4 != 0 {
			return "floats have 4 bytes"
		}
	case vectorBits:
		if padding > 7 || padding > 0 && len(b) == 2 {
			return "the padding must be at most 7, and 0 when it is empty"
		}
	}
	return ""
}
