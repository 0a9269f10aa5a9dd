package frame

// texts are the parts of a chunk that hold text: see the layout. JavaScript cannot make a string from UTF-8 cheaply
// (one native call each, about 150 ns), but it cuts substrings out of one big string in 10 to 20 ns, and that string is
// made from Latin-1 or UTF-16 by a plain copy. So Go transcodes.
type texts struct {
	t, l []byte
	w    []uint16
	// The sizes of the closed pages, and how full the open one is.
	pagesL, pagesW []int32
	openL, openW   int
	transcoder
	dictionary
}

type textMark struct{ t, l, w, pagesL, pagesW, openL, openW int }

func (x *texts) reset() {
	x.t, x.l, x.w = reuse(x.t, 1), reuse(x.l, 1), reuse(x.w, 2)
	x.pagesL, x.pagesW = x.pagesL[:0], x.pagesW[:0]
	x.openL, x.openW = 0, 0
	x.chars, x.units = reuse(x.chars, 1), reuse(x.units, 2)
	x.dictionary.reset()
}

func (x *texts) mark() textMark {
	return textMark{len(x.t), len(x.l), len(x.w), len(x.pagesL), len(x.pagesW), x.openL, x.openW}
}

func (x *texts) rollback(m textMark) {
	x.t, x.l, x.w = x.t[:m.t], x.l[:m.l], x.w[:m.w]
	x.pagesL, x.pagesW = x.pagesL[:m.pagesL], x.pagesW[:m.pagesW]
	x.openL, x.openW = m.openL, m.openW
}

// text writes the UTF-8 string b[p:q] into the stream that suits it, its code into i. It returns false, having written
// nothing, if it is not UTF-8. counter says which counter of the dictionary the place of the string has.
func (e *Encoder) text(b []byte, p, q int, counter uint16) bool {
	if n := q - p; n > 1 && n <= dictText {
		if number := e.repeated(b, p, q, counter, &e.transcoder); number >= 0 {
			e.word(^number)
			return true
		}
	}
	s := b[p:q]
	if start := asciiPrefix(s); start < len(s) {
		return e.notASCII(s, start)
	}
	n := len(s)
	e.word(int32(n))
	if n < shortText {
		e.t = append(e.t, s...)
		return true
	}
	e.pageL(n)
	e.l = append(e.l, s...)
	return true
}

// pageL makes room for n bytes in the open page of L, or opens another.
func (x *texts) pageL(n int) {
	if x.openL > 0 && x.openL+n > pageText {
		x.pagesL = append(x.pagesL, int32(x.openL))
		x.openL = 0
	}
	x.openL += n
}

func (x *texts) pageW(n int) {
	if x.openW > 0 && x.openW+n > pageText/2 {
		x.pagesW = append(x.pagesW, int32(x.openW))
		x.openW = 0
	}
	x.openW += n
}

// closePages ends the open pages. Nothing more may be written.
func (x *texts) closePages() {
	if x.openL > 0 {
		x.pagesL = append(x.pagesL, int32(x.openL))
		x.openL = 0
	}
	if x.openW > 0 {
		x.pagesW = append(x.pagesW, int32(x.openW))
		x.openW = 0
	}
}

func (e *Encoder) notASCII(s []byte, start int) bool {
	n, wide, ok := e.transcode(s, start)
	switch {
	case !ok:
		return false
	case wide:
		e.pageW(n)
		e.word(int32(n) | wideFlag)
		e.w = append(e.w, e.units[:n]...)
	case n < shortText:
		e.word(int32(n))
		e.t = append(e.t, e.chars[:n]...)
	default:
		e.pageL(n)
		e.word(int32(n))
		e.l = append(e.l, e.chars[:n]...)
	}
	return true
}
