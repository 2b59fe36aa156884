package page

import (
	"strconv"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"

	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A flipView lists items that one side of a comparison has right and the other wrong.
type flipView struct {
	ID, Title, Head string
	A, B            string // names
	OnlyA, OnlyB    string
	Rows            []flipRow
}

// A flipRow is one item.
type flipRow struct {
	Item  string
	Cells [2]flipCell // of A and of B
	Show  string      // the command that shows the answer of the side that fails
}

// A flipCell is the result of one side.
type flipCell struct{ Sign, Text, Class, Title string }

// flips returns the items that flip, for each comparison that has any.
func flips(r *report.Report) []flipView {
	var list []flipView
	program := terminal.ShellProgram{Database: r.Database}
	for i, c := range r.Comparisons {
		if c.Flips.OnlyA+c.Flips.OnlyB == 0 {
			continue
		}
		a, b := layout.PairNames(c)
		v := flipView{
			ID: "flips-" + strconv.Itoa(i), A: terminal.Truncate(a, 60), B: terminal.Truncate(b, 60), Head: layout.DifferingTitle(c),
			OnlyA: number.Count(c.Flips.OnlyA), OnlyB: number.Count(c.Flips.OnlyB),
		}
		v.Title = v.B + " vs " + v.A
		for j := range c.Flips.List {
			f := &c.Flips.List[j]
			failing := c.B.Ref
			if f.Right == "b" {
				failing = c.A.Ref
			}
			v.Rows = append(v.Rows, flipRow{
				Item: terminal.Truncate(terminal.Visible(f.Item), 120), Cells: [2]flipCell{newFlipCell(&f.A), newFlipCell(&f.B)},
				Show: program.Show(failing, f.Item),
			})
		}
		list = append(list, v)
	}
	return list
}

func newFlipCell(f *verdict.FlipSide) flipCell {
	c := flipCell{"✗", terminal.Truncate(terminal.Visible(f.Label), 40), "vb-worse", recordview.Explain(f.Label)}
	if f.Right == f.Answers {
		c = flipCell{"✓", "right", "vb-better", ""}
	}
	if f.Answers > 1 {
		c.Text += " (" + number.Count(f.Right) + " of " + number.Count(f.Answers) + " right)"
	}
	return c
}
