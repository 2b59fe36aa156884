package signedrank

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"verbatim/internal/stats"
)

// A Decision compares the lower ranked of two columns with the higher ranked.
type Decision string

// The decisions.
const (
	Smaller      Decision = "smaller"
	Equal        Decision = "equal"
	Larger       Decision = "larger"
	Inconclusive Decision = "inconclusive"
)

// A Ranking is the result of Rank.
type Ranking struct {
	Alpha float64
	Items int   // scores in each column, NaN included
	Rows  []Row // by falling mean; equal means in the given order
	Pairs []Pair
}

// A Row is one column of a ranking.
type Row struct {
	Name     string
	Column   int // its index among the columns given to Rank
	N        int // scores that are not NaN
	Mean, SD float64
	Interval stats.Interval // of the mean
	Best     effect         // compared with the first row
	Above    effect         // compared with the row above; of the first row, with itself
}

// An Effect is a standardised difference of means.
type effect struct {
	// D is Cohen's d, positive if the upper row has the higher mean. It is nil if both
	// columns are constant: published tables then print the magnitude "large" and no number.
	D         *float64
	Magnitude string // see Magnitude
}

// A Pair is the comparison of two rows.
type Pair struct {
	Upper, Lower int     // indexes of Rows
	Rope         float64 // 0 if both columns are constant: then "equal" cannot win
	Result       Result
	Decision     Decision
}

// Rank orders columns of scores of the same items by their means and compares all pairs
// with the Bayesian signed-rank test, as autorank does for normally distributed scores
// (Herbold 2020, Journal of Open Source Software 5(48):2173; rank_bayesian, parametric):
//
//   - The ROPE of a pair is a tenth of the pooled standard deviation of its two columns, not of their differences.
//   - The intervals are mean ± t·SD/√N with the confidence 1 - alpha/k² for k columns: autorank divides by k twice.
//   - A decision needs a probability of 1 - alpha, without correction for the number of pairs.
//   - Cohen's d subtracts the lower from the higher mean, so it is never negative.
//
// Scores that are NaN are left out of means, deviations and N, count in the degrees of
// freedom, and are inside every ROPE.
//
// There must be at least two columns, with a name and equally many scores each, and two
// scores in each that are not NaN. An infinite score gives a *BadValue with its index in
// the column; alpha outside (0, 1) gives a *BadValue as well.
func Rank(names []string, scores [][]float64, alpha float64, o Draws) (*Ranking, error) {
	if err := checkColumns(names, scores, alpha); err != nil {
		return nil, err
	}
	r := &Ranking{Alpha: alpha, Items: len(scores[0])}
	for i, column := range scores {
		m := momentsOf(column)
		r.Rows = append(r.Rows, Row{Name: names[i], Column: i, N: int(m.N), Mean: m.Mean, SD: m.SD})
	}
	slices.SortStableFunc(r.Rows, func(a, b Row) int { return cmp.Compare(b.Mean, a.Mean) })
	t := stats.StudentQuantile(1-alpha/float64(2*len(names)*len(names)), float64(r.Items-1))
	for i := range r.Rows {
		row := &r.Rows[i]
		half := t * row.SD / math.Sqrt(float64(row.N))
		row.Interval = stats.Interval{Low: row.Mean - half, High: row.Mean + half}
		row.Best = r.effect(0, i)
		row.Above = r.effect(max(i-1, 0), i)
	}
	return r, r.comparePairs(scores, o)
}

// checkColumns rejects columns that cannot be ranked.
func checkColumns(names []string, scores [][]float64, alpha float64) error {
	switch {
	case !(alpha > 0 && alpha < 1):
		return &stats.BadValue{Index: -1, Value: alpha, Why: "is not an error rate between 0 and 1"}
	case len(scores) < 2:
		return fmt.Errorf("signedrank: a ranking needs at least 2 columns, got %d", len(scores))
	case len(names) != len(scores):
		return fmt.Errorf("signedrank: %d names for %d columns", len(names), len(scores))
	}
	for i, column := range scores {
		if len(column) != len(scores[0]) {
			return fmt.Errorf("signedrank: %d scores of %q, but %d of %q: a ranking compares the same items", len(column), names[i], len(scores[0]), names[0])
		}
		n := 0
		for j, v := range column {
			if math.IsInf(v, 0) {
				return &stats.BadValue{Index: j, Value: v, Why: fmt.Sprintf("is infinite, a score of %q", names[i])}
			}
			if !math.IsNaN(v) {
				n++
			}
		}
		if n < 2 {
			return fmt.Errorf("signedrank: %d scores of %q: a standard deviation needs at least 2", n, names[i])
		}
	}
	return nil
}

// effect returns the effect between two rows, which are given by their indexes.
func (r *Ranking) effect(upper, lower int) effect {
	d, ok := cohenD(r.Rows[upper].moments(), r.Rows[lower].moments(), r.pooledSD(upper, lower))
	if !ok {
		return effect{Magnitude: "large"}
	}
	return effect{&d, Magnitude(d)}
}

// pooledSD is the pooled standard deviation of two rows.
func (r *Ranking) pooledSD(upper, lower int) float64 {
	return pooledSD(r.Rows[upper].moments(), r.Rows[lower].moments(), r.Items)
}

func (row Row) moments() stats.Moments {
	return stats.Moments{N: int64(row.N), Mean: row.Mean, SD: row.SD}
}

// comparePairs fills in Pairs.
func (r *Ranking) comparePairs(scores [][]float64, o Draws) error {
	d := make([]float64, r.Items)
	for i, upper := range r.Rows {
		for j, lower := range r.Rows[i+1:] {
			x, y := scores[upper.Column], scores[lower.Column]
			for k := range d {
				d[k] = y[k] - x[k]
			}
			p := Pair{Upper: i, Lower: i + 1 + j, Rope: 0.1 * r.pooledSD(i, i+1+j)}
			var err error
			if p.Result, err = Test(d, p.Rope, o); err != nil {
				return fmt.Errorf("%q and %q: %w", upper.Name, lower.Name, err)
			}
			p.Decision = p.Result.Decide(r.Alpha)
			r.Pairs = append(r.Pairs, p)
		}
	}
	return nil
}

// Decide returns the first of smaller, equal and larger that has a probability of at least
// 1 - alpha, otherwise Inconclusive.
func (s Result) Decide(alpha float64) Decision {
	switch {
	case s.Smaller >= 1-alpha:
		return Smaller
	case s.Equal >= 1-alpha:
		return Equal
	case s.Larger >= 1-alpha:
		return Larger
	}
	return Inconclusive
}
