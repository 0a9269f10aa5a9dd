package frame

import "rumongo-go/core/shape"

// Many strings of a collection repeat: states, cities, types. A dictionary per chunk lets one JavaScript string serve
// all documents of the chunk: a reference costs 2 ns to read instead of 15 to 20, allocates nothing, and gives the
// scavenger nothing to copy. (Documents with a few such fields take 10 to 17 % less heap, and collecting is most of the
// cost of making documents.) A string gets into the dictionary when it is met for the second time in the chunk, so one
// that is met once costs JavaScript nothing; and counters switch the search off at places where it does not pay.
const (
	dictText   = 64 // longer strings are not looked up
	dictCells  = 1024
	dictPlaces = 1024

	// The counter of a place: each miss adds 1, each hit takes 3 away; from idle on only one string in 32 is looked up.
	idle     = 24
	mostHits = -60
	sampling = 32

	maxEntries = 1 << 12
)

type dictionary struct {
	d           []byte
	e           []uint16
	entries     []int32 // the lengths of the strings in order, wideFlag if in E
	cells       [dictCells]dictCell
	counter     [dictPlaces]int8
	epoch, tick uint32
}

// A dictCell remembers one string of the chunk's source.
type dictCell struct {
	hash   uint32
	epoch  uint32 // cells of an earlier chunk are empty
	at     int32  // where the string is in the source
	length int16
	number int16 // in the dictionary, -1: not yet
}

func (x *dictionary) reset() {
	x.d, x.e, x.entries = x.d[:0], x.e[:0], x.entries[:0]
	x.epoch++
	if x.epoch == 0 {
		x.cells = [dictCells]dictCell{}
		x.epoch = 1
	}
}

// repeated returns the number of the string b[p:q] in the dictionary, or -1 if it is to be written out.
func (x *dictionary) repeated(b []byte, p, q int, place uint16, c *transcoder) int32 {
	counter := &x.counter[place%dictPlaces]
	if *counter >= idle {
		if x.tick++; x.tick%sampling != 0 {
			return -1
		}
	}
	hash := uint32(shape.Hash(b, p, q) >> 32)
	cell := &x.cells[hash%dictCells]
	if cell.epoch == x.epoch {
		if cell.hash == hash && string(b[cell.at:int(cell.at)+int(cell.length)]) == string(b[p:q]) {
			if *counter > mostHits {
				*counter -= 3
			}
			if cell.number < 0 {
				cell.number = x.enter(b[p:q], c)
			}
			return int32(cell.number)
		}
		if cell.number >= 0 {
			if *counter < idle {
				*counter++
			}
			return -1 // what repeats stays
		}
	}
	if *counter < idle {
		*counter++
	}
	*cell = dictCell{hash: hash, epoch: x.epoch, at: int32(p), length: int16(q - p), number: -1}
	return -1
}

// enter puts s into the dictionary and returns its number, or -1 if there is no room.
func (x *dictionary) enter(s []byte, c *transcoder) int16 {
	if len(x.entries) >= maxEntries {
		return -1
	}
	n, wide, ok := c.transcode(s, 0)
	switch {
	case !ok:
		return -1
	case wide:
		if len(x.e)+n > pageText/2 {
			return -1
		}
		x.e = append(x.e, c.units[:n]...)
		x.entries = append(x.entries, int32(n)|wideFlag)
	default:
		if len(x.d)+n > pageText {
			return -1
		}
		x.d = append(x.d, c.chars[:n]...)
		x.entries = append(x.entries, int32(n))
	}
	return int16(len(x.entries) - 1)
}
