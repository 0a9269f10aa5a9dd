package jsonout

// maxTime is the last moment a JavaScript Date can be, in milliseconds.
const maxTime = 8_640_000_000_000_000

// The first moment that EJSON does not write as ISO text: the year 10000 in UTC, and what bson 6 took for it.
const (
	isoEnd     = 253_402_300_800_000
	isoEndLate = 253_402_318_800_000
)

const dayMS = 86_400_000

// date writes a date.
func (e *Encoder) date(ms int64, level int, mode Mode) {
	valid := ms >= -maxTime && ms <= maxTime
	if mode == Plain {
		if !valid {
			e.out = append(e.out, "null"...)
			return
		}
		e.out = append(e.out, '"')
		e.out = appendISO(e.out, ms, true)
		e.out = append(e.out, '"')
		return
	}
	end := int64(isoEnd)
	if e.LateDates {
		end = isoEndLate
	}
	if mode == Relaxed && ms >= 0 && ms < end {
		e.quoted(`"$date":`, level, func() { e.out = appendISO(e.out, ms, ms%1000 != 0) })
		return
	}
	e.out = append(e.out, '{')
	e.member(`"$date":`, level+1, true)
	e.quoted(`"$numberLong":`, level+1, func() {
		if valid {
			e.digits(ms)
		} else {
			e.out = append(e.out, "NaN"...)
		}
	})
	e.closing(level, '}')
}

// appendISO appends what toISOString gives, without milliseconds if they are not wanted.
func appendISO(dst []byte, ms int64, millis bool) []byte {
	days, rest := ms/dayMS, ms%dayMS
	if rest < 0 {
		days--
		rest += dayMS
	}
	year, month, day := civil(days)
	switch {
	case year < 0:
		dst = appendPadded(append(dst, '-'), -year, 6)
	case year > 9999:
		dst = appendPadded(append(dst, '+'), year, 6)
	default:
		dst = appendPadded(dst, year, 4)
	}
	t := int(rest)
	dst = append(dst, '-', digit(month/10), digit(month), '-', digit(day/10), digit(day), 'T',
		digit(t/36_000_000), digit(t/3_600_000), ':', digit(t/600_000%6), digit(t/60_000), ':',
		digit(t/10_000%6), digit(t/1000))
	if millis {
		dst = append(dst, '.', digit(t/100), digit(t/10), digit(t))
	}
	return append(dst, 'Z')
}

func digit(n int) byte { return byte('0' + n%10) }

func appendPadded(dst []byte, n, width int) []byte {
	start := len(dst)
	for range width {
		dst = append(dst, '0')
	}
	for i := len(dst) - 1; i >= start; i-- {
		dst[i] = digit(n)
		n /= 10
	}
	return dst
}

// civil returns the date of a day counted from 1970-01-01, by Howard Hinnant's days_to_civil: years begin in March, so
// that leap days come last.
func civil(days int64) (year, month, day int) {
	days += 719_468
	era := days / 146_097
	if days < 0 {
		era = (days - 146_096) / 146_097
	}
	doe := int(days - era*146_097)
	yoe := (doe - doe/1460 + doe/36_524 - doe/146_096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = doy - (153*mp+2)/5 + 1
	month = mp + 3
	if month > 12 {
		month -= 12
	}
	year = yoe + int(era)*400
	if month <= 2 {
		year++
	}
	return year, month, day
}
