package frame

import "unsafe"

// offsets are where the parts of the finished chunk begin, in bytes.
type offsets struct{ i, f, b, t, l, d, w, e, end int }

func (e *Encoder) layout() offsets {
	var o offsets
	e.closePages()
	o.i = 4 * (headerWords + len(e.runs) + 2*len(e.refs) + len(e.pagesL) + len(e.pagesW) + len(e.entries))
	o.f = (o.i + 4*len(e.i) + 7) &^ 7
	o.b = o.f + 8*len(e.f)
	o.t = o.b + len(e.b)
	o.l = o.t + len(e.t)
	o.d = o.l + len(e.l)
	o.w = (o.d + len(e.d) + 1) &^ 1
	o.e = o.w + 2*len(e.w)
	o.end = (o.e + 2*len(e.dictionary.e) + 7) &^ 7
	return o
}

func (e *Encoder) size() int { return e.layout().end }

// WriteTo puts the chunk into dst, whose length is the size that Encode returned and which is 8-byte aligned, and
// resets the encoder.
func (e *Encoder) WriteTo(dst []byte) {
	o := e.layout()
	var header [headerWords]int32
	header[wordVersion] = layoutVersion
	header[wordDocuments] = int32(e.documents)
	header[wordRuns] = int32(len(e.runs) / 2)
	header[wordShapes] = int32(len(e.refs))
	header[wordKeys] = int32(e.topKey)
	header[wordI] = int32(o.i / 4)
	header[wordF] = int32(o.f / 8)
	header[wordB], header[wordT], header[wordL] = int32(o.b), int32(o.t), int32(o.l)
	header[wordD], header[wordW], header[wordE] = int32(o.d), int32(o.w), int32(o.e)
	header[wordPagesL], header[wordPagesW] = int32(len(e.pagesL)), int32(len(e.pagesW))
	header[wordEntries] = int32(len(e.entries))
	header[wordEnd] = int32(o.e + 2*len(e.dictionary.e))

	at := copy(dst, raw(header[:]))
	at += copy(dst[at:], raw(e.runs))
	for _, prog := range e.refs {
		at += copy(dst[at:], raw([]int32{int32(prog.ID), int32(prog.Version)}))
	}
	at += copy(dst[at:], raw(e.pagesL))
	at += copy(dst[at:], raw(e.pagesW))
	at += copy(dst[at:], raw(e.entries))
	at += copy(dst[at:], raw(e.i))
	clear(dst[at:o.f]) // no old bytes of the block in the gaps
	copy(dst[o.f:], raw(e.f))
	copy(dst[o.b:], e.b)
	copy(dst[o.t:], e.t)
	copy(dst[o.l:], e.l)
	clear(dst[o.d+copy(dst[o.d:], e.d) : o.w])
	copy(dst[o.w:], raw(e.w))
	clear(dst[o.e+copy(dst[o.e:], raw(e.dictionary.e)):])
	e.reset()
}

// raw returns the bytes of s. They are made and read on one machine, so its own byte order is the right one.
func raw[T int32 | float64 | uint16](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}
