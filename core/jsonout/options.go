// Package jsonout writes BSON documents as JSON text: what JSON.stringify or EJSON.stringify makes of the objects that
// js-bson decodes them to, byte for byte, without making the objects.
//
// It keeps its own stack, so the nesting of a document costs heap and never goroutine stack, and looks at each byte a
// fixed number of times: an object's keys are read before its first value is written (object.go), because what comes
// first in JavaScript is known only then.
package jsonout

// Mode says whose text it is.
type Mode uint8

// The modes.
const (
	Plain     Mode = iota // JSON.stringify
	Relaxed               // EJSON.stringify
	Canonical             // EJSON.stringify with relaxed: false
)

// Framing is what stands between documents.
type Framing uint8

// The framings.
const (
	// Array puts a comma before each document. Whoever joins chunks makes the very first comma a bracket and adds Tail.
	Array  Framing = iota
	Lines          // a newline after each document
	Single         // only the first document
)

// Longs says how Plain writes an int64 that stays a Long or a BigInt in JavaScript.
type Longs uint8

// The forms of an int64.
const (
	LongObject Longs = iota // {"high":0,"low":0,"unsigned":false}
	LongString              // all its digits, as a string
	LongNumber              // all its digits, as a number
)

// Options says what to write. It is comparable, to pool encoders by it.
type Options struct {
	Mode    Mode
	Framing Framing
	Longs   Longs
	Pretty  bool // two spaces for each level
	Marks   bool // each chunk ends with a Mark of its last document

	// As the driver's options of the same names.
	PromoteLongs   bool
	PromoteValues  bool
	PromoteBuffers bool
	UseBigInt64    bool
	BSONRegExp     bool
	ValidateUTF8   bool

	// Where major versions of js-bson differ.
	LowFirst        bool // a Long has low before high
	ScopeReferences bool // the scope of code can be a DBRef
	LateDates       bool // relaxed dates are ISO text for five more hours after the year 9999
}

// Tail is what ends a result in Array framing, after at least one document.
func (o Options) Tail() string {
	if o.Pretty {
		return "\n]"
	}
	return "]"
}

// maxDocument is the longest text of one document: JSON.stringify has the same limit, V8's for strings. Only hostile
// documents get there, by levels without end and an indentation for each.
const maxDocument = 1<<29 - 24

// keep is the largest buffer that waits in the pool for the next piece.
const keep = 4 << 20
