package page

import (
	"strings"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A comparisonView is what there is to say of a run beside the baseline.
type comparisonView struct {
	ID       string
	A, B     said
	Word     verdict.Word
	Sentence said
	Settling string
	Facts    []fact
	Sides    *table
	Panels   []forestPanel // by task, by length
	Open     bool
	Value    string // the difference with its interval
	Notes    []said
	Warnings []said
}

// A fact is a name with what there is to say of it.
type fact struct {
	Name string
	Text string
	Said said // instead of Text
	Code bool // it is typed as it stands
}

// comparisonViews lays the comparisons out, in their order.
func comparisonViews(r *report.Report, runs []run, drawn *forestChart) []comparisonView {
	var list []comparisonView
	pairs := drawn.Each
	for i, c := range r.Comparisons {
		id := "c" + count(int64(i))
		v := comparisonView{
			ID: id, A: called(r, runs, &c.A.RunInfo), B: called(r, runs, &c.B.RunInfo), Word: c.Word,
			Sentence: said(layout.Sentence(c)), Settling: layout.Settling(c.ItemsNeeded),
			Facts: comparedOf(c), Sides: sidesTable(id, c), Open: len(r.Comparisons) == 1,
			Value: signed(c.Difference.Value) + " (" + span(c.Difference.Range) + ")",
		}
		if len(c.Families)+len(c.Lengths) > 0 && len(pairs) > 0 { // those that have a drawing
			v.Panels, pairs = pairs[0].Panels, pairs[1:]
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

// comparedOf says what the comparison is over, and what it leaves out.
func comparedOf(c *verdict.Comparison) []fact {
	over := plural(c.Items, "item", "items") + " that both answered"
	if !c.Balanced {
		over += ", each of which weighs the same: there are not as many of every task and length"
	}
	list := []fact{{Name: "over", Text: over}}
	var left []string
	for _, l := range []struct {
		n    int64
		what string
	}{
		{c.LeftOut.UnansweredA, "not answered by A"}, {c.LeftOut.UnansweredB, "not answered by B"}, {c.LeftOut.Neither, "answered by neither"},
		{c.LeftOut.OnlyA, "asked of A only"}, {c.LeftOut.OnlyB, "asked of B only"},
	} {
		if l.n > 0 {
			left = append(left, count(l.n)+" "+l.what)
		}
	}
	if len(left) == 0 {
		left = []string{"nothing"}
	}
	list = append(list, fact{Name: "left out", Text: strings.Join(left, ", ")})
	d := &c.Difference
	list = append(list, fact{Name: "probabilities", Text: "worse " + chance(d.Worse) + ", equivalent " + chance(d.Equivalent) + ", better " + chance(d.Better) +
		"; a verdict takes " + chance(c.Threshold)})
	return append(list, fact{Name: "equivalent", Text: "a difference of at most " + number.Fixed(c.Rope, 3) + " either way"})
}

// sidesTable puts what both sides have side by side.
func sidesTable(id string, c *verdict.Comparison) *table {
	t := &table{ID: id + "-s", Caption: "Side by side", First: "", Columns: []column{{Head: "A"}, {Head: "B"}, {Head: "B less A"}}}
	difference := func(d *verdict.Difference) cell { return cell{Text: signed(d.Value), Range: span(d.Range)} }
	t.Rows = append(t.Rows,
		row{Head: "mean score", Cells: []cell{{Text: score(c.A.Mean)}, {Text: score(c.B.Mean)}, difference(&c.Difference)}},
		row{Head: "exact, %", Cells: []cell{part(&c.A.SideResult), part(&c.B.SideResult), difference(&c.Success.Difference)}},
		row{Head: "items right in one only", Cells: texts(count(c.Flips.OnlyA), count(c.Flips.OnlyB), pValue(c.Success.P))})
	if c.A.Horizon != nil || c.B.Horizon != nil {
		t.Rows = append(t.Rows, row{Head: "half right up to length", Cells: texts(layout.HorizonText(c.A.Horizon), layout.HorizonText(c.B.Horizon), "")})
	}
	if c.Tasks != nil {
		t.Rows = append(t.Rows, row{Head: said("mean score, on other tasks like these " + count(int64(c.Tasks.N))), Cells: []cell{{}, {}, {Text: signed(c.Difference.Value), Range: span(c.Tasks.Range)}}})
	}
	return t
}

func part(p *verdict.SideResult) cell {
	return cell{Text: percent(&p.Share), Range: number.Fixed(100*p.Range.Low, 1) + "–" + number.Fixed(100*p.Range.High, 1)}
}
