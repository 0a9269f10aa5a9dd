// Package fault turns any Go error into plain data, {kind, message, code, codeName, labels, raw, ...}, that crosses to
// JavaScript as one BSON document and becomes an error class there.
package fault

import (
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// Kind says which family of JavaScript error a Fault becomes.
type Kind string

// The kinds of faults. js/ maps each to a class, so a new kind must be added there too.
const (
	Server          Kind = "server"
	Network         Kind = "network"
	NetworkTimeout  Kind = "networkTimeout"
	ServerSelection Kind = "serverSelection"
	Parse           Kind = "parse"
	InvalidArgument Kind = "invalidArgument"
	// WaitQueueTimeout: no connection of the pool became free in time.
	WaitQueueTimeout Kind = "waitQueueTimeout"
	Closed           Kind = "closed"
	Cancelled        Kind = "cancelled"
	BSON             Kind = "bson"
	// Mismatch: a value is not of the type that was asked for; Message lacks whose document it is.
	Mismatch        Kind = "mismatch"
	UnexpectedReply Kind = "unexpectedReply"
	Internal        Kind = "internal"
)

// Fault is an error as data. It implements error, so that it can travel through Go code unchanged.
type Fault struct {
	Kind     Kind
	Message  string
	Code     int32
	CodeName string
	Labels   []string
	Raw      bsoncore.Document // the server's reply, complete
	Stack    string            // Go stack of a panic
	Cause    string            // text of the underlying error when Message does not say it
	Offset   int64             // for kind BSON: where the malformed byte is, from the start of its document
	Document []byte            // for kind BSON: the document, as far as its length can be believed
	Row      int64             // for kind Mismatch: the number of the document in the result, from 0
	Column   string            // the same: what was asked for
	Found    string            // and what type was there
	HasCode  bool
}

// Unplaced is the Offset of malformed BSON of which only the driver knows where it is.
const Unplaced = -1

// New returns a fault of kind with a formatted message.
func New(kind Kind, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Malformed returns the fault of BSON whose structure is broken at an offset in bytes.
func Malformed(offset int, format string, args ...any) *Fault {
	f := New(BSON, "malformed BSON: "+format, args...)
	f.Offset = int64(offset)
	return f
}

// Error returns the message.
func (f *Fault) Error() string { return f.Message }

// AppendBSON appends the fault as one BSON document to dst.
func (f *Fault) AppendBSON(dst []byte) []byte {
	start := len(dst)
	index, dst := bsoncore.AppendDocumentStart(dst)
	dst = bsoncore.AppendStringElement(dst, "kind", string(f.Kind))
	dst = bsoncore.AppendStringElement(dst, "message", valid(f.Message))
	if f.HasCode {
		dst = bsoncore.AppendInt32Element(dst, "code", f.Code)
	}
	if f.CodeName != "" {
		dst = bsoncore.AppendStringElement(dst, "codeName", valid(f.CodeName))
	}
	var labels int32
	labels, dst = bsoncore.AppendArrayElementStart(dst, "labels")
	for i, label := range f.Labels {
		dst = bsoncore.AppendStringElement(dst, fmt.Sprint(i), valid(label))
	}
	dst, _ = bsoncore.AppendArrayEnd(dst, labels)
	if len(f.Raw) > 0 {
		dst = bsoncore.AppendDocumentElement(dst, "raw", f.Raw)
	}
	if f.Stack != "" {
		dst = bsoncore.AppendStringElement(dst, "stack", valid(f.Stack))
	}
	if f.Cause != "" {
		dst = bsoncore.AppendStringElement(dst, "cause", valid(f.Cause))
	}
	if f.Kind == BSON && f.Offset != Unplaced {
		dst = bsoncore.AppendInt64Element(dst, "offset", f.Offset)
		if f.Document != nil {
			dst = bsoncore.AppendBinaryElement(dst, "document", 0, f.Document)
		}
	}
	if f.Kind == Mismatch {
		dst = bsoncore.AppendInt64Element(dst, "row", f.Row)
		dst = bsoncore.AppendStringElement(dst, "column", f.Column)
		dst = bsoncore.AppendStringElement(dst, "found", f.Found)
	}
	dst, err := bsoncore.AppendDocumentEnd(dst, index)
	if err != nil {
		// Only a document over 2 GB gets here; say that much rather than nothing.
		return (&Fault{Kind: f.Kind, Message: "the error is too large to report"}).AppendBSON(dst[:start])
	}
	return dst
}

// valid keeps a document readable for decoders that refuse invalid UTF-8: error texts quote whatever bytes came in.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
