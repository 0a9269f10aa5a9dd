package shape

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// Hashes decide only where to look; what is found is compared. The seed is the process's own, so that nobody can store
// documents whose keys all collide.
var seed = rand.Uint64() | 1

const golden = 0x9E3779B97F4A7C15

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// Hash returns the hash of b[p:q].
func Hash(b []byte, p, q int) uint64 {
	s := b[p:q]
	n := len(s)
	h := seed ^ uint64(n)
	switch {
	case n >= 8:
		for len(s) > 8 {
			h = fold(h^binary.LittleEndian.Uint64(s), golden)
			s = s[8:]
		}
		return fold(h^binary.LittleEndian.Uint64(b[q-8:]), golden)
	case n >= 4:
		return fold(h^(uint64(binary.LittleEndian.Uint32(s))|uint64(binary.LittleEndian.Uint32(s[n-4:]))<<32), golden)
	case n > 0:
		return fold(h^(uint64(s[0])|uint64(s[n/2])<<8|uint64(s[n-1])<<16), golden)
	}
	return fold(h, golden)
}

// Chain adds the hash of the next key to the hash of a key sequence.
func Chain(sequence, key uint64) uint64 { return fold(sequence^key, golden) + 1 }
