package columns

import "unsafe"

// What an Encoder writes is a part: it has the header of a chunk, but is for a Joiner in the same process. Instead of bits
// it has a byte for each row, so that rows can be cut anywhere: outcomes in the place of validity where not all rows have a
// value, and the bytes of bools. Offsets are those of the ends, without the first.

// layout places the part.
func (e *Encoder) layout() placed {
	extents := make([]extent, len(e.columns))
	for i := range e.columns {
		c := &e.columns[i]
		x := extent{typ: c.typ, sizes: [4]int{0, len(c.w1) + 4*len(c.w4) + 8*len(c.w8), 4 * len(c.ends), len(c.data)}}
		if c.empties > 0 {
			x.sizes[validity] = len(c.outcomes)
		}
		if c.typ == Dictionary {
			x.items = len(c.ends)
		}
		extents[i] = x
	}
	return place(e.rows, nil, extents)
}

// WriteTo puts the part into dst, whose length is the size that Encode returned and which is 8-byte aligned, and resets
// the encoder.
func (e *Encoder) WriteTo(dst []byte) {
	p := &e.plan
	p.header(dst)
	for i := range e.columns {
		c := &e.columns[i]
		copy(p.buffer(dst, i, validity), outcomeBytes(c.outcomes))
		to := p.buffer(dst, i, values)
		switch {
		case len(c.w4) > 0:
			copy(to, raw(c.w4))
		case len(c.w8) > 0:
			copy(to, raw(c.w8))
		default:
			copy(to, c.w1)
		}
		copy(p.buffer(dst, i, offsets), raw(c.ends))
		copy(p.buffer(dst, i, data), c.data)
	}
	e.reset()
}

func outcomeBytes(o []outcome) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(o))), len(o))
}

// part is a column of a part that was written.
type part struct {
	outcomes []byte // none: all valid
	values   []byte
	ends     []int32
	data     []byte
}

// partOf reads column i of a part.
func partOf(chunk []byte, i int) part {
	w := words[uint32](chunk[:4*(headerWords+columnWords*(i+1))])[headerWords+columnWords*i:]
	at := func(n int) []byte {
		start, size := w[ofValidity+2*n], w[ofValidity+2*n+1]
		return chunk[start : start+size]
	}
	return part{outcomes: at(validity), values: at(values), ends: words[int32](at(offsets)), data: at(data)}
}

// text returns row n of data, or entry n of a dictionary.
func (p *part) text(n int) []byte { return p.data[p.start(n):p.ends[n]] }

func (p *part) start(n int) int32 {
	if n == 0 {
		return 0
	}
	return p.ends[n-1]
}
