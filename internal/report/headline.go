package report

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/stats/horizon"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A Headline is the first table of a report.
type Headline struct {
	// Metric is what the runs are ranked by.
	Metric Metric        `json:"metric"`
	Rows   []HeadlineRow `json:"rows"`
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
	// UpTo is nil if there are too few items to say it.
	UpTo *UpTo `json:"exact_up_to"`
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
	h := &Headline{Metric: metric(r)}
	for _, p := range places(r) {
		b := &r.Runs[p.run]
		row := HeadlineRow{
			Run: p.run, N: b.Head.N, Name: b.Head.Name, Model: b.Head.Model,
			Rank: p.Rank, RankLow: p.RankLow, RankHigh: p.RankHigh, Tied: p.tied,
			Exact: b.Total.Exact, UpTo: upTo(b.Families), Dollars: dollars(&b.Total), Seconds: b.Total.Seconds.Median,
		}
		if h.Metric != MetricExact {
			row.Score = &b.Total.Score
		}
		h.Rows = append(h.Rows, row)
	}
	return h
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
		table.Column{Head: HeadUpTo, Rank: rank(2), Right: true}, table.Column{Head: HeadDollars, Short: "$ per 1,000", Rank: rank(3), Right: true},
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
		t.Add(append(cells, number.Percent(r.Exact.Share), number.PercentRange(r.Exact.Low, r.Exact.High, 1), r.UpToText(), r.DollarsText(), number.Seconds(r.Seconds))...)
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
	parts := []string{"exact up to: longest length with at least 95 % exact, by the fitted curve"}
	if slices.ContainsFunc(h.Rows, func(r HeadlineRow) bool { return r.UpTo == nil }) {
		parts[0] += "; –: too few items"
	}
	if slices.ContainsFunc(h.Rows, func(r HeadlineRow) bool { return r.Dollars != nil && *r.Dollars > 0 }) {
		parts = append(parts, "$/1,000 exact: price of 1,000 exact answers, wrong ones included")
	}
	return parts
}

// headlineShare is the share of exact answers of UpTo.
const headlineShare = 0.95

// An UpTo is the longest length at which the fitted curve expects at least 95 % exact
// answers.
type UpTo struct {
	// Text is the length as people read it: "≥ 64" if it is the longest length of all tasks,
	// "< 4" if the curve is lower at the shortest one.
	Text string `json:"text"`
	// Length is 0 if the curve is lower at the shortest length. Low and High are by the ends
	// of its pointwise 95 % band.
	Length int `json:"length"`
	Low    int `json:"low"`
	High   int `json:"high"`
	// Shortest and Longest bound what is searched: from the shortest length of any task to the
	// longest that all tasks reach.
	Shortest int `json:"shortest"`
	Longest  int `json:"longest"`
}

// upTo fits one curve to the answers of all tasks; see horizon.Fit. An item with several
// trials counts once, with its share. Answers at longer lengths than all tasks reach are left
// out, because they are of some tasks only; see countsOf. It returns nil if lengths are unknown,
// or if there are too few items: then the band includes the share at all lengths.
func upTo(families []Family) *UpTo {
	counts, shortest, longest := countsOf(families)
	if len(counts) == 0 {
		return nil
	}
	fitted, err := horizon.Fit(counts)
	if err != nil {
		return nil
	}
	l, err := fitted.Longest(headlineShare, shortest, longest)
	if err != nil || l.Low == 0 && l.High == longest {
		return nil
	}
	return &UpTo{Text: upToText(l.Length, shortest, longest), Length: l.Length, Low: l.Low, High: l.High, Shortest: shortest, Longest: longest}
}

// countsOf adds up the answers of all tasks by length, from the shortest length of any task to the
// longest that all tasks reach. It returns nil if a length is unknown. A task with longer lengths
// only counts with its shortest one, as if that were the longest of all: at a shorter length it
// can only be better.
func countsOf(families []Family) (list []horizon.Counts, shortest, longest int) {
	shortest, longest = math.MaxInt, math.MaxInt
	for i := range families {
		low, high := math.MaxInt, 0
		for j := range families[i].Lines {
			l := &families[i].Lines[j]
			if l.Exact.Of == 0 {
				continue
			}
			if l.Lengths == nil || l.Lengths.Min < 1 || l.Lengths.Max < l.Lengths.Min {
				return nil, 0, 0
			}
			low, high = min(low, l.Lengths.Min), max(high, l.Lengths.Max)
		}
		if high > 0 {
			shortest, longest = min(shortest, low), min(longest, high)
		}
	}
	byLength := make(map[int]horizon.Counts)
	for i := range families {
		for _, l := range upToLength(families[i].Lines, longest) {
			n := min(middle(l.Lengths), longest)
			c := byLength[n]
			byLength[n] = horizon.Counts{Length: n, N: c.N + l.Exact.Items, Right: c.Right + int64(math.Round(*l.Exact.Share*float64(l.Exact.Items)))}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(byLength)) {
		list = append(list, byLength[n])
	}
	return binned(list), shortest, longest
}

// upToLength returns the lines with answers up to a length; if there are none, the shortest line
// with answers.
func upToLength(lines []Line, longest int) (list []*Line) {
	var shortest *Line
	for i := range lines {
		l := &lines[i]
		if l.Exact.Of == 0 {
			continue
		}
		if middle(l.Lengths) <= longest {
			list = append(list, l)
		}
		if shortest == nil || middle(l.Lengths) < middle(shortest.Lengths) {
			shortest = l
		}
	}
	if list == nil && shortest != nil {
		list = append(list, shortest)
	}
	return list
}

// middle is the geometric mean of the ends of a band of lengths.
func middle(l *verbatim.Lengths) int {
	return int(math.Round(math.Sqrt(float64(l.Min) * float64(l.Max))))
}

// headlineMaxLengths bounds the lengths of a fit, whose time and memory grow with them.
const headlineMaxLengths = 48

// binned returns counts by length; if there are more than maxLengths, in bins of a quarter of a
// doubling.
func binned(counts []horizon.Counts) (list []horizon.Counts) {
	if len(counts) <= headlineMaxLengths {
		return counts
	}
	for _, c := range counts {
		n := int(math.Round(math.Exp2(math.Round(4*math.Log2(float64(c.Length))) / 4)))
		if last := len(list) - 1; last >= 0 && list[last].Length == n {
			list[last].N += c.N
			list[last].Right += c.Right
		} else {
			list = append(list, horizon.Counts{Length: n, N: c.N, Right: c.Right})
		}
	}
	return list
}
