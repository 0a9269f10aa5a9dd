package columns

import (
	"strings"
	"unicode/utf8"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/fault"
)

// Schemas are inferred from the first documents of the first batch that has any.
const (
	inferFrom  = 100
	inferMost  = 1000 // columns: there are keys that are data
	inferDepth = 20   // levels; what is deeper is left out
)

// A field is what the documents have at a place.
type field struct {
	name   string
	fields []*field
	byName map[string]*field
	nested bool
	known  bool // typ is of the first value that is not null
	fits   bool // there is a column for values of typ
	typ    Type
}

var columnTypes = map[byte]Type{
	bsonscan.Double: Float64, bsonscan.String: UTF8, bsonscan.Symbol: UTF8, bsonscan.Binary: Binary,
	bsonscan.ObjectID: ObjectID, bsonscan.Boolean: Bool, bsonscan.DateTime: Date, bsonscan.Int32: Int32,
	bsonscan.Int64: Int64, bsonscan.Decimal128: Decimal128,
}

// Inspect makes the columns of a schema that infers them: elems is the first batch.
//
// A column has the type of its first value that is not null; numbers have the one that holds all of these documents'. Nested
// documents are columns by their dotted paths. Omitted are what has no type of column (arrays among them), has nothing but
// nulls, is nested too deep, or whose name cannot be part of a path.
func (s *Schema) Inspect(elems []byte) error {
	root := &field{byName: map[string]*field{}, nested: true}
	for at, n := 0, 0; at < len(elems) && n < inferFrom; n++ {
		start, ok := bsonscan.Key(elems, at+1, len(elems))
		if !ok {
			break
		}
		size, bad := bsonscan.Validate(elems[start:])
		if bad != nil {
			break // the encoder says what is wrong
		}
		root.meet(elems, start, start+size, 1)
		at = start + size
	}
	s.Columns, s.Omitted = nil, nil
	root.flatten(s, "")
	if len(s.Columns) > inferMost {
		return fault.New(fault.InvalidArgument, "The documents have more than %d fields; name those you want in the option \"columns\"", inferMost)
	}
	return nil
}

// meet takes the fields of a valid document. The depth of its recursion is bounded.
func (f *field) meet(b []byte, start, end, depth int) {
	for at := start + 4; at < end-1; {
		value, _ := bsonscan.Key(b, at+1, end-1)
		next, ok := bsonscan.Value(b[at], b, value, end-1)
		if !ok || len(f.fields) > inferMost {
			return
		}
		f.field(string(b[at+1:value-1])).see(b[at], b, value, next, depth)
		at = next
	}
}

func (f *field) field(name string) *field {
	found := f.byName[name]
	if found == nil {
		found = &field{name: name, byName: map[string]*field{}}
		f.byName[name] = found
		f.fields = append(f.fields, found)
	}
	return found
}

func (f *field) see(typ byte, b []byte, at, next, depth int) {
	if typ == bsonscan.Null || typ == bsonscan.Undefined {
		return
	}
	if !f.known {
		f.known = true
		f.nested = typ == bsonscan.Document && depth < inferDepth
		f.typ, f.fits = columnTypes[typ]
	}
	switch {
	case f.nested && typ == bsonscan.Document:
		f.meet(b, at, next, depth+1)
	case f.fits && !f.nested:
		f.typ = widened(f.typ, typ)
	}
}

// widened is the type that holds numbers of both.
func widened(t Type, met byte) Type {
	switch {
	case t == Int32 && met == bsonscan.Int64:
		return Int64
	case (t == Int32 || t == Int64) && met == bsonscan.Double:
		return Float64
	}
	return t
}

func (f *field) flatten(s *Schema, prefix string) {
	for _, c := range f.fields {
		path := prefix + c.name
		switch {
		case c.name == "" || strings.Contains(c.name, ".") || !utf8.ValidString(c.name) || !c.nested && !c.fits:
			s.Omitted = append(s.Omitted, strings.ToValidUTF8(path, "\uFFFD"))
		case c.nested:
			c.flatten(s, path+".")
		default:
			s.Columns = append(s.Columns, Column{path, c.typ})
		}
	}
}
