package jsonout

import (
	"strings"
	"unicode/utf8"

	"rumongo-go/core/bsontext"
)

// class is what is special about a key.
type class uint8

const (
	ordinary class = iota
	index          // an array index: JavaScript puts it before other keys, by number
	proto          // __proto__: Object.assign takes it for the prototype
	bsonType       // _bsontype: EJSON takes it for a class
	refKey         // $ref
	idKey          // $id
	dbKey          // $db
	dollar         // another key that begins with $
)

// A key is a field name with all that is known about it.
type key struct {
	raw   string // as in BSON, with its NUL
	text  string // as in JSON: quoted, with its colon, and a space if pretty
	same  *key   // of the same name in JavaScript; itself, unless raw is not UTF-8
	next  *key   // what came after it last time
	child *key   // what came first in an object under it last time
	seen  uint64 // the object that had it last
	at    int    // where in Encoder.fields, in that object
	class class
	index uint32
}

// keys knows the names that came up. Documents of a collection repeat them in the same order, so mostly the next key is
// the one that came next before, and one comparison finds it.
type keys struct {
	byName map[string]*key // by raw
	bytes  int
	object uint64 // number of the object being read
	root   key    // its child is the first key of a document
	pretty bool

	ref, id, db, proto, bsonType *key
}

// maxKeyBytes is how much memory names may take between two documents.
const maxKeyBytes = 1 << 20

func (k *keys) reset() {
	*k = keys{byName: map[string]*key{}, object: k.object, pretty: k.pretty}
	k.ref, k.id, k.db = k.find([]byte("$ref\x00")), k.find([]byte("$id\x00")), k.find([]byte("$db\x00"))
	k.proto, k.bsonType = k.find([]byte("__proto__\x00")), k.find([]byte("_bsontype\x00"))
}

// trim forgets all names when there are too many. Between documents only: fields refer to keys.
func (k *keys) trim() {
	if k.bytes > maxKeyBytes {
		k.reset()
	}
}

// find returns the key with this name.
func (k *keys) find(raw []byte) *key {
	if found := k.byName[string(raw)]; found != nil {
		return found
	}
	name := raw[:len(raw)-1]
	found := &key{raw: string(raw)}
	found.same = found
	k.byName[found.raw] = found
	const overhead = 200 // of the struct and its entry in the map
	k.bytes += overhead + len(raw)
	if !utf8.Valid(name) {
		// Names are never refused, and different ones may become the same.
		found.same = k.find(append(bsontext.AppendReplaced(nil, name), 0))
		return found
	}
	text := append(appendString(nil, name), ':')
	if k.pretty {
		text = append(text, ' ')
	}
	found.text = string(text)
	k.bytes += len(text)
	found.class, found.index = classify(string(name))
	return found
}

func classify(name string) (class, uint32) {
	switch name {
	case "__proto__":
		return proto, 0
	case "_bsontype":
		return bsonType, 0
	case "$ref":
		return refKey, 0
	case "$id":
		return idKey, 0
	case "$db":
		return dbKey, 0
	}
	if strings.HasPrefix(name, "$") {
		return dollar, 0
	}
	if n, ok := arrayIndex(name); ok {
		return index, n
	}
	return ordinary, 0
}

// arrayIndex reads a number from 0 to 2^32-2 in its one usual form.
func arrayIndex(name string) (n uint32, ok bool) {
	if len(name) == 0 || len(name) > 10 || (name[0] == '0' && len(name) > 1) {
		return 0, false
	}
	var value uint64
	for _, c := range []byte(name) {
		if c < '0' || c > '9' {
			return 0, false
		}
		value = value*10 + uint64(c-'0')
	}
	return uint32(value), value < 1<<32-1
}
