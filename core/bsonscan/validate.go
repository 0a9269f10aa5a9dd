package bsonscan

import "fmt"

// Validate checks the structure of the document at the start of b, which may be followed by other bytes, at every
// level, and returns its size. It keeps its own stack: the nesting of the input costs heap, never goroutine stack.
// Values are not judged (invalid UTF-8, a boolean of 2): that is for whoever decodes them.
func Validate(b []byte) (size int, err *Error) {
	size, ok := ContainerEnd(b, 0, len(b))
	if !ok {
		return 0, badContainer(b, 0, len(b), "document")
	}
	stack := make([]int, 0, 16) // where the enclosing documents have their final NUL
	end, p := size-1, 4
	for {
		if p == end {
			p++
			if len(stack) == 0 {
				return size, nil
			}
			end = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			continue
		}
		t, at := b[p], p
		if t == 0 {
			return 0, &Error{at, "the document ends before its length says"}
		}
		value, ok := Key(b, p+1, end)
		if !ok {
			return 0, &Error{p + 1, "a field name has no end"}
		}
		next, ok := Value(t, b, value, end)
		if !ok {
			return 0, badValue(t, b, at, value, end)
		}
		switch t {
		case Document, Array:
			stack = append(stack, end)
			p, end = value+4, next-1
		case CodeWithScope:
			stack = append(stack, end)
			p = value + 4
			p += 4 + Length(b, p) + 4
			end = next - 1
		default:
			p = next
		}
	}
}

func badValue(t byte, b []byte, at, value, end int) *Error {
	name := b[at+1 : value-1]
	if len(name) > 80 {
		name = name[:80]
	}
	switch t {
	case Document, Array:
		what := "embedded document"
		if t == Array {
			what = "embedded array"
		}
		e := badContainer(b, value, end, what)
		e.Reason += fmt.Sprintf(" (field %q)", name)
		return e
	case String, Symbol, JavaScript, DBPointer:
		return &Error{value, fmt.Sprintf("bad string length (field %q)", name)}
	case Binary:
		return &Error{value, fmt.Sprintf("bad binary length (field %q)", name)}
	case Regex:
		return &Error{value, fmt.Sprintf("a regular expression has no end (field %q)", name)}
	case CodeWithScope:
		return &Error{value, fmt.Sprintf("bad length of code with scope (field %q)", name)}
	}
	if fixed[t] != 0 {
		return &Error{value, fmt.Sprintf("the document ends inside a value of type 0x%02x (field %q)", t, name)}
	}
	return &Error{at, fmt.Sprintf("unknown BSON type 0x%02x (field %q)", t, name)}
}

func badContainer(b []byte, p, end int, what string) *Error {
	if end-p < 5 {
		return &Error{p, fmt.Sprintf("%s needs at least 5 bytes, %d are left", what, max(end-p, 0))}
	}
	n := Length(b, p)
	switch {
	case n < 5:
		return &Error{p, fmt.Sprintf("%s says it has %d bytes, the least is 5", what, n)}
	case n > end-p:
		return &Error{p, fmt.Sprintf("%s says it has %d bytes, %d are left", what, n, end-p)}
	}
	return &Error{p + n - 1, what + " does not end with a zero byte"}
}
