package driver

import (
	"math"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/fault"
)

// CursorParams is what the getMore commands of a cursor need. Numbers are JavaScript's.
type CursorParams struct {
	BatchSize    float64 // as given, also negative; 0: none is sent
	Limit        float64 // as given, also 0 or negative
	HasLimit     bool
	MaxAwaitTime bsoncore.Value // sent as it is; the zero value: none
	Comment      bsoncore.Value // the same
}

// ParseCursorParams reads {batchSize, limit, maxAwaitTimeMS, comment}, all optional.
func ParseCursorParams(params []byte) (CursorParams, error) {
	var p CursorParams
	var err error
	doc := bsoncore.Document(params)
	if p.BatchSize, _, err = optionalNumber(doc, "batchSize"); err != nil {
		return p, err
	}
	if p.Limit, p.HasLimit, err = optionalNumber(doc, "limit"); err != nil {
		return p, err
	}
	if _, hasAwait, err := optionalNumber(doc, "maxAwaitTimeMS"); err != nil {
		return p, err
	} else if hasAwait {
		p.MaxAwaitTime = doc.Lookup("maxAwaitTimeMS")
	}
	if comment, err := doc.LookupErr("comment"); err == nil {
		p.Comment = comment
	}
	return p, nil
}

func optionalNumber(doc bsoncore.Document, name string) (value float64, given bool, err error) {
	v, err := doc.LookupErr(name)
	if err != nil {
		return 0, false, nil
	}
	if d, ok := v.DoubleOK(); ok {
		return d, true, nil
	}
	n, ok := v.AsInt64OK()
	if !ok {
		return 0, false, fault.New(fault.InvalidArgument, "params.%s must be a number", name)
	}
	return float64(n), true, nil
}

// batchSize is how many documents the next getMore asks for, 0 when it leaves that to the server. It is the official
// driver's arithmetic, which counts down to a limit and, where the limit is 0, asks for as many as there have been.
func (p CursorParams) batchSize(returned float64) float64 {
	size := p.BatchSize
	if size == 0 {
		// That driver would go on to send 0, with which a server answers nothing or an error.
		return 0
	}
	if p.HasLimit && size > p.Limit-returned && p.Limit != returned {
		size = p.Limit - returned
	}
	return math.Abs(size)
}

// getMore and killCursors write the elements of these commands with the official driver's order and types.
func (cur *Cursor) getMore() []byte {
	dst := bsoncore.AppendInt64Element(nil, "getMore", cur.id)
	dst = bsoncore.AppendStringElement(dst, "collection", cur.collection)
	if size := cur.params.batchSize(cur.returned); size != 0 {
		dst = appendNumber(dst, "batchSize", size)
	}
	if await := cur.params.MaxAwaitTime; await.Type != 0 {
		dst = bsoncore.AppendValueElement(dst, "maxTimeMS", await)
	}
	if comment := cur.params.Comment; comment.Type != 0 {
		dst = bsoncore.AppendValueElement(dst, "comment", comment)
	}
	return dst
}

func (cur *Cursor) killCursors() []byte {
	dst := bsoncore.AppendStringElement(nil, "killCursors", cur.collection)
	id := bsoncore.Value{Type: bsoncore.TypeInt64, Data: bsoncore.AppendInt64(nil, cur.id)}
	return bsoncore.BuildArrayElement(dst, "cursors", id)
}

// appendNumber writes a number as js-bson does: an int32 where it is one.
func appendNumber(dst []byte, name string, n float64) []byte {
	if i := int32(n); float64(i) == n {
		return bsoncore.AppendInt32Element(dst, name, i)
	}
	return bsoncore.AppendDoubleElement(dst, name, n)
}
