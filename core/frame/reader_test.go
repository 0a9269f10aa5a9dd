package frame

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
	"unsafe"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/shape"
)

// A chunkReader reads a chunk as JavaScript does and writes its documents as text, so that what was encoded can be
// compared with the source. It knows nothing of the encoder.
type chunkReader struct {
	words      []int32
	doubles    []float64
	bytes      []byte
	i, f, b, t int
	l, w       pageReader
	dictionary []string
	shapes     [][]any
	keys       []string
	paths      [3]int // documents by shape, generic, odd
}

type pageReader struct {
	sizes []int32
	next  int // where the next page begins
	page  int // the size of the current one
	used  int
}

// take returns where a string of n units begins.
func (p *pageReader) take(n int) int {
	if p.used+n > p.page {
		p.next += p.page
		p.page, p.used = int(p.sizes[0]), 0
		p.sizes = p.sizes[1:]
	}
	p.used += n
	return p.next + p.used - n
}

func readChunk(chunk []byte) (documents []string, paths [3]int) {
	r := &chunkReader{
		words:   unsafe.Slice((*int32)(unsafe.Pointer(&chunk[0])), len(chunk)/4),
		doubles: unsafe.Slice((*float64)(unsafe.Pointer(&chunk[0])), len(chunk)/8),
		bytes:   chunk,
	}
	word := func(i int) int { return int(r.words[i]) }
	r.i, r.f, r.b, r.t = word(wordI), word(wordF), word(wordB), word(wordT)
	at := headerWords
	runs := r.words[at : at+2*word(wordRuns)]
	at += len(runs)
	for range word(wordShapes) {
		var slots []any
		if err := json.Unmarshal(shape.Definition(shape.FrameShape, uint32(word(at)), uint32(word(at+1))), &slots); err != nil {
			panic(err)
		}
		r.shapes = append(r.shapes, slots)
		at += 2
	}
	r.l = pageReader{sizes: r.words[at : at+word(wordPagesL)], next: word(wordL)}
	at += word(wordPagesL)
	r.w = pageReader{sizes: r.words[at : at+word(wordPagesW)], next: word(wordW) / 2}
	at += word(wordPagesW)
	d, e := word(wordD), word(wordE)/2
	for _, size := range r.words[at : at+word(wordEntries)] {
		n := int(size &^ wideFlag)
		if size >= 0 {
			r.dictionary = append(r.dictionary, r.latin1(d, n))
			d += n
		} else {
			r.dictionary = append(r.dictionary, r.utf16(e, n))
			e += n
		}
	}
	for first := 1; first <= word(wordKeys); {
		var page []string
		if err := json.Unmarshal(shape.Definition(shape.KeyNames, uint32(first), 0), &page); err != nil {
			panic(err)
		}
		r.keys = append(r.keys, page...)
		first += len(page)
	}
	for ; len(runs) > 0; runs = runs[2:] {
		for range runs[1] {
			documents = append(documents, r.referred(int(runs[0])))
			r.paths[min(0, int(runs[0]))*-1]++
		}
	}
	if r.i != word(wordF)*2 && r.i != word(wordF)*2-1 || r.f*8 != word(wordB) || r.b != word(wordT) || r.t != word(wordL) {
		panic("the streams were not read to their ends")
	}
	return documents, r.paths
}

func (r *chunkReader) word() int { r.i++; return int(r.words[r.i-1]) }

func (r *chunkReader) double() float64 { r.f++; return r.doubles[r.f-1] }

func (r *chunkReader) take(n int) []byte { r.b += n; return r.bytes[r.b-n : r.b] }

func (r *chunkReader) latin1(at, n int) string {
	var s strings.Builder
	for _, c := range r.bytes[at : at+n] {
		s.WriteRune(rune(c))
	}
	return s.String()
}

func (r *chunkReader) utf16(at, n int) string {
	units := unsafe.Slice((*uint16)(unsafe.Pointer(&r.bytes[0])), len(r.bytes)/2)
	return string(utf16.Decode(units[at : at+n]))
}

func (r *chunkReader) text() string {
	c := r.word()
	switch {
	case c >= shortText:
		return r.latin1(r.l.take(c), c)
	case c >= 0:
		r.t += c
		return r.latin1(r.t-c, c)
	case c >= -maxEntries:
		return r.dictionary[^c]
	}
	c &= math.MaxInt32
	return r.utf16(r.w.take(c), c)
}

func (r *chunkReader) referred(ref int) string {
	switch ref {
	case refGeneric:
		var fields []string
		for range r.word() &^ newKeys {
			word := r.word()
			var key string
			if id := word >> 5; id > 0 {
				key = r.keys[id-1]
			} else {
				key = r.text()
			}
			fields = append(fields, fmt.Sprintf("%q:%s", key, r.value(shape.Kind(word&31), nil)))
		}
		return "{" + strings.Join(fields, ",") + "}"
	case refOdd:
		return source(r.take(r.word()))
	}
	return r.slots(r.shapes[ref])
}

