package autorank

import (
	"fmt"
	"slices"
	"strconv"

	"verbatim/internal/stats"
	"verbatim/internal/stats/signedrank"
	"verbatim/internal/verdict"
)

// A Measure is a column of weighted means.
type Measure struct {
	Name  string
	Value verdict.ScoreFunc
}

// Options are the score, the error rate and the measures of the weighted tables. Tables
// are sorted by the first measure.
type Options struct {
	Metric   string
	Score    verdict.ScoreFunc
	Alpha    float64 // 0 is 0.05
	Draws    signedrank.Draws
	Measures []Measure
}

// Rank ranks runs on the same items, each answered once. Undefined scores stay undefined,
// as in the published analysis: means leave them out, and the test counts them as equal.
// Runs that cannot be compared give a *Refusal, and so does nano with other models. All
// scores are kept in memory.
func Rank(sides []verdict.Side, o Options) (*Ranking, error) {
	if o.Alpha == 0 {
		o.Alpha = 0.05
	}
	if err := checkNano(sides); err != nil {
		return nil, err
	}
	c, err := readItems(sides, &o)
	if err != nil {
		return nil, err
	}
	r := &Ranking{Metric: o.Metric, Alpha: o.Alpha, Items: int64(len(c.items)), LeftOut: c.leftOut, Tables: []Table{}, Weighted: []WeightedTable{}}
	names := make([]string, len(sides))
	for i := range sides {
		r.Runs = append(r.Runs, sides[i].Info())
		names[i] = sides[i].Run.Name
	}
	lengths := c.lengths()
	if len(lengths) > 1 {
		for _, l := range lengths {
			t, err := c.rank(names, func(x *itemScores) bool { return x.length == l }, &o)
			if err != nil {
				return nil, fmt.Errorf("length %s: %w", l, err)
			}
			t.Length = l
			r.Tables = append(r.Tables, t)
		}
	}
	all, err := c.rank(names, func(*itemScores) bool { return true }, &o)
	if err != nil {
		return nil, err
	}
	r.Tables = append(r.Tables, all)
	r.Weighted, err = c.weighted(&o)
	return r, err
}

// checkNano rejects nano among other models: the analysis has no place for a run without a
// rank.
func checkNano(sides []verdict.Side) error {
	others, nano := false, ""
	for i := range sides {
		if verdict.Nano(&sides[i].Run) {
			nano = sides[i].Run.Name
		} else {
			others = true
		}
	}
	if nano == "" || !others {
		return nil
	}
	return &verdict.Refusal{Field: "run", Why: fmt.Sprintf("run %s is of nano, which is not ranked among others: %s", nano, verdict.NanoUnranked),
		Do: "leave it out; 'verbatim compare' without --method compares it with another model"}
}

// rank ranks the runs on the items that include selects.
func (c *dataset) rank(names []string, include func(*itemScores) bool, o *Options) (Table, error) {
	columns := make([][]float64, c.runs)
	for _, s := range c.items {
		if include(s) {
			for i, v := range s.scores {
				columns[i] = append(columns[i], v)
			}
		}
	}
	ranked, err := signedrank.Rank(names, columns, o.Alpha, o.Draws)
	if err != nil {
		return Table{}, err
	}
	t := Table{Items: ranked.Items}
	for i, r := range ranked.Rows {
		t.Rows = append(t.Rows, Row{Rank: i + 1, Run: r.Column, N: int(r.N), Mean: r.Mean, SD: r.SD, Range: verdict.RangeOf(r.Interval),
			D: r.Best.D, Magnitude: r.Best.Magnitude, DAbove: r.Above.D})
	}
	for _, p := range ranked.Pairs {
		t.Pairs = append(t.Pairs, Pair{Upper: p.Upper + 1, Lower: p.Lower + 1, Rope: p.Rope,
			Smaller: p.Result.Smaller, Equal: p.Result.Equal, Larger: p.Result.Larger, Word: string(p.Decision)})
	}
	return t, nil
}

// weighted computes the tables of weighted means, one for each mode and one for all modes.
func (c *dataset) weighted(o *Options) ([]WeightedTable, error) {
	tables := []WeightedTable{}
	var modes []string
	for _, s := range c.items {
		if s.mode != "" && !slices.Contains(modes, s.mode) {
			modes = append(modes, s.mode)
		}
	}
	if len(modes) == 0 || len(o.Measures) == 0 {
		return tables, nil
	}
	order := func(mode string) int { return slices.Index([]string{"basic", "advanced", "debug"}, mode) }
	slices.SortStableFunc(modes, func(x, y string) int { return order(x) - order(y) })
	const allModes = "all"
	for _, mode := range append(modes, allModes) {
		t := WeightedTable{Mode: mode}
		for _, m := range o.Measures {
			t.Columns = append(t.Columns, m.Name)
		}
		for run := range c.runs {
			row := weightedRow{Run: run}
			for m := range o.Measures {
				mean, err := c.mean(run, m, func(s *itemScores) bool { return mode == allModes || s.mode == mode })
				if err != nil {
					return nil, err
				}
				row.Means = append(row.Means, mean)
			}
			t.Rows = append(t.Rows, row)
		}
		slices.SortStableFunc(t.Rows, func(x, y weightedRow) int { return Falling(x.Means[0], y.Means[0]) })
		tables = append(tables, t)
	}
	return tables, nil
}

// Falling orders numbers by falling value; missing ones come last.
func Falling(x, y *float64) int {
	switch {
	case x == nil && y == nil:
		return 0
	case y == nil || x != nil && *x > *y:
		return -1
	case x == nil || *x < *y:
		return 1
	}
	return 0
}

// mean is the length-weighted mean of a measure of a run over the items that include
// selects; nil if nothing is defined, or no length is a number.
func (c *dataset) mean(run, measure int, include func(*itemScores) bool) (*float64, error) {
	var lengths []int
	var values []float64
	for _, s := range c.items {
		if n, err := strconv.Atoi(s.length); include(s) && err == nil && n > 0 {
			lengths, values = append(lengths, n), append(values, s.measures[run][measure])
		}
	}
	mean, ok, err := stats.LengthWeighted(lengths, values)
	if err != nil || !ok {
		return nil, err
	}
	return &mean, nil
}
