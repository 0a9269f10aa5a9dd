package jsonout

import (
	"math"
	"strconv"
)

// appendNumber appends v as JavaScript writes numbers: the fewest digits that mean v, an exponent from 1e21 on and below
// 1e-6. v is finite, or its name comes out; a negative zero loses its sign.
func appendNumber(dst []byte, v float64) []byte {
	if n := int64(v); float64(n) == v && n > -1e15 && n < 1e15 {
		return strconv.AppendInt(dst, n, 10)
	}
	abs := math.Abs(v)
	switch {
	case abs < 1e12 && abs > 1e-2:
		// Amounts and the like. n and 100 are exact, so the quotient is the double closest to the decimal n/100, and no
		// other decimal of up to 15 digits has the same.
		if n := math.RoundToEven(v * 100); n/100 == v {
			return appendHundredths(dst, int64(n))
		}
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	case math.IsNaN(v):
		return append(dst, "NaN"...)
	case abs > math.MaxFloat64:
		if v < 0 {
			dst = append(dst, '-')
		}
		return append(dst, "Infinity"...)
	}
	dst = strconv.AppendFloat(dst, v, 'e', -1, 64)
	// Go writes at least two digits of an exponent.
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

func appendHundredths(dst []byte, n int64) []byte {
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = append(strconv.AppendInt(dst, n/100, 10), '.', byte('0'+n%100/10))
	if n%10 != 0 {
		dst = append(dst, byte('0'+n%10))
	}
	return dst
}

const maxSafe = 1 << 53 // what js-bson takes for safe, both ends included

// number writes a double, or an integer, that is a number in JavaScript.
func (e *Encoder) number(v float64, level int, mode Mode) {
	switch {
	case mode == Plain:
		e.finite(v)
	case mode == Relaxed && !math.IsNaN(v) && !math.IsInf(v, 0):
		e.out = appendNumber(e.out, v)
	case v == 0 && math.Signbit(v):
		e.wrapped(`"$numberDouble":`, `"-0.0"`, level)
	case v == math.Trunc(v) && v >= math.MinInt32 && v <= math.MaxInt32:
		e.quoted(`"$numberInt":`, level, func() { e.out = appendNumber(e.out, v) })
	case v == math.Trunc(v) && v >= -(1<<63) && v <= 1<<63:
		e.quoted(`"$numberLong":`, level, func() { e.out = appendNumber(e.out, v) })
	default:
		e.quoted(`"$numberDouble":`, level, func() { e.out = appendNumber(e.out, v) })
	}
}

// finite writes v, or null if JSON has no such number.
func (e *Encoder) finite(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.out = append(e.out, "null"...)
		return
	}
	e.out = appendNumber(e.out, v)
}

// double writes a double.
func (e *Encoder) double(v float64, level int, mode Mode) {
	switch {
	case e.PromoteValues || mode != Canonical && !math.IsNaN(v) && !math.IsInf(v, 0):
		e.number(v, level, mode)
	case mode == Plain:
		e.finite(v)
	case v == 0 && math.Signbit(v):
		e.wrapped(`"$numberDouble":`, `"-0.0"`, level)
	case v == math.Trunc(v) && math.Abs(v) < 1e21:
		e.quoted(`"$numberDouble":`, level, func() { e.out = strconv.AppendFloat(e.out, v, 'f', 1, 64) })
	default:
		e.quoted(`"$numberDouble":`, level, func() { e.out = appendNumber(e.out, v) })
	}
}

// int32 writes an int32.
func (e *Encoder) int32(v int32, level int, mode Mode) {
	if mode != Canonical {
		e.out = strconv.AppendInt(e.out, int64(v), 10)
		return
	}
	e.quoted(`"$numberInt":`, level, func() { e.out = strconv.AppendInt(e.out, int64(v), 10) })
}

// int64 writes an int64, which is a number, a Long or a BigInt.
func (e *Encoder) int64(v int64, level int, mode Mode) {
	if !e.UseBigInt64 && e.PromoteLongs && e.PromoteValues && v >= -maxSafe && v <= maxSafe {
		if mode == Canonical {
			e.number(float64(v), level, mode)
			return
		}
		e.digits(v)
		return
	}
	switch {
	case mode == Relaxed:
		e.out = appendNumber(e.out, float64(v))
	case mode == Canonical:
		e.quoted(`"$numberLong":`, level, func() { e.digits(v) })
	case e.Longs == LongString:
		e.out = append(e.out, '"')
		e.digits(v)
		e.out = append(e.out, '"')
	case e.Longs == LongNumber || e.UseBigInt64:
		e.digits(v)
	default:
		e.longObject(v, level)
	}
}

func (e *Encoder) digits(v int64) { e.out = strconv.AppendInt(e.out, v, 10) }

func (e *Encoder) longObject(v int64, level int) {
	low, high := int64(int32(v)), v>>32
	e.out = append(e.out, '{')
	if e.LowFirst {
		e.member(`"low":`, level+1, true)
		e.digits(low)
		e.member(`"high":`, level+1, false)
		e.digits(high)
	} else {
		e.member(`"high":`, level+1, true)
		e.digits(high)
		e.member(`"low":`, level+1, false)
		e.digits(low)
	}
	e.member(`"unsigned":`, level+1, false)
	e.out = append(e.out, "false"...)
	e.closing(level, '}')
}
