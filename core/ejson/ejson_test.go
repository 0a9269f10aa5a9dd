package ejson

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// parsed returns the value in a text, as type and bytes.
func parsed(t *testing.T, text string) bsoncore.Value {
	t.Helper()
	data, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := bsoncore.Document(data).Validate(); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return bsoncore.Document(data).Lookup("value")
}

func TestValues(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{`null`, `null`},
		{`true`, `true`},
		{` "a" `, `"a"`},
		{`{}`, `{}`},
		{`[]`, `[]`},
		{`1`, `{"$numberInt":"1"}`},
		{`-0`, `{"$numberDouble":"-0.0"}`},
		{`1.0`, `{"$numberInt":"1"}`},
		{`1e2`, `{"$numberInt":"100"}`},
		{`1.5`, `{"$numberDouble":"1.5"}`},
		{`2147483647`, `{"$numberInt":"2147483647"}`},
		{`2147483648`, `{"$numberDouble":"2.147483648E+09"}`},
		{`-2147483648`, `{"$numberInt":"-2147483648"}`},
		{`9007199254740991`, `{"$numberDouble":"9.007199254740991E+15"}`},
		{`9007199254740992`, `{"$numberLong":"9007199254740992"}`},
		{`9223372036854775807`, `{"$numberLong":"9223372036854775807"}`},
		{`-9223372036854775808`, `{"$numberLong":"-9223372036854775808"}`},
		{`9223372036854775808`, `{"$numberDouble":"9.223372036854776E+18"}`},
		{`1e999`, `{"$numberDouble":"Infinity"}`},
		{`{"$oid":"507f1f77bcf86cd799439011"}`, `{"$oid":"507f1f77bcf86cd799439011"}`},
		{`{"$numberInt":"5"}`, `{"$numberInt":"5"}`},
		{`{"$numberInt":5}`, `{"$numberInt":"5"}`},
		{`{"$numberLong":"5"}`, `{"$numberInt":"5"}`},
		{`{"$numberLong":"9007199254740993"}`, `{"$numberLong":"9007199254740993"}`},
		{`{"$numberDouble":"1e400"}`, `{"$numberDouble":"Infinity"}`},
		{`{"$numberDouble":"NaN"}`, `{"$numberDouble":"NaN"}`},
		{`{"$numberDouble":"5.0"}`, `{"$numberInt":"5"}`},
		{`{"$numberDecimal":"1.10"}`, `{"$numberDecimal":"1.10"}`},
		{`{"$numberDecimal":"-Infinity"}`, `{"$numberDecimal":"-Infinity"}`},
		{`{"$date":"2020-01-02T03:04:05.678Z"}`, `{"$date":{"$numberLong":"1577934245678"}}`},
		{`{"$date":{"$numberLong":"-1"}}`, `{"$date":{"$numberLong":"-1"}}`},
		{`{"$date":1.9}`, `{"$date":{"$numberLong":"1"}}`},
		{`{"$binary":{"base64":"AQI=","subType":"80"}}`, `{"$binary":{"base64":"AQI=","subType":"80"}}`},
		{`{"$binary":{"base64":"-_8"}}`, `{"$binary":{"base64":"+/8=","subType":"00"}}`},
		{`{"$uuid":"c8edabc3-f738-4ca3-b68d-ab92a91478a3"}`, `{"$binary":{"base64":"yO2rw/c4TKO2jauSqRR4ow==","subType":"04"}}`},
		{`{"$regularExpression":{"pattern":"a","options":"mi"}}`, `{"$regularExpression":{"pattern":"a","options":"im"}}`},
		{`{"$timestamp":{"t":4294967295,"i":1}}`, `{"$timestamp":{"t":4294967295,"i":1}}`},
		{`{"$symbol":"s"}`, `{"$symbol":"s"}`},
		{`{"$code":"f"}`, `{"$code":"f"}`},
		{`{"$scope":{"a":{"$oid":"507f1f77bcf86cd799439011"}},"$code":"f"}`, `{"$code":f,"$scope":{"a":{"$oid":"507f1f77bcf86cd799439011"}}}`},
		{`{"$minKey":1}`, `{"$minKey":1}`},
		{`{"$maxKey":1}`, `{"$maxKey":1}`},
		{`{"$undefined":true}`, `null`},
		{`{"$dbPointer":{"$ref":"c","$id":1}}`, `{"$ref":"c","$id":{"$numberInt":"1"}}`},
		{`{"x":1,"$db":"d","$id":1,"$ref":"c"}`, `{"$ref":"c","$id":{"$numberInt":"1"},"$db":"d","x":{"$numberInt":"1"}}`},
		{`{"$ref":"d.c","$id":1}`, `{"$ref":"c","$id":{"$numberInt":"1"},"$db":"d"}`},
		{`{"$ref":"c","$id":null}`, `{"$ref":"c","$id":null}`},
		{`{"$id":1,"$ref":"c","$x":1}`, `{"$id":{"$numberInt":"1"},"$ref":"c","$x":{"$numberInt":"1"}}`},
		// What stays as it is.
		{`{"$regex":"a","$options":"i"}`, `{"$regex":"a","$options":"i"}`},
		{`{"$oid":null}`, `{"$oid":null}`},
		{`{"$scope":{}}`, `{"$scope":{}}`},
		{`{"$undefined":false}`, `{"$undefined":false}`},
		// Fields as a JavaScript object has them.
		{`{"a":1,"b":2,"a":"x"}`, `{"a":"x","b":{"$numberInt":"2"}}`},
		{`{"b":null,"10":null,"9":null,"01":null,"4294967295":null,"4294967294":null,"-1":null}`,
			`{"9":null,"10":null,"4294967294":null,"b":null,"01":null,"4294967295":null,"-1":null}`},
		{`{"__proto__":{"a":1}}`, `{"__proto__":{"a":{"$numberInt":"1"}}}`},
		{`["\ud83d\ude00\u00e9\/\n"]`, `["😀é/\n"]`},
	} {
		v := parsed(t, tc.text)
		if got := strings.ReplaceAll(v.String(), `": `, `":`); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.text, got, tc.want)
		}
	}
}

