package retest

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/verdict"
)

// Twice is what there is to say of one endpoint that was asked the same items
// twice, or more often: how far its answers agree with each other, and what the
// verdicts of this package would say of it beside itself.
type Result struct {
	Metric     string `json:"metric"` // the score
	Items      int64  `json:"items"`
	Unanswered int64  `json:"unanswered"`       // items with fewer than two answers, which are left out
	Undefined  int64  `json:"undefined_scores"` // answers whose score is undefined and counts 0
	MaxAnswers int64  `json:"most_answers"`     // that an item has

	Flips Proportion `json:"flips"` // of the items: right in some answers and not in others
	// Within and Between are the standard deviations of a score within an item and
	// between items; ICC, the intraclass correlation, is the share of the variance that
	// the items explain, nil where nothing varies.
	Within  float64  `json:"sd_within"`
	Between float64  `json:"sd_between"`
	ICC     *float64 `json:"icc"`
	Drift   Drift    `json:"drift"`

	Rope            float64          `json:"rope"`
	Margin          float64          `json:"margin"`
	Alpha           float64          `json:"alpha"`
	Resamples       int              `json:"resamples"`
	Sizes           []SizeRates      `json:"sizes"`
	RequiredItems   []RequiredItems  `json:"needs"`
	RequiredMargins []RequiredMargin `json:"enough"` // at the run's own number of items
}

// Precision is how far, with 95 % confidence, a share of Sizes or Needs may be from
// what more resamples would give: half the width of its interval, at its widest.
func (t *Result) Precision() float64 {
	p := proportion(int64(t.Resamples/2), int64(t.Resamples))
	return (p.High - p.Low) / 2
}

