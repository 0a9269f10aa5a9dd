package bsontext

import (
	"encoding/binary"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

func bytesOf(high, low uint64) []byte {
	b := binary.LittleEndian.AppendUint64(nil, low)
	return binary.LittleEndian.AppendUint64(b, high)
}

// Texts in the canonical form are their own text again. js-bson's own answers are compared in __tests__/parity.
func TestAppendDecimalKeepsCanonicalTexts(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "1", "-1", "12345678901234567890", "9999999999999999999999999999999999",
		"0.1", "-0.001234", "0.000001", "123.45", "-12345678901234567890.12",
		"1E-7", "1.2E-10", "-1.5E+3", "1E+3", "0E+3", "0E-10", "1.000000000000000000000000000000000E+6144", "1E-6176",
		"NaN", "Infinity", "-Infinity",
	} {
		d, err := bson.ParseDecimal128(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := string(AppendDecimal([]byte("> "), bytesOf(d.GetBytes()))); got != "> "+text {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestAppendDecimalOfCoefficientsThatAreTooLong(t *testing.T) {
	const tooLong = uint64(3) << 61 // the form for coefficients of 2 to the power of 113 and more, none of which is valid
	at := func(exponent int) uint64 { return tooLong | uint64(exponent+6176)<<47 }
	for exponent, want := range map[int]string{
		0:   "0",
		5:   "0E+5",
		-3:  "10384593717069655257060992658440.192",
		-41: "0E-41",
	} {
		if got := string(AppendDecimal(nil, bytesOf(at(exponent), 0))); got != want {
			t.Errorf("exponent %d: %s, want %s", exponent, got, want)
		}
	}
}

func TestAppendReplaced(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		"plain é 漢 😀":        "plain é 漢 😀",
		"a\xffb":             "a\uFFFDb",
		"\xe6\xbc":           "\uFFFD",
		"\xf0\x9f\x98x":      "\uFFFDx",
		"\xed\xa0\x80":       "\uFFFD\uFFFD\uFFFD", // half of a surrogate pair
		"\xc0\xaf":           "\uFFFD\uFFFD",       // overlong
		"ok\xf4\x90\x80\x80": "ok\uFFFD\uFFFD\uFFFD\uFFFD",
	} {
		if got := string(AppendReplaced(nil, []byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
