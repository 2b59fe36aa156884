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

// A Result describes one model that answered the same items several times: how much its
// answers vary, and how often verdicts would call the unchanged model different.
type Result struct {
	Metric     string `json:"metric"` // the score
	Items      int64  `json:"items"`
	Unanswered int64  `json:"unanswered"`       // items with fewer than two answers; left out
	Undefined  int64  `json:"undefined_scores"` // answers with an undefined score, which counts 0
	MaxAnswers int64  `json:"most_answers"`     // maximum number of answers to an item

	Flips Proportion `json:"flips"` // share of items with both right and wrong answers
	// Within and Between are the standard deviations of a score within an item and
	// between items. ICC is the intraclass correlation, the share of the variance that is
	// between items; nil without variance.
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
	RequiredMargins []RequiredMargin `json:"enough"` // for the number of items of the run
}

// Precision is the largest half-width of a 95 % interval of a share in Sizes or
// RequiredItems. It depends only on the number of resamples.
func (t *Result) Precision() float64 {
	p := proportion(int64(t.Resamples/2), int64(t.Resamples))
	return (p.High - p.Low) / 2
}

// A Proportion is a share with its 95 % interval (Wilson 1927).
type Proportion struct {
	N     int64   `json:"n"`
	Of    int64   `json:"of"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// proportion returns the share n/of with its interval.
func proportion(n, of int64) Proportion {
	p := Proportion{N: n, Of: of, Share: float64(n) / float64(of)}
	p.Low, p.High = stats.Wilson(int(n), int(of), confidence)
	return p
}

// A Drift is the mean difference between the last and the first answers. Without a change
// of the model it is 0.
type Drift struct {
	Value         float64 `json:"value"`
	verdict.Range         // 95 %
	// Seen: the interval does not contain 0.
	Seen bool `json:"seen"`
}

// SizeRates are the rates of verdicts on the unchanged model at one number of items.
type SizeRates struct {
	Items   int          `json:"items"`
	Compare CompareRates `json:"compare"`
	Check   CheckRates   `json:"check"`
}

// CompareRates are the rates of the verdicts of Compare on two passes over the same model.
type CompareRates struct {
	Worse        Proportion `json:"worse"` // false alarm, as is Better
	Better       Proportion `json:"better"`
	Equivalent   Proportion `json:"equivalent"`
	Inconclusive Proportion `json:"inconclusive"`
}

// CheckRates are the rates of the decisions of a check, and the mean number of items until
// the decision.
type CheckRates struct {
	Worse     Proportion `json:"worse"` // false alarm
	Pass      Proportion `json:"pass"`
	Undecided Proportion `json:"undecided"`
	MeanItems float64    `json:"mean_asked"`
}

// RequiredItems is the number of items with which the unchanged model passes a share of
// its checks at a margin.
type RequiredItems struct {
	Margin float64 `json:"margin"`
	Share  float64 `json:"share"`
	Items  int64   `json:"items"`
	// Passed is the share in simulations; nil if there are too many items to simulate.
	Passed *Proportion `json:"passed"`
}

// RequiredMargin is the margin at which the unchanged model passes a share of its checks.
type RequiredMargin struct {
	Share  float64 `json:"share"`
	Margin float64 `json:"margin"`
}

// ErrNoRepeats is the error of records in which no item has two answers.
var ErrNoRepeats = errors.New("no item has two answers")

// An item is the repeated answers to one item.
type item struct {
	cell   int       // of the grid
	scores []float64 // of the answers, in the order of the trials
	right  []bool
}

// Analyze analyses a run whose items were answered more than once. Records are those of
// the run in planned order. The options define the score and when Compare gives a verdict;
// all random numbers follow from their seed. If no item has two answers, the error is
// ErrNoRepeats.
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

// Within returns the standard deviation of a score within an item. It also returns, for each
// item with two answers, the second score minus the first; nil if there is no such item.
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

// collect returns the items with two answers, in the order of their first records.
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
			it = &item{cell: g.Cell(a.Family, a.Length)}
			byID[a.Item] = it
			all = append(all, it)
		}
		if !a.Answered() {
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

// agreement computes the flip rate and the variance components.
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
		if err := differences.Add(it.cell, it.scores[len(it.scores)-1]-it.scores[0]); err != nil {
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
