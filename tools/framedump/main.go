// Command framedump turns a stream of BSON documents on stdin into eager chunks on stdout, with the definitions they
// refer to, so that the JavaScript side can be tested and measured on the encoder's real output without the addon.
//
// The output is records of four int32 (kind, a, b, length) and length bytes, padded to 8. Kind 0 is a chunk (a:
// documents); 1 and 2 are definitions (a: id, b: version); 3 ends the input early (a: documents in the chunks before it,
// b: byte offset in stdin) with the reason as text. With -speed it prints the encoder's throughput instead.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"rumongo-go/core/bsonscan"
	"rumongo-go/core/fault"
	"rumongo-go/core/frame"
	"rumongo-go/core/shape"
)

func main() {
	piece := flag.Int("piece", 256<<10, "bytes of documents in a chunk")
	warm := flag.Int("warm", 0, "times to encode the input before the output begins")
	speed := flag.Duration("speed", 0, "measure the encoder for this long, write no chunks")
	flag.Parse()
	if err := run(*piece, *warm, *speed); err != nil {
		fmt.Fprintln(os.Stderr, "framedump:", err)
		os.Exit(1)
	}
}

func run(piece, warm int, speed time.Duration) error {
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	pieces, starts := cut(in, piece)
	e := frame.NewEncoder()
	for range warm {
		for _, p := range pieces {
			_, size, _ := e.Encode(p)
			e.WriteTo(make([]byte, size))
		}
	}
	if speed > 0 {
		return measure(e, pieces, len(in), speed)
	}
	out := output{known: map[[3]uint32]bool{}}
	documents := 0
	for i, p := range pieces {
		count, size, err := e.Encode(p)
		chunk := make([]byte, size)
		e.WriteTo(chunk)
		documents += count
		out.chunk(count, chunk)
		if f, ok := err.(*fault.Fault); ok {
			// Each element is two bytes longer than its document: the type and an empty key.
			before := 2 * (count + 1)
			out.record(3, uint32(documents), uint32(starts[i]+int(f.Offset)-before), []byte(f.Message))
			break
		}
	}
	_, err = os.Stdout.Write(out.bytes)
	return err
}

// cut puts whole documents together to pieces, as the elements of an array body.
func cut(in []byte, piece int) (pieces [][]byte, starts []int) {
	var p []byte
	start := 0
	for at := 0; at < len(in); {
		size := len(in) - at
		if size >= 5 {
			if n := bsonscan.Length(in, at); n >= 5 && n <= size {
				size = n
			}
		}
		if len(p) == 0 {
			start = at
		}
		p = append(append(p, bsonscan.Document, 0), in[at:at+size]...)
		at += size
		if len(p) >= piece || at == len(in) {
			pieces, starts = append(pieces, p), append(starts, start)
			p = nil
		}
	}
	return pieces, starts
}

type output struct {
	bytes []byte
	known map[[3]uint32]bool
}

func (o *output) record(kind, a, b uint32, payload []byte) {
	for _, v := range []uint32{kind, a, b, uint32(len(payload))} {
		o.bytes = binary.LittleEndian.AppendUint32(o.bytes, v)
	}
	o.bytes = append(o.bytes, payload...)
	o.bytes = append(o.bytes, make([]byte, -len(payload)&7)...)
}

func (o *output) chunk(count int, chunk []byte) {
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(chunk[4*i:]) }
	at := 20 + 2*int(word(2))
	for i := range int(word(3)) {
		o.define(shape.FrameShape, word(at+2*i), word(at+2*i+1))
	}
	for first := uint32(1); first <= word(4); first += 4096 {
		o.define(shape.KeyNames, first, 0)
	}
	o.record(0, uint32(count), 0, chunk)
}

// define writes a definition once, but pages of key names each time: they grow.
func (o *output) define(kind int, id, version uint32) {
	name := [3]uint32{uint32(kind), id, version}
	if o.known[name] && kind != shape.KeyNames {
		return
	}
	o.known[name] = true
	o.record(uint32(kind), id, version, shape.Definition(kind, id, version))
}

func measure(e *frame.Encoder, pieces [][]byte, size int, span time.Duration) error {
	dst := make([]byte, 64<<20)
	start := time.Now()
	rounds := 0
	chunks := 0
	for time.Since(start) < span {
		for _, p := range pieces {
			_, n, err := e.Encode(p)
			if err != nil {
				return err
			}
			e.WriteTo(dst[:n])
			chunks += n
		}
		rounds++
	}
	s := time.Since(start).Seconds()
	fmt.Printf("%.0f MB/s, chunks are %.2f of the BSON\n", float64(size)*float64(rounds)/s/1e6, float64(chunks)/float64(size)/float64(rounds))
	return nil
}
