package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A Headline is the first table of a report.
type Headline struct {
	// Metric is what the runs are ranked by.
	Metric Metric `json:"metric"`
	// AtLeast is the exact share of HeadlineRow.Reach.
	AtLeast float64       `json:"at_least"`
	enough  string        // the command that sends enough items for a Reach
	Rows    []HeadlineRow `json:"rows"`
}

// A Row is one run. Shares and means are over all of its answers.
type HeadlineRow struct {
	Run   int    `json:"run_index"` // in Report.Runs
	N     int64  `json:"n,omitempty"`
	Name  string `json:"name"`
	Model string `json:"model"`
	// Rank counts from 1, with its simultaneous interval from RankLow to RankHigh; 0 for a
	// run that is not ranked.
	Rank     int  `json:"rank"`
	RankLow  int  `json:"rank_low"`
	RankHigh int  `json:"rank_high"`
	Tied     bool `json:"tied,omitempty"` // another run has the same rank
	// Score is the mean of another metric than exactness; nil if exactness ranks.
	Score *Mean `json:"score,omitempty"`
	Exact Rate  `json:"exact"`
	// Reach has the lengths up to which the run is exact, by task.
	Reach []Reach `json:"exact_up_to"`
	// Dollars are for 1,000 exact answers: the mean cost of a reply with a known cost, times
	// 1,000, divided by the exact share. Nil without a price or an exact answer.
	Dollars *verbatim.Money `json:"dollars_per_1000_exact"`
	// Seconds is the median time of a whole reply.
	Seconds *float64 `json:"median_seconds"`
}

// A Report is a report in its JSON form, with its first table.
type HeadlineReport struct {
	*Report
	Headline *Headline `json:"headline,omitempty"`
}

// HeadlineOf computes the first table of a report.
func HeadlineOf(r *Report) *Headline {
	h := &Headline{Metric: metric(r), AtLeast: cmp.Or(r.AtLeast, AtLeast)}
	for _, p := range places(r) {
		b := &r.Runs[p.run]
		row := HeadlineRow{
			Run: p.run, N: b.Head.N, Name: b.Head.Name, Model: b.Head.Model,
			Rank: p.Rank, RankLow: p.RankLow, RankHigh: p.RankHigh, Tied: p.tied,
			Exact: b.Total.Exact, Dollars: dollars(&b.Total), Seconds: b.Total.Seconds.Median,
		}
		row.Reach = make([]Reach, 0, len(b.Families)) // not null in JSON
		for i := range b.Families {
			row.Reach = append(row.Reach, reachOf(&b.Families[i], h.AtLeast))
		}
		if h.Metric != MetricExact {
			row.Score = &b.Total.Score
		}
		h.Rows = append(h.Rows, row)
	}
	if len(h.Rows) > 0 {
		h.enough = enough(&r.Runs[h.Rows[0].Run], r.Database)
	}
	return h
}

// enough returns the command that sends enough items of each length to the model of a run; empty if
// its items are those of a file.
func enough(b *Block, database string) string {
	if b.Head.Items != "" || b.Head.Origin != "" || len(b.Families) == 0 {
		return ""
	}
	words := []string{"verbatim", "run", "--model", terminal.Visible(b.Head.Model), "--items", strconv.Itoa(reachItems)}
	if database != "" {
		words = append(words, "--db", database)
	}
	if b.Head.Suite != "" && b.Head.Suite != "custom" {
		return terminal.ShellWords(append(words, "--suite", terminal.Visible(b.Head.Suite))...)
	}
	var tasks []string
	var lengths []int
	for _, f := range b.Families {
		tasks = append(tasks, terminal.Visible(f.Name))
		for _, l := range f.Lines {
			if l.Lengths != nil && !slices.Contains(lengths, l.Lengths.Max) {
				lengths = append(lengths, l.Lengths.Max)
			}
		}
	}
	words = append(words, "--task", strings.Join(tasks, ","))
	if slices.Sort(lengths); len(lengths) > 0 {
		words = append(words, "--length", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(lengths)), ","), "[]"))
	}
	return terminal.ShellWords(words...)
}

// HeadlineRow returns the row of a run, given by its index in Report.Runs; nil without such a run.
func (h *Headline) Row(run int) *HeadlineRow {
	for i := range h.Rows {
		if h.Rows[i].Run == run {
			return &h.Rows[i]
		}
	}
	return nil
}

// metric returns the metric by which runs are ranked: exactness, unless the report has another.
func metric(r *Report) Metric {
	if r.Leaderboard != nil && r.Leaderboard.Metric != "" {
		return Metric(r.Leaderboard.Metric)
	}
	if len(r.Runs) > 0 && r.Runs[0].Head.Metric != MetricScore && r.Runs[0].Head.Metric != "" {
		return r.Runs[0].Head.Metric
	}
	return MetricExact
}

// dollars returns the cost of 1,000 exact answers; nil without a price or an exact answer.
func dollars(l *Line) *verbatim.Money {
	c := l.Cost
	if c == nil || c.Dollars == nil || c.Known == 0 || l.Exact.N == 0 {
		return nil
	}
	each := float64(*c.Dollars) / float64(c.Known)
	m := verbatim.Money(math.Round(min(1000*each/(*l.Exact.Share), float64(verbatim.MaxMoney))))
	return &m
}

// A place is a run with its ranks.
type place struct {
	run int // in Report.Runs
	verdict.RankPlace
	tied bool
}

// HeadlineOrder returns the indexes of the runs of a report, the best first. Unranked runs follow the ranked
// ones by their exact share, then by name. So the order does not depend on that of Report.Runs.
func HeadlineOrder(r *Report) []int {
	var list []int
	for _, p := range places(r) {
		list = append(list, p.run)
	}
	return list
}

