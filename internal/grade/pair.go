package grade

import "verbatim/internal/grade/runes"

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
