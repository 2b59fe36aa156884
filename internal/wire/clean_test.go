package wire

import (
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
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
		if got := CleanLine(in, 40); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