func TestSurrogatesWithoutTheirOtherHalf(t *testing.T) {
	for text, want := range map[string]string{
		`"\ud800"`:             "\uFFFD",
		`"\ud800A"`:            "\uFFFDA",
		`"\ud800\u0041"`:       "\uFFFDA",
		`"\udc00\ud800"`:       "\uFFFD\uFFFD",
		`"\ud800\ud83d\ude00"`: "\uFFFD😀",
		`"\uD83D\uDE00"`:       "😀",
	} {
		if got := parsed(t, text).StringValue(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for _, tc := range []struct {
		text   string
		offset int
		says   string
	}{
		{``, 0, "end"},
		{`  `, 2, "end"},
		{`{`, 1, "end"},
		{`{"a"`, 4, "end"},
		{`{"a":`, 5, "end"},
		{`{"a":1`, 6, "end"},
		{`{"a":1,}`, 7, "'}'"},
		{`{a:1}`, 1, "'a'"},
		{`{"a" 1}`, 5, "'1'"},
		{`{"a":1 "b"}`, 7, `'"'`},
		{`[1 2]`, 3, "'2'"},
		{`[1,]`, 3, "']'"},
		{`[}`, 1, "'}'"},
		{`{]`, 1, "']'"},
		{`[1}`, 2, "'}'"},
		{`1 1`, 2, "'1'"},
		{`]`, 0, "']'"},
		{`01`, 1, "'1'"},
		{`-`, 1, "end"},
		{`-x`, 1, "'x'"},
		{`1.`, 2, "end"},
		{`1.e`, 2, "'e'"},
		{`1e+`, 3, "end"},
		{`.5`, 0, "'.'"},
		{`+1`, 0, "'+'"},
		{`NaN`, 0, "'N'"},
		{`nul`, 0, "'n'"},
		{`truex`, 4, "'x'"},
		{`'a'`, 0, `'\''`},
		{`"a`, 2, "end"},
		{`"a\`, 3, "end"},
		{`"a\x"`, 2, "escape"},
		{`"\u12g4"`, 1, "hexadecimal"},
		{`"\u12`, 1, "hexadecimal"},
		{"\"a\nb\"", 2, "control"},
		{"\ufeff{}", 0, "ufeff"},
		{"[1]\u00a0", 3, "u00a0"},
		{"\"\xff\"", 1, "UTF-8"},
		{"[\"\u00e9\xed\xa0\x80\"]", 4, "UTF-8"},
		{strings.Repeat("[", 201), 200, "200 levels"},
		{`{"a\u0000b":1}`, 1, "NUL"},
		{`{"a":{"$oid":"zz"}}`, 13, "$oid"},
		{`{"a":[1,{"$oid":"507f1f77bcf86cd799439011","x":1}]}`, 43, `"x" beside "$oid"`},
		{`{"a":{"x":1,"$numberInt":"1"}}`, 6, `"x" beside "$numberInt"`},
		{`{"$numberInt":"2147483648"}`, 14, "$numberInt"},
		{`{"$numberInt":"5x"}`, 14, "$numberInt"},
		{`{"$numberLong":5}`, 15, "$numberLong"},
		{`{"$numberLong":"-0"}`, 15, "$numberLong"},
		{`{"$numberLong":"007"}`, 15, "$numberLong"},
		{`{"$numberLong":"9223372036854775808"}`, 15, "$numberLong"},
		{`{"$numberDouble":"0x10"}`, 17, "$numberDouble"},
		{`{"$numberDouble":""}`, 17, "$numberDouble"},
		{`{"$numberDecimal":"1e"}`, 18, "$numberDecimal"},
		{`{"$numberDecimal":"12345678901234567890123456789012345"}`, 18, "$numberDecimal"},
		{`{"$date":"tomorrow"}`, 9, "$date"},
		{`{"$date":"2020-01-01T00:00:00"}`, 9, "time zone"},
		{`{"$date":"2021-02-30"}`, 9, "$date"},
		{`{"$date":{"$numberLong":"8640000000000001"}}`, 9, "out of range"},
		{`{"$date":true}`, 9, "$date"},
		{`{"$date":{"$oid":"507f1f77bcf86cd799439011"}}`, 9, "$date"},
		{`{"$binary":"AQI=","$type":"00"}`, 18, `"$type" beside`},
		{`{"$binary":{"base64":"A"}}`, 11, "base64"},
		{`{"$binary":{"base64":"AQ==","subType":"1ff"}}`, 11, "subType"},
		{`{"$binary":{"base64":"AQ==","subType":"04"}}`, 11, "UUID"},
		{`{"$binary":{"base64":"JwEB","subType":"09"}}`, 11, "vector"},
		{`{"$uuid":"c8edabc3f738-4ca3-b68d-ab92a91478a3"}`, 9, "$uuid"},
		{`{"$regularExpression":{"pattern":"a","options":"g"}}`, 22, "options"},
		{`{"$regularExpression":{"pattern":"a\u0000"}}`, 33, "NUL"},
		{`{"$regularExpression":{"options":""}}`, 0, "pattern"},
		{`{"$timestamp":{"t":-1,"i":1}}`, 14, "$timestamp.t"},
		{`{"$timestamp":{"t":1,"i":4294967296}}`, 14, "$timestamp.i"},
		{`{"$timestamp":{"t":1,"i":1,"x":1}}`, 27, `"x"`},
		{`{"$symbol":5}`, 11, "$symbol"},
		{`{"$code":5}`, 9, "$code"},
		{`{"$code":"f","$scope":[]}`, 22, "$scope"},
		{`{"$code":"f","$scope":{"$oid":"507f1f77bcf86cd799439011"}}`, 22, "$scope"},
		{`{"$dbPointer":{"$ref":"c"}}`, 14, "$dbPointer"},
	} {
		_, err := Parse(tc.text)
		var e *Error
		if !errors.As(err, &e) || e.Offset != tc.offset || !strings.Contains(e.Reason, tc.says) {
			t.Errorf("%.60s: %v, want %q at %d", tc.text, err, tc.says, tc.offset)
		}
	}
}

func TestBounds(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, MaxDepth/2) + strings.Repeat(`]}`, MaxDepth/2)
	parsed(t, deep)
	fits := `"` + strings.Repeat("x", MaxSize-2) + `"`
	parsed(t, fits)
	if _, err := Parse(fits + " "); err == nil {
		t.Error("a text of one byte too many is taken")
	}
	for name, hostile := range map[string]string{
		"arrays without end":    strings.Repeat("[", 12<<20),
		"objects without end":   strings.Repeat(`{"a":`, 3<<20),
		"nested everywhere":     strings.Repeat("[", 199) + strings.Repeat("[],", 5<<20),
		"deep all the way down": strings.Repeat("[", 150) + strings.Repeat(`{"a":"xxxxxxxxxxxxxxxx"},`, 600_000) + "0" + strings.Repeat("]", 150),
		"a string without end":  `"` + strings.Repeat(`\\`, 6<<20),
		"a very long number":    `{"$numberDecimal":"` + strings.Repeat("0", 12<<20) + `"}`,
		"a very long number, 2": `{"$numberDecimal":"1` + strings.Repeat("0", 6990) + `e-99999999"}`,
	} {
		start := time.Now()
		if _, err := Parse(hostile); err == nil {
			t.Errorf("%s: no error", name)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

func TestManyFields(t *testing.T) {
	var text strings.Builder
	text.WriteString("{")
	for i := range 200_000 {
		fmt.Fprintf(&text, `"f%d":%d,`, i%100_000, i)
	}
	text.WriteString(`"last":1}`)
	elements, err := parsed(t, text.String()).Document().Elements()
	if err != nil || len(elements) != 100_001 {
		t.Fatalf("%d fields, %v", len(elements), err)
	}
	if first := elements[0].Value().Int32(); first != 100_000 {
		t.Errorf("the first field is %d, not the last value of its name", first)
	}
}

func TestOutputOfSubtype2(t *testing.T) {
	data, err := Parse(`{"$binary":{"base64":"AQI=","subType":"02"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(data[11:]); got != "0600000002020000000102"+"00" {
		t.Errorf("bytes %s", got)
	}
}

// FuzzParse looks for texts that panic, that give no valid BSON, or that scan and gjson read differently.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[1,2.5,-0,1e400]`, `{"a":{"$oid":"507f1f77bcf86cd799439011"}}`, `{"$date":"2020-01-02T03:04:05Z"}`, `{"a":1,"a":2,"1":3}`,
		`{"$binary":{"base64":"AQI=","subType":"80"}}`, `{"$code":"f","$scope":{"a":1}}`, `{"$ref":"a.b","$id":1,"x":2}`, `"\ud83d\ude00\ud800"`,
		`{"$regularExpression":{"pattern":"a","options":"im"}}`, `{"$numberDecimal":"1.10e5"}`, `{"$timestamp":{"t":1,"i":2}}`, "[[[[", "\"\xff\"",
		`{"$numberLong":"9223372036854775807"}`, `{"$uuid":"c8edabc3-f738-4ca3-b68d-ab92a91478a3"}`, `{"$dbPointer":{"$ref":"c","$id":1}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		data, err := Parse(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || data != nil {
				t.Fatalf("%v, %d bytes", err, len(data))
			}
			return
		}
		if err := bsoncore.Document(data).Validate(); err != nil {
			t.Fatalf("not BSON: %v", err)
		}
	})
}
