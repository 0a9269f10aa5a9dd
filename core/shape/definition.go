package shape

import (
	"encoding/json"
	"strconv"
)

// The kinds of definition JavaScript may ask for.
const (
	FrameShape = 1 // JSON: the slots of one version of a frame shape, see define
	KeyNames   = 2 // JSON: an array of interned key names, the first being that of the id asked for
	LazyShape  = 3 // see LazyDefinition
)

// Definition returns what a chunk refers to by number: nil if it is unknown. The caller must not change the bytes.
func Definition(kind int, id, version uint32) []byte {
	switch kind {
	case FrameShape:
		return Frames.definition(id, version)
	case KeyNames:
		return keyNames.definition(id)
	case LazyShape:
		return LazyDefinition(id)
	}
	return nil
}

// define writes slots as JSON: an array of [key, mask, document, element]. document is null, 0 if its keys vary, or an
// array of slots; element is null or a slot without a key.
func define(slots []Slot) []byte { return appendSlots(nil, slots) }

func appendSlots(out []byte, slots []Slot) []byte {
	out = append(out, '[')
	for i := range slots {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendSlot(out, &slots[i])
	}
	return append(out, ']')
}

func appendSlot(out []byte, s *Slot) []byte {
	key, err := json.Marshal(s.name())
	if err != nil {
		key = []byte(`""`) // a Go string always marshals
	}
	out = append(append(out, '['), key...)
	out = strconv.AppendUint(append(out, ','), uint64(s.Mask), 10)
	out = append(out, ',')
	switch {
	case s.Doc == nil:
		out = append(out, "null"...)
	case s.Doc.Poly:
		out = append(out, '0')
	default:
		out = appendSlots(out, s.Doc.Slots)
	}
	out = append(out, ',')
	if s.Elem == nil {
		out = append(out, "null"...)
	} else {
		out = appendSlot(out, s.Elem)
	}
	return append(out, ']')
}
