package columns

// extent is what the place of a column's buffers in a chunk depends on.
type extent struct {
	typ    Type
	counts [outcomes]int
	sizes  [4]int // of validity, values, offsets and data
	items  int    // of a dictionary
}

// placed says where the buffers of all columns are.
type placed struct {
	rows    int
	size    int
	names   []byte
	at      int // of names
	columns []extent
	buffers [][4]int // where the buffers of each column begin
}

// place lays out a chunk.
func place(rows int, names []byte, columns []extent) placed {
	p := placed{rows: rows, names: names, columns: columns, buffers: make([][4]int, len(columns))}
	p.at = 4 * (headerWords + columnWords*len(columns))
	at := aligned(p.at + len(names))
	for i := range columns {
		for n, size := range columns[i].sizes {
			p.buffers[i][n] = at
			at += aligned(size)
		}
	}
	p.size = at
	return p
}

// header writes what stands before the buffers.
func (p *placed) header(dst []byte) {
	clear(dst[:aligned(p.at+len(p.names))])
	h := words[uint32](dst[:p.at])
	h[wordVersion], h[wordRows], h[wordColumns] = layoutVersion, uint32(p.rows), uint32(len(p.columns))
	h[wordNames], h[wordNames+1] = uint32(p.at), uint32(len(p.names))
	copy(dst[p.at:], p.names)
	for i, c := range p.columns {
		w := h[headerWords+columnWords*i:]
		w[ofType], w[ofEntries] = uint32(c.typ), uint32(c.items)
		w[ofMissing], w[ofNull], w[ofMismatched] = uint32(c.counts[missing]), uint32(c.counts[null]), uint32(c.counts[mismatched])
		for n, size := range c.sizes {
			w[ofValidity+2*n], w[ofValidity+2*n+1] = uint32(p.buffers[i][n]), uint32(size)
		}
	}
}

// buffer returns where buffer n of column i goes, with zeros behind it up to the next one.
func (p *placed) buffer(dst []byte, i, n int) []byte {
	at, size := p.buffers[i][n], p.columns[i].sizes[n]
	clear(dst[at+size : at+aligned(size)])
	return dst[at : at+size : at+size]
}

// The order of buffers.
const (
	validity = iota
	values
	offsets
	data
)
