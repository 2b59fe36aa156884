package page

import (
	"verbatim/internal/chart"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A besides finds what the comparisons of a report say of a place: every run next to
// the baseline.
type besides struct {
	baseline int // in Report.Runs; -1 where nothing is compared
	by       map[int]*verdict.Comparison
	cells    map[int]map[[2]string]*verdict.Cell
	alone    bool   // there is one family, so that a row for a length is one for a cell
	of       string // what differs, where that is not the share which stands there
}

// newBesides reads the comparisons that have the first one's baseline.
func newBesides(r *report.Report) *besides {
	b := &besides{baseline: -1, by: make(map[int]*verdict.Comparison), cells: make(map[int]map[[2]string]*verdict.Cell)}
	b.alone = len(families(r)) == 1
	if ownScore(r) {
		b.of = "score "
	}
	for _, c := range r.Comparisons {
		x, y := chart.Run(r.Runs, &c.A.RunInfo), chart.Run(r.Runs, &c.B.RunInfo)
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

// cell says how the run's share of a family and a length differs. A word and an
// interval stand there where a row of the comparison is about just that.
func (b *besides) cell(s *shareView, run int, family, length string) {
	s.Baseline = run == b.baseline
	one := b.cells[run][[2]string{family, length}]
	if one == nil {
		return
	}
	s.Difference = b.of + signed(one.Value)
	if s.Alone, s.Other = count(one.OnlyB), count(one.OnlyA); one.OnlyA+one.OnlyB > 0 {
		s.P = number.Probability(one.P)
	}
	for i := range b.by[run].Lengths {
		if l := &b.by[run].Lengths[i]; l.Length == length && (l.Family == family || b.alone) {
			b.verdict(s, &l.Verdict)
		}
	}
}

// family says how the run differs on a family.
func (b *besides) family(s *shareView, run int, family string) {
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

func (b *besides) verdict(s *shareView, v *verdict.Verdict) {
	s.Word = v.Word
	s.Difference, s.Interval = b.of+signed(v.Difference.Value), span(v.Difference.Range)
}
