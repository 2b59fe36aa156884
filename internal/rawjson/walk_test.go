package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func Example() {
	event := []byte(`{"model":"m","choices":[{"delta":{"content":"caf\u00e9"}}],"usage":null}`)
	if err := Check(event, MaxDepth); err != nil {
		fmt.Println(err)
	}
	Elements(Member(event, "choices"), func(choice []byte) {
		text, _ := Text(Member(choice, "delta", "content"))
		fmt.Println(text)
	})
	fmt.Println(Kind(Member(event, "usage")))
	// Output:
	// café
	// null
}

func TestAppendWithout(t *testing.T) {
	for object, want := range map[string]string{
		`{"grade":1}`: `{}`,
		` { "a" : 1 , "grade":{"x":[1]}, "b":2 } `: `{"a" : 1,"b":2}`,
		`{"a":1,"\u0067rade":2}`:                   `{"a":1}`,
		`{}`:                                       `{}`,
	} {
		if got := AppendWithout(nil, []byte(object), "grade"); string(got) != want {
			t.Errorf("%s: %s, want %s", object, got, want)
		}
	}
}

// FuzzMembers: Members and Elements find what encoding/json finds, and do not panic on
// what is not JSON.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":{"c":[1,"}",{}]},"a":"x\"y"}`, `[1, "a,b", [], {}, null]`, ` { } `, `{"a"`, `["`, `{"a":`, `{"\u0061":-1e5}`, `[[[`, `{"a\`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := map[string]string{}
		isObject := Members(text, func(name, value []byte) { got[string(name)] = string(value) })
		var elements []string
		isArray := Elements(text, func(value []byte) { elements = append(elements, string(value)) })
		Member(text, "a")
		AppendWithout(nil, text, "a")
		if !Valid(text) {
			return
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(text, &object) == nil && object != nil {
			for name, value := range object {
				if v, ok := got[name]; ok && v != string(value) {
					t.Errorf("%s: %s, want %s", name, v, value)
				}
			}
			if !isObject || len(got) < len(object) { // names that are not UTF-8 may fall together there
				t.Errorf("%d members, want %d", len(got), len(object))
			}
			if rest := AppendWithout(nil, text, "a"); !Valid(rest) || Member(rest, "a") != nil {
				t.Errorf("without a: %s", rest)
			}
		}
		var array []json.RawMessage
		if json.Unmarshal(text, &array) == nil && array != nil {
			if !isArray || !slices.EqualFunc(array, elements, func(a json.RawMessage, b string) bool { return string(a) == b }) {
				t.Errorf("%q, want %q", elements, array)
			}
		}
	})
}

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

func TestText(t *testing.T) {
	for raw, want := range map[string]string{
		`""`:                               "",
		`"abc"`:                            "abc",
		`"\"\\\/\b\f\n\r\t"`:               "\"\\/\b\f\n\r\t",
		`"\u0041\u00e9\u6f22"`:             "Aé漢",
		`"\ud83d\ude00"`:                   "😀",
		`"\uD83D\uDE00"`:                   "😀",
		`"\ud83d"`:                         "\xed\xa0\xbd",
		`"\ude00\ud83d"`:                   "\xed\xb8\x80\xed\xa0\xbd",
		`"\ud83dx\ude00"`:                  "\xed\xa0\xbdx\xed\xb8\x80",
		`"\ud83d\ud83d\ude00"`:             "\xed\xa0\xbd😀",
		`"\u0000"`:                         "\x00",
		`"\uFFFD"`:                         "\uFFFD",
		"\"\xff\xc3\"":                     "\xff\xc3",
		"\"\u2028\x7f\"":                   "\u2028\x7f",
		`"\udbff\udfff \ud800\udc00"`:      "\U0010FFFF \U00010000",
		"\"漢字 🙂\"":                         "漢字 🙂",
		`"a \"quoted\" one and a \\ more"`: `a "quoted" one and a \ more`,
	} {
		if got, ok := Text([]byte(raw)); !ok || got != want {
			t.Errorf("%s: %q, %v, want %q", raw, got, ok, want)
		}
	}
	for _, raw := range []string{"", `"`, "null", "12", `{"a":"b"}`, `["a"]`, "true"} {
		if got, ok := Text([]byte(raw)); ok {
			t.Errorf("%s is a string: %q", raw, got)
		}
	}
}

// FuzzText compares with encoding/json on texts that encoding/json does not change. Other
// texts must not panic.
func FuzzText(f *testing.F) {
	f.Add([]byte(`"a\n\ud83d\ude00\u00e9"`), []byte(`"\ude00"`))
	f.Add([]byte(`"\u12`), []byte(`\`))
	f.Fuzz(func(t *testing.T, raw, more []byte) {
		raw = bytes.TrimSpace(raw) // as encoding/json hands values over
		first, _ := AppendText(nil, raw)
		AppendText(first, more)
		var want string
		if !json.Valid(raw) || json.Unmarshal(raw, &want) != nil || raw[0] != '"' || strings.Contains(want, "\uFFFD") {
			return
		}
		if string(first) != want || !utf8.Valid(first) {
			t.Errorf("%s: %q, want %q", raw, first, want)
		}
	})
}

// TestAppendString: encoding/json reads what AppendString writes, and CutText does.
func TestAppendString(t *testing.T) {
	for _, s := range []string{"", "abc", "12345678\"", "a\"b\\c\nd\re\tf\bg\x00h\x1f\x7f", "漢字 🙂 \u2028", "long enough for two words of eight bytes"} {
		raw := AppendString([]byte("x"), s)[1:]
		var got string
		if err := json.Unmarshal(raw, &got); err != nil || got != s {
			t.Errorf("%q is written as %s, which reads as %q, %v", s, raw, got, err)
		}
		if got, ok := Text(raw); !ok || got != s {
			t.Errorf("%s: Text returns %q", raw, got)
		}
		got, rest, ok := CutText(string(raw) + ",1")
		if plain := !strings.ContainsAny(s, "\x00\b\x1f"); ok != plain || ok && (got != s || rest != ",1") {
			t.Errorf("%s: CutText returns %q, %q, %v", raw, got, rest, ok)
		}
	}
	if raw := AppendString(nil, "\xff\xed\xa0\xbd"); string(raw) != "\"\xff\xed\xa0\xbd\"" {
		t.Errorf("bytes that are not UTF-8 are changed: %q", raw)
	}
}

func TestAppendASCII(t *testing.T) {
	for s, want := range map[string]string{
		"":               `""`,
		"a\"b\\\n~\x7f":  `"a\"b\\\u000a~\u007f"`,
		"é漢🙂":            `"\u00e9\u6f22\ud83d\ude42"`,
		"\xed\xa0\xbdx":  `"\ud83dx"`,
		"\xed\xb8\x80":   `"\ude00"`,
		"\xff\xed\xa0\"": `"\ufffd\ufffd\ufffd\""`,
	} {
		if got := AppendASCII(nil, s); string(got) != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestIsPlain8(t *testing.T) {
	for at := range 8 {
		for c := range 256 {
			for _, around := range []byte{'a', 0x7f, 0x80, 0xff, '!', '#', '[', ']', ' '} {
				b := bytes.Repeat([]byte{around}, 8)
				b[at] = byte(c)
				if want := c >= ' ' && c != '"' && c != '\\'; isPlain8(word8(string(b))) != want {
					t.Fatalf("%q: %v", b, !want)
				}
			}
		}
	}
}
