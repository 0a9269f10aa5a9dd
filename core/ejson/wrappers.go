package ejson

import (
	"sort"
	"strings"

	"github.com/tidwall/gjson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// wrapper appends the value that an object stands for.
type wrapper func(dst []byte, fields []member) (bsoncore.Type, []byte, error)

// single makes a wrapper of a type from what appends the value of its one field.
func single(t bsoncore.Type, appendIt func([]byte, gjson.Result) ([]byte, error)) wrapper {
	return func(dst []byte, fields []member) (bsoncore.Type, []byte, error) {
		dst, err := appendIt(dst, fields[0].value)
		return t, dst, err
	}
}

// wrappers by the field that makes an object one; filled in init, because some contain others.
var wrappers map[string]wrapper

func init() {
	wrappers = map[string]wrapper{
		"$oid":               single(bsoncore.TypeObjectID, appendObjectID),
		"$symbol":            single(bsoncore.TypeSymbol, appendSymbol),
		"$numberInt":         appendNumberInt,
		"$numberLong":        appendNumberLong,
		"$numberDouble":      appendNumberDouble,
		"$numberDecimal":     single(bsoncore.TypeDecimal128, appendDecimal),
		"$binary":            single(bsoncore.TypeBinary, appendBinary),
		"$uuid":              single(bsoncore.TypeBinary, appendUUID),
		"$date":              single(bsoncore.TypeDateTime, appendDate),
		"$timestamp":         single(bsoncore.TypeTimestamp, appendTimestamp),
		"$regularExpression": single(bsoncore.TypeRegex, appendRegularExpression),
		"$minKey":            single(bsoncore.TypeMinKey, one("$minKey")),
		"$maxKey":            single(bsoncore.TypeMaxKey, one("$maxKey")),
		"$undefined":         single(bsoncore.TypeNull, yes("$undefined")),
		"$code":              appendCode,
		"$dbPointer":         appendDBPointer,
	}
}

// one and yes are for wrappers whose name says it all.
func one(name string) func([]byte, gjson.Result) ([]byte, error) {
	return func(dst []byte, v gjson.Result) ([]byte, error) {
		if v.Type != gjson.Number || v.Num != 1 {
			return nil, at(v.Index, "%s must be 1", name)
		}
		return dst, nil
	}
}

func yes(name string) func([]byte, gjson.Result) ([]byte, error) {
	return func(dst []byte, v gjson.Result) ([]byte, error) {
		if v.Type != gjson.True {
			return nil, at(v.Index, "%s must be true", name)
		}
		return dst, nil
	}
}

// wrapperOf returns how to append what an object stands for, nil when that is itself. Fields beside a wrapper's are an
// error: EJSON.parse drops them, and a query would then ask for less than is written.
func wrapperOf(fields []member) (wrapper, error) {
	for i, f := range fields {
		w := wrappers[f.name]
		if w == nil || isNothing(f) {
			continue
		}
		for _, other := range fields {
			if other.name != f.name && !(f.name == "$code" && other.name == "$scope") {
				return nil, at(other.at, "%q beside %q", other.name, f.name)
			}
		}
		fields[0], fields[i] = fields[i], fields[0]
		return w, nil
	}
	if !isReference(fields) {
		return nil, nil
	}
	if ref, _ := lookup(fields, "$ref"); ref.Str == "" {
		return nil, at(ref.Index, "$ref must be the name of a collection")
	}
	return appendReference, nil
}

// isNothing is for the values with which EJSON.parse takes a field for no wrapper.
func isNothing(f member) bool {
	if f.name == "$undefined" {
		return f.value.Type == gjson.False || f.value.Type == gjson.Null ||
			f.value.Type == gjson.Number && f.value.Num == 0 || f.value.Type == gjson.String && f.value.Str == ""
	}
	return f.value.Type == gjson.Null
}

func lookup(fields []member, name string) (gjson.Result, bool) {
	for _, f := range fields {
		if f.name == name {
			return f.value, true
		}
	}
	return gjson.Result{}, false
}

// isReference: { $ref, $id } and perhaps $db, beside fields without a dollar.
func isReference(fields []member) bool {
	ref, _ := lookup(fields, "$ref")
	id, hasID := lookup(fields, "$id")
	db, hasDB := lookup(fields, "$db")
	if ref.Type != gjson.String || !ref.Exists() || !hasID || id.Type == gjson.Null || hasDB && db.Type != gjson.String {
		return false
	}
	for _, f := range fields {
		if strings.HasPrefix(f.name, "$") && f.name != "$ref" && f.name != "$id" && f.name != "$db" {
			return false
		}
	}
	return true
}

// appendReference writes a DBRef in the order in which js-bson does: $ref, $id, $db, other fields, and array indexes
// before all of them.
func appendReference(dst []byte, fields []member) (bsoncore.Type, []byte, error) {
	ref, _ := lookup(fields, "$ref")
	collection := unquote(ref.Raw)
	database, named := "", false
	if db, ok := lookup(fields, "$db"); ok {
		database, named = unquote(db.Raw), true
	}
	if parts := strings.Split(collection, "."); len(parts) == 2 {
		database, collection, named = parts[0], parts[1], true
	}
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	rest := make([]member, 0, len(fields))
	var err error
	for _, f := range fields {
		switch {
		case isIndex(f.name):
			if dst, err = appendElement(dst, f.name, f.value); err != nil {
				return 0, nil, err
			}
		case f.name != "$ref" && f.name != "$id" && f.name != "$db":
			rest = append(rest, f)
		}
	}
	dst = bsoncore.AppendStringElement(dst, "$ref", collection)
	id, _ := lookup(fields, "$id")
	if dst, err = appendElement(dst, "$id", id); err != nil {
		return 0, nil, err
	}
	if named {
		dst = bsoncore.AppendStringElement(dst, "$db", database)
	}
	for _, f := range rest {
		if dst, err = appendElement(dst, f.name, f.value); err != nil {
			return 0, nil, err
		}
	}
	return bsoncore.TypeEmbeddedDocument, endDocument(dst, start), nil
}

func appendDBPointer(dst []byte, fields []member) (bsoncore.Type, []byte, error) {
	v := fields[0].value
	inner, err := exactly(v, "$dbPointer", "$ref", "$id", "$db")
	if err != nil {
		return 0, nil, err
	}
	w, err := wrapperOf(inner)
	if err != nil {
		return 0, nil, err
	}
	if w == nil || !isReference(inner) {
		return 0, nil, at(v.Index, "$dbPointer must be { $ref: text, $id: ... }")
	}
	return w(dst, inner)
}

func appendCode(dst []byte, fields []member) (bsoncore.Type, []byte, error) {
	code, err := text(fields[0].value, "$code")
	if err != nil {
		return 0, nil, err
	}
	scope, ok := lookup(fields, "$scope")
	if !ok || scope.Type == gjson.Null {
		return bsoncore.TypeJavaScript, appendString(dst, code), nil
	}
	inner, err := object(scope, "$scope")
	if err != nil {
		return 0, nil, err
	}
	if w, err := wrapperOf(inner); err != nil || w != nil {
		return 0, nil, at(scope.Index, "$scope must be a document")
	}
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst = appendString(dst, code)
	if dst, err = appendFields(dst, inner); err != nil {
		return 0, nil, err
	}
	return bsoncore.TypeCodeWithScope, bsoncore.UpdateLength(dst, int32(start), int32(len(dst)-start)), nil
}

func appendSymbol(dst []byte, v gjson.Result) ([]byte, error) {
	s, err := text(v, "$symbol")
	return appendString(dst, s), err
}

func appendRegularExpression(dst []byte, v gjson.Result) ([]byte, error) {
	fields, err := exactly(v, "$regularExpression", "pattern", "options")
	if err != nil {
		return nil, err
	}
	p, _ := lookup(fields, "pattern")
	pattern, err := text(p, "$regularExpression.pattern")
	if err != nil {
		return nil, err
	}
	options := ""
	if o, ok := lookup(fields, "options"); ok {
		if options, err = text(o, "$regularExpression.options"); err != nil {
			return nil, err
		}
	}
	if strings.IndexByte(pattern, 0) >= 0 {
		return nil, at(p.Index, "$regularExpression.pattern may not contain a NUL")
	}
	if bad := strings.Trim(options, "imxlsu"); bad != "" {
		return nil, at(v.Index, "$regularExpression.options may be of i, l, m, s, u and x, not %q", options)
	}
	letters := []byte(options)
	sort.Slice(letters, func(i, j int) bool { return letters[i] < letters[j] })
	return bsoncore.AppendRegex(dst, pattern, string(letters)), nil
}

func appendTimestamp(dst []byte, v gjson.Result) ([]byte, error) {
	fields, err := exactly(v, "$timestamp", "t", "i")
	if err != nil {
		return nil, err
	}
	var parts [2]uint32
	for n, name := range []string{"t", "i"} {
		value, _ := lookup(fields, name)
		i := uint32(value.Num)
		if value.Type != gjson.Number || float64(i) != value.Num {
			return nil, at(v.Index, "$timestamp.%s must be a whole number from 0 to 4294967295", name)
		}
		parts[n] = i
	}
	return bsoncore.AppendTimestamp(dst, parts[0], parts[1]), nil
}

// text returns the string a wrapper needs.
func text(v gjson.Result, name string) (string, error) {
	if v.Type != gjson.String {
		return "", at(v.Index, "%s must be text", name)
	}
	return unquote(v.Raw), nil
}

// object returns the fields of the object a wrapper needs.
func object(v gjson.Result, name string) ([]member, error) {
	if v.Type != gjson.JSON || v.Raw[0] != '{' {
		return nil, at(v.Index, "%s must be an object", name)
	}
	return members(v)
}

// exactly is object, with no fields but these.
func exactly(v gjson.Result, name string, names ...string) ([]member, error) {
	fields, err := object(v, name)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		known := false
		for _, n := range names {
			known = known || f.name == n
		}
		if !known {
			return nil, at(f.at, "%s has no field %q", name, f.name)
		}
	}
	return fields, nil
}
