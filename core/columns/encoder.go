package columns

import (
	"rumongo-go/core/bsonscan"
	"rumongo-go/core/fault"
)

// An Encoder makes the columns of one piece at a time. It is not safe for concurrent use; pool it, by schema.
type Encoder struct {
	schema  *Schema
	root    *node // nil until the schema is known
	columns []column
	slots   []slot
	b       []byte // what is being read: the caller's, borrowed during Encode
	rows    int
	doc     uint32 // number of the document at hand; never 0
	plan    placed
}

// slot is where the value of a column is in the document at hand.
type slot struct {
	doc  uint32 // whose it is
	typ  byte
	at   int
	next int
}

// NewEncoder returns an encoder ready for Encode.
func NewEncoder(schema *Schema) *Encoder { return &Encoder{schema: schema} }

// problem is why a document cannot be taken.
type problem struct {
	offset int
	reason string
	kind   fault.Kind // BSON: a bad value
}

// Encode reads elems, consecutive elements of a BSON array body (type byte, key, NUL, document; repeated). It returns
// how many documents it took and the size of the chunk. On malformed BSON, or a value that a strict schema refuses, err
// is a *fault.Fault, and the documents before the bad one are in the chunk.
func (e *Encoder) Encode(elems []byte) (count, size int, err error) {
	if e.root == nil {
		e.prepare()
	}
	e.reset()
	e.b = elems
	defer func() { e.b = nil }()
	for at := 0; at < len(elems) && err == nil; {
		var start, end int
		if start, end, err = e.document(at); err == nil {
			err = e.row(start, end)
			at = end
		}
	}
	e.plan = e.layout()
	return e.rows, e.plan.size, err
}

func (e *Encoder) prepare() {
	e.root = e.schema.tree()
	e.columns = make([]column, len(e.schema.Columns))
	e.slots = make([]slot, len(e.schema.Columns))
	for i, c := range e.schema.Columns {
		e.columns[i].typ = c.Type
	}
}

func (e *Encoder) reset() {
	e.rows = 0
	for i := range e.columns {
		e.columns[i].reset()
	}
}

// document returns where the document of the array element at begins and ends.
func (e *Encoder) document(at int) (start, end int, err error) {
	b := e.b
	if b[at] != bsonscan.Document {
		return 0, 0, fault.Malformed(at, "an element of the batch is not a document but of type 0x%02x", b[at])
	}
	start, ok := bsonscan.Key(b, at+1, len(b))
	if !ok {
		return 0, 0, fault.Malformed(at+1, "the key of an element of the batch has no end")
	}
	if end, ok = bsonscan.ContainerEnd(b, start, len(b)); !ok {
		return 0, 0, e.invalid(start)
	}
	return start, end, nil
}

// invalid says what is wrong with the document at start, which was found not to be valid.
func (e *Encoder) invalid(start int) error {
	_, err := bsonscan.Validate(e.b[start:])
	if err == nil {
		return fault.Malformed(start, "the document does not end where its length says")
	}
	return fault.Malformed(start+err.Offset, "%s", err.Reason)
}

// row takes one document.
func (e *Encoder) row(start, end int) error {
	if e.doc++; e.doc == 0 { // it has gone round: what is in the slots may look new
		clear(e.slots)
		e.root.forget()
		e.doc = 1
	}
	if !e.walk(e.root, start, end) {
		return e.invalid(start)
	}
	for i := range e.columns {
		bad := e.put(i)
		if bad == nil {
			continue
		}
		for j := range i {
			e.columns[j].undo(e.rows)
		}
		if bad.kind == fault.Mismatch {
			return e.mismatch(i)
		}
		f := fault.New(fault.BSON, "bad value: %s", bad.reason)
		f.Offset = int64(bad.offset)
		return f
	}
	e.rows++
	return nil
}

// mismatch says what is in the way of a strict schema.
func (e *Encoder) mismatch(i int) error {
	c, found := e.schema.Columns[i], bsonNames[e.slots[i].typ]
	f := fault.New(fault.Mismatch, "column %q of type %s cannot hold this value of type %s", c.Path, c.Type, found)
	f.Column, f.Found = c.Path, found
	return f
}

// walk checks the document b[start:end] and notes where the values under n are.
func (e *Encoder) walk(n *node, start, end int) bool {
	b, limit := e.b, end-1
	at := start + 4
	for i := 0; at < limit; i++ {
		var child *node
		var value int
		if i < len(n.steps) && hasKey(b[at+1:limit], n.steps[i].key) {
			child, value = n.steps[i].child, at+1+len(n.steps[i].key)
		} else {
			var ok bool
			if value, ok = bsonscan.Key(b, at+1, limit); !ok {
				return false
			}
			child = n.children[string(b[at+1:value-1])]
			n.learn(i, b[at+1:value], child)
		}
		next, ok := bsonscan.Value(b[at], b, value, limit)
		if !ok || !e.visit(child, b[at], value, next) {
			return false
		}
		at = next
	}
	return at == limit
}

// elements is walk for arrays, whose keys mean nothing: a value's number is its place.
func (e *Encoder) elements(n *node, start, end int) bool {
	b, limit := e.b, end-1
	at := start + 4
	for i := 0; at < limit; i++ {
		value, ok := bsonscan.Key(b, at+1, limit)
		if !ok {
			return false
		}
		next, ok := bsonscan.Value(b[at], b, value, limit)
		if !ok || !e.visit(n.elements[i], b[at], value, next) {
			return false
		}
		at = next
	}
	return at == limit
}

// visit takes the value b[at:next] for n, and checks what is inside it. The depth of its recursion is that of the paths.
func (e *Encoder) visit(n *node, typ byte, at, next int) bool {
	if n != nil {
		if n.seen == e.doc {
			e.forget(n) // the key comes again: the last one counts
		}
		n.seen = e.doc
		if n.column >= 0 {
			e.slots[n.column] = slot{e.doc, typ, at, next}
		} else if typ == bsonscan.Document {
			return e.walk(n, at, next)
		} else if typ == bsonscan.Array {
			return e.elements(n, at, next)
		}
	}
	switch typ {
	case bsonscan.Document, bsonscan.Array:
	case bsonscan.CodeWithScope:
		at += 4 + 4 + bsonscan.Length(e.b, at+4) // the total length, the code with its length, the scope
	default:
		return true
	}
	_, err := bsonscan.Validate(e.b[at:next])
	return err == nil
}

// forget drops what is noted of the document under n.
func (e *Encoder) forget(n *node) {
	if n.column >= 0 {
		e.slots[n.column].doc = 0
	}
	for _, child := range n.children {
		if child.seen == e.doc {
			child.seen = 0
			e.forget(child)
		}
	}
}

func (n *node) forget() {
	n.seen = 0
	for _, child := range n.children {
		child.forget()
	}
}

// learn remembers the field at place i of a document.
func (n *node) learn(i int, key []byte, child *node) {
	if i >= maxSteps || len(key) > maxStepKey {
		return
	}
	if i == len(n.steps) {
		n.steps = append(n.steps, step{})
	} else if i > len(n.steps) {
		return
	}
	s := &n.steps[i]
	s.key, s.child = append(s.key[:0], key...), child
}

// hasKey reports whether b begins with key, which includes the NUL.
func hasKey(b, key []byte) bool {
	return len(b) >= len(key) && string(b[:len(key)]) == string(key)
}
