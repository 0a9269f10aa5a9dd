package jsonout

import (
	"slices"
	"unicode/utf8"
)

// regex writes a regular expression. Empty, or why js-bson or EJSON refuses it: that a pattern compiles in JavaScript is
// the one thing that cannot be found out here.
func (e *Encoder) regex(pattern, options []byte, level int, mode Mode) string {
	if e.BSONRegExp {
		if !only(options, "ilmsux") {
			return "an option of a regular expression is not supported"
		}
		sorted := slices.Clone(options)
		slices.Sort(sorted)
		e.pattern(pattern, string(sorted), level, mode)
		return ""
	}
	// As a RegExp: "s" becomes "g", and only "i" and "m" stay what they are.
	var i, m, g int
	for _, c := range options {
		switch c {
		case 'i':
			i++
		case 'm':
			m++
		case 's':
			g++
		}
	}
	if i > 1 || m > 1 || g > 1 {
		return "a regular expression has an option twice"
	}
	if mode == Plain {
		e.out = append(e.out, "{}"...)
		return ""
	}
	if g > 0 {
		return "the option of a regular expression is not supported"
	}
	flags := "im"[:i+m]
	if i == 0 {
		flags = "im"[1 : 1+m]
	}
	e.pattern(source(pattern), flags, level, mode)
	return ""
}

func only(s []byte, allowed string) bool {
	for _, c := range s {
		if !slices.Contains([]byte(allowed), c) {
			return false
		}
	}
	return true
}

func (e *Encoder) pattern(pattern []byte, options string, level int, mode Mode) {
	e.out = append(e.out, '{')
	inner := level
	if mode != Plain {
		inner++
		e.member(`"$regularExpression":`, inner, true)
		e.out = append(e.out, '{')
	}
	e.member(`"pattern":`, inner+1, true)
	e.loose(pattern)
	e.member(`"options":`, inner+1, false)
	e.loose([]byte(options))
	e.closing(inner, '}')
	if mode != Plain {
		e.closing(level, '}')
	}
}

// source is the property of that name: what stands between the slashes of a literal.
func source(pattern []byte) []byte {
	if len(pattern) == 0 {
		return []byte("(?:)")
	}
	out := make([]byte, 0, len(pattern)+8)
	escaped, class := false, false
	for at := 0; at < len(pattern); {
		r, n := utf8.DecodeRune(pattern[at:])
		end := ""
		switch r {
		case '\n':
			end = "n"
		case '\r':
			end = "r"
		case '\u2028':
			end = "u2028"
		case '\u2029':
			end = "u2029"
		}
		if end != "" {
			if !escaped {
				out = append(out, '\\')
			}
			out = append(out, end...)
			escaped = false
			at += n
			continue
		}
		if !escaped {
			switch r {
			case '[':
				class = true
			case ']':
				class = false
			case '/':
				if !class {
					out = append(out, '\\')
				}
			}
		}
		escaped = !escaped && r == '\\'
		out = append(out, pattern[at:at+n]...)
		at += n
	}
	return out
}
