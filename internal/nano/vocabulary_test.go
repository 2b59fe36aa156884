package nano

import (
	"slices"
	"testing"
)

// TestInstruction scans instructions with the words a (269), don't (270), reverse
// (271) and the (272), and with the phrases "Reverse it." (273), "Reverse it. Now:"
// (274) and "Sort the following list:" (275).
func TestInstruction(t *testing.T) {
	n := tiny(t)
	for _, c := range []struct {
		text string
		want []token
	}{
		{"", nil},
		{" .,:?!\n\t\x00", nil},
		{"a", []token{269}},
		{"The THE the", []token{272, 272, 272}},
		{"Don't", []token{270}},
		{"don’t", []token{268}}, // its apostrophe is a letter beyond ASCII
		{"don't'", []token{268}},
		{"Reverse it.", []token{273}},
		{"Reverse it. Now:", []token{274}}, // the longest one
		{"Reverse it. now:", []token{273, 268}},
		{"reverse it.", []token{271, 268}}, // another case is another phrase
		{"Reverse  it.", []token{271, 268}},
		{"xReverse it.", []token{268, 268}}, // not inside a word
		{"the-Reverse it.the", []token{272, 273, 272}},
		{"(Sort the following list: a)", []token{275, 269}},
		{"Sort the following list", []token{268, 272, 268, 268}},
		{"a1 1 23 naïve\xff", []token{268, 268, 268, 268}},
		{"ÀThe", []token{268}},
	} {
		s := sequence{vocabulary: n.vocabulary}
		if s.instruction(c.text); !slices.Equal(s.tokens, c.want) {
			t.Errorf("%q: %d, want %d", c.text, s.tokens, c.want)
		}
	}
}

// TestListed reads lists with the longest marks, and writes them again.
func TestListed(t *testing.T) {
	for _, c := range []struct {
		text string
		want []token
	}{
		{"[]", []token{256, 257}},
		{"[1, 2]", []token{256, '1', 258, '2', 257}},
		{"['a', 'b']", []token{259, 'a', 260, 'b', 261}},
		{`['a', "b"]`, []token{259, 'a', '\'', 258, '"', 'b', '"', 257}},
		{"[1,2 ,  3", []token{256, '1', ',', '2', ' ', 258, ' ', '3'}},
		{"[[1], [2]]", []token{256, 256, '1', 257, 258, 256, '2', 257, 257}},
		{"']'", []token{261, '\''}},
		{"', ", []token{'\'', 258}},
		{"[é\x00", []token{256, 0xc3, 0xa9, 0}},
	} {
		var s sequence
		var written []byte
		s.marked(c.text)
		if !slices.Equal(s.tokens, c.want) {
			t.Errorf("%q: %d, want %d", c.text, s.tokens, c.want)
		}
		for _, t := range s.tokens {
			written = t.appendTo(written)
		}
		if string(written) != c.text {
			t.Errorf("%q is written as %q", c.text, written)
		}
	}
}
