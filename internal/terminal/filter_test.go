package terminal

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"verbatim/internal/terminal/terminaltest"
)

// filtered passes parts through a Filter, each with a Write of its own.
func filtered(t testing.TB, make func(*bytes.Buffer) *Filter, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	f := make(&b)
	for _, p := range parts {
		if n, err := f.Write([]byte(p)); n != len(p) || err != nil {
			t.Fatalf("Write(%q) = %d, %v", p, n, err)
		}
	}
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func textFilter(seal Seal) func(*bytes.Buffer) *Filter {
	return func(b *bytes.Buffer) *Filter { return NewFilter(b, seal) }
}

func TestFilter(t *testing.T) {
	const seal Seal = "\x00SEAL"
	own := string(seal)
	for _, c := range []struct{ name, in, want string }{
		{"plain lines", "a\tb\nc\n", "a\tb\nc\n"},
		{"letters and drawings", "█▓░ ä日🦀 – ␛\n", "█▓░ ä日🦀 – ␛\n"},
		{"own colour", own + "\x1b[31mred" + own + "\x1b[m", "\x1b[31mred\x1b[m"},
		{"own line", seal.ClearLine() + "1/2", "\r\x1b[K1/2"},
		{"foreign colour", "\x1b[31mred\x1b[m", "␛[31mred␛[m"},
		{"foreign clear", "\r\x1b[K", "␍␛[K"},
		{"sealed, but not of ours", own + "\x1b[2J" + own + "\x1b]0;x\x07", "␀SEAL␛[2J␀SEAL␛]0;x␇"},
		{"sealed and long", own + "\x1b[1;1;1;1;1;1m", "␀SEAL␛[1;1;1;1;1;1m"},
		{"half a seal", "\x00SE", "␀SE"},
		{"C1", "a\u009b2Jb\x9bc\u0085", "a«U+009B»2Jb⟨9B⟩c«U+0085»"},
		{"bidi and lines", "\u202e\u2066\u200e\u061c\u2028\u2029\u200b", "«U+202E»«U+2066»«U+200E»«U+061C»«U+2028»«U+2029»«U+200B»"},
		{"NUL, backspace, DEL", "\x00\b\x7f\r", "␀␈␡␍"},
		{"half a character", "a\xe2\x96", "a⟨E2⟩⟨96⟩"},
	} {
		if got := filtered(t, textFilter(seal), c.in); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.name, c.in, got, c.want)
		}
		if got := filtered(t, textFilter(seal), strings.Split(c.in, "")...); got != c.want {
			t.Errorf("%s: %q in single characters became %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// TestSealsDiffer: a Seal that could be predicted protects nothing.
func TestSealsDiffer(t *testing.T) {
	a, b := NewSeal(), NewSeal()
	if a == b || len(a) < 20 {
		t.Errorf("seals %q and %q", a, b)
	}
}

func TestJSONFilter(t *testing.T) {
	in := "{\"a\":\"\u009b2J\u202e\x7f\U000e0041\u00a0ä\"}\n"
	out := filtered(t, func(b *bytes.Buffer) *Filter { return NewJSONFilter(b) }, in)
	var want, got map[string]string
	if json.Unmarshal([]byte(in), &want) != nil || json.Unmarshal([]byte(out), &got) != nil || want["a"] != got["a"] {
		t.Errorf("%q became %q, which means %q", in, out, got)
	}
	if bad := terminaltest.Unsafe(out); bad != "" {
		t.Errorf("%q holds %s", out, bad)
	}
}

func FuzzFilter(f *testing.F) {
	for _, s := range []string{"", "abc\n", "\x1b]0;title\x07", "\x00\x1b[1mx", "\xff\xfe\xed\xa0\x80", "\u202e\u2028", "\r\x1b[K"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, at int) {
		seal := NewSeal()
		at = min(max(at, 0), len(s))
		once := filtered(t, textFilter(seal), s)
		for _, r := range once {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Fatalf("%q became %q, which holds %U", s, once, r)
			}
		}
		if parts := filtered(t, textFilter(seal), s[:at], s[at:]); parts != once {
			t.Fatalf("%q in two writes became %q, in one %q", s, parts, once)
		}
		if again := filtered(t, textFilter(seal), once); again != once {
			t.Fatalf("%q became %q the second time", once, again)
		}
		line := SafeLine(s)
		if strings.ContainsAny(line, "\n\t\x1b") || SafeLine(line) != line || terminaltest.Unsafe(line) != "" {
			t.Fatalf("SafeLine(%q) = %q", s, line)
		}
		if v := Visible(s); SafeLine(v) != v {
			t.Fatalf("SafeLine changes %q", v)
		}
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
