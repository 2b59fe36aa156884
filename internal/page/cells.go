package page

import (
	"strconv"

	"verbatim/internal/chart"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A familyView is a task with a line for each of its lengths, all runs side by side.
type familyView struct {
	ID    string // of its caption: "f0"
	Name  said
	Open  bool
	Lines []lineView // the total is the last
	// Sum is the total of a run that is alone, so that it is seen while the lengths are
	// not; nil: there are others next to it, or none was asked.
	Sum *shareView
}

// A lineView is a length of a task, or all of them.
type lineView struct {
	Length said // empty on the total
	Total  bool
	Cells  []shareView // one for each run
}

// A shareView is what a run has of a line, and how that differs from the baseline's.
type shareView struct {
	Asked        bool
	Class        string // of the run's colour
	Share, Range string
	N            string // answers, and of how many
	Bar          *bar
	Label        said   // its commonest failure
	Baseline     bool   // it is the one that others differ from
	Difference   string // of the mean score from the baseline's, over items that both answered
	Interval     string // of Difference
	Word         verdict.Word
	// Alone and Other count the items that only this run and only the baseline has
	// right; empty where that is not known.
	Alone, Other string
	P            string // how likely such a split is by chance; empty where there is none
}

// openFamilies is how many tasks show their lengths without being asked to.
const openFamilies = 4

// familyViews lays the families of all runs side by side, in the order in which they
// are met.
func familyViews(r *report.Report, beside *besides) []familyView {
	var list []familyView
	for _, f := range families(r) {
		v := familyView{ID: "f" + strconv.Itoa(len(list)), Name: name(f.name)}
		for _, length := range f.lengths {
			v.Lines = append(v.Lines, lineOf(r, beside, f.name, length))
		}
		if len(v.Lines) > 1 {
			v.Lines = append(v.Lines, totalOf(r, beside, f.name))
		}
		if n := len(v.Lines); n > 0 && len(r.Runs) == 1 && v.Lines[n-1].Cells[0].Asked {
			v.Sum = &v.Lines[n-1].Cells[0]
		}
		list = append(list, v)
	}
	for i := range list {
		list[i].Open = len(list) <= openFamilies
	}
	return list
}

// A familyName is a family with its lengths, as runs call them.
type familyName struct {
	name    string
	lengths []string
}

// families lists the families of all runs, and their lengths from the shortest.
func families(r *report.Report) []*familyName {
	var list []*familyName
	for _, name := range chart.Tasks(r.Runs) {
		var lines [][]report.Line
		for i := range r.Runs {
			if f := chart.Task(&r.Runs[i], name); f != nil {
				lines = append(lines, f.Lines)
			}
		}
		f := &familyName{name: name}
		for _, k := range chart.Lengths(lines...) {
			f.lengths = append(f.lengths, k.Label)
		}
		list = append(list, f)
	}
	return list
}

func lineOf(r *report.Report, beside *besides, family, length string) lineView {
	v := lineView{Length: name(length)}
	for i := range r.Runs {
		s := shareOf(findLine(&r.Runs[i], family, length))
		s.Class = inkOf(i).Class
		beside.cell(&s, i, family, length)
		v.Cells = append(v.Cells, s)
	}
	return v
}

func totalOf(r *report.Report, beside *besides, family string) lineView {
	v := lineView{Total: true}
	for i := range r.Runs {
		var l *report.Line
		if f := chart.Task(&r.Runs[i], family); f != nil {
			l = &f.Total
		}
		s := shareOf(l)
		s.Class = inkOf(i).Class
		beside.family(&s, i, family)
		v.Cells = append(v.Cells, s)
	}
	return v
}

func findLine(b *report.Block, family, length string) *report.Line {
	f := chart.Task(b, family)
	if f == nil {
		return nil
	}
	return chart.LineAt(f.Lines, length)
}

// shareOf shows a line; nil: the run was not asked it.
func shareOf(l *report.Line) shareView {
	if l == nil {
		return shareView{}
	}
	c := rate(l.Exact)
	s := shareView{Asked: true, Share: c.Text, Range: c.Range, Bar: c.Bar, N: answered(l)}
	if f := failure(l); f != nil {
		s.Label = name(f.Name) + said(" "+count(f.N))
	}
	return s
}
