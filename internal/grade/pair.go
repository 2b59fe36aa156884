package grade

import (
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/runes"
	"verbatim/internal/pylit"
)

// A pair is an expected text and a text that differs from it: a reply or the answer in it. Its fields
// are what several rules need.
type pair struct {
	want, got string // got is stripped and is not want
	e, g      []rune // the code points of want and got
	// source is the text that want was made from, such as the one to reverse; nil
	// when not known.
	source []rune
	// addends are the numbers that want is the sum of; nil when not known.
	addends []string
	// counted: want was counted in a text or computed from one number.
	counted bool
	// found: got is the answer that was found in a reply. Otherwise it is a whole reply, to which
	// the rules of the specification in Python apply.
	found bool
	// fraction: the item foresees the mistake of a number with its fraction.
	fraction bool

	head, tail int // code points that e and g begin and end with alike; they may overlap
	differ     int // positions at which e and g differ; -1 where their lengths do

	distance edits
	shared   int // code points that e and g have in common, as multisets
}

func newPair(want, got string) *pair {
	p := newForm(want, got)
	p.measure()
	return p
}

// newForm returns a pair that is not measured yet: formRules need no more.
func newForm(want, got string) *pair {
	p := &pair{want: want, got: got, e: runes.Decode(want), g: runes.Decode(got), differ: -1}
	p.head, p.tail = runes.CommonHead(p.e, p.g), runes.CommonTail(p.e, p.g)
	if len(p.e) == len(p.g) {
		p.differ = 0
		for i := p.head; i < len(p.e)-p.tail; i++ {
			if p.e[i] != p.g[i] {
				p.differ++
			}
		}
	}
	return p
}

// measure measures the distance between the texts.
func (p *pair) measure() {
	p.distance = align(p.e, p.g)
	p.shared = runes.Common(p.e, p.g)
}

// permuted reports whether e and g hold the same code points in some order.
func (p *pair) permuted() bool { return p.differ >= 0 && p.shared == len(p.e) }

// sameBut reports whether both texts are the same without the characters for which skip is true.
func (p *pair) sameBut(skip func(rune) bool) bool {
	i, j := 0, 0
	for {
		for i < len(p.e) && skip(p.e[i]) {
			i++
		}
		for j < len(p.g) && skip(p.g[j]) {
			j++
		}
		if i == len(p.e) || j == len(p.g) {
			return i == len(p.e) && j == len(p.g)
		}
		if p.e[i] != p.g[j] {
			return false
		}
		i, j = i+1, j+1
	}
}

// mirrored reports whether a reads backwards as b reads forwards.
func mirrored(a, b []rune) bool {
	if len(a) != len(b) {
		return false
	}
	for i, r := range a {
		if r != b[len(b)-1-i] {
			return false
		}
	}
	return true
}

// invisibles are all characters that are blank, by what readers call them.
var invisibles = [...]struct{ name, characters string }{
	{"zero-width joiner", "\u200d"},
	{"zero-width character", "\u200b\u200c\u2060\ufeff\u034f\u180e"},
	{"direction mark", "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"},
	{"soft hyphen", "\u00ad"},
	{"newline", "\n\r"},
	{"tab", "\t"},
	{"space", " "},
	{"other space", "\v\f\x1c\x1d\x1e\x1f\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"},
}

// invisible counts the blank characters that one of two texts has and the other does not, as in
// "2 zero-width joiner missing, 1 newline added". It is "moved" where the numbers are equal.
func invisible(want, got string) string {
	var parts []string
	for _, kind := range invisibles {
		count := func(s string) (n int) {
			for _, r := range s {
				if strings.ContainsRune(kind.characters, r) {
					n++
				}
			}
			return n
		}
		switch difference := count(got) - count(want); {
		case difference < 0:
			parts = append(parts, fmt.Sprintf("%d %s missing", -difference, kind.name))
		case difference > 0:
			parts = append(parts, fmt.Sprintf("%d %s added", difference, kind.name))
		}
	}
	if len(parts) == 0 {
		return "moved"
	}
	return strings.Join(parts, ", ")
}

// givesBack reports whether a reply without an answer gives the input or the question back. It is
// a piece of the question, such as the list of edits to make; or most of it is pieces of the
// question; or it is the text that the question is about, with few words around it.
func givesBack(it *verbatim.Item, want, reply string) bool {
	const least = 20 // shorter pieces are there by chance
	reply = pylit.Strip(reply)
	if len(it.Prompt) > 0 && len(reply) >= least && !strings.Contains(want, reply) {
		for _, p := range it.Prompt[len(it.Prompt)-1].Content {
			if strings.Contains(p.Text, reply) || extract.MostlyEcho(reply, strings.Replace(p.Text, want, "", 1)) {
				return true
			}
		}
	}
	input, ok := inputText(it)
	return ok && strings.Contains(reply, input) && len(reply)-len(input) <= extract.MostAround
}

// isInput reports whether an answer is the text that the question is about.
func isInput(it *verbatim.Item, answer string) bool {
	input, ok := inputText(it)
	return ok && answer == input
}

// inputText returns the text that a question is about where the source of its item is a list of that text
// alone, such as an identifier whose characters are counted. ok is false without one.
func inputText(it *verbatim.Item) (text string, ok bool) {
	const least = 4 // shorter ones are there by chance
	if it.Source == nil || len(it.Source.List) != 1 {
		return "", false
	}
	text, ok = it.Source.List[0].(string)
	return text, ok && len(text) >= least && !onlyDigits(text) // a number is an operand
}
