// Command lazydump runs the lazy encoder on a file, so that the JavaScript decoder is tested on real chunks without
// the addon.
//
// Usage: lazydump [-piece bytes] < documents > chunks
//
// In: concatenated BSON documents. Out, repeated: kind (1 chunk, 2 definition of a lazy shape, 3 error), a number (of
// documents, the shape's id, or the offset in the piece), the size of the data, the data padded to a multiple of 8. The
// three are little-endian 32-bit words followed by one word of zero, so that data begins on a multiple of 8.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"rumongo-go/core/fault"
	"rumongo-go/core/index"
	"rumongo-go/core/shape"
)

const (
	kindChunk      = 1
	kindDefinition = 2
	kindError      = 3
)

func main() {
	piece := flag.Int("piece", 1<<20, "bytes of documents in one chunk")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	if err := run(os.Stdin, out, *piece); err != nil {
		fmt.Fprintln(os.Stderr, "lazydump:", err)
		os.Exit(1)
	}
	if err := out.Flush(); err != nil {
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, piece int) error {
	docs, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	encoder := index.NewEncoder()
	for len(docs) > 0 {
		var elems []byte
		elems, docs = cut(docs, piece)
		count, size, err := encoder.Encode(elems)
		chunk := make([]byte, size)
		encoder.WriteTo(chunk)
		write(out, kindChunk, count, chunk)
		if err != nil {
			var f *fault.Fault
			if !errors.As(err, &f) {
				return err
			}
			write(out, kindError, int(f.Offset), []byte(f.Message))
		}
	}
	for id := uint32(1); ; id++ {
		definition := shape.LazyDefinition(id)
		if definition == nil {
			return nil
		}
		write(out, kindDefinition, int(id), definition)
	}
}

// cut takes about size bytes of documents and puts the header of an array element before each.
func cut(docs []byte, size int) (elems, rest []byte) {
	for len(docs) > 0 && len(elems) < size {
		n := len(docs)
		if n >= 4 {
			if own := int(int32(binary.LittleEndian.Uint32(docs))); own >= 4 && own < n {
				n = own
			}
		}
		elems = append(append(elems, 0x03, '0', 0), docs[:n]...)
		docs = docs[n:]
	}
	return elems, docs
}

func write(out io.Writer, kind, number int, data []byte) {
	header := make([]byte, 16)
	binary.LittleEndian.PutUint32(header, uint32(kind))
	binary.LittleEndian.PutUint32(header[4:], uint32(number))
	binary.LittleEndian.PutUint32(header[8:], uint32(len(data)))
	out.Write(header)
	out.Write(data)
	out.Write(make([]byte, (8-len(data)%8)%8))
}
