package report

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "K9mX7Ba, 3 < 4", "K9mX7Ba, 3 < 4"},
		{"empty", "", ""},
		{"newline and tab", "a\n\tb\r\n", "a␊␉b␍␊"},
		{"escape sequence", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"C1 control", "a\u0085b\u009b31m", "a«U+0085»b«U+009B»31m"},
		{"NUL and DEL", "\x00\x7f", "␀␡"},
		{"zero width", "a\u200bb\ufeff", "a«U+200B»b«U+FEFF»"},
		{"bidi", "abc\u202edef\u2066", "abc«U+202E»def«U+2066»"},
		{"spaces that are not one", "a\u00a0b\u2003c\u3000d", "a«U+00A0»b«U+2003»c«U+3000»d"},
		{"the symbols themselves", "␊␛␠", "«U+240A»«U+241B»«U+2420»"},
		{"bytes that are not UTF-8", "a\xff\xc3(", "a⟨FF⟩⟨C3⟩("},
		{"lone surrogate", "\xed\xa0\x80", "«U+D800»"},
		{"replacement character", "\ufffd", "\ufffd"},
		{"mark on a letter", "e\u0301", "e\u0301"},
		{"mark on nothing", "\u0301e", "«U+0301»e"},
		{"mark on a symbol", "\n\u0301", "␊«U+0301»"},
		{"tower of marks", "e\u0301\u0302\u0303\u0304\u0305", "e\u0301\u0302\u0303«U+0304»«U+0305»"},
		{"fillers", "\u3164\u2800", "«U+3164»«U+2800»"},
		{"tags", "\U000e0041", "«U+E0041»"},
		{"emoji and letters", "🦀 æ 日本", "🦀 æ 日本"},
	} {
		if got := Visible(c.in); got != c.want {
			t.Errorf("%s: Visible(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// harmless names the first thing in s that must never reach a terminal: a
// control character other than a line feed and our own colours, a character
// that reorders or hides others, or bytes that are not UTF-8.
func harmless(s string) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	rest := s
	for rest != "" {
		r, size := utf8.DecodeRuneInString(rest)
		if n := ourColour(rest); n > 0 {
			rest = rest[n:]
			continue
		}
		if r != '\n' && !unicode.IsPrint(r) {
			return strings.ToUpper(symbol(r))
		}
		rest = rest[size:]
	}
	return ""
}

// ourColour returns the length of the SGR sequence at the start of s, 0 if there
// is none.
func ourColour(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

func FuzzVisible(f *testing.F) {
	for _, s := range []string{"", "abc", "\x1b]0;title\x07", "a\u0301\u0302\u0303\u0304", "\xff\xfe\xed\xa0\x80", "\u202e\u2028", strings.Repeat("\u0300", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := Visible(s)
		if strings.ContainsAny(v, "\n\x1b") {
			t.Fatalf("Visible(%q) = %q is not one harmless line", s, v)
		}
		if bad := harmless(v); bad != "" {
			t.Fatalf("Visible(%q) = %q lets %s through", s, v, bad)
		}
		if utf8.RuneCountInString(v) < utf8.RuneCountInString(strings.ToValidUTF8(s, "")) {
			t.Fatalf("Visible(%q) = %q dropped something", s, v)
		}
		if plain(s) && v != s {
			t.Fatalf("Visible(%q) = %q touched plain text", s, v)
		}
	})
}

// TestLongWords lays out a name of 10 MB: the time grows with its length, not with the
// square of it.
func TestLongWords(t *testing.T) {
	name := strings.Repeat("x", 10<<20)
	var lines int
	if lines = len(wrapped(name, 80)); lines != 10<<20/80 {
		t.Errorf("%d wrapped lines", lines)
	}
	if n := len(broken(name, 80)); n != lines {
		t.Errorf("%d broken lines", n)
	}
	if got := cut(name, 10); got != "xxxxxxxxx…" {
		t.Errorf("cut to %q", got)
	}
}
