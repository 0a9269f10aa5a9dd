package jsonout

// Small objects that stand for one value, like {"$oid":"..."}. level is that of the object.

// member begins a member at a level; name has its quotes and colon.
func (e *Encoder) member(name string, level int, first bool) {
	if !first {
		e.out = append(e.out, ',')
	}
	if e.Pretty {
		e.newline(level)
	}
	e.out = append(e.out, name...)
	if e.Pretty {
		e.out = append(e.out, ' ')
	}
}

// closing ends an object or array that is not empty.
func (e *Encoder) closing(level int, bracket byte) {
	if e.Pretty {
		e.newline(level)
	}
	e.out = append(e.out, bracket)
}

// wrapped writes an object of one member.
func (e *Encoder) wrapped(name, value string, level int) {
	e.out = append(e.out, '{')
	e.member(name, level+1, true)
	e.out = append(e.out, value...)
	e.closing(level, '}')
}

// quoted writes an object of one member, a string that write appends to and that needs no escape.
func (e *Encoder) quoted(name string, level int, write func()) {
	e.out = append(e.out, '{')
	e.member(name, level+1, true)
	e.out = append(e.out, '"')
	write()
	e.out = append(e.out, '"')
	e.closing(level, '}')
}
