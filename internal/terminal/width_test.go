package terminal

import (
	"slices"
	"strings"
	"testing"
)

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
