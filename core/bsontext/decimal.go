// Package bsontext writes values of BSON as text, for all encoders that need it.
package bsontext

import (
	"encoding/binary"
	"math/big"
	"strconv"
)

// AppendDecimal appends the text of a Decimal128, 16 bytes, as js-bson writes it. Coefficients of more than 34 digits are
// no valid ones: they count as zero where that matters (scientific form) and are written out elsewhere, as js-bson does.
func AppendDecimal(dst, b []byte) []byte {
	low, high := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	negative := high>>63 != 0
	combination := high >> 58 & 0x1f
	var exponent int
	var coefficient uint64 // its upper part
	switch {
	case combination == 0x1f:
		return append(dst, "NaN"...)
	case combination == 0x1e:
		if negative {
			dst = append(dst, '-')
		}
		return append(dst, "Infinity"...)
	case combination>>3 == 3:
		exponent = int(high >> 47 & 0x3fff)
		coefficient = high&(1<<46-1) | (8+(high>>46&1))<<46
	default:
		exponent = int(high >> 49 & 0x3fff)
		coefficient = high & (1<<49 - 1)
	}
	exponent -= 6176
	if negative {
		dst = append(dst, '-')
	}
	return appendScaled(dst, decimalDigits(coefficient, low), exponent)
}

func decimalDigits(high, low uint64) []byte {
	var scratch [40]byte
	if high == 0 {
		return strconv.AppendUint(scratch[:0], low, 10)
	}
	n := new(big.Int).SetUint64(high)
	n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(low))
	return n.Append(scratch[:0], 10)
}

// appendScaled appends digits times 10 to the power of exponent.
func appendScaled(dst, digits []byte, exponent int) []byte {
	n := len(digits)
	scientific := n - 1 + exponent
	if scientific >= 34 || scientific <= -7 || exponent > 0 {
		if n > 34 {
			dst = append(dst, '0')
			if exponent > 0 {
				dst = append(dst, "E+"...)
				return strconv.AppendInt(dst, int64(exponent), 10)
			} else if exponent < 0 {
				dst = append(dst, 'E')
				return strconv.AppendInt(dst, int64(exponent), 10)
			}
			return dst
		}
		dst = append(dst, digits[0])
		if n > 1 {
			dst = append(append(dst, '.'), digits[1:]...)
		}
		dst = append(dst, 'E')
		if scientific > 0 {
			dst = append(dst, '+')
		}
		return strconv.AppendInt(dst, int64(scientific), 10)
	}
	if exponent >= 0 {
		return append(dst, digits...)
	}
	point := n + exponent
	if point > 0 {
		dst = append(append(dst, digits[:point]...), '.')
		return append(dst, digits[point:]...)
	}
	dst = append(dst, '0', '.')
	for ; point < 0; point++ {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}
