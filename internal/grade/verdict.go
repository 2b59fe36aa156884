package grade

import (
	"verbatim"
	"verbatim/internal/grade/traits"
)

// A verdict is what a grader says about one reply.
type verdict struct {
	label, detail string
	exact         bool
	extracted     bool
	wrapped       bool   // extracted holds because a wrapper was removed
	gradedText    string // the stripped reply, or the answer in it
	pair          *pair  // nil where the label needed no comparison
}

// fill sets the fields of a grade that follow from the verdict. reference is the right answer that the
// graded text is measured against.
func (v *verdict) fill(g *verbatim.Grade, reference string) {
	g.Label, g.Detail, g.Exact, g.Extracted = v.label, v.detail, v.exact, v.extracted
	g.Score = new(traits.One(v.exact))
	g.Measures = v.measures(reference)
}
