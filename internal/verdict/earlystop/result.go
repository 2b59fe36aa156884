package earlystop

import (
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
)

// A Reason says why a verdict is withheld.
type Reason string

// The reasons.
const (
	ReasonUnanswered Reason = "unanswered" // too many items have no answer
	ReasonTruncated  Reason = "limits"     // one side was stopped by its token limit too much oftener
)

// Tested is what a test has come to. Numbers that need an answer are nil where
// there is none.
type Result struct {
	Word   verdict.Word `json:"verdict"`
	Reason Reason       `json:"withheld_because,omitempty"`
	Scope  Scope        `json:"scope"`
	Bound  float64      `json:"bound"` // the margin of a gate, or the ROPE
	Alpha  float64      `json:"alpha"` // error rate
	// Last: the verdict is that of the one last look, when all items were asked.
	FinalLook bool `json:"last_look"`
	Finished  bool `json:"over"` // no more is asked: a verdict, or all items used up

	Items      int `json:"items"`               // of the baseline, that can be asked: they have an answer there
	Allowed    int `json:"may_ask"`             // of them, those that this test may ask
	Sent       int `json:"asked"`               // of them, those that it has asked
	Pairs      int `json:"pairs"`               // with an answer on both sides, that were looked at
	Block      int `json:"block"`               // looks are after as many items
	Missing    int `json:"baseline_unanswered"` // items passed that the baseline has no answer of
	Unanswered int `json:"unanswered"`          // items that were asked and not answered
	Unscored   int `json:"unscored"`            // answers whose score is undefined and counts 0
	// BaselineUnscored is the same of the baseline, of all its answers.
	BaselineUnscored int  `json:"baseline_unscored"`
	ItemsNeeded      *int `json:"needed"` // more items that would settle it if they go on like those so far; nil: none would

	BaselineMean *float64 `json:"mean_baseline"` // score over the pairs
	ModelMean    *float64 `json:"mean"`          // score over the pairs, of what is tested
	Difference   *float64 `json:"difference"`    // how much better the model is
	// Limits are the shares of undecided limits among the pairs: of the baseline
	// and of the model.
	Limits *[2]float64 `json:"undecided_limits"`
	// Posterior describes the differences. It holds where the number of items was
	// fixed before; beside a verdict that came early it is a description.
	Posterior *Posterior    `json:"posterior"`
	Scopes    []ScopeResult `json:"scopes"` // the one that decides first
	Changes   Changes       `json:"changes"`
}

// A Posterior is of the mean difference: the anchored Bayesian bootstrap.
type Posterior struct {
	verdict.Range // the equal-tailed interval of 95 %
	// The probabilities that the mean lies below minus the bound, within ± the bound,
	// and above it.
	Worse      float64 `json:"p_worse"`
	Equivalent float64 `json:"p_equivalent"`
	Better     float64 `json:"p_better"`
}

// InScope is what the rule of one scope says.
type ScopeResult struct {
	Scope         Scope        `json:"scope"`
	Word          verdict.Word `json:"verdict"`
	At            int          `json:"at"` // pairs when it was decided; 0: it is not
	verdict.Range              // holds the mean with probability 1 - alpha, however often one looks
}

// Changes are the items on which the two sides differ in exactness: right in
// every answer of the baseline and not here, or the other way round.
type Changes struct {
	Lost   int      `json:"lost"`
	Gained int      `json:"gained"`
	First  []Change `json:"first"` // the first of each, in the order of the test
}

// A Change is one such item.
type Change struct {
	Item   string `json:"item"`
	Right  bool   `json:"right"`  // here
	Before string `json:"before"` // label in the baseline
	Now    string `json:"now"`    // label here
}

// mostChanges is how many changes of each kind are named.
const maxChanges = 10

func (c *Changes) add(it *baselineItem, j verdict.Answer) {
	n := 0
	switch {
	case it.right == it.answers && !j.Right:
		c.Lost++
		n = c.Lost
	case it.right == 0 && j.Right:
		c.Gained++
		n = c.Gained
	}
	if n > 0 && n <= maxChanges {
		c.First = append(c.First, Change{Item: j.Item, Right: j.Right, Before: it.label, Now: j.Label})
	}
}

// word says what the test has come to so far.
func (t *Test) word() verdict.Word {
	switch {
	case t.counts.withheld != "":
		return verdict.Withheld
	case t.finished && t.counts.verdict != sequential.Undecided:
		return verdict.Word(t.counts.verdict)
	}
	return verdict.Inconclusive
}

// Tested returns what the test has come to.
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
		in, word := r.Interval(), verdict.Inconclusive
		if d := r.Decision(); d != sequential.Undecided {
			word = verdict.Word(d)
		} else if i == 0 && s.finalLook {
			word = verdict.Word(s.verdict)
		}
		out.Scopes = append(out.Scopes, ScopeResult{r.scope, word, r.at, verdict.RangeOf(in)})
	}
	if s.pairs == 0 {
		return out, nil
	}
	n := float64(s.pairs)
	a, b := s.scores[0]/n, s.scores[1]/n
	d := b - a
	out.BaselineMean, out.ModelMean, out.Difference = &a, &b, &d
	out.Limits = &[2]float64{s.truncated[0] / n, s.truncated[1] / n}
	p, err := s.strata.Posterior()
	if err != nil {
		return nil, err
	}
	in, three := p.Interval(confidence), p.Probabilities(t.Bound)
	out.Posterior = &Posterior{verdict.RangeOf(in), three.Worse, three.Equivalent, three.Better}
	out.ItemsNeeded, err = t.itemsNeeded()
	return out, err
}

// confidence is that of the posterior's interval.
const confidence = 0.95

// asked counts the items that were asked, by earlier calls too.
func (t *Test) sent() (n int) {
	for i := range t.end {
		_, kept := t.answers[t.baseline.items[i].seq]
		if t.sendable(i) && (i < t.nextItem || kept) {
			n++
		}
	}
	return n
}
