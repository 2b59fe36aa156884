package page

import (
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A comparisonView is the comparison of a run with the baseline.
type comparisonView struct {
	A, B     safeText
	Word     verdict.Word
	Sentence safeText
	Settling string
	Facts    []fact
	Sides    *table
	Panels   []forestPanel // by task, by length
	Open     bool
	Value    string // the difference with its interval
	Notes    []safeText
	Warnings []safeText
}

// A fact is a named text.
type fact struct {
	Name string
	Text string
	Safe safeText // instead of Text
	Code bool     // shown as code
}

// comparisonViews returns the comparisons in their order.
func comparisonViews(r *report.Report, runs []run) []comparisonView {
	var list []comparisonView
	for i, c := range r.Comparisons {
		v := comparisonView{
			A: called(r, runs, &c.A.RunInfo), B: called(r, runs, &c.B.RunInfo), Word: c.Word,
			Sentence: safeText(layout.Sentence(c)), Settling: layout.Settling(c.ItemsNeeded),
			Facts: comparedOf(c), Sides: sidesTable(i, c), Panels: comparisonForests(r, i), Open: len(r.Comparisons) == 1,
			Value: signed(c.Difference.Value) + " (" + span(c.Difference.Range) + ")",
		}
		for _, n := range c.Notes {
			v.Notes = append(v.Notes, sentence(n.Text))
		}
		for _, w := range c.Warnings {
			v.Warnings = append(v.Warnings, sentence(w.Text))
		}
		list = append(list, v)
	}
	return list
}

// comparedOf returns the items of the comparison, and those that it leaves out.
func comparedOf(c *verdict.Comparison) []fact {
	over := number.Plural(c.Items, "item", "items") + " that both answered"
	if !c.Balanced {
		over += ", with equal weights; the numbers of items by task and length differ"
	}
	list := []fact{{Name: "over", Text: over}, {Name: "scope", Text: layout.ClaimScope(c)}}
	var left []string
	for _, l := range []struct {
		n    int64
		what string
	}{
		{c.LeftOut.UnansweredA, "not answered by A"}, {c.LeftOut.UnansweredB, "not answered by B"}, {c.LeftOut.Neither, "answered by neither"},
		{c.LeftOut.OnlyA, "sent to A only"}, {c.LeftOut.OnlyB, "sent to B only"},
	} {
		if l.n > 0 {
			left = append(left, number.Count(l.n)+" "+l.what)
		}
	}
	if len(left) == 0 {
		left = []string{"nothing"}
	}
	list = append(list, fact{Name: "left out", Text: strings.Join(left, ", ")})
	p := number.PValue(c.P)
	if c.Together > 1 {
		p += ", with Holm’s correction for " + layout.HolmFamily(c) + " " + number.PValue(c.Adjusted)
	}
	list = append(list, fact{Name: "p", Text: p + "; a verdict needs at most " + number.FiveDecimals(1-c.Threshold)})
	return append(list, fact{Name: "equivalent", Text: "a difference of at most " + number.Fixed(c.Rope, 3) + " either way"})
}

// sidesTable compares the results of both sides of a comparison, which has the index.
func sidesTable(index int, c *verdict.Comparison) *table {
	t := &table{ID: "c" + number.Count(int64(index)) + "-s", Caption: "Side by side", First: "", Columns: []column{{Head: "A"}, {Head: "B"}, {Head: "B minus A"}}}
	difference := func(d *verdict.Difference) cell { return cell{Text: signed(d.Value), Range: span(d.Range)} }
	t.Rows = append(t.Rows,
		row{Head: "mean score", Cells: []cell{{Text: number.Score(&c.A.Mean)}, {Text: number.Score(&c.B.Mean)}, difference(&c.Difference)}},
		row{Head: "exact, %", Cells: []cell{part(&c.A.SideResult), part(&c.B.SideResult), difference(&c.Success)}},
		row{Head: "items right on one side only", Cells: texts(number.Count(c.Flips.OnlyA), number.Count(c.Flips.OnlyB), pValue(c.Success.SignFlip))})
	if c.A.Horizon != nil || c.B.Horizon != nil {
		t.Rows = append(t.Rows, row{Head: "50 % horizon", Cells: texts(layout.HorizonText(c.A.Horizon), layout.HorizonText(c.B.Horizon), "")})
	}
	if c.Tasks != nil {
		t.Rows = append(t.Rows, row{Head: safeText("mean score on other tasks like these " + number.Count(int64(c.Tasks.N))), Cells: []cell{{}, {}, {Text: signed(c.Difference.Value), Range: span(c.Tasks.Range)}}})
	}
	return t
}

func part(p *verdict.SideResult) cell {
	return cell{Text: number.Percent(&p.Share), Range: number.Fixed(100*p.Range.Low, 1) + "–" + number.Fixed(100*p.Range.High, 1)}
}

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
