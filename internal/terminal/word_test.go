package terminal

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

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
