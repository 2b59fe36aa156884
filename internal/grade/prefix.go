package grade

import (
	"strings"

	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// mayBecomeRight reports whether a stripped reply that the token limit ended may be the
// start of a right one: it is empty, still reasoning, or the start of the expected
// list, however spelled.
func (j *listJudge) mayBecomeRight(got string, s *Scratch) bool {
	if traits.StillReasoning(got) {
		return true
	}
	if end := strings.LastIndex(got, "</think>"); end >= 0 {
		got = pylit.Strip(got[end+len("</think>"):])
	}
	return strings.HasPrefix(j.printed, got) || j.beginsAs(got, s)
}

// beginsAs reports whether the list that the reply opens and does not close is the start of the
// expected one.
func (j *listJudge) beginsAs(got string, s *Scratch) bool {
	start := strings.IndexByte(got, '[')
	if start < 0 {
		return false
	}
	open := got[start+1:]
	cut := max(strings.LastIndexByte(open, ','), 0)
	v, err := s.own.parser.Parse("[" + open[:cut] + "]")
	if err != nil {
		return false
	}
	n := len(v.Items())
	if n > len(j.want) || !sameItems(v.Items(), j.want[:n]) {
		return false
	}
	last := pylit.Strip(strings.TrimPrefix(open[cut:], ","))
	if n == len(j.want) {
		return last == ""
	}
	next := j.want[n].String()
	return strings.HasPrefix(next, last) || strings.HasPrefix(next, strings.ReplaceAll(last, `"`, "'"))
}
