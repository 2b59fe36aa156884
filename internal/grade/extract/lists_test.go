package extract

import (
	"testing"

	"verbatim/internal/pylit"
)

func values(t *testing.T, text string) []pylit.Value {
	v, err := pylit.Parse(text)
	if err != nil {
		t.Fatal(text, err)
	}
	return v.Items()
}

// TestHas: items are known by what they are printed as, apart from letter case and ".0".
func TestHas(t *testing.T) {
	for _, c := range []struct{ input, prompt, known, unknown string }{
		{"[3, -4, 99999999999999999999]", "", "[3, 3.0, -4.0, 99999999999999999999]", "[4, 3.5, -0.0, True, '3', 1e20]"},
		{"[3.0, 1e16, -0.0, 0.5, 1e-7]", "", "[3, 3.0, 1e16, -0.0, 0.5, 1e-7]", "[10000000000000000, 0, 0.0, 0.25]"},
		{"['a', 'B é']", "and ['C', 1]", "['a', 'A', 'b é', 'B É', 'c']", "['d', 1, '1']"},
		{"['a', 'b']", "", "['a', 'A']", "['c']"},
		{"[]", "x [1, 2] [[3]] y", "[1, 2.0]", "[3, [3]]"},
		{"[['a', 1], ['b', 2]]", "", "[['a', 1]]", "[['a', 2], ('a', 1)]"},
	} {
		input := values(t, c.input)
		item := pylit.Int
		if len(input) > 0 {
			item = input[0].Kind()
		}
		l := newGivenLists(item, input, []string{c.prompt})
		if !l.hasItems() {
			t.Errorf("%s %s: no items", c.input, c.prompt)
		}
		if known := values(t, c.known); l.known(known) != len(known) {
			t.Errorf("%s %s: %d of %s are known", c.input, c.prompt, l.known(known), c.known)
		}
		if unknown := values(t, c.unknown); l.known(unknown) > 0 {
			t.Errorf("%s %s: %d of %s are known", c.input, c.prompt, l.known(unknown), c.unknown)
		}
	}
	if !newGivenLists(pylit.Int, nil, []string{"[1, 2] and [3]"}).isOne(values(t, "[3]")) || newGivenLists(pylit.Int, nil, []string{"[1, 2] and [3]"}).isOne(values(t, "[2]")) {
		t.Error("the lists of the prompt are [1, 2] and [3]")
	}
}
