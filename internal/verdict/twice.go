package verdict

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"verbatim"
	"verbatim/internal/stats"
)

// Twice is what there is to say of one endpoint that was asked the same items
// twice, or more often: how far its answers agree with each other, and what the
// verdicts of this package would say of it beside itself.
type Twice struct {
	On         string `json:"on"` // the score
	Items      int64  `json:"items"`
	Unanswered int64  `json:"unanswered"`       // items with fewer than two answers, which are left out
	Undefined  int64  `json:"undefined_scores"` // answers whose score is undefined and counts 0
	Most       int64  `json:"most_answers"`     // that an item has

	Flips Portion `json:"flips"` // of the items: right in some answers and not in others
	// Within and Between are the standard deviations of a score within an item and
	// between items; ICC, the intraclass correlation, is the share of the variance that
	// the items explain, nil where nothing varies.
	Within  float64  `json:"sd_within"`
	Between float64  `json:"sd_between"`
	ICC     *float64 `json:"icc"`
	Drift   Drift    `json:"drift"`

	Rope      float64     `json:"rope"`
	Margin    float64     `json:"margin"`
	Alpha     float64     `json:"alpha"`
	Resamples int         `json:"resamples"`
	Sizes     []TwiceSize `json:"sizes"`
	Needs     []Need      `json:"needs"`
	Enough    []Enough    `json:"enough"` // at the run's own number of items
}

// Precision is how far, with 95 % confidence, a share of Sizes or Needs may be from
// what more resamples would give: half the width of its interval, at its widest.
func (t *Twice) Precision() float64 {
	p := portion(int64(t.Resamples/2), int64(t.Resamples))
	return (p.High - p.Low) / 2
}

// A Portion is a share of something with its 95 % interval (Wilson 1927).
type Portion struct {
	N     int64   `json:"n"`
	Of    int64   `json:"of"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func portion(n, of int64) Portion {
	p := Portion{N: n, Of: of, Share: float64(n) / float64(of)}
	p.Low, p.High = stats.Wilson(int(n), int(of), confidence)
	return p
}

// A Drift is the mean difference between the last pass over the items and the
// first: of one endpoint it should be none.
type Drift struct {
	Value float64 `json:"value"`
	Range         // 95 %
	// Seen: the interval does not hold 0.
	Seen bool `json:"seen"`
}

// A TwiceSize is what verdicts say of the endpoint beside itself at a number of
// items.
type TwiceSize struct {
	Items   int          `json:"items"`
	Compare TwiceCompare `json:"compare"`
	Check   TwiceCheck   `json:"check"`
}

// A TwiceCompare counts what Compare says of two passes over the same endpoint.
type TwiceCompare struct {
	Worse        Portion `json:"worse"` // a false alarm, as is better
	Better       Portion `json:"better"`
	Equivalent   Portion `json:"equivalent"`
	Inconclusive Portion `json:"inconclusive"`
}

// A TwiceCheck counts what the gate of the endpoint says, and how many items it has
// asked by then.
type TwiceCheck struct {
	Worse     Portion `json:"worse"` // a false alarm
	Pass      Portion `json:"pass"`
	Undecided Portion `json:"undecided"`
	Asked     float64 `json:"mean_asked"`
}

// A Need is how many items it takes at a margin for the unchanged endpoint to pass
// a share of its checks.
type Need struct {
	Margin float64 `json:"margin"`
	Share  float64 `json:"share"`
	Items  int64   `json:"items"`
	// Passed is what passes of resamples of that size; nil where they were too large
	// to be drawn.
	Passed *Portion `json:"passed"`
}

// Enough is the margin at which the unchanged endpoint passes a share of its checks.
type Enough struct {
	Share  float64 `json:"share"`
	Margin float64 `json:"margin"`
}

// ErrNotTwice is the error of records among which no item has two answers.
var ErrNotTwice = errors.New("no item has two answers")

// A repeated item is one with its answers.
type repeated struct {
	spot   int       // of the grid
	scores []float64 // of answers, in the order of the trials
	right  []bool
}

// AskedTwice says what there is to say of a run whose items were asked more than
// once. Records are those of the run in planned order; options say what a score is
// and when Compare gives a verdict. Everything random follows from the options'
// seed. It is an error if no item has two answers.
func AskedTwice(run verbatim.Run, records iter.Seq2[verbatim.Record, error], o Options) (*Twice, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	t := &Twice{On: o.On, Rope: o.Rope, Margin: twiceMargin, Alpha: twiceAlpha, Resamples: o.Resamples}
	g := NewGrid(&run.Plan)
	items, err := t.gather(records, &o, g)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", run.Name, err)
	}
	if t.Items == 0 {
		return nil, fmt.Errorf("run %s: %w", run.Name, ErrNotTwice)
	}
	if err := t.agree(items); err != nil {
		return nil, err
	}
	if err := t.drift(items, g); err != nil {
		return nil, err
	}
	r := newResampler(items, g, &o, t.Alpha)
	if t.Sizes, err = r.sizes(int(t.Items)); err != nil {
		return nil, err
	}
	t.Enough = r.enough(t.Within, t.Items)
	t.Needs, err = r.needs(t.Within)
	return t, err
}

// gather collects the items that have two answers, in the order of their first
// records.
func (t *Twice) gather(records iter.Seq2[verbatim.Record, error], o *Options, g *Grid) ([]*repeated, error) {
	var all []*repeated
	byID := map[string]*repeated{}
	for rec, err := range records {
		if err != nil {
			return nil, err
		}
		a, err := ReadAnswer(&rec, o.Score)
		if err != nil {
			return nil, err
		}
		it := byID[a.Item]
		if it == nil {
			it = &repeated{spot: g.Cell(a.Family, a.Length)}
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
	var items []*repeated
	for _, it := range all {
		if len(it.scores) < 2 {
			t.Unanswered++
			continue
		}
		t.Most = max(t.Most, int64(len(it.scores)))
		items = append(items, it)
	}
	t.Items = int64(len(items))
	return items, nil
}

// agree says how far the answers to an item agree.
func (t *Twice) agree(items []*repeated) error {
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
	t.Flips = Portion{r.Flips, r.Items, r.FlipRate, r.FlipInterval.Low, r.FlipInterval.High}
	t.Within, t.Between, t.ICC = math.Sqrt(r.Within), math.Sqrt(r.Between), r.ICC
	return nil
}

// drift compares the last answers with the first.
func (t *Twice) drift(items []*repeated, g *Grid) error {
	var differences stats.Strata
	for _, it := range items {
		if err := differences.Add(it.spot, it.scores[len(it.scores)-1]-it.scores[0]); err != nil {
			return err
		}
	}
	p, _, s, err := StratifiedPosterior(&differences, g)
	if err != nil {
		return err
	}
	in := p.Interval(confidence)
	t.Drift = Drift{Value: s.Total().Mean, Range: Range{in.Low, in.High}, Seen: in.Low > 0 || in.High < 0}
	return nil
}
