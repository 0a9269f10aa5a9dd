package jsonout

import (
	"rumongo-go/core/bsonscan"
	"rumongo-go/core/fault"
)

// An Encoder writes one chunk at a time. It is not safe for concurrent use; pool it.
type Encoder struct {
	Options
	b      []byte // what is being read: the caller's, borrowed during Encode
	out    []byte
	keys   keys
	fields []field // of the objects on the stack, in the order in which they are written
	spare  []field // scratch of object.go
	stack  []frame
	limit  int // of out, for the document at hand
	most   int // maxDocument, but for tests
}

// NewEncoder returns an encoder ready for Encode.
func NewEncoder(o Options) *Encoder {
	e := &Encoder{Options: o, keys: keys{pretty: o.Pretty}, most: maxDocument}
	e.keys.reset()
	return e
}

// problem is why a document cannot be written.
type problem struct {
	offset int
	reason string
	value  bool // the structure is sound, a value is not
	length bool // all is sound, the text is too long
}

// Encode writes elems, consecutive elements of a BSON array body (type byte, key, NUL, document; repeated). It returns
// how many documents it took and the size of the chunk. A document that js-bson would refuse ends it: err is then a
// *fault.Fault of kind BSON with the offset in elems, and the documents before it are in the chunk.
func (e *Encoder) Encode(elems []byte) (count, size int, err error) {
	e.reset()
	e.b = elems
	last := 0 // where the last document is
	defer func() {
		if e.Marks {
			e.mark(last, count)
			size = len(e.out)
		}
		e.b = nil
	}()
	for at := 0; at < len(elems); {
		if elems[at] != bsonscan.Document {
			return count, len(e.out), fault.Malformed(at, "an element of the batch is not a document but of type 0x%02x", elems[at])
		}
		start, ok := bsonscan.Key(elems, at+1, len(elems))
		if !ok {
			return count, len(e.out), fault.Malformed(at+1, "the key of an element of the batch has no end")
		}
		before := len(e.out)
		end, bad := e.framed(start)
		if bad != nil {
			e.out = e.out[:before]
			return count, len(e.out), e.fault(start, bad)
		}
		count++
		last, at = start, end
		if e.Framing == Single {
			break
		}
	}
	return count, len(e.out), nil
}

// WriteTo puts the chunk into dst, whose length is the size that Encode returned, and resets the encoder.
func (e *Encoder) WriteTo(dst []byte) {
	copy(dst, e.out)
	e.reset()
}

func (e *Encoder) reset() {
	e.out = fit(e.out)
	e.fields = fit(e.fields)
	e.spare = fit(e.spare)
	e.stack = fit(e.stack)
}

// fit empties a buffer, or lets go of it when it is too large to wait for the next piece.
func fit[T any](buffer []T) []T {
	if cap(buffer) > keep {
		return nil
	}
	return buffer[:0]
}

// framed writes the document at start with what separates it from others, and returns where it ends.
func (e *Encoder) framed(start int) (end int, bad *problem) {
	end, ok := bsonscan.Value(bsonscan.Document, e.b, start, len(e.b))
	if !ok {
		return 0, &problem{}
	}
	e.keys.trim()
	e.limit = len(e.out) + e.most
	level := 0
	if e.Framing == Array {
		e.out = append(e.out, ',')
		if e.Pretty {
			level = 1
			e.newline(level)
		}
	}
	if bad := e.document(start, end, level); bad != nil {
		return 0, bad
	}
	if e.Framing == Lines {
		e.out = append(e.out, '\n')
	}
	return end, nil
}

// fault says what is wrong with the document at start.
func (e *Encoder) fault(start int, bad *problem) error {
	if bad.length {
		f := fault.New(fault.BSON, "%s", bad.reason)
		f.Offset = int64(start)
		return f
	}
	if bad.value {
		f := fault.New(fault.BSON, "bad value: %s", bad.reason)
		f.Offset = int64(bad.offset)
		return f
	}
	if bad.reason != "" {
		return fault.Malformed(bad.offset, "%s", bad.reason)
	}
	_, err := bsonscan.Validate(e.b[start:])
	if err == nil {
		return fault.Malformed(start, "the document does not end where its length says")
	}
	return fault.Malformed(start+err.Offset, "%s", err.Reason)
}
