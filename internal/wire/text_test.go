package wire

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

// FuzzText compares with encoding/json on what that leaves unchanged, and wants
// no panic on the rest.
func FuzzText(f *testing.F) {
	f.Add([]byte(`"a\n\ud83d\ude00\u00e9"`), []byte(`"\ude00"`))
	f.Add([]byte(`"\u12`), []byte(`\`))
	f.Fuzz(func(t *testing.T, raw, more []byte) {
		raw = bytes.TrimSpace(raw) // as encoding/json hands values over
		first, _ := appendText(nil, raw)
		appendText(first, more)
		var want string
		if !json.Valid(raw) || json.Unmarshal(raw, &want) != nil || raw[0] != '"' || strings.Contains(want, "\uFFFD") {
			return
		}
		if string(first) != want || !utf8.Valid(first) {
			t.Errorf("%s: %q, want %q", raw, first, want)
		}
	})
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"model_not_found":               "model_not_found",
		"  two\n\twords \r\n":           "two words",
		"\x1b[31mred\x07":               `\x1b[31mred\a`,
		"a\u202eb\u200b\u0000\xff":      `a\u202eb\u200b\x00\xff`,
		"größe 漢 🙂 it's \"q\" a\\b":     "größe 漢 🙂 it's \"q\" a\\b",
		strings.Repeat("é", 50):         strings.Repeat("é", 40) + "…",
		strings.Repeat("x", 50):         strings.Repeat("x", 40) + "…",
		strings.Repeat(" ", 50) + "end": "end",
	} {
		if got := Clean(in, 40); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
