package driver

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"

	"rumongo-go/core/fault"
)

// canned is a socket on which an answer arrives, at most step bytes at a time.
type canned struct {
	net.Conn
	answer []byte
	step   int
}

func (c *canned) Read(p []byte) (int, error) {
	if len(c.answer) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.step)], c.answer)
	c.answer = c.answer[n:]
	return n, nil
}

func (c *canned) Write(p []byte) (int, error) { return len(p), nil }

// ask writes a message with the id 7 and reads the answer as the driver does.
func ask(answer []byte, step int, flags byte) ([]byte, error) {
	c := &conn{Conn: &canned{answer: answer, step: step}}
	sent := append(wiremessage.AppendHeader(nil, 20, 7, 0, wiremessage.OpMsg), 0, 0, flags, 0)
	if _, err := c.Write(sent); err != nil {
		return nil, err
	}
	return receive(c)
}

func receive(c *conn) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return nil, err
	}
	message := append(head[:], make([]byte, binary.LittleEndian.Uint32(head[:])-4)...)
	_, err := io.ReadFull(c, message[4:])
	return message, err
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

func TestConn(t *testing.T) {
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
		"short":             {[]byte{5, 0, 0, 0, 0}, "5 bytes long"},
		"long":              {binary.LittleEndian.AppendUint32(nil, maxMessage+1), "48000001 bytes long"},
		"length -1":         {[]byte{255, 255, 255, 255}, "-1 bytes long"},
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
		for _, step := range []int{1, 3, 24, 1 << 20} {
			got, err := ask(tc.answer, step, 0)
			if tc.reason == "" {
				if err != nil || !bytes.Equal(got[headerSize:], body) || int(binary.LittleEndian.Uint32(got)) != len(got) {
					t.Errorf("%s: %q %v", name, got, err)
				}
				continue
			}
			var f *fault.Fault
			if !errors.As(err, &f) || f.Kind != fault.Parse || !strings.Contains(f.Message, tc.reason) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// A monitor allows the server to go on answering; each answer names the one before it.
func TestExhaust(t *testing.T) {
	body := section(0, bsoncore.NewDocumentBuilder().AppendDouble("ok", 1).Build()...)
	more := append([]byte{2}, body[1:]...)
	stream := append(message(7, wiremessage.OpMsg, more), message(1, wiremessage.OpMsg, more)...)
	stream = append(stream, message(1, wiremessage.OpMsg, body)...)
	stream = append(stream, message(1, wiremessage.OpMsg, body)...)
	if _, err := ask(stream, 100, 0); err == nil || !strings.Contains(err.Error(), "one of several") {
		t.Errorf("not asked for: %v", err)
	}
	c := &conn{Conn: &canned{answer: stream, step: 7}}
	_, _ = c.Write(append(wiremessage.AppendHeader(nil, 20, 7, 0, wiremessage.OpMsg), 0, 0, 1, 0))
	for i := range 3 {
		if _, err := receive(c); err != nil {
			t.Errorf("answer %d: %v", i, err)
		}
	}
	if _, err := receive(c); err == nil || !strings.Contains(err.Error(), "answers request 1") {
		t.Errorf("after the last: %v", err)
	}
}

// A read that is given up by its deadline goes on where it was.
func TestConnGoesOnAfterTimeout(t *testing.T) {
	body := section(0, bsoncore.NewDocumentBuilder().AppendString("text", strings.Repeat("x", 100)).Build()...)
	for name, answer := range map[string][]byte{"plain": message(7, wiremessage.OpMsg, body), "compressed": packed(2, len(body), deflated(body))} {
		for cut := range len(answer) {
			client, server := net.Pipe()
			c := &conn{Conn: client}
			begun := make(chan struct{}) // on a busy machine perhaps only after the deadline
			go func() {
				defer close(begun)
				_, _ = io.ReadFull(server, make([]byte, 20))
				_, _ = server.Write(answer[:cut])
			}()
			_, _ = c.Write(append(wiremessage.AppendHeader(nil, 20, 7, 0, wiremessage.OpMsg), 0, 0, 0, 0))
			var got []byte
			_ = c.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
			for buf := make([]byte, 64); ; {
				n, err := c.Read(buf)
				if got = append(got, buf[:n]...); err != nil {
					if !errors.Is(err, os.ErrDeadlineExceeded) {
						t.Fatalf("%s, cut at %d: %v", name, cut, err)
					}
					break
				}
			}
			_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
			go func() {
				<-begun
				_, _ = server.Write(answer[cut:])
			}()
			want := headerSize + len(body)
			for buf := make([]byte, 64); len(got) < want; {
				n, err := c.Read(buf)
				if got = append(got, buf[:n]...); err != nil {
					t.Fatalf("%s, cut at %d, then: %v", name, cut, err)
				}
			}
			if !bytes.Equal(got[headerSize:], body) {
				t.Fatalf("%s, cut at %d: %q", name, cut, got)
			}
			client.Close()
			server.Close()
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
		if _, err := ask(bomb, len(bomb), 0); err == nil {
			t.Errorf("%s: accepted", name)
		}
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4*maxMessage {
			t.Errorf("%s: %d KB of 512 MB decompressed took %d MB", name, len(bomb)>>10, grown>>20)
		}
	}
}
