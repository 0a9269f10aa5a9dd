// Package bsonscan reads BSON bytes without building values. Its readers take a slice, a position and the end of the
// enclosing document, and answer (next position, ok): the only failure is bytes that do not fit, and an Error with its
// offset is made once, by Validate, for the caller that has to report it.
package bsonscan

import "fmt"

// The BSON element types.
const (
	Double        = 0x01
	String        = 0x02
	Document      = 0x03
	Array         = 0x04
	Binary        = 0x05
	Undefined     = 0x06
	ObjectID      = 0x07
	Boolean       = 0x08
	DateTime      = 0x09
	Null          = 0x0A
	Regex         = 0x0B
	DBPointer     = 0x0C
	JavaScript    = 0x0D
	Symbol        = 0x0E
	CodeWithScope = 0x0F
	Int32         = 0x10
	Timestamp     = 0x11
	Int64         = 0x12
	Decimal128    = 0x13
	MaxKey        = 0x7F
	MinKey        = 0xFF
)

// Error says what is wrong with the structure of BSON bytes, and where.
type Error struct {
	Offset int // of the byte that does not fit, from the start of what was scanned
	Reason string
}

// Error returns the reason with its offset.
func (e *Error) Error() string { return fmt.Sprintf("%s at byte offset %d", e.Reason, e.Offset) }
