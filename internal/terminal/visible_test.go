package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim/internal/terminal/terminaltest"
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

func FuzzVisible(f *testing.F) {
	for _, s := range []string{"", "abc", "\x1b]0;title\x07", "a\u0301\u0302\u0303\u0304", "\xff\xfe\xed\xa0\x80", "\u202e\u2028", strings.Repeat("\u0300", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := Visible(s)
		if strings.ContainsAny(v, "\n\x1b") {
			t.Fatalf("Visible(%q) = %q is not one harmless line", s, v)
		}
		if bad := terminaltest.Unsafe(v); bad != "" {
			t.Fatalf("Visible(%q) = %q lets %s through", s, v, bad)
		}
		if utf8.RuneCountInString(v) < utf8.RuneCountInString(strings.ToValidUTF8(s, "")) {
			t.Fatalf("Visible(%q) = %q dropped something", s, v)
		}
		if isPrintableASCII(s) && v != s {
			t.Fatalf("Visible(%q) = %q touched plain text", s, v)
		}
	})
}

// TestLongWords lays out a name of 10 MB: the time grows with its length, not with the
// square of it.
func TestLongWords(t *testing.T) {
	name := strings.Repeat("x", 10<<20)
	var lines int
	if lines = len(Wrap(name, 80)); lines != 10<<20/80 {
		t.Errorf("%d wrapped lines", lines)
	}
	if n := len(WrapAnywhere(name, 80)); n != lines {
		t.Errorf("%d broken lines", n)
	}
	if got := Truncate(name, 10); got != "xxxxxxxxx…" {
		t.Errorf("cut to %q", got)
	}
}

// TestTruncate shortens texts at their ends and in their middles, to the same width.
func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		text               string
		width              int
		end, middle, start string
	}{
		{"abcdef", 6, "abcdef", "abcdef", "abcdef"},
		{"abcdefgh", 6, "abcde…", "abc…gh", "…defgh"},
		{"日本語日本語", 6, "日本…", "日…語", "…本語"},
		{"abcdefgh", 1, "…", "…", "…"},
	} {
		if end, middle, start := Truncate(c.text, c.width), TruncateMiddle(c.text, c.width), TruncateStart(c.text, c.width); end != c.end || middle != c.middle || start != c.start {
			t.Errorf("%s in %d columns: %s, %s, %s", c.text, c.width, end, middle, start)
		}
	}
}
