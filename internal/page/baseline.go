package page

import (
	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A baselineIndex finds the difference of each run from the baseline in the comparisons of
// a report. Runs are indexes in Report.Runs.
type baselineIndex struct {
	baseline int // -1 without comparisons
	by       map[int]*verdict.Comparison
	cells    map[int]map[[2]string]*verdict.Cell
	alone    bool   // there is one family, so the row of a length is about one cell
	prefix   string // of differences: empty if the score is the exact share
}

// newBaselineIndex reads the comparisons that have the baseline of the first one.
func newBaselineIndex(r *report.Report) *baselineIndex {
	b := &baselineIndex{baseline: -1, by: make(map[int]*verdict.Comparison), cells: make(map[int]map[[2]string]*verdict.Cell)}
	b.alone = len(figure.Tasks(r.Runs)) == 1
	if ownScore(r) {
		b.prefix = "score "
	}
	for _, c := range r.Comparisons {
		x, y := figure.RunIndex(r.Runs, &c.A.RunInfo), figure.RunIndex(r.Runs, &c.B.RunInfo)
		if b.baseline < 0 {
			b.baseline = x
		}
		if x < 0 || x != b.baseline || y < 0 {
			continue
		}
		b.by[y] = c
		b.cells[y] = make(map[[2]string]*verdict.Cell)
		for i := range c.Cells {
			one := &c.Cells[i]
			b.cells[y][[2]string{one.Family, one.Length}] = one
		}
	}
	return b
}

// cell adds the difference of a family and a length to s. If the comparison has a row for
// exactly these, it adds the verdict and the interval.
func (b *baselineIndex) cell(s *shareView, run int, family, length string) {
	s.Baseline = run == b.baseline
	one := b.cells[run][[2]string{family, length}]
	if one == nil {
		return
	}
	s.Difference = b.prefix + signed(one.Value)
	s.Alone, s.Other = number.Count(one.OnlyB), number.Count(one.OnlyA)
	if one.OnlyA+one.OnlyB > 0 {
		s.P = number.Probability(one.P)
	}
	for i := range b.by[run].Lengths {
		if l := &b.by[run].Lengths[i]; l.Length == length && (l.Family == family || b.alone) {
			b.verdict(s, &l.Verdict)
		}
	}
}

// family adds the difference of a family to s.
func (b *baselineIndex) family(s *shareView, run int, family string) {
	s.Baseline = run == b.baseline
	c := b.by[run]
	if c == nil {
		return
	}
	if b.alone {
		b.verdict(s, &c.Verdict)
	}
	for i := range c.Families {
		if c.Families[i].Family == family {
			b.verdict(s, &c.Families[i].Verdict)
		}
	}
}

func (b *baselineIndex) verdict(s *shareView, v *verdict.Verdict) {
	s.Word = v.Word
	s.Difference, s.Interval = b.prefix+signed(v.Difference.Value), span(v.Difference.Range)
}