func (r *chunkReader) slots(slots []any) string {
	var fields []string
	for _, slot := range slots {
		s := slot.([]any)
		fields = append(fields, fmt.Sprintf("%q:%s", s[0], r.slot(s)))
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func (r *chunkReader) slot(s []any) string {
	mask := uint32(s[1].(float64))
	for k := range shape.Kind(30) {
		if mask == k.Bit() {
			return r.value(k, s)
		}
	}
	k := shape.Kind(r.word())
	if mask&k.Bit() == 0 {
		panic("a kind that the slot does not have")
	}
	return r.value(k, s)
}

// value reads a value; s is its slot, nil in a generic document.
func (r *chunkReader) value(k shape.Kind, s []any) string {
	switch k {
	case shape.Null:
		return "null"
	case shape.Bool:
		return fmt.Sprint("bool ", r.word())
	case shape.Int32:
		return fmt.Sprint("int ", r.word())
	case shape.Double:
		return fmt.Sprintf("double %x", math.Float64bits(r.double()))
	case shape.String:
		return fmt.Sprintf("%q", r.text())
	case shape.Date:
		return fmt.Sprint("date ", r.double())
	case shape.ObjectID:
		return fmt.Sprintf("id %x", r.take(12))
	case shape.Long32:
		return fmt.Sprint("long ", r.word())
	case shape.LongSafe:
		return fmt.Sprint("long ", int64(r.double()))
	case shape.LongBig:
		low, high := r.word(), r.word()
		return fmt.Sprint("long ", int64(high)<<32|int64(uint32(low)))
	case shape.Document:
		if s != nil {
			if slots, inline := s[2].([]any); inline {
				return r.slots(slots)
			}
		}
		return r.referred(r.word())
	case shape.Array:
		n := r.word()
		kind := shape.Tagged
		if s == nil {
			kind = shape.Kind(r.word())
		}
		var list []string
		for range n {
			switch {
			case s != nil:
				list = append(list, r.slot(s[3].([]any)))
			case kind == shape.Tagged:
				list = append(list, r.value(shape.Kind(r.word()), nil))
			default:
				list = append(list, r.value(kind, nil))
			}
		}
		return "[" + strings.Join(list, ",") + "]"
	case shape.Decimal:
		return fmt.Sprintf("decimal %x", r.take(16))
	case shape.Binary:
		n := r.word()
		return fmt.Sprintf("binary %d %x", r.word(), r.take(n))
	case shape.Timestamp:
		return fmt.Sprint("time ", uint32(r.word()), " ", uint32(r.word()))
	case shape.Regex:
		return fmt.Sprintf("regex %q %q", r.text(), r.text())
	case shape.Code, shape.Symbol:
		return fmt.Sprintf("kind %d %q", k, r.text())
	case shape.MinKey, shape.MaxKey, shape.Undefined:
		return fmt.Sprint("kind ", k)
	case shape.Odd:
		return strings.TrimSuffix(strings.TrimPrefix(source(r.take(r.word())), `{"":`), "}")
	}
	panic(fmt.Sprint("kind ", k))
}

// source writes a BSON document as text.
func source(b []byte) string {
	var fields []string
	for p, end := 4, len(b)-1; p < end; {
		t := b[p]
		v, _ := bsonscan.Key(b, p+1, end)
		next, _ := bsonscan.Value(t, b, v, end)
		fields = append(fields, fmt.Sprintf("%q:%s", b[p+1:v-1], sourceValue(t, b[v:next])))
		p = next
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func sourceValue(t byte, b []byte) string {
	switch t {
	case bsonscan.Null:
		return "null"
	case bsonscan.Boolean:
		return fmt.Sprint("bool ", b[0])
	case bsonscan.Int32:
		return fmt.Sprint("int ", int32At(b, 0))
	case bsonscan.Double:
		return fmt.Sprintf("double %x", math.Float64bits(doubleAt(b, 0)))
	case bsonscan.String:
		return fmt.Sprintf("%q", b[4:len(b)-1])
	case bsonscan.DateTime:
		return fmt.Sprint("date ", float64(int64At(b, 0)))
	case bsonscan.ObjectID:
		return fmt.Sprintf("id %x", b)
	case bsonscan.Int64:
		return fmt.Sprint("long ", int64At(b, 0))
	case bsonscan.Document:
		return source(b)
	case bsonscan.Array:
		var list []string
		for p, end := 4, len(b)-1; p < end; {
			v, _ := bsonscan.Key(b, p+1, end)
			next, _ := bsonscan.Value(b[p], b, v, end)
			list = append(list, sourceValue(b[p], b[v:next]))
			p = next
		}
		return "[" + strings.Join(list, ",") + "]"
	case bsonscan.Decimal128:
		return fmt.Sprintf("decimal %x", b)
	case bsonscan.Binary:
		return fmt.Sprintf("binary %d %x", b[4], b[5:])
	case bsonscan.Timestamp:
		return fmt.Sprint("time ", uint32(int32At(b, 0)), " ", uint32(int32At(b, 4)))
	case bsonscan.Regex:
		v, _ := bsonscan.Key(b, 0, len(b))
		return fmt.Sprintf("regex %q %q", b[:v-1], b[v:len(b)-1])
	case bsonscan.JavaScript:
		return fmt.Sprintf("kind %d %q", shape.Code, b[4:len(b)-1])
	case bsonscan.Symbol:
		return fmt.Sprintf("kind %d %q", shape.Symbol, b[4:len(b)-1])
	case bsonscan.MinKey:
		return fmt.Sprint("kind ", shape.MinKey)
	case bsonscan.MaxKey:
		return fmt.Sprint("kind ", shape.MaxKey)
	case bsonscan.Undefined:
		return fmt.Sprint("kind ", shape.Undefined)
	}
	return fmt.Sprintf("type %x %x", t, b)
}
