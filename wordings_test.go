package verbatim_test

import (
	"fmt"
	"testing"

	"verbatim"
)

// TestWordingOf: items with successive numbers have the wordings in turn, and series begin
// with different ones.
func TestWordingOf(t *testing.T) {
	first := make(map[int]bool)
	for length := range 30 {
		counts := make([]int, 4)
		for i := range 12 {
			counts[verbatim.WordingOf(fmt.Sprintf("reverse@1/len=%d/seed=1/%d", length, i), 4)]++
		}
		for w, n := range counts {
			if n != 3 {
				t.Errorf("length %d: wording %d has %d of 12 items", length, w, n)
			}
		}
		first[verbatim.WordingOf(fmt.Sprintf("reverse@1/len=%d/seed=1/0", length), 4)] = true
	}
	if len(first) != 4 {
		t.Errorf("the series begin with %d of 4 wordings", len(first))
	}
	for _, id := range []string{"", "x", "7", "x/99999999999999999999999"} {
		if w := verbatim.WordingOf(id, 4); w < 0 || w > 3 {
			t.Errorf("%q has wording %d", id, w)
		}
	}
}

func TestWordings(t *testing.T) {
	for paraphrase, want := range map[string]int{"": 1, "1": 1, "all": 1, "all:": 1, "all:1": 1, "all:-3": 1, "all:4": 4, verbatim.SpreadOver(3): 3} {
		if got := (&verbatim.Variant{Paraphrase: paraphrase}).Wordings(); got != want {
			t.Errorf("%q: %d wordings, want %d", paraphrase, got, want)
		}
	}
	if (*verbatim.Variant)(nil).Wordings() != 1 {
		t.Error("no variant has one wording")
	}
}

// TestInputs: inputs are put into a wording by name, whatever they hold; a name that is unknown or left
// out is an error of the program.
func TestInputs(t *testing.T) {
	w := verbatim.Wording{Text: "Move {text} by {n}, as in {'a': 1} or {B}: {n}!"}
	p := w.Prompt(verbatim.Inputs{"n": "3", "text": "{n} é {text}"})
	if got := p[0].Content[0].Text; len(p) != 1 || got != "Move {n} é {text} by 3, as in {'a': 1} or {B}: 3!" {
		t.Errorf("%q", got)
	}
	for _, in := range []verbatim.Inputs{{"text": "a"}, {"text": "a", "n": "3", "m": "4"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is no error", in)
				}
			}()
			w.Prompt(in)
		}()
	}
}
