package page

import (
	"strconv"

	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/report"
)

// A familyView is a task with a line for each length and a column for each run.
type familyView struct {
	ID    string // of its caption, such as "f0"
	Name  safeText
	Open  bool
	Lines []lineView // the total is the last
	// Sum is the total of the only run, which is shown while the lengths are hidden. It is nil
	// if there are several runs, or no request of the task.
	Sum *shareView
}

// A lineView is a length of a task, or all of them.
type lineView struct {
	Length safeText // empty on the total
	Total  bool
	Cells  []shareView // one for each run
}

// openFamilies is the largest number of tasks whose lengths are shown at first.
const openFamilies = 4

// familyViews returns the families of all runs, in the order of their first run.
func familyViews(r *report.Report, versus *baselineIndex) []familyView {
	var list []familyView
	tasks := figure.Tasks(r.Runs)
	for i, task := range tasks {
		v := familyView{ID: "f" + strconv.Itoa(i), Name: name(task), Open: len(tasks) <= openFamilies}
		for _, length := range lengthsOf(r, task) {
			v.Lines = append(v.Lines, lineOf(r, versus, task, length.Label))
		}
		if len(v.Lines) > 1 {
			v.Lines = append(v.Lines, totalOf(r, versus, task))
		}
		if n := len(v.Lines); n > 0 && len(r.Runs) == 1 && v.Lines[n-1].Cells[0].Asked {
			v.Sum = &v.Lines[n-1].Cells[0]
		}
		list = append(list, v)
	}
	return list
}

func lineOf(r *report.Report, versus *baselineIndex, family, length string) lineView {
	v := lineView{Length: name(length)}
	for i := range r.Runs {
		s := shareOf(findLine(&r.Runs[i], family, length))
		s.Class = inkOf(i).Class
		versus.cell(&s, i, family, length)
		v.Cells = append(v.Cells, s)
	}
	return v
}

func totalOf(r *report.Report, versus *baselineIndex, family string) lineView {
	v := lineView{Total: true}
	for i := range r.Runs {
		var l *report.Line
		if f := figure.FindTask(&r.Runs[i], family); f != nil {
			l = &f.Total
		}
		s := shareOf(l)
		s.Class = inkOf(i).Class
		versus.family(&s, i, family)
		v.Cells = append(v.Cells, s)
	}
	return v
}

// shareOf returns the view of a line, which is nil if the run has no request of it.
func shareOf(l *report.Line) shareView {
	if l == nil {
		return shareView{}
	}
	c := rate(l.Exact)
	s := shareView{Asked: true, Share: c.Text, Range: c.Range, Bar: c.Bar}
	if f := failure(l); f != nil {
		s.Label = name(f.Name) + safeText(" "+number.Count(f.N))
	}
	return s
}