// A Portion is a share of something with its 95 % interval (Wilson 1927).
type Proportion struct {
	N     int64   `json:"n"`
	Of    int64   `json:"of"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func proportion(n, of int64) Proportion {
	p := Proportion{N: n, Of: of, Share: float64(n) / float64(of)}
	p.Low, p.High = stats.Wilson(int(n), int(of), confidence)
	return p
}

// A Drift is the mean difference between the last pass over the items and the
// first: of one endpoint it should be none.
type Drift struct {
	Value         float64 `json:"value"`
	verdict.Range         // 95 %
	// Seen: the interval does not hold 0.
	Seen bool `json:"seen"`
}

// A TwiceSize is what verdicts say of the endpoint beside itself at a number of
// items.
type SizeRates struct {
	Items   int          `json:"items"`
	Compare CompareRates `json:"compare"`
	Check   CheckRates   `json:"check"`
}

// A TwiceCompare counts what Compare says of two passes over the same endpoint.
type CompareRates struct {
	Worse        Proportion `json:"worse"` // a false alarm, as is better
	Better       Proportion `json:"better"`
	Equivalent   Proportion `json:"equivalent"`
	Inconclusive Proportion `json:"inconclusive"`
}

// A TwiceCheck counts what the gate of the endpoint says, and how many items it has
// asked by then.
type CheckRates struct {
	Worse     Proportion `json:"worse"` // a false alarm
	Pass      Proportion `json:"pass"`
	Undecided Proportion `json:"undecided"`
	MeanItems float64    `json:"mean_asked"`
}

// A Need is how many items it takes at a margin for the unchanged endpoint to pass
// a share of its checks.
type RequiredItems struct {
	Margin float64 `json:"margin"`
	Share  float64 `json:"share"`
	Items  int64   `json:"items"`
	// Passed is what passes of resamples of that size; nil where they were too large
	// to be drawn.
	Passed *Proportion `json:"passed"`
}

// Enough is the margin at which the unchanged endpoint passes a share of its checks.
type RequiredMargin struct {
	Share  float64 `json:"share"`
	Margin float64 `json:"margin"`
}

// ErrNotTwice is the error of records among which no item has two answers.
var ErrNoRepeats = errors.New("no item has two answers")

// A repeated item is one with its answers.
type item struct {
	spot   int       // of the grid
	scores []float64 // of answers, in the order of the trials
	right  []bool
}

// AskedTwice says what there is to say of a run whose items were asked more than
// once. Records are those of the run in planned order; options say what a score is
// and when Compare gives a verdict. Everything random follows from the options'
// seed. It is an error if no item has two answers.
func Analyze(run verbatim.Run, records iter.Seq2[verbatim.Record, error], o verdict.Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	t := &Result{Metric: o.Metric, Rope: o.Rope, Margin: Margin, Alpha: Alpha, Resamples: o.Resamples}
	g := verdict.NewGrid(&run.Plan)
	items, err := t.collect(records, &o, g)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", run.Name, err)
	}
	if t.Items == 0 {
		return nil, fmt.Errorf("run %s: %w", run.Name, ErrNoRepeats)
	}
	if err := t.agreement(items); err != nil {
		return nil, err
	}
	if err := t.drift(items, g); err != nil {
		return nil, err
	}
	r := newResampler(items, g, &o, t.Alpha)
	if t.Sizes, err = r.sizes(int(t.Items)); err != nil {
		return nil, err
	}
	t.RequiredMargins = r.requiredMargins(t.Within, t.Items)
	t.RequiredItems, err = r.requiredItems(t.Within)
	return t, err
}

// Within returns the standard deviation of a score within an item, and of each item with
// two answers the second score minus the first. Without such an item, there are no
// differences.
func Within(run *verbatim.Run, records iter.Seq2[verbatim.Record, error], o verdict.Options) (sd float64, differences []float64, err error) {
	var r Result
	items, err := r.collect(records, &o, verdict.NewGrid(&run.Plan))
	if err != nil || len(items) == 0 {
		return 0, nil, err
	}
	for _, it := range items {
		differences = append(differences, it.scores[1]-it.scores[0])
	}
	err = r.agreement(items)
	return r.Within, differences, err
}

// collect collects the items that have two answers, in the order of their first
// records.
func (t *Result) collect(records iter.Seq2[verbatim.Record, error], o *verdict.Options, g *verdict.Grid) ([]*item, error) {
	var all []*item
	byID := map[string]*item{}
	for rec, err := range records {
		if err != nil {
			return nil, err
		}
		a, err := verdict.ReadAnswer(&rec, o.Score)
		if err != nil {
			return nil, err
		}
		it := byID[a.Item]
		if it == nil {
			it = &item{spot: g.Cell(a.Family, a.Length)}
			byID[a.Item] = it
			all = append(all, it)
		}
		if !a.Outcome.Answered() {
			continue
		}
		if !a.Defined {
			t.Undefined++
		}
		it.scores, it.right = append(it.scores, a.Score), append(it.right, a.Right)
	}
	var items []*item
	for _, it := range all {
		if len(it.scores) < 2 {
			t.Unanswered++
			continue
		}
		t.MaxAnswers = max(t.MaxAnswers, int64(len(it.scores)))
		items = append(items, it)
	}
	t.Items = int64(len(items))
	return items, nil
}

// agreement says how far the answers to an item agree.
func (t *Result) agreement(items []*item) error {
	var sum stats.RetestSum
	for _, it := range items {
		if err := sum.Add(it.scores, it.right); err != nil {
			return err
		}
	}
	r, err := sum.Retest(confidence)
	if err != nil {
		return err
	}
	t.Flips = Proportion{r.Flips, r.Items, r.FlipRate, r.FlipInterval.Low, r.FlipInterval.High}
	t.Within, t.Between, t.ICC = math.Sqrt(r.Within), math.Sqrt(r.Between), r.ICC
	return nil
}

// drift compares the last answers with the first.
func (t *Result) drift(items []*item, g *verdict.Grid) error {
	var differences stats.Strata
	for _, it := range items {
		if err := differences.Add(it.spot, it.scores[len(it.scores)-1]-it.scores[0]); err != nil {
			return err
		}
	}
	p, _, s, err := verdict.StratifiedPosterior(&differences, g)
	if err != nil {
		return err
	}
	in := p.Interval(confidence)
	t.Drift = Drift{Value: s.Total().Mean, Range: verdict.RangeOf(in), Seen: in.Low > 0 || in.High < 0}
	return nil
}
