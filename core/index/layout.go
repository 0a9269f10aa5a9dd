// Package index turns BSON documents into lazy chunks: the documents' own bytes, structurally validated, behind an
// index of where every top-level field begins. JavaScript (js/lazy.js) decodes a field when it is read.
//
// The layout of a chunk, the same text as in js/lazy.js. All words are 32 bits in the machine's byte order.
//
//	header   version, documents in the chunk, byte offset of the raw part, its size in bytes
//	runs     shape id, documents in the run, fields of each; then for each document:
//	             offset of the document, offset of each field
//	raw      the documents' bytes as they came
//
// Offsets count from the start of the raw part. A field's offset is that of its type byte; the length of its name is
// known from the shape, so that its value begins at offset + 1 + length + 1. Shape id 0 means no shape: such a run has
// no field offsets, and JavaScript finds the fields when one is first asked for; its third word is 1 if the documents
// have keys that begin with $ and may be DBRefs, else 0. A shape's definition is shape.LazyDefinition: a little-endian
// 32-bit count and the key names in document order, each with its NUL.
//
// What Go promises about the raw part is structure, at every level: lengths that fit, terminators in place, known
// types. Values may still be bad (invalid UTF-8, a boolean that is neither 0 nor 1, a regular expression that does not
// compile): reading that field throws, as js-bson would have for the whole document.
package index

const (
	layoutVersion = 1
	headerWords   = 4

	// mayBeReference is the third word of a run without a shape whose documents must be looked at one by one.
	mayBeReference = 1

	// maxRaw keeps every offset a non-negative int32 on the JavaScript side.
	maxRaw = 1<<31 - 1
)
