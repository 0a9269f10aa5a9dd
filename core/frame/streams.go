package frame

import (
	"encoding/binary"
	"math"
)

// What an idle encoder may keep allocated of each buffer; a huge document should not stay in the pool.
const (
	keepBytes  = 1 << 20
	keepFields = 1 << 14
)

// streams are the parts of a chunk that hold values other than text.
type streams struct {
	i []int32
	f []float64
	b []byte
}

type streamMark struct{ i, f, b int }

func (s *streams) reset() {
	s.i, s.f, s.b = reuse(s.i, 4), reuse(s.f, 8), reuse(s.b, 1)
}

func reuse[T any](s []T, size int) []T {
	if cap(s)*size > keepBytes {
		return nil
	}
	return s[:0]
}

func (s *streams) mark() streamMark { return streamMark{len(s.i), len(s.f), len(s.b)} }

func (s *streams) rollback(m streamMark) { s.i, s.f, s.b = s.i[:m.i], s.f[:m.f], s.b[:m.b] }

func (s *streams) word(v int32) { s.i = append(s.i, v) }

func (s *streams) double(v float64) { s.f = append(s.f, v) }

func int32At(b []byte, p int) int32 { return int32(binary.LittleEndian.Uint32(b[p:])) }

func int64At(b []byte, p int) int64 { return int64(binary.LittleEndian.Uint64(b[p:])) }

func doubleAt(b []byte, p int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(b[p:]))
}
