package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"verbatim/internal/rawjson"
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

// Lines break at spaces, never between a number and its percent sign, and lose nothing.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 8, []string{"one two", "three"}},
		{"with 80 % power", 8, []string{"with", "80 %", "power"}},
		{"with 80 %", 8, []string{"with", "80 %"}},
		{"abcdefghij", 8, []string{"abcdefgh", "ij"}},
		{"a  b ", 8, []string{"a  b "}},
		{"%", 8, []string{"%"}},
		{"", 8, []string{""}},
	} {
		got := Wrap(c.text, c.width)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		if joined := strings.Join(got, " "); strings.Contains(c.text, " ") && joined != c.text {
			t.Errorf("%q became %q", c.text, joined)
		}
	}
}

func TestWord(t *testing.T) {
	for in, want := range map[string]string{
		"plain-1.2/x":       "plain-1.2/x",
		"":                  "''",
		"a b":               "'a b'",
		"it's":              `'it'\''s'`,
		"sim:x?a=1&b":       "'sim:x?a=1&b'",
		"sort-*":            "'sort-*'",
		"$(rm -rf /)":       "'$(rm -rf /)'",
		"~root":             "'~root'",
		"=ls":               "'=ls'",
		"a\nverbatim":       `$'a\012verbatim'`,
		"\x1b[2J":           `$'\033[2J'`,
		"it's\a":            `$'it\'s\007'`,
		"a\u202eb":          `$'a\342\200\256b'`,
		"\xff":              `$'\377'`,
		"ä日":                "'ä日'",
		"e\u0301":           `$'e\314\201'`,
		"-x":                "-x",
		`back\slash and '!`: `'back\slash and '\''!'`,
	} {
		if got := ShellWord(in); got != want {
			t.Errorf("Word(%q) = %s, want %s", in, got, want)
		}
	}
}

// hostile are words that a shell or a terminal could obey.
var hostile = []string{
	"", "-x", "~", "=ls", "$HOME", "`id`", "$(id)", "a\nb", "a'b", `a\b`, "!!", "'\x1b!", "*", "\x1b[2J\x07", "\u009b31m", "\x9b", "\u202e", "\u2028", "\xff\xfe", "#", "{a,b}", "a;b", "\u3164",
}

// TestShellReadsWordsBack gives quoted words to bash, where there is one.
func TestShellReadsWordsBack(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, bash, "-c", `printf '%s\0' `+ShellWords(hostile...)).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(out), strings.Join(hostile, "\x00")+"\x00"; got != want {
		t.Errorf("bash reads %q, want %q", got, want)
	}
}

func FuzzWord(f *testing.F) {
	for _, w := range hostile {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, w string) {
		q := ShellWord(w)
		if q == "" || !utf8.ValidString(q) {
			t.Fatalf("Word(%q) = %q", w, q)
		}
		for _, r := range q {
			if !unicode.IsPrint(r) {
				t.Fatalf("Word(%q) = %q holds %U", w, q, r)
			}
		}
	})
}

// What is escaped means the same, and nothing of it is obeyed.
func TestPrintableJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.String()).Draw(t, "texts")
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		safe := rawjson.Printable(text)
		if bad := terminaltest.Unsafe(string(safe)); bad != "" {
			t.Fatalf("%s is let through: %q", bad, safe)
		}
		var got []string
		if err := json.Unmarshal(safe, &got); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(got)
		if err != nil || !bytes.Equal(again, text) {
			t.Fatalf("%q became %q (%v)", text, again, err)
		}
	})
}

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
