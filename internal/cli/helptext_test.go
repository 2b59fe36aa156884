package cli

import "testing"

// The lines of a paragraph become one; those of tables and commands stay.
func TestJoinLines(t *testing.T) {
	const text = "One line\nand its end.\n\n  in   a\n  out  b\n\nThen run:\n\tverbatim run\nand read\non."
	const want = "One line and its end.\n\n  in   a\n  out  b\n\nThen run:\n\tverbatim run\nand read on."
	if got := joinLines(text); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}
