package jsonout

import "rumongo-go/core/bsonscan"

// document writes the document in b[start:end].
func (e *Encoder) document(start, end, level int) *problem {
	e.stack, e.fields = e.stack[:0], e.fields[:0]
	if bad := e.open(start, end, &e.keys.root, level, e.Mode, true); bad != nil {
		return bad
	}
	for len(e.stack) > 0 {
		f := &e.stack[len(e.stack)-1]
		var bad *problem
		switch {
		case f.array:
			bad = e.elements(f)
		default:
			bad = e.members(f)
		}
		if bad != nil {
			return bad
		}
		if len(e.out) > e.limit {
			return &problem{reason: "as JSON the document is longer than 512 MB", length: true}
		}
	}
	return nil
}

// members writes fields of the object on top of the stack up to the next one that puts something on top of it, or closes
// the object.
func (e *Encoder) members(f *frame) *problem {
	if f.drop >= 0 {
		e.out = e.out[:f.drop]
		f.drop = -1
	}
	depth := len(e.stack)
	for f.next < f.end {
		r := &e.fields[f.next]
		f.next++
		if r.fate >= checked {
			mode := f.mode
			if r.fate == checked {
				mode = Plain
			}
			f.drop = len(e.out)
			if bad := e.value(r.typ, int(r.at), int(r.end), r.key, f.level+1, mode); bad != nil {
				return bad
			}
			if len(e.stack) > depth {
				return nil
			}
			e.out = e.out[:f.drop]
			f.drop = -1
			continue
		}
		if r.typ == bsonscan.Undefined && f.mode == Plain {
			continue
		}
		if !f.empty {
			e.out = append(e.out, ',')
		}
		f.empty = false
		if e.Pretty {
			e.newline(f.level + 1)
		}
		e.out = append(e.out, r.key.text...)
		if r.fate == part {
			if !e.text(e.b[r.at:r.end]) {
				return invalid(int(r.at))
			}
			continue
		}
		if bad := e.value(r.typ, int(r.at), int(r.end), r.key, f.level+1, f.mode); bad != nil {
			return bad
		}
		if len(e.stack) > depth {
			return nil
		}
	}
	e.fields = e.fields[:f.base]
	e.close(f, '}')
	return nil
}

// elements does the same for an array.
func (e *Encoder) elements(f *frame) *problem {
	depth := len(e.stack)
	for f.next < f.end {
		typ := e.b[f.next]
		value, ok := bsonscan.Key(e.b, f.next+1, f.end)
		if !ok {
			return &problem{}
		}
		next, ok := bsonscan.Value(typ, e.b, value, f.end)
		if !ok {
			return &problem{}
		}
		f.next = next
		if !f.empty {
			e.out = append(e.out, ',')
		}
		f.empty = false
		if e.Pretty {
			e.newline(f.level + 1)
		}
		if bad := e.value(typ, value, next, f.elements, f.level+1, f.mode); bad != nil {
			return bad
		}
		if len(e.stack) > depth {
			return nil
		}
	}
	e.close(f, ']')
	return nil
}

// close writes the bracket that ends the top of the stack and takes it off.
func (e *Encoder) close(f *frame, bracket byte) {
	if f.empty {
		e.out = append(e.out, bracket)
	} else {
		e.closing(f.level, bracket)
	}
	e.stack = e.stack[:len(e.stack)-1]
}
