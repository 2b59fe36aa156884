package paper

import (
	"fmt"

	"verbatim/internal/number"
)

// Sentence counts the numbers that are compared, equal and different.
func (d *Differences) Sentence() string {
	if d.Compared == 0 {
		return d.Source + ": nothing is compared."
	}
	explained := 0
	for _, x := range d.List {
		if x.Explained {
			explained++
		}
	}
	explained -= d.Within
	return fmt.Sprintf("%s: %s published numbers compared, %s equal at the published decimals, %d within the Monte Carlo error, %d with another known reason, %d without an explanation.",
		d.Source, number.Count(int64(d.Compared)), number.Count(int64(d.Equal)), d.Within, explained, d.Unexplained())
}

// Unexplained counts the numbers that differ for no known reason.
func (d *Differences) Unexplained() int {
	n := 0
	for _, x := range d.List {
		if !x.Explained {
			n++
		}
	}
	return n
}

// Table lists the numbers that differ, with the reasons.
func (d *Differences) Table() Table {
	t := Table{
		Name: "differences", Caption: "Every published number that differs from ours.",
		Columns: []Column{{Head: "Place"}, {Head: "Published", Right: true}, {Head: "Ours", Right: true}, {Head: "Why"}},
	}
	for _, x := range d.List {
		t.Rows = append(t.Rows, Row{Key: x.Place, Cells: []string{x.Place, x.Published, x.Ours, x.Why}})
	}
	return t
}
