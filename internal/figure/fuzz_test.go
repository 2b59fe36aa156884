package figure

import (
	"testing"
	"unicode/utf8"
)

// FuzzName draws a name, which anyone may have given, wherever a figure has one.
func FuzzName(f *testing.F) {
	for _, seed := range []string{"", "GPT-4o", "a ≥ b – é", "模型", "\x1b[31m\x07", "\u202eevil", "]]></text><script>", "&#0;", "\xff\xed\xa0\x80", "e\u0301\u0302\u0303", "a\u00a0b", "\ufeff", "😀"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := Printable(name)
		if again := Printable(clean); again != clean && utf8.RuneCountInString(clean) <= maxText {
			t.Errorf("%q is printable as %q and that as %q", name, clean, again)
		}
		if n := utf8.RuneCountInString(clean); n > maxText+1 {
			t.Errorf("%d characters are drawn", n)
		}
		wellFormed(t, drawn(t, &Figure{
			Title: name, Text: name, Names: []string{name}, Legend: true,
			Panels: []Panel{
				{Title: name, X: Axis{Label: name, Ticks: []Tick{{At: 1, Label: name}}}, Y: Axis{Label: name}, Lines: []Line{{Name: name, Points: []Point{{X: 1, Y: 1, Low: 0, High: 2}}}}},
				{Heat: &Heat{Rows: []string{name}, Columns: []string{name}}},
				{Rows: []Row{{Name: name, Label: name, Note: name}}},
			},
		}))
	})
}
