package exchange

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`""`, ""},
		{`"a\"\\\/\b\f\n\r\t"`, "a\"\\/\b\f\n\r\t"},
		{`"\u00e9\ud83e\udd80"`, "é🦀"},
		{`"\ud800"`, "\xed\xa0\x80"},
		{`"\udd80\ud83e"`, "\xed\xb6\x80\xed\xa0\xbe"},
		{`"\ud800\n\udc00"`, "\xed\xa0\x80\n\xed\xb0\x80"},
		{`"\ud800\u0041"`, "\xed\xa0\x80A"},
		{"\"\xff\"", "\xff"},
		{" \"a\"\n", "a"},
	} {
		if got, err := Text(json.RawMessage(c.raw)); err != nil || got != c.want {
			t.Errorf("text(%s) = %q, %v, want %q", c.raw, got, err, c.want)
		}
	}
	for raw, want := range map[string]string{"null": "null", "1": "a number", "[]": "an array", "{}": "an object", "": "nothing", "true": "true"} {
		if _, err := Text(json.RawMessage(raw)); err == nil || err.Error() != "want text, found "+want {
			t.Errorf("text(%s): %v", raw, err)
		}
	}
	for _, raw := range []string{`"\`, `"\"`, `"\u12"`, `"\x00"`, `"\u12G4"`} { // which a JSON parser never lets through
		if _, err := Text(json.RawMessage(raw)); err == nil {
			t.Errorf("text(%s) is no error", raw)
		}
	}
}

// Of text that needs no such care, text reads what encoding/json reads.
func TestTextAgreesWithJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want string
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		if got, err := Text(raw); err != nil || got != want {
			t.Fatalf("text(%s) = %q, %v", raw, got, err)
		}
	})
}

func TestLax(t *testing.T) {
	for in, want := range map[string]string{
		``:                                  ``,
		`NaN`:                               `null`,
		`[NaN,Infinity, -Infinity,-1,-I,N]`: `[null,null, null,-1,-I,N]`,
		`{"NaN": NaN, "a\"NaN": "\\", "b": NaN, "c\\": NaN}`: `{"NaN": null, "a\"NaN": "\\", "b": null, "c\\": null}`,
		`"-Infinity" -Infinit`:                               `"-Infinity" -Infinit`,
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(in), "bytes": iotest.OneByteReader(strings.NewReader(in))} {
			got, err := io.ReadAll(pythonJSON(bufio.NewReaderSize(r, 16)))
			if err != nil || string(got) != want {
				t.Errorf("%s, %s: %s, %v; want %s", in, name, got, err, want)
			}
			if err := iotest.TestReader(pythonJSON(bufio.NewReaderSize(strings.NewReader(in), 16)), []byte(want)); err != nil {
				t.Error(err)
			}
		}
	}
}

// What holds none of the three words outside of texts passes as it is.
func TestLaxPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringOf(rapid.RuneFrom([]rune(`"\{}[],:-1aé `))).Draw(t, "in")
		got, err := io.ReadAll(pythonJSON(bufio.NewReaderSize(strings.NewReader(in), 16)))
		if err != nil || string(got) != in {
			t.Fatalf("%q, %v", got, err)
		}
	})
}
