package columns

import (
	"strconv"
	"strings"
)

// Column is one that is asked for.
type Column struct {
	Path string
	Type Type
}

// Schema says what is read. One that is inferred is complete before the first document is encoded.
type Schema struct {
	Columns  []Column
	Strict   bool // a value that the type cannot hold ends the read
	Validate bool // so does text that is not UTF-8; otherwise it is replaced
	Infer    bool // Columns comes from Inspect
	Omitted  []string
}

// node is a place in a document: a column, or on the way to some.
type node struct {
	column   int // -1: none
	children map[string]*node
	elements map[int]*node // the same of an array, where the names are numbers
	steps    []step
	seen     uint32 // the last document that had it
}

// step is a field of the last document, to compare with the same of the next one: documents of a collection mostly repeat
// their keys.
type step struct {
	key   []byte // with its NUL
	child *node  // nil: nobody asks for it
}

const (
	maxSteps   = 256
	maxStepKey = 128
)

// tree returns the root of all paths.
func (s *Schema) tree() *node {
	root := newNode()
	for i, c := range s.Columns {
		at := root
		for name := range strings.SplitSeq(c.Path, ".") {
			next := at.children[name]
			if next == nil {
				next = newNode()
				at.children[name] = next
				if n, err := strconv.Atoi(name); err == nil && n >= 0 && strconv.Itoa(n) == name {
					at.elements[n] = next
				}
			}
			at = next
		}
		at.column = i
	}
	return root
}

func newNode() *node {
	return &node{column: -1, children: map[string]*node{}, elements: map[int]*node{}}
}
