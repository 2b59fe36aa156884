package table_test

import (
	"strings"
	"testing"
	"unicode"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// FuzzLaTeXText wants no command, comment or column of a text to pass the escaping, and
// braces to match.
func FuzzLaTeXText(f *testing.F) {
	for _, s := range []string{"", `\input{x}`, "100% & #1 $x$", "a_b^c~d", "--- ''", "{}{", "\x00\xff\u202e", "é ß 中 😀", "\\\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := table.LaTeXText(s)
		depth := 0
		for i := 0; i < len(out); i++ {
			switch out[i] {
			case '\\':
				rest := out[i+1:]
				known := false
				for _, ok := range []string{"textbackslash{}", "{", "}", "$", "&", "#", "_", "%", "textasciitilde{}", "textasciicircum{}", "textless{}", "textgreater{}", "textbar{}", "textquotedbl{}", "textasciigrave{}", "ldots{}", "pm$", "times$", "leq$", "geq$", "texttt{[U+"} {
					known = known || strings.HasPrefix(rest, ok)
				}
				if !known {
					t.Fatalf("%q: an unknown command in %q", s, out)
				}
				if strings.ContainsAny(rest[:1], "{}$&#_%") {
					i++
				}
			case '{':
				depth++
			case '}':
				if depth--; depth < 0 {
					t.Fatalf("%q: a brace too many in %q", s, out)
				}
			case '&', '#', '%', '_', '^', '~':
				t.Fatalf("%q: %q is not escaped in %q", s, out[i], out)
			}
		}
		if depth != 0 || strings.Count(strings.ReplaceAll(out, `\$`, ""), "$")%2 != 0 {
			t.Fatalf("%q: braces or dollars do not match in %q", s, out)
		}
	})
}

// FuzzMarkdownCell holds that no text becomes a tag or leaves its cell.
func FuzzMarkdownCell(f *testing.F) {
	for _, s := range []string{"", "<b>", "a|b", "`x`", "[l](u)", "&lt;", "\n\n# h", "\\|"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := strings.ReplaceAll(table.MarkdownText(terminal.Visible(s)), "`@`", "") // an at sign that mentions no person
		if strings.ContainsAny(out, "<>\n\r") {
			t.Fatalf("%q: %q", s, out)
		}
		var before rune
		for _, r := range out {
			// Inside a word an underscore is no markup.
			if r == '_' && before != '\\' && before != '_' && !unicode.IsLetter(before) && !unicode.IsDigit(before) {
				t.Fatalf("%q: an underscore is not escaped in %q", s, out)
			}
			before = r
		}
		for i := 0; i < len(out); i++ {
			switch out[i] {
			case '\\':
				i++
			case '|', '`', '*', '[', ']':
				t.Fatalf("%q: %q is not escaped in %q", s, out[i], out)
			}
		}
	})
}
