package earlystop

import (
	"math"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
)

// A Reason says why a verdict is withheld.
type Reason string

// The reasons.
const (
	ReasonUnanswered Reason = "unanswered" // too many items without an answer
	ReasonTruncated  Reason = "limits"     // one side was truncated too much more often
)

// A Result is the result of a test so far. Numbers that need an answer are nil without
// one.
type Result struct {
	Word   verdict.Word `json:"verdict"`
	Reason Reason       `json:"withheld_because,omitempty"`
	Scope  Scope        `json:"scope"`
	Bound  float64      `json:"bound"` // margin of a gate, or half-width of the ROPE
	Alpha  float64      `json:"alpha"` // maximum error rate
	// FinalLook: the verdict comes from the final look, after all items.
	FinalLook bool `json:"last_look"`
	Finished  bool `json:"over"` // a verdict, or all items used up

	Items      int `json:"items"`               // items of the baseline with an answer
	Allowed    int `json:"may_ask"`             // of Items, those that this test may send
	Sent       int `json:"asked"`               // of Allowed, those sent
	Pairs      int `json:"pairs"`               // items with an answer of both sides, added to the test
	Block      int `json:"block"`               // items per block
	Missing    int `json:"baseline_unanswered"` // items without an answer in the baseline
	Unanswered int `json:"unanswered"`          // items sent and not answered
	Unscored   int `json:"unscored"`            // answers whose score is undefined and counts 0
	// BaselineUnscored is Unscored for the answers of the whole baseline.
	BaselineUnscored int `json:"baseline_unscored"`
	// ItemsNeeded is the number of further items that give a verdict if their differences repeat
	// those so far; nil: not known.
	ItemsNeeded *int `json:"needed"`

	BaselineMean *float64 `json:"mean_baseline"` // mean score of the baseline over the pairs
	ModelMean    *float64 `json:"mean"`          // mean score of the model over the pairs
	Difference   *float64 `json:"difference"`    // ModelMean minus BaselineMean
	// Limits are the shares of pairs truncated before they could be judged: of the
	// baseline and of the model.
	Limits *[2]float64 `json:"undecided_limits"`
	// Deciding is the interval of the first rule: that of the final look if there was one.
	Deciding      *DecidingInterval `json:"deciding"`
	BaselineError *BaselineError    `json:"baseline_error"` // nil with few pairs; only of a gate of the endpoint
	Scopes        []ScopeResult     `json:"scopes"`         // the deciding scope first
	Changes       Changes           `json:"changes"`
}

// A ScopeResult is the result of the rule of one scope.
type ScopeResult struct {
	Scope Scope        `json:"scope"`
	Word  verdict.Word `json:"verdict"`
	At    int          `json:"at"` // number of pairs at the decision; 0 without one
	// Range is the anytime-valid interval of the mean: it contains the mean with probability
	// Confidence. It agrees with Word.
	verdict.Range
	Confidence float64 `json:"confidence"`
}

// Changes are the items that changed between right and wrong: right in all answers of the
// baseline and wrong now, or wrong in all and right now.
type Changes struct {
	Lost   int      `json:"lost"`
	Gained int      `json:"gained"`
	First  []Change `json:"first"` // the first of each kind, in the order of the test
}

// A Change is one item of Changes.
type Change struct {
	Item   string `json:"item"`
	Right  bool   `json:"right"`  // now
	Before string `json:"before"` // label in the baseline
	Now    string `json:"now"`    // label now
}

// maxChanges is the number of changes of each kind that are listed.
const maxChanges = 10

// add counts an item that changed, and lists it if it is one of the first.
func (c *Changes) add(it *baselineItem, a verdict.Answer) {
	n := 0
	switch {
	case it.right == it.answers && !a.Right:
		c.Lost++
		n = c.Lost
	case it.right == 0 && a.Right:
		c.Gained++
		n = c.Gained
	}
	if n > 0 && n <= maxChanges {
		c.First = append(c.First, Change{Item: a.Item, Right: a.Right, Before: it.label, Now: a.Label})
	}
}

// word returns the verdict so far.
func (t *Test) word() verdict.Word {
	switch {
	case t.counts.withheld != "":
		return verdict.Withheld
	case t.finished && t.counts.verdict != sequential.Undecided:
		return verdict.Word(t.counts.verdict)
	}
	return verdict.Inconclusive
}

// Result returns the result so far.
func (t *Test) Result() (*Result, error) {
	s := &t.counts
	out := &Result{
		Word: t.word(), Reason: s.withheld, Scope: t.Scope, Bound: t.Bound, Alpha: t.Alpha, FinalLook: s.finalLook, Finished: t.finished,
		Items: t.available, Allowed: t.allowed, Sent: t.sent(), Pairs: s.pairs, Block: t.baseline.block,
		Missing: s.missing, Unanswered: s.unanswered, Unscored: s.unscored, BaselineUnscored: t.baseline.Unscored, Changes: s.changes,
	}
	if out.Changes.First == nil {
		out.Changes.First = []Change{}
	}
	for i, r := range t.rules {
		word := verdict.Inconclusive
		if d := r.Decision(); d != sequential.Undecided {
			word = verdict.Word(d)
		} else if i == 0 && s.finalLook {
			word = verdict.Word(s.verdict)
		}
		in, level := t.anytime(r)
		out.Scopes = append(out.Scopes, ScopeResult{r.scope, word, r.at, in, 1 - level})
	}
	if s.pairs == 0 {
		return out, nil
	}
	n := float64(s.pairs)
	a, b := s.scores[0]/n, s.scores[1]/n
	d := b - a
	out.BaselineMean, out.ModelMean, out.Difference = &a, &b, &d
	out.Limits = &[2]float64{s.truncated[0] / n, s.truncated[1] / n}
	out.BaselineError = t.baselineError()
	var err error
	if out.Deciding, err = t.deciding(&out.Scopes[0]); err == nil {
		out.ItemsNeeded, err = t.itemsNeeded()
	}
	return out, err
}

// sent counts the items sent, by earlier commands too.
func (t *Test) sent() (n int) {
	for i := range t.end {
		_, saved := t.answers[t.baseline.items[i].seq]
		if t.sendable(i) && (i < t.nextItem || saved) {
			n++
		}
	}
	return n
}

// A DecidingInterval is the interval of the mean difference that belongs to the rule that decided. It
// lies on the side of the bound that the rule decided for.
type DecidingInterval struct {
	Kind intervalKind `json:"kind"`
	verdict.Range
	Confidence float64 `json:"confidence"`
}

// An intervalKind says how an interval is made, and so what it guarantees.
type intervalKind string

// The kinds. The error rate of an Anytime interval is a theorem, for any number of looks. A Final
// interval is of stats.Bounds, for one look at all items.
const (
	Anytime intervalKind = "anytime-valid"
	Final   intervalKind = "bounds"
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

// deciding returns the interval of the rule that decided: of the bounds after the final look,
// otherwise of the bets of the first scope.
func (t *Test) deciding(first *ScopeResult) (*DecidingInterval, error) {
	if !t.lookedLast() {
		return &DecidingInterval{Anytime, first.Range, first.Confidence}, nil
	}
	b, err := t.counts.strata.Bounds(false)
	if err != nil {
		return nil, err
	}
	word := verdict.Inconclusive
	if t.counts.finalLook {
		word = verdict.Word(t.counts.verdict)
	}
	return &DecidingInterval{Final, t.agreeing(b.Interval(1-t.Alpha), word), 1 - t.Alpha}, nil
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
