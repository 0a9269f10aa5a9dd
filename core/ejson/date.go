package ejson

import (
	"math"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// maxDate is the last millisecond a JavaScript Date can hold; the first is its negative.
const maxDate = 8_640_000_000_000_000

// appendDate takes text, milliseconds, and milliseconds in a number wrapper.
func appendDate(dst []byte, v gjson.Result) ([]byte, error) {
	ms, ok := 0.0, false
	switch {
	case v.Type == gjson.String:
		ms, ok = parseDate(v.Str)
		if !ok {
			return nil, at(v.Index, "$date must be an ISO 8601 date, with a time zone when it has a time, or milliseconds")
		}
	case v.Type == gjson.Number:
		ms, ok = v.Num, true
	case v.Type == gjson.JSON && v.Raw[0] == '{':
		fields, err := members(v)
		if err != nil {
			return nil, err
		}
		ms, ok = wrappedNumber(fields)
	}
	if !ok {
		return nil, at(v.Index, "$date must be text, milliseconds or { $numberLong: text }")
	}
	if !(math.Abs(ms) <= maxDate) {
		return nil, at(v.Index, "$date is out of range")
	}
	return bsoncore.AppendDateTime(dst, int64(ms)), nil
}

func wrappedNumber(fields []member) (float64, bool) {
	if len(fields) != 1 {
		return 0, false
	}
	v := fields[0].value
	switch fields[0].name {
	case "$numberLong":
		n, ok := numberLong(v)
		return float64(n), ok
	case "$numberInt":
		return numberInt(v)
	case "$numberDouble":
		return numberDouble(v)
	}
	return 0, false
}

// parseDate reads the date-time format of ECMAScript with a zone, or its date format, which is UTC: YYYY, YYYY-MM,
// YYYY-MM-DD, years of six digits with a sign, THH:mm, :ss, fractions. A zone may lack its colon, as some tools write it.
func parseDate(s string) (float64, bool) {
	p := dateParser{rest: s}
	year := p.year()
	month, day := 1, 1
	if p.accept("-") {
		month = p.number(2)
		if p.accept("-") {
			day = p.number(2)
		}
	}
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if p.failed || month < 1 || month > 12 || day < 1 || date.Day() != day {
		return 0, false
	}
	ms := float64(date.Unix()) * 1000
	if p.accept("T") {
		ms += p.timeOfDay() - p.zone()
	}
	return ms, !p.failed && p.rest == ""
}

type dateParser struct {
	rest   string
	failed bool
}

func (p *dateParser) accept(prefix string) bool {
	if len(p.rest) == 0 || p.rest[:1] != prefix {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// number reads exactly so many digits.
func (p *dateParser) number(digits int) int {
	if len(p.rest) < digits {
		p.failed = true
		return 0
	}
	n, err := strconv.ParseUint(p.rest[:digits], 10, 32)
	p.failed = p.failed || err != nil
	p.rest = p.rest[digits:]
	return int(n)
}

func (p *dateParser) year() int {
	switch {
	case p.accept("+"):
		return p.number(6)
	case p.accept("-"):
		year := p.number(6)
		p.failed = p.failed || year == 0
		return -year
	}
	return p.number(4)
}

func (p *dateParser) timeOfDay() float64 {
	hour := p.number(2)
	p.failed = p.failed || !p.accept(":")
	minute, second, milli := p.number(2), 0, 0
	if p.accept(":") {
		second = p.number(2)
		if p.accept(".") {
			milli = p.fraction()
		}
	}
	inside := hour < 24 && minute < 60 && second < 60 || hour == 24 && minute+second+milli == 0
	p.failed = p.failed || !inside
	return float64(((hour*60+minute)*60+second)*1000 + milli)
}

// fraction reads digits, of which the first three count.
func (p *dateParser) fraction() int {
	n, i := 0, 0
	for ; i < len(p.rest) && p.rest[i] >= '0' && p.rest[i] <= '9'; i++ {
		if i < 3 {
			n = n*10 + int(p.rest[i]-'0')
		}
	}
	p.failed = p.failed || i == 0
	p.rest = p.rest[i:]
	for ; i < 3; i++ {
		n *= 10
	}
	return n
}

func (p *dateParser) zone() float64 {
	if p.accept("Z") {
		return 0
	}
	sign := 1.0
	if p.accept("-") {
		sign = -1
	} else if !p.accept("+") {
		p.failed = true
		return 0
	}
	hour := p.number(2)
	p.accept(":")
	minute := p.number(2)
	p.failed = p.failed || hour > 23 || minute > 59
	return sign * float64((hour*60+minute)*60_000)
}
