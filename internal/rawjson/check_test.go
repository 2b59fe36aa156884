package rawjson

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// FuzzCheck: Check accepts what encoding/json accepts.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[1,-0.5e+3,"x\u00e9\n",true,null]}`, `{"a":01}`, `{"a":1.}`, `{"a":"\ud800\udc00\ud800"}`, `{"a":"\q"}`,
		`{"a" 1}`, `{"a":1,}`, `[]`, `[1,]`, `{"":{}} x`, "{\"a\":\"\xff\"}", " [ 1 , 2 ] ", `"\u12`, `-`, `nul`, "\"12345678\x01\"", ``} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := Check(text, MaxDepth)
		if Valid(text) != (err == nil) {
			t.Fatalf("Valid and Check differ: %v", err)
		}
		if valid := json.Valid(text); valid != (err == nil) {
			t.Fatalf("json.Valid returns %v, Check returns %v", valid, err)
		}
	})
}

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		`{"x":01}`:   `not JSON at byte 6: want a value, found "01}"`,
		`{"x":1`:     `not JSON at byte 7: want "," or "}", found the end of the text`,
		`{"x":1} y`:  `not JSON at byte 9: want the end, found "y"`,
		`[1,]`:       `not JSON at byte 4: want a value, found "]"`,
		`{1}`:        `not JSON at byte 2: want a string, found "1}"`,
		`{"x" 1}`:    `not JSON at byte 6: want ":", found "1}"`,
		`"a\q"`:      `not JSON at byte 3: want an escape, found "\\q\""`,
		"\"a\tb\"":   `not JSON at byte 3: a control character in a string`,
		`["a`:        `not JSON at byte 4: a string without an end`,
		nested(1000): ``,
		nested(1001): `not JSON at byte 1001: nested more than 1000 deep`,
	} {
		err := Check([]byte(text), 1000)
		if got := message(err); got != want {
			t.Errorf("%.40s: %s, want %s", text, got, want)
		}
		var syntax *SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Errorf("%.40s: the error is a %T", text, err)
		}
	}
}

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

const event = `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1795247876,"model":"m","choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}`
