package driver

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/mnet"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"

	"rumongo-go/core/fault"
)

// canned is a connection that answers with one message, and remembers that a write came too late.
type canned struct {
	mnet.ReadWriteCloser
	answer []byte
	shut   bool
}

func (c *canned) Read(context.Context) ([]byte, error) { return c.answer, nil }

func (c *canned) Write(ctx context.Context, _ []byte) error {
	if c.shut = ctx.Err() != nil; c.shut {
		return os.ErrDeadlineExceeded
	}
	return nil
}

func message(answers int32, op wiremessage.OpCode, body []byte) []byte {
	return append(wiremessage.AppendHeader(nil, int32(headerSize+len(body)), 1, answers, op), body...)
}

func section(kind byte, data ...byte) []byte { return append([]byte{0, 0, 0, 0, kind}, data...) }

func packed(id wiremessage.CompressorID, says int, body []byte) []byte {
	head := binary.LittleEndian.AppendUint32(nil, uint32(wiremessage.OpMsg))
	head = append(binary.LittleEndian.AppendUint32(head, uint32(int32(says))), byte(id))
	return message(7, wiremessage.OpCompressed, append(head, body...))
}

func deflated(data []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(data)
	w.Close()
	return out.Bytes()
}

func TestCheckedConn(t *testing.T) {
	body := section(0, bsoncore.NewDocumentBuilder().AppendDouble("ok", 1).Build()...)
	encoder, _ := zstd.NewWriter(nil)
	wrongSum := deflated(body)
	wrongSum[len(wrongSum)-1] ^= 1
	for name, tc := range map[string]struct {
		answer []byte
		reason string // empty: it is passed on, as body
	}{
		"plain":             {message(7, wiremessage.OpMsg, body), ""},
		"noop":              {packed(0, len(body), body), ""},
		"snappy":            {packed(1, len(body), snappy.Encode(nil, body)), ""},
		"zlib":              {packed(2, len(body), deflated(body)), ""},
		"zstd":              {packed(3, len(body), encoder.EncodeAll(body, nil)), ""},
		"another's":         {message(6, wiremessage.OpMsg, body), "answers request 6, not 7"},
		"short":             {[]byte{5, 0, 0, 0, 0}, "shorter than a header"},
		"opcode":            {message(7, 2010, body), "opcode is 2010"},
		"no flags":          {message(7, wiremessage.OpMsg, nil), "no flags"},
		"checksum":          {message(7, wiremessage.OpMsg, append([]byte{1}, body[1:]...)), "checksum"},
		"section":           {message(7, wiremessage.OpMsg, section(9, body[5:]...)), "unknown kind 9"},
		"cut":               {message(7, wiremessage.OpMsg, body[:len(body)-3]), "where there are"},
		"negative":          {message(7, wiremessage.OpMsg, section(0, 0xff, 0xff, 0xff, 0xff)), "section of -1 bytes"},
		"rest":              {message(7, wiremessage.OpMsg, append(bytes.Clone(body), 0, 1)), "inside a section"},
		"compressed head":   {message(7, wiremessage.OpCompressed, []byte{1, 2, 3}), "head of its compression"},
		"compressed twice":  {message(7, wiremessage.OpCompressed, append(binary.LittleEndian.AppendUint32(nil, uint32(wiremessage.OpCompressed)), 0, 0, 0, 0, 0)), "opcode is 2012"},
		"compressor":        {packed(9, len(body), body), "compressor 9"},
		"says -1":           {packed(0, -1, body), "says to hold -1"},
		"says 2 GB, snappy": {packed(1, 1<<31-1, snappy.Encode(nil, body)), "says to hold 2147483647"},
		"says 2 GB, zstd":   {packed(3, 1<<31-1, encoder.EncodeAll(body, nil)), "says to hold 2147483647"},
		"says more":         {packed(0, len(body)+1, body), "and holds"},
		"snappy says less":  {packed(1, 5, snappy.Encode(nil, body)), "another length"},
		"zlib says less":    {packed(2, 5, deflated(body)), "does not end"},
		"zlib says more":    {packed(2, len(body)+1, deflated(body)), "decompression failed"},
		"zlib checksum":     {packed(2, len(body), wrongSum), "does not end"},
		"zstd says less":    {packed(3, 5, encoder.EncodeAll(body, nil)), "decompression failed"},
		"zstd broken":       {packed(3, 5, body), "decompression failed"},
	} {
		under := &canned{answer: tc.answer}
		conn := &checkedConn{ReadWriteCloser: under}
		if err := conn.Write(context.Background(), message(7, wiremessage.OpMsg, body)[:8:8]); err != nil {
			t.Fatal(err)
		}
		conn.request = 7
		got, err := conn.Read(context.Background())
		if tc.reason == "" {
			if err != nil || !bytes.Equal(got[headerSize:], body) || under.shut {
				t.Errorf("%s: %q %v", name, got, err)
			}
			continue
		}
		var f *fault.Fault
		if !errors.As(err, &f) || f.Kind != fault.Parse || !strings.Contains(f.Message, tc.reason) || !under.shut {
			t.Errorf("%s: %v, shut %t", name, err, under.shut)
		}
	}
}

// A few kilobytes that turn into gigabytes: refused before they are there.
func TestCompressionBombs(t *testing.T) {
	zeros := make([]byte, 1<<20)
	var frame bytes.Buffer
	streamed, _ := zstd.NewWriter(&frame) // a frame that does not say its size
	for range 512 {
		streamed.Write(zeros)
	}
	streamed.Close()
	var deflate bytes.Buffer
	w := zlib.NewWriter(&deflate)
	for range 512 {
		w.Write(zeros)
	}
	w.Close()
	for name, bomb := range map[string][]byte{
		"zstd": packed(3, 100, frame.Bytes()),
		"zlib": packed(2, 100, deflate.Bytes()),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		conn := &checkedConn{ReadWriteCloser: &canned{answer: bomb}, request: 7}
		if _, err := conn.Read(context.Background()); err == nil {
			t.Errorf("%s: accepted", name)
		}
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4*maxMessage {
			t.Errorf("%s: %d KB of 512 MB decompressed took %d MB", name, len(bomb)>>10, grown>>20)
		}
	}
}
