package rawjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

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