// places lists the runs in the order of the rows. Every run of the report is in it once.
func places(r *Report) (list []place) {
	seen := make([]bool, len(r.Runs))
	if b := r.Leaderboard; b != nil {
		for i := range b.Places {
			at := find(r, seen, &b.Places[i])
			if at < 0 || b.Places[i].Rank == 0 {
				continue
			}
			seen[at] = true
			list = append(list, place{at, b.Places[i], tied(b, i)})
		}
	}
	ranked := len(list)
	for i := range r.Runs {
		if !seen[i] {
			list = append(list, place{run: i})
		}
	}
	slices.SortStableFunc(list[ranked:], func(x, y place) int {
		a, b := &r.Runs[x.run], &r.Runs[y.run]
		return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(a.Head.Name, b.Head.Name), cmp.Compare(a.Head.N, b.Head.N))
	})
	return list
}

// tied reports whether another run has the rank of a place.
func tied(b *verdict.Leaderboard, at int) bool {
	for i := range b.Places {
		if i != at && b.Places[i].Rank == b.Places[at].Rank {
			return true
		}
	}
	return false
}

// share is the exact share of a run; below 0 without an answer.
func share(b *Block) float64 {
	if s := b.Total.Exact.Share; s != nil {
		return *s
	}
	return -1
}

// find returns the index of the run of a place, among the runs that have no place yet; -1 without
// it. Runs that are not saved may have equal names. Then the plan and the note decide, if they can,
// otherwise it is the first such run.
func find(r *Report, seen []bool, p *verdict.RankPlace) int {
	for i := range r.Runs {
		if h := &r.Runs[i].Head; !seen[i] && h.N == p.N && h.Name == p.Name && h.Model == p.Model && h.Plan == p.Plan && (h.N > 0 || h.Note == p.Note) {
			return i
		}
	}
	for i := range r.Runs {
		if h := &r.Runs[i].Head; !seen[i] && h.N == p.N && h.Name == p.Name && h.Model == p.Model {
			return i
		}
	}
	return -1
}

// narrow is the number of columns of a terminal below which columns are left out. From narrow on,
// only long names are truncated.
const narrow = 80

// Table returns the first table of a report, for a terminal of so many columns, or for any width if
// it is 0. At 80 columns, only the interval of a metric other than exactness is left out.
func (h *Headline) Table(columns int) *table.Table {
	rank := func(n int) int {
		if columns <= 0 || columns >= narrow {
			return 0
		}
		return n
	}
	t := &table.Table{Name: "headline", Columns: []table.Column{{Head: "model", Min: 8}}}
	ranked := h.ranked()
	if ranked {
		t.Columns = append([]table.Column{{Head: HeadRank, Right: true}}, t.Columns...)
	}
	other := h.Metric != MetricExact
	if other {
		t.Columns = append(t.Columns, table.Column{Head: terminal.Visible(string(h.Metric)), Right: true}, table.Column{Head: "95 %", Rank: 5, Right: true})
	}
	t.Columns = append(t.Columns, table.Column{Head: HeadExact + " %", Right: true}, table.Column{Head: "95 %", Rank: rank(1), Right: true},
		table.Column{Head: HeadDollars, Short: "$ per 1,000", Rank: rank(3), Right: true},
		table.Column{Head: HeadSeconds, Short: "median", Rank: rank(4), Right: true})
	names := h.Names()
	for i := range h.Rows {
		r := &h.Rows[i]
		cells := []string{names[i]}
		if ranked {
			cells = []string{r.RankText(), names[i]}
		}
		if other {
			cells = append(cells, number.Score(r.Score.Value), number.ScoreRange(r.Score.Low, r.Score.High))
		}
		t.Add(append(cells, number.Percent(r.Exact.Share), number.PercentRange(r.Exact.Low, r.Exact.High, 1), r.DollarsText(), number.Seconds(r.Seconds))...)
	}
	return t
}

// ranked reports whether a run has a rank. A single run has none.
func (h *Headline) ranked() bool {
	return slices.ContainsFunc(h.Rows, func(r HeadlineRow) bool { return r.Rank > 0 })
}

// Names returns a name for each row: its model, or the name of the run if several runs are of one
// model.
func (h *Headline) Names() []string {
	seen := make(map[string]int)
	for i := range h.Rows {
		seen[h.Rows[i].Model]++
	}
	names := make([]string, len(h.Rows))
	for i := range h.Rows {
		r := &h.Rows[i]
		if names[i] = terminal.Visible(r.Model); seen[r.Model] > 1 {
			names[i] = terminal.Visible(r.Name)
		}
	}
	return names
}

// Reading explains the columns that have a value.
func (h *Headline) Reading() table.Fact {
	return table.Fact{Name: "reading", Parts: h.Explained()}
}

// Explained explains the columns that have a value, each in a sentence without its period.
func (h *Headline) Explained() []string {
	var parts []string
	switch {
	case h.HasLengths():
		parts = append(parts, "exact up to: longest length up to which every length has at least "+h.ShareText()+" % exact, with the count there; –: fewer than "+strconv.Itoa(reachItems)+" items at each length")
	case h.enough != "":
		parts = append(parts, "up to what length a model is exact needs "+strconv.Itoa(reachItems)+" items at each: "+h.enough)
	}
	if slices.ContainsFunc(h.Rows, func(r HeadlineRow) bool { return r.Dollars != nil && *r.Dollars > 0 }) {
		parts = append(parts, "$/1,000 exact: price of 1,000 exact answers, wrong ones included")
	}
	return parts
}
