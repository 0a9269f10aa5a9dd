package jsonout

import (
	"math"
	"slices"

	"rumongo-go/core/bsonscan"
)

// A field of an object, as it is going to be written.
type field struct {
	key     *key
	at, end uint32 // of the value
	typ     byte
	fate    fate
}

// fate is what becomes of a field.
type fate uint8

const (
	written   fate = iota
	part           // its value is the text from at to end, without a length
	checked        // not in the result, but js-bson refuses the document if it is bad
	converted      // the same, and so does EJSON
)

// A frame is an object or array that is being written.
type frame struct {
	next, end int  // of an object in Encoder.fields, of an array in Encoder.b
	base      int  // where the object's fields begin
	level     int  // of indentation, of the bracket that closes it
	drop      int  // where in out the text of a checked field begins, or -1
	mode      Mode // of what is in it
	array     bool
	empty     bool // nothing is written yet
	elements  *key // of an array: what it is called, for the keys of documents in it
}

// open puts the object in b[p:end] on the stack: parent is what it is called. An object that has the fields of a reference
// becomes one if references are possible here.
func (e *Encoder) open(p, end int, parent *key, level int, mode Mode, references bool) *problem {
	base := len(e.fields)
	e.keys.object++
	object := e.keys.object
	b := e.b
	stop := end - 1
	guess, link := parent.child, &parent.child
	indexes, dollars, others := false, false, false
	for at := p + 4; at < stop; {
		var k *key
		var value int
		typ := b[at]
		if guess != nil && len(b)-at > len(guess.raw) && string(b[at+1:at+1+len(guess.raw)]) == guess.raw {
			k = guess
			value = at + 1 + len(k.raw)
		} else {
			var ok bool
			if value, ok = bsonscan.Key(b, at+1, stop); !ok {
				return &problem{}
			}
			k = e.keys.find(b[at+1 : value])
			*link = k
		}
		guess, link = k.next, &k.next
		next, ok := bsonscan.Value(typ, b, value, stop)
		if !ok {
			return &problem{}
		}
		at = next
		k = k.same
		f := field{key: k, at: uint32(value), end: uint32(next), typ: typ}
		if k.seen == object {
			// The last value at the first place.
			old := &e.fields[k.at]
			gone := *old
			*old = f
			gone.fate = checked
			e.fields = append(e.fields, gone)
			continue
		}
		k.seen, k.at = object, len(e.fields)
		e.fields = append(e.fields, f)
		switch k.class {
		case ordinary, proto, bsonType:
		case index:
			indexes = true
		case dollar:
			others = true
		default:
			dollars = true
		}
	}
	if mode != Plain && e.keys.bsonType.seen == object {
		if f := e.fields[e.keys.bsonType.at]; f.typ != bsonscan.Undefined {
			return &problem{offset: int(f.at), reason: "EJSON takes a document with a field _bsontype for a BSON value", value: true}
		}
	}
	if dollars && !others && references && e.isReference(object) {
		mode = e.reference(base, object, mode)
	}
	if indexes {
		e.indexesFirst(base)
	}
	e.out = append(e.out, '{')
	e.stack = append(e.stack, frame{next: base, end: len(e.fields), base: base, level: level, drop: -1, mode: mode, empty: true})
	return nil
}

// indexesFirst puts the array indices in order before all else.
func (e *Encoder) indexesFirst(base int) {
	slices.SortStableFunc(e.fields[base:], func(a, b field) int {
		switch {
		case a.key.class != index && b.key.class != index:
			return 0
		case a.key.class != index:
			return 1
		case b.key.class != index:
			return -1
		case a.key.index < b.key.index:
			return -1
		case a.key.index > b.key.index:
			return 1
		}
		return 0
	})
}

func (e *Encoder) isText(typ byte) bool {
	return typ == bsonscan.String || typ == bsonscan.Symbol && e.PromoteValues
}

// isReference is isDBRefLike of js-bson, for the object whose keys have just been read and have no other dollar signs.
func (e *Encoder) isReference(object uint64) bool {
	k := &e.keys
	if k.ref.seen != object || k.id.seen != object {
		return false
	}
	id := e.fields[k.id.at].typ
	return e.isText(e.fields[k.ref.at].typ) && id != bsonscan.Null && id != bsonscan.Undefined &&
		(k.db.seen != object || e.isText(e.fields[k.db.at].typ))
}

// reference makes the fields of an object those of a DBRef, and returns the mode for its values.
func (e *Encoder) reference(base int, object uint64, mode Mode) Mode {
	k := &e.keys
	ref, id := e.fields[k.ref.at], e.fields[k.id.at]
	// What is written is the text, which is in place behind its length.
	ref.fate, ref.at, ref.end = part, ref.at+4, ref.end-1
	db, hasDB := field{}, k.db.seen == object
	given := db
	if hasDB {
		given = e.fields[k.db.at]
		db = given
		db.fate, db.at, db.end = part, db.at+4, db.end-1
	}
	if dot, ok := namespace(e.b[ref.at:ref.end]); ok {
		db = ref
		db.key = k.db
		db.end, ref.at = ref.at+uint32(dot), ref.at+uint32(dot)+1
		if hasDB {
			given.fate = checked
		}
		hasDB = true
	}
	if mode != Plain && db.at == db.end {
		hasDB = false // EJSON leaves out an empty one
	}

	out := append(e.spare[:0], ref, id)
	if hasDB && mode != Plain {
		out = append(out, db)
	}
	for _, f := range e.fields[base:] {
		switch f.key.class {
		case refKey, idKey, dbKey:
			if f.fate != checked {
				continue
			}
		case proto:
			if f.fate == written {
				f.fate = converted // Object.assign does not copy it as a field
			}
		}
		out = append(out, f)
	}
	if hasDB && mode == Plain {
		out = append(out, db)
	}
	if given.fate == checked {
		out = append(out, given)
	}
	e.spare = out
	e.fields = append(e.fields[:base], out...)
	if mode != Plain && e.falsy(id) {
		return Plain // then toExtendedJSON of a DBRef leaves its values to JSON.stringify
	}
	return mode
}

// namespace splits a name at its only dot.
func namespace(name []byte) (dot int, ok bool) {
	dot = slices.Index(name, '.')
	return dot, dot >= 0 && !slices.Contains(name[dot+1:], '.')
}

// falsy says whether a value is false for JavaScript.
func (e *Encoder) falsy(f field) bool {
	b := e.b[f.at:f.end]
	switch f.typ {
	case bsonscan.Boolean:
		return b[0] == 0
	case bsonscan.Int32:
		return e.PromoteValues && uint32At(b) == 0
	case bsonscan.Int64:
		return (e.UseBigInt64 || e.PromoteLongs && e.PromoteValues) && uint64At(b) == 0
	case bsonscan.Double:
		v := math.Float64frombits(uint64At(b))
		return e.PromoteValues && (v == 0 || math.IsNaN(v))
	}
	return e.isText(f.typ) && len(b) == 5
}
