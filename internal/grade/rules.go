package grade

import (
	"verbatim/internal/grade/runes"

	"verbatim/internal/grade/traits"
)

// A rung is one failure label and the test for it.
type rule struct {
	label string
	// holds says whether the label fits, and something about where or how.
	holds func(*pair) (detail string, ok bool)
	// extracted: what remains without the wrapper is the wanted text.
	extracted bool
}

// The failures are tested in the order of these tables, after pass,
// reasoning_leak and empty. Early rungs ask whether the answer is there in other
// clothes, middle ones name a single slip, late ones measure the damage.
var (
	textRules    = [...][]rule{wrapperRules[:], commonRules[:]}
	integerRules = [...][]rule{wrapperRules[:], arithmeticRules[:], commonRules[:]}
)

var wrapperRules = [...]rule{
	{"quoted", (*pair).quoted, true},
	{"fenced", (*pair).fenced, true},
}

// arithmetic comes before explained: "2 + 2 = 4" is an equation.
var arithmeticRules = [...]rule{
	{"grouped", (*pair).grouped, false},
	{"decimal", (*pair).decimal, false},
	{"equation", (*pair).equation, false},
	{"carry", (*pair).carry, false},
	{"off_by_digit", (*pair).offByDigit, false},
}

var commonRules = [...]rule{
	{"explained", (*pair).explained, true},
	{"whitespace", (*pair).whitespace, false},
	{"escaped", (*pair).escaped, false},
	{"case", (*pair).letterCase, false},
	{"unicode_norm", (*pair).unicodeNorm, false},
	{"mojibake", (*pair).mojibake, false},
	{"confusable", (*pair).confusable, false},
	{traits.LabelRefusal, (*pair).refusal, false},
	{"not_reversed", (*pair).notReversed, false},
	{"transposed", (*pair).transposed, false},
	{"chunk_reversed", (*pair).chunkReversed, false},
	{"dropped_char", (*pair).droppedChar, false},
	{"cut_short", (*pair).cutShort, false},
	{"head_missing", (*pair).headMissing, false},
	{"dropped_run", (*pair).droppedRun, false},
	{"looped", (*pair).looped, false},
	{"inserted_char", (*pair).insertedChar, false},
	{"duplicated_run", (*pair).duplicatedRun, false},
	{"inserted_run", (*pair).insertedRun, false},
	{"substituted_char", (*pair).substitutedChar, false},
	{"segment_moved", (*pair).segmentMoved, false},
	{"permuted", (*pair).permutation, false},
	{"substitutions", (*pair).substitutions, false},
	{"corrupted", (*pair).corrupted, false},
	{"unrelated", (*pair).unrelated, false},
}

// labelsOf lists the labels of a ladder with the two that come before it.
func labelsOf(ladder [][]rule) []string {
	out := []string{traits.LabelLeak, traits.LabelEmpty}
	for _, part := range ladder {
		for _, r := range part {
			out = append(out, r.label)
		}
	}
	return out
}

// A pair is a wanted text beside what came instead. Its fields are those that
// several rungs ask for.
type pair struct {
	want, got string // got is stripped and is not want
	e, g      []rune // the code points of want and got
	// source is what want is the reversal of, or was otherwise made from; nil
	// when the item tells none.
	source []rune
	// addends are the numbers that want is the sum of; nil when not known.
	addends []string

	head, tail int // code points that e and g begin and end with alike; they may overlap
	differ     int // positions at which e and g differ; -1 where their lengths do

	distance edits
	shared   int // size of the intersection of the two as multisets
}

func newPair(want, got string) *pair {
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
	p.distance = align(p.e, p.g)
	p.shared = runes.Common(p.e, p.g)
	return p
}

// permuted reports whether e and g hold the same code points in some order.
func (p *pair) permuted() bool { return p.differ >= 0 && p.shared == len(p.e) }

// climb returns the first rung of the ladder that holds.
func (p *pair) firstHolding(ladder [][]rule) (r rule, detail string) {
	for _, part := range ladder {
		for _, r := range part {
			if detail, ok := r.holds(p); ok {
				return r, detail
			}
		}
	}
	panic("grade: unrelated always holds")
}
