package driver

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"
)

// compressedHead is what OP_COMPRESSED has between header and data: opcode, size and compressor of what is inside.
const compressedHead = 4 + 4 + 1

// zstdDecoders are used by one goroutine at a time; their own concurrency would start goroutines nobody recovers.
var zstdDecoders = sync.Pool{New: func() any {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxMessage),
		zstd.WithDecoderMaxWindow(maxMessage), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return err
	}
	return decoder
}}

// decompress returns the message inside an OP_COMPRESSED, in memory of its own. It never takes more than maxMessage,
// whatever the message says of itself or turns out to hold.
func decompress(message []byte) ([]byte, wiremessage.OpCode, error) {
	if len(message) < headerSize+compressedHead {
		return nil, 0, errors.New("it ends inside the head of its compression")
	}
	op := wiremessage.OpCode(int32(binary.LittleEndian.Uint32(message[headerSize:])))
	size := int64(int32(binary.LittleEndian.Uint32(message[headerSize+4:])))
	compressor := wiremessage.CompressorID(message[headerSize+8])
	if size < 0 || size > maxMessage-headerSize {
		return nil, 0, fmt.Errorf("it says to hold %d bytes when decompressed", size)
	}
	data := message[headerSize+compressedHead:]
	out, err := inflate(data, compressor, int(size))
	if err != nil {
		return nil, 0, fmt.Errorf("decompression failed: %w", err)
	}
	if len(out) != headerSize+int(size) {
		return nil, 0, fmt.Errorf("it says to hold %d bytes when decompressed and holds %d", size, len(out)-headerSize)
	}
	copy(out, message[:headerSize])
	binary.LittleEndian.PutUint32(out, uint32(len(out)))
	binary.LittleEndian.PutUint32(out[12:], uint32(op))
	return out, op, nil
}

// inflate returns room for a header and, behind it, what data holds.
func inflate(data []byte, compressor wiremessage.CompressorID, size int) ([]byte, error) {
	switch compressor {
	case wiremessage.CompressorNoOp:
		return append(replyMemory(headerSize + len(data))[:headerSize], data...), nil
	case wiremessage.CompressorSnappy:
		if n, err := snappy.DecodedLen(data); err != nil || n != size {
			return nil, fmt.Errorf("snappy data of another length (%d)", n)
		}
		out := replyMemory(headerSize + size)
		_, err := snappy.Decode(out[headerSize:], data)
		return out, err
	case wiremessage.CompressorZLib:
		reader, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		defer reader.Close()
		out := replyMemory(headerSize + size)
		if _, err := io.ReadFull(reader, out[headerSize:]); err != nil {
			return nil, err
		}
		// One byte more shows both what is too long and a wrong checksum.
		if n, err := reader.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			return nil, errors.New("zlib data that does not end where it should")
		}
		return out, nil
	case wiremessage.CompressorZstd:
		decoder, ok := zstdDecoders.Get().(*zstd.Decoder)
		if !ok {
			return nil, errors.New("no zstd decoder")
		}
		defer zstdDecoders.Put(decoder)
		return decoder.DecodeAll(data, replyMemory(headerSize + size)[:headerSize])
	}
	return nil, fmt.Errorf("compressor %d is unknown", compressor)
}
