// Package frame turns BSON documents into eager chunks, from which JavaScript (js/frames/materialize.js) makes objects at the
// speed of an object literal.
//
// The layout of a chunk, the same text as in js/frames/layout.js. Words are 32 bits in the machine's byte order.
//
//	header  20 words, see the word constants
//	runs    pairs: reference, documents in a row that have it
//	shapes  pairs: shape id, version
//	sizes   of the pages of L; of the pages of W, in code units; of the dictionary's strings, wideFlag set if in E
//	I       words: int32, booleans, lengths, tags, string codes, references
//	F       float64 (8-byte aligned): doubles, dates, int64 that a double holds exactly
//	B       bytes: ObjectId, Decimal128, binary, documents left to bson.deserialize
//	T       Latin-1 text of strings shorter than 13: V8 copies those out of the chunk's string, so it is not kept alive
//	L       Latin-1 text of longer strings, in pages of at most 4 KB: V8 cuts strings of 13 and more as slices of what
//	        they come from, so a kept string keeps its page. A string over 4 KB has a page of its own
//	D       Latin-1 text of the chunk's dictionary, at most 4 KB: strings that came up again and again
//	W       UTF-16 text, in pages like L (2-byte aligned)
//	E       UTF-16 text of the dictionary, at most 4 KB
//
// A reference says how the fields of a document follow: an index in shapes; refGeneric: the number of fields, newKeys
// added if the keys are a new sequence, then for each a word key id << 5 | kind (key id 0: a string code follows, the
// key's text) and the value; refOdd: a length, the document is in B for bson.deserialize.
//
// A string code c: 0 to 12: T; from 13 on: L; -1 down to -4096: number ^c of the dictionary; below: W, c & wideMask.
// Where a slot has several kinds, and in generic documents, a word with the kind is before the value. A generic array is
// its length, a kind for all elements or Tagged, then the elements. The kinds are shape.Kind.
package frame

const layoutVersion = 1

// The words of the header.
const (
	wordVersion = iota
	wordDocuments
	wordRuns
	wordShapes
	wordKeys   // the highest key id in use
	wordI      // index of I in words
	wordF      // index of F in float64s
	wordB      // byte offset of B, T, L, D, W, E
	wordT      //
	wordL      //
	wordD      //
	wordW      //
	wordE      //
	wordPagesL // number of pages
	wordPagesW
	wordEntries // number of strings in the dictionary
	wordEnd     // byte offset of the end of E
	headerWords = 20
)

// References that are not an index in shapes.
const (
	refGeneric = -1
	refOdd     = -2
)

const (
	shortText = 13   // V8 makes a slice of a substring of this length or more
	pageText  = 4096 // what a kept string may keep
	wideFlag  = -1 << 31

	newKeys   = 1 << 30 // build it as a dictionary, see js/frames/generic.js
	fewFields = 6       // with fewer it makes no difference

	maxDepth = 64 // levels of arrays and documents written here; what is deeper is left to bson.deserialize
)
