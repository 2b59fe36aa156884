package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

const (
	// AtLeast is the exact share of a Reach unless the user gives another.
	AtLeast = 0.95
	// reachItems is the number of answered items from which a length counts for a Reach.
	reachItems = 10
)

// A Reach is how long the items of a task may be for a run. It is a statement about the lengths that
// were measured, without a curve, and nothing is ranked by it: with 20 items, a model that is exact
// in 97 % of all items passes one length with a probability of 0.88, and six with 0.46.
type Reach struct {
	Task string `json:"task"`
	// Length is the longest length up to which every length with at least 10 answered items has at
	// least the share of exact answers; 0 if the shortest has less, nil without such a length.
	Length *int `json:"length"`
	// At has the answers of Length, or those of the shortest length if that is 0; nil if it is nil.
	At *Rate `json:"at,omitempty"`
	// Shortest and Longest are the first and the last of these lengths; 0 without one.
	Shortest int `json:"shortest,omitempty"`
	Longest  int `json:"longest,omitempty"`
	// All has the answers of all lengths.
	All Rate `json:"all"`
}

// reachOf returns the reach of a run in a task for an exact share. A band of lengths counts as its
// longest one.
func reachOf(f *Family, atLeast float64) Reach {
	r := Reach{Task: f.Name, All: f.Total.Exact}
	var lines []*Line
	for i := range f.Lines {
		if l := &f.Lines[i]; l.Lengths != nil && l.Exact.Items >= reachItems {
			lines = append(lines, l)
		}
	}
	slices.SortFunc(lines, func(a, b *Line) int { return cmp.Compare(a.Lengths.Max, b.Lengths.Max) })
	below := false
	for i, l := range lines {
		if below = below || *l.Exact.Share < atLeast; !below {
			r.Length, r.At = new(l.Lengths.Max), &l.Exact
		} else if i == 0 {
			r.Length, r.At = new(int), &l.Exact
		}
	}
	if len(lines) > 0 {
		r.Shortest, r.Longest = lines[0].Lengths.Min, lines[len(lines)-1].Lengths.Max
	}
	return r
}

// LengthText prints the length: "≥ 64" if it is the longest measured one, "< 4" if the shortest has
// fewer exact answers, and a dash without a length.
func (r *Reach) LengthText() string {
	switch {
	case r.Length == nil:
		return number.Missing
	case *r.Length == 0:
		return "< " + strconv.Itoa(r.Shortest)
	case *r.Length == r.Longest:
		return "≥ " + strconv.Itoa(r.Longest)
	}
	return strconv.Itoa(*r.Length)
}

// CountText prints the count behind the length, such as "40 of 40", or of all answers without one.
func (r *Reach) CountText() string {
	rate := &r.All
	if r.At != nil {
		rate = r.At
	}
	return number.Count(rate.N) + " of " + number.Count(rate.Of)
}

// RangeText prints the 95 % interval of the exact share at the length; empty without one.
func (r *Reach) RangeText() string {
	if r.At == nil {
		return ""
	}
	return number.PercentRange(r.At.Low, r.At.High, 0) + " %"
}

// HasLengths reports whether a length of a task of a run has enough items. Without, Text prints the
// answers of all lengths.
func (h *Headline) HasLengths() bool {
	return slices.ContainsFunc(h.Rows, func(row HeadlineRow) bool {
		return slices.ContainsFunc(row.Reach, func(r Reach) bool { return r.Length != nil })
	})
}

// ReachText prints a reach: "64 · 40 of 40", a dash if it is unknown, and "3 of 4" if no reach of the
// table is known.
func (h *Headline) ReachText(r *Reach) string {
	switch {
	case r == nil || r.All.Of == 0 || r.Length == nil && h.HasLengths():
		return number.Missing
	case r.Length == nil:
		return r.CountText()
	}
	return r.LengthText() + " · " + r.CountText()
}

// Tasks lists the tasks of all rows, each once, in the order of the runs.
func (h *Headline) Tasks() (tasks []string) {
	for _, row := range h.Rows {
		for _, r := range row.Reach {
			if !slices.Contains(tasks, r.Task) {
				tasks = append(tasks, r.Task)
			}
		}
	}
	return tasks
}

// Of returns the reach in a task; nil without it.
func (row *HeadlineRow) Of(task string) *Reach {
	if at := slices.IndexFunc(row.Reach, func(r Reach) bool { return r.Task == task }); at >= 0 {
		return &row.Reach[at]
	}
	return nil
}

// ShareText prints AtLeast in percent: "95".
func (h *Headline) ShareText() string { return strings.TrimSuffix(number.Percent(&h.AtLeast), ".0") }

// ReachHead is the head of the lengths, such as "exact up to".
func (h *Headline) ReachHead() string {
	if !h.HasLengths() {
		return HeadExact
	}
	return HeadUpTo
}

// ReachTable is the table of tasks and runs; nil without tasks.
func (h *Headline) ReachTable() *table.Table {
	tasks := h.Tasks()
	if len(tasks) == 0 {
		return nil
	}
	t := &table.Table{Name: "reach", Columns: []table.Column{{Head: h.ReachHead()}}}
	for _, name := range h.Names() {
		t.Columns = append(t.Columns, table.Column{Head: name, Right: true, Min: 8})
	}
	for _, task := range tasks {
		cells := []string{terminal.Visible(task)}
		for i := range h.Rows {
			cells = append(cells, h.ReachText(h.Rows[i].Of(task)))
		}
		t.Add(cells...)
	}
	return t
}

// Reaches returns ReachTable for a terminal of so many columns. For one run it returns a line, and a
// table with a row for each run if ReachTable does not fit, with the intervals. It is nil without
// tasks, and for one run of one task without lengths.
func (h *Headline) Reaches(columns int) table.Block {
	t := h.ReachTable()
	if t == nil || len(h.Rows) == 1 && len(t.Rows) == 1 && !h.HasLengths() { // the first table has that
		return nil
	}
	if len(h.Rows) > 1 && (columns == 0 || t.Width() <= columns) {
		return t
	}
	inOneLine := func(row *HeadlineRow) (parts []string) {
		for _, task := range h.Tasks() {
			r := row.Of(task)
			text := h.ReachText(r)
			if r != nil && r.Length != nil {
				text = r.LengthText() + " (" + r.CountText() + ", " + r.RangeText() + ")"
			}
			parts = append(parts, terminal.Visible(task)+" "+text)
		}
		return parts
	}
	if len(h.Rows) == 1 {
		return table.Facts{{Name: h.ReachHead(), Parts: inOneLine(&h.Rows[0])}}
	}
	list := &table.Table{Name: "reach", Columns: []table.Column{{Head: "model", Min: 8}, {Head: h.ReachHead(), Wrap: true, Min: 16}}}
	for i, name := range h.Names() {
		list.Add(name, strings.Join(inOneLine(&h.Rows[i]), " · "))
	}
	return list
}
