package earlystop

import (
	"math"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
)

// A DecidingInterval is the interval of the mean difference that belongs to the rule that decided. It
// lies on the side of the bound that the rule decided for.
type DecidingInterval struct {
	Kind intervalKind `json:"kind"`
	verdict.Range
	Confidence float64 `json:"confidence"`
}

// An intervalKind says how an interval is made, and so what it guarantees.
type intervalKind string

// The kinds. The error rate of an Anytime interval is a theorem, for any number of looks. The error
// rate of a Final interval is known from simulation, for one look at all items.
const (
	Anytime intervalKind = "anytime-valid"
	Final   intervalKind = "posterior"
)

// anytime returns the anytime-valid interval of a rule, and its error rate. With the verdict
// equivalent that is Alpha on each side, otherwise half of it. So the interval excludes what the bets
// of a verdict have rejected.
func (t *Test) anytime(r *scopeRule) (verdict.Range, float64) {
	d, alpha := r.Decision(), t.Alpha
	if d == sequential.Equivalent {
		alpha = min(2*t.Alpha, 1)
	}
	return t.agreeing(r.IntervalAt(alpha), verdict.Word(d)), alpha
}

// agreeing returns the part of an interval that agrees with a verdict. By chance or by rounding an end
// can lie on the other side of the bound.
func (t *Test) agreeing(in stats.Interval, word verdict.Word) verdict.Range {
	switch word {
	case verdict.Pass:
		in.Low = max(in.Low, -t.Bound)
	case verdict.Worse:
		in.High = min(in.High, -t.Bound)
	case verdict.Better:
		in.Low = max(in.Low, t.Bound)
	case verdict.Equivalent:
		in.Low, in.High = max(in.Low, -t.Bound), min(in.High, t.Bound)
	}
	if in.Low > in.High { // an interval that misses the mean of all items
		return t.agreeing(stats.Interval{Low: -1, High: 1}, word)
	}
	return verdict.RangeOf(in)
}

// deciding returns the interval of the rule that decided: the posterior's after the final
// look, otherwise that of the bets of the first scope.
func (t *Test) deciding(p *stats.Posterior, first *ScopeResult) *DecidingInterval {
	lookedLast := t.Scope == Endpoint && t.finished && t.decided == len(t.baseline.items) && t.rules[0].Decision() == sequential.Undecided
	if !lookedLast {
		return &DecidingInterval{Anytime, first.Range, first.Confidence}
	}
	word := verdict.Inconclusive
	if t.counts.finalLook {
		word = verdict.Word(t.counts.verdict)
	}
	return &DecidingInterval{Final, t.agreeing(p.Interval(1-t.Alpha), word), 1 - t.Alpha}
}

// A BaselineError is the error of the mean of a baseline from its own answers. The error
// rates of a test are averages over baselines. All tests of one baseline share its error.
type BaselineError struct {
	// SE is the standard error of the baseline's mean over all its items, if each were
	// answered again. It is estimated from the differences, and too large if the model has
	// changed.
	SE     float64 `json:"se"`
	Trials float64 `json:"trials"` // answers of an item of the baseline, on average
	// TrialsNeeded is the number of trials with which 1.96 standard errors are at most half
	// of the bound.
	TrialsNeeded int64 `json:"trials_needed"`
}

// minPairs is the number of pairs that the estimate of a baseline's error needs.
const minPairs = 20

// baselineError estimates the error of the baseline of a gate, whose model is expected to be unchanged.
// The variance of the difference at an item with T answers in the baseline is 1 + 1/T times the variance
// of an answer.
func (t *Test) baselineError() *BaselineError {
	s := &t.counts
	if !t.isGate || t.Scope != Endpoint || s.pairs < minPairs || !(t.Bound > 0) {
		return nil
	}
	squares := 0.0
	for _, d := range s.diffs {
		squares += d * d
	}
	n, inverse, answers := 0.0, 0.0, 0.0
	for i := range t.baseline.items {
		if it := &t.baseline.items[i]; it.answered() {
			n++
			inverse += 1 / float64(it.answers)
			answers += float64(it.answers)
		}
	}
	variance := squares / float64(s.pairs) / (1 + inverse/n)
	needed := math.Ceil(variance / n * math.Pow(2*1.96/t.Bound, 2))
	return &BaselineError{SE: math.Sqrt(variance*inverse) / n, Trials: answers / n, TrialsNeeded: int64(max(1, min(needed, 1e9)))}
}
