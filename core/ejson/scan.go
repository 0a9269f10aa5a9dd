package ejson

import (
	"strings"
	"unicode/utf8"
)

// scan accepts exactly the JSON texts (RFC 8259, as JSON.parse) within the bounds. It does not recurse: open objects and
// arrays are a stack of fixed size.
func scan(text string) *Error {
	if len(text) > MaxSize {
		return at(MaxSize, "the text is longer than %d bytes", MaxSize)
	}
	if !utf8.ValidString(text) {
		return at(invalidUTF8(text), "invalid UTF-8")
	}
	s := scanner{text: text}
	return s.run()
}

func invalidUTF8(text string) int {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return len(text)
}

type scanner struct {
	text  string
	i     int
	depth int
	open  [MaxDepth]int // where each open object or array began
	work  int
}

// What may come next inside an object or array.
type state int

const (
	value        state = iota // a value
	valueOrClose              // the same, or the end of an array
	keyOrClose                // a key, or the end of an object
	key                       // a key
	afterValue                // a comma or the end of what is open; at the top, the end
)

func (s *scanner) run() *Error {
	next := value
	for {
		s.space()
		if s.i == len(s.text) {
			if next == afterValue && s.depth == 0 {
				return nil
			}
			return at(s.i, "unexpected end of the text")
		}
		var err *Error
		if next, err = s.step(next, s.text[s.i]); err != nil {
			return err
		}
	}
}

func (s *scanner) step(now state, c byte) (state, *Error) {
	closes := s.depth > 0 && c == s.closer()
	switch {
	case now == afterValue && s.depth == 0:
		return 0, s.unexpected()
	case now == afterValue && c == ',':
		s.i++
		if s.inObject() {
			return key, nil
		}
		return value, nil
	case (now == afterValue || now == valueOrClose || now == keyOrClose) && closes:
		return s.close()
	case now == keyOrClose || now == key:
		return value, s.key(c)
	case now == afterValue:
		return 0, s.unexpected()
	}
	switch c {
	case '{':
		return keyOrClose, s.push()
	case '[':
		return valueOrClose, s.push()
	case '"':
		return afterValue, s.string()
	case 't':
		return afterValue, s.word("true")
	case 'f':
		return afterValue, s.word("false")
	case 'n':
		return afterValue, s.word("null")
	}
	return afterValue, s.number()
}

func (s *scanner) inObject() bool { return s.text[s.open[s.depth-1]] == '{' }

func (s *scanner) closer() byte {
	if s.inObject() {
		return '}'
	}
	return ']'
}

func (s *scanner) push() *Error {
	if s.depth == MaxDepth {
		return at(s.i, "nested deeper than %d levels", MaxDepth)
	}
	s.open[s.depth] = s.i
	s.depth++
	s.i++
	return nil
}

func (s *scanner) close() (state, *Error) {
	s.depth--
	s.i++
	if s.work += s.i - s.open[s.depth]; s.work > maxWork {
		return 0, at(s.open[s.depth], "too much text for its depth")
	}
	return afterValue, nil
}

func (s *scanner) key(c byte) *Error {
	if c != '"' {
		return s.unexpected()
	}
	if err := s.string(); err != nil {
		return err
	}
	s.space()
	if s.i == len(s.text) || s.text[s.i] != ':' {
		return s.unexpected()
	}
	s.i++
	return nil
}

func (s *scanner) space() {
	for s.i < len(s.text) {
		switch s.text[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

func (s *scanner) string() *Error {
	for s.i++; s.i < len(s.text); s.i++ {
		switch c := s.text[s.i]; {
		case c == '"':
			s.i++
			return nil
		case c < ' ':
			return at(s.i, "control character in a string")
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		}
	}
	return at(s.i, "unexpected end of the text in a string")
}

// escape leaves i at the last byte of the escape.
func (s *scanner) escape() *Error {
	start := s.i
	s.i++
	if s.i == len(s.text) {
		return at(s.i, "unexpected end of the text in a string")
	}
	if s.text[s.i] != 'u' {
		if !strings.ContainsRune(`"\/bfnrt`, rune(s.text[s.i])) {
			return at(start, "unknown escape in a string")
		}
		return nil
	}
	if len(s.text)-s.i < 5 || hexDigits(s.text[s.i+1:s.i+5]) < 0 {
		return at(start, `\u without four hexadecimal digits`)
	}
	s.i += 4
	return nil
}

func (s *scanner) word(word string) *Error {
	if !strings.HasPrefix(s.text[s.i:], word) {
		return s.unexpected()
	}
	s.i += len(word)
	return nil
}

func (s *scanner) number() *Error {
	if s.i < len(s.text) && s.text[s.i] == '-' {
		s.i++
	}
	if s.i < len(s.text) && s.text[s.i] == '0' {
		s.i++
	} else if !s.digits() {
		return s.unexpected()
	}
	if s.i < len(s.text) && s.text[s.i] == '.' {
		s.i++
		if !s.digits() {
			return s.unexpected()
		}
	}
	if s.i < len(s.text) && (s.text[s.i] == 'e' || s.text[s.i] == 'E') {
		s.i++
		if s.i < len(s.text) && (s.text[s.i] == '+' || s.text[s.i] == '-') {
			s.i++
		}
		if !s.digits() {
			return s.unexpected()
		}
	}
	return nil
}

// digits passes over one or more.
func (s *scanner) digits() bool {
	start := s.i
	for s.i < len(s.text) && s.text[s.i] >= '0' && s.text[s.i] <= '9' {
		s.i++
	}
	return s.i > start
}

func (s *scanner) unexpected() *Error {
	if s.i >= len(s.text) {
		return at(len(s.text), "unexpected end of the text")
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.i:])
	return at(s.i, "unexpected %q", r)
}
