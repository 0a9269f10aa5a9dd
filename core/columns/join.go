package columns

import (
	"encoding/json"
	"math"

	"rumongo-go/core/fault"
)

// A Joiner makes one chunk of rows of parts. It is not safe for concurrent use.
type Joiner struct {
	schema *Schema
	spans  []span
	rows   int
	plan   placed
	words  [][]uint32 // by column: the indices of a dictionary
	dicts  []dictionary
}

// span is some rows of a part, which is valid until WriteTo.
type span struct {
	part     []byte
	from, to int
}

// dictionary collects entries in the order in which rows have them, whatever the parts.
type dictionary struct {
	numbers map[string]uint32
	entries [][]byte
}

// NewJoiner returns a joiner of parts that have the columns of schema.
func NewJoiner(schema *Schema) *Joiner { return &Joiner{schema: schema} }

// Add appends the rows from up to and without to of a part.
func (j *Joiner) Add(part []byte, from, to int) {
	j.spans = append(j.spans, span{part, from, to})
	j.rows += to - from
}

// Least returns how many bytes the rows of a part take at least.
func (j *Joiner) Least(part []byte) (bytes int) {
	rows := int(words[uint32](part[:4*headerWords])[wordRows])
	for i, c := range j.schema.Columns {
		switch {
		case c.Type == Bool:
			bytes += rows / 8
		case c.Type.variable():
			bytes += 4*rows + len(partOf(part, i).data)
		default:
			bytes += c.Type.width() * rows
		}
	}
	return bytes
}

// Size plans the chunk and returns its size in bytes. It fails when a column has more bytes than its offsets can count.
func (j *Joiner) Size() (int, error) {
	columns := j.schema.Columns
	extents := make([]extent, len(columns))
	j.words, j.dicts = make([][]uint32, len(columns)), make([]dictionary, len(columns))
	for i, c := range columns {
		x := extent{typ: c.Type}
		x.counts = j.count(i)
		if x.counts[valid] < j.rows {
			x.sizes[validity] = bitBytes(j.rows)
		}
		x.sizes[values] = j.rows * c.Type.width()
		bytes := 0
		switch {
		case c.Type == Bool:
			x.sizes[values] = bitBytes(j.rows)
		case c.Type == Dictionary:
			bytes = j.collect(i)
			x.items = len(j.dicts[i].entries)
			x.sizes[offsets] = 4 * (x.items + 1)
		case c.Type.variable():
			for _, s := range j.spans {
				p := partOf(s.part, i)
				if s.to > s.from {
					bytes += int(p.ends[s.to-1] - p.start(s.from))
				}
			}
			x.sizes[offsets] = 4 * (j.rows + 1)
		}
		if bytes > math.MaxInt32 {
			return 0, fault.New(fault.InvalidArgument, "Column %q has more than 2147483647 bytes, which is as far as its "+
				"offsets go; ask for less, or read it in batches with streamColumns()", c.Path)
		}
		x.sizes[data] = bytes
		extents[i] = x
	}
	j.plan = place(j.rows, j.names(), extents)
	return j.plan.size, nil
}

func (j *Joiner) count(i int) (counts [outcomes]int) {
	for _, s := range j.spans {
		p := partOf(s.part, i)
		if len(p.outcomes) == 0 {
			counts[valid] += s.to - s.from
			continue
		}
		for _, o := range p.outcomes[s.from:s.to] {
			counts[o]++
		}
	}
	return counts
}

// collect makes one dictionary of those of the parts, and returns how many bytes it has.
func (j *Joiner) collect(i int) (bytes int) {
	d := &j.dicts[i]
	d.numbers = map[string]uint32{}
	indices := make([]uint32, 0, j.rows)
	for _, s := range j.spans {
		p := partOf(s.part, i)
		known := make([]uint32, len(p.ends)) // its entries' numbers in d, plus one
		for row, n := range words[uint32](p.values)[s.from:s.to] {
			if len(p.outcomes) > 0 && p.outcomes[s.from+row] != byte(valid) {
				indices = append(indices, 0)
				continue
			}
			if known[n] == 0 {
				text := p.text(int(n))
				number, ok := d.numbers[string(text)]
				if !ok {
					number = uint32(len(d.entries))
					d.numbers[string(text)] = number
					d.entries = append(d.entries, text)
					bytes += len(text)
				}
				known[n] = number + 1
			}
			indices = append(indices, known[n]-1)
		}
	}
	j.words[i] = indices
	return bytes
}

// names says what the columns are, where JavaScript does not know.
func (j *Joiner) names() []byte {
	if !j.schema.Infer {
		return nil
	}
	said := struct {
		Columns [][2]string `json:"columns"`
		Omitted []string    `json:"omitted"`
	}{Columns: [][2]string{}, Omitted: append([]string{}, j.schema.Omitted...)}
	for _, c := range j.schema.Columns {
		said.Columns = append(said.Columns, [2]string{c.Path, c.Type.String()})
	}
	text, _ := json.Marshal(said)
	return text
}

// WriteTo puts the chunk into dst, whose length is the size that Size returned and which is 8-byte aligned, and forgets
// the rows.
func (j *Joiner) WriteTo(dst []byte) {
	p := &j.plan
	p.header(dst)
	for i, c := range p.columns {
		if c.sizes[validity] > 0 {
			j.validity(p.buffer(dst, i, validity), i)
		}
		to := p.buffer(dst, i, values)
		switch {
		case c.typ == Bool:
			j.bools(to, i)
		case c.typ == Dictionary:
			copy(to, raw(j.words[i]))
			j.entries(p, dst, i)
		case c.typ.variable():
			j.texts(p, dst, i)
		default:
			for _, s := range j.spans {
				w := c.typ.width()
				to = to[copy(to, partOf(s.part, i).values[w*s.from:w*s.to]):]
			}
		}
	}
	*j = Joiner{schema: j.schema, spans: j.spans[:0]}
}

func (j *Joiner) validity(to []byte, i int) {
	clear(to)
	at := 0
	for _, s := range j.spans {
		outcomes := partOf(s.part, i).outcomes
		for row := s.from; row < s.to; row++ {
			if len(outcomes) == 0 || outcomes[row] == byte(valid) {
				to[at>>3] |= 1 << (at & 7)
			}
			at++
		}
	}
}

func (j *Joiner) bools(to []byte, i int) {
	clear(to)
	at := 0
	for _, s := range j.spans {
		for _, b := range partOf(s.part, i).values[s.from:s.to] {
			to[at>>3] |= b << (at & 7)
			at++
		}
	}
}

func (j *Joiner) entries(p *placed, dst []byte, i int) {
	ends, to := words[int32](p.buffer(dst, i, offsets)), p.buffer(dst, i, data)
	at := 0
	ends[0] = 0
	for n, text := range j.dicts[i].entries {
		at += copy(to[at:], text)
		ends[n+1] = int32(at)
	}
}

func (j *Joiner) texts(p *placed, dst []byte, i int) {
	ends, to := words[int32](p.buffer(dst, i, offsets)), p.buffer(dst, i, data)
	at := int32(0)
	ends[0] = 0
	ends = ends[1:]
	for _, s := range j.spans {
		if s.from == s.to {
			continue
		}
		part := partOf(s.part, i)
		start := part.start(s.from)
		copy(to[at:], part.data[start:part.ends[s.to-1]])
		for n, end := range part.ends[s.from:s.to] {
			ends[n] = end - start + at
		}
		at += part.ends[s.to-1] - start
		ends = ends[s.to-s.from:]
	}
}
