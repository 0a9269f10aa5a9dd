// Package ejson reads Extended JSON text (version 2, canonical and relaxed) into BSON, as js-bson's EJSON.parse followed
// by its serializer would, with four differences:
//
//   - { $regex, $options } stays a query operator;
//   - integers past 2^53 that fit in 64 bits keep every digit: they become int64;
//   - a malformed wrapper, or one with fields beside it, is an error, where EJSON.parse takes what it can;
//   - text is bounded, and every error says where.
//
// gjson does the reading. It recurses and forgives, so it only ever sees text that scan has accepted.
package ejson

import (
	"fmt"

	"github.com/tidwall/gjson"
)

const (
	// MaxSize is the longest text in bytes, as long as a document may be.
	MaxSize = 16 << 20
	// MaxDepth is how many objects and arrays may be inside each other, about what servers store.
	MaxDepth = 200

	// maxOutput is what a server would take as a message.
	maxOutput = 48_000_000
	// maxWork bounds what reading costs: gjson passes over an object once for each level above it. It is reached only
	// by megabytes of text that are nested dozens of levels deep throughout.
	maxWork = 1 << 30
)

// Error says what is wrong with a text, and at which byte.
type Error struct {
	Offset int
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("%s at byte offset %d", e.Reason, e.Offset) }

func at(offset int, format string, args ...any) *Error {
	return &Error{Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// Parse returns the document { value: ... } with what the text holds, of whatever type. The error is an *Error.
func Parse(text string) ([]byte, error) {
	if err := scan(text); err != nil {
		return nil, err
	}
	dst := make([]byte, 4, len(text)+64)
	dst, err := appendElement(dst, "value", gjson.Parse(text))
	if err != nil {
		return nil, err
	}
	return endDocument(dst, 0), nil
}
