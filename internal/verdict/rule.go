package verdict

import (
	"fmt"

	"verbatim/internal/stats"
)

// judge says of a bin what its numbers say: with the threshold for the word, and
// the error rate that a number of items which would settle it is for.
func (f *fold) judge(b *bin, alpha float64) (Verdict, error) {
	p, how, s, err := b.posterior(f.grid)
	if err != nil {
		return Verdict{}, err
	}
	three, span := p.Three(f.o.Rope), p.Interval(f.o.Confidence)
	total := s.Total()
	v := Verdict{
		Difference: Difference{Value: total.Mean, Range: Range{span.Low, span.High}, Worse: three.Worse, Equivalent: three.Equivalent, Better: three.Better, Stratified: how},
		Why:        f.withheld(b),
	}
	v.Word = likely(three)
	switch {
	case len(v.Why) > 0:
		v.Word = Withheld
	case 1-certainty(three) > alpha:
		v.Word = Inconclusive
		v.Settle = settle(s, how, f.o.Rope, alpha)
	}
	return v, nil
}

// likely is the word of the greatest of the three probabilities.
func likely(t stats.Three) Word {
	switch {
	case t.Worse > t.Equivalent && t.Worse > t.Better:
		return Worse
	case t.Better > t.Equivalent && t.Better > t.Worse:
		return Better
	}
	return Equivalent
}

// certainty is the greatest of the three probabilities.
func certainty(t stats.Three) float64 { return max(t.Worse, t.Equivalent, t.Better) }

// withheld says why numbers must not become a verdict: what is missing may be
// missing because of what it would have said.
func (f *fold) withheld(b *bin) []string {
	var why []string
	if share := b.missing(); share > f.o.MaxUnanswered {
		why = append(why, fmt.Sprintf("%.1f %% of the pairs have no answer on a side; at most %g %% may", 100*share, 100*f.o.MaxUnanswered))
	}
	if gap := b.gap(); gap > f.o.MaxLimitGap || -gap > f.o.MaxLimitGap {
		side, other := "B", "A"
		if gap < 0 {
			side, other, gap = "A", "B", -gap
		}
		why = append(why, fmt.Sprintf("the token limit ended %.1f points more of %s's answers than of %s's before anything was decided; at most %g may be", 100*gap, side, other, 100*f.o.MaxLimitGap))
	}
	return why
}

// holm gives the rows of a table their words.
func (f *fold) holm(rows []Row) {
	p := make([]float64, len(rows))
	for i := range rows {
		d := &rows[i].Difference
		rows[i].P = max(0, 1-max(d.Worse, d.Equivalent, d.Better))
		p[i] = rows[i].P
	}
	for i, adjusted := range stats.Holm(p) {
		r := &rows[i]
		r.Adjusted = adjusted
		switch d := r.Difference; {
		case r.Word == Withheld:
		case adjusted > 1-f.o.Threshold+rounding:
			r.Word = Inconclusive
		default:
			r.Word, r.Settle = likely(stats.Three{Worse: d.Worse, Equivalent: d.Equivalent, Better: d.Better}), nil
		}
	}
}

// rounding is what the difference of a threshold from 1 may be off by.
const rounding = 1e-12
