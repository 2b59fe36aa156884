package input

import "testing"

func TestEdits(t *testing.T) {
	for _, test := range []struct {
		a, b string
		n    int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"reverse", "reverse", 0}, {"revrese", "reverse", 1}, {"revers", "reverse", 1}, {"reverze", "reverse", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if n := edits(test.a, test.b); n != test.n {
			t.Errorf("%d edits from %q to %q, want %d", n, test.a, test.b, test.n)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"openai", "ollama", "nano"}
	for word, want := range map[string]string{"opneai": "openai", "olama": "ollama", "anno": "nano", "gemini": "", "": ""} {
		if got := Nearest(word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
