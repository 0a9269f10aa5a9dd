package ejson

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote returns the text of a JSON string literal. A surrogate without its other half becomes U+FFFD, which is what
// JavaScript's UTF-8 encoder makes of it.
func unquote(literal string) string {
	body := literal[1 : len(literal)-1]
	escape := strings.IndexByte(body, '\\')
	if escape < 0 {
		return body
	}
	out := make([]byte, 0, len(body))
	for escape >= 0 {
		out = append(out, body[:escape]...)
		body = body[escape+1:]
		c := body[0]
		body = body[1:]
		if c == 'u' {
			var r rune
			r, body = codePoint(body)
			out = utf8.AppendRune(out, r)
		} else {
			out = append(out, plainEscapes[c])
		}
		escape = strings.IndexByte(body, '\\')
	}
	return string(append(out, body...))
}

var plainEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// codePoint reads what follows \u, and the other half of a pair if it follows too.
func codePoint(body string) (rune, string) {
	r := hexDigits(body[:4])
	body = body[4:]
	if !utf16.IsSurrogate(r) {
		return r, body
	}
	if len(body) >= 6 && body[0] == '\\' && body[1] == 'u' {
		if pair := utf16.DecodeRune(r, hexDigits(body[2:6])); pair != utf8.RuneError {
			return pair, body[6:]
		}
	}
	return utf8.RuneError, body
}

// hexDigits reads hexadecimal digits; -1: one is not.
func hexDigits(s string) (n rune) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			n = n<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			n = n<<4 | rune(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return n
}
