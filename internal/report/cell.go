package report

import (
	"math"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/stream"
)

// A cell counts records. Its size is bounded, whatever it is fed, and cells add
// up, so that every total is made from the cells below it.
type cell struct {
	outcomes   [8]int64 // in the order of slot
	exact      int64
	extracted  int64
	scored     int64
	scores     stream.ExactSum
	squares    stream.ExactSum // of scores
	partial    int64           // scores that are neither 0 nor 1
	labels     tally
	first      stream.Quantiles
	content    stream.Quantiles
	queued     stream.Quantiles
	total      stream.Quantiles
	prompt     sum
	completion sum
	reasoning  sum
	bill       bill
	items      stream.Items // answers by item; empty if each item has one trial
	over       *overTrials  // nil: the metric is of one answer
}

type sum struct{ total, n int64 }

func (s *sum) add(v *int64) {
	if v != nil {
		s.total += *v
		s.n++
	}
}

func (s *sum) merge(o sum) { s.total += o.total; s.n += o.n }

func (s sum) finish() Sum {
	if s.n == 0 {
		return Sum{}
	}
	return Sum{Total: &s.total, N: s.n}
}

func (c *cell) add(m *entry) {
	c.outcomes[m.slot]++
	if m.answered {
		c.judge(m)
	}
	c.bill.merge(&m.bill)
	c.first.Add(m.first)
	c.content.Add(m.content)
	c.queued.Add(m.queued)
	c.total.Add(m.total)
	c.prompt.add(m.usage.Prompt)
	c.completion.add(m.usage.Completion)
	c.reasoning.add(m.usage.Reasoning)
}

func (c *cell) judge(m *entry) {
	if m.exact {
		c.exact++
	} else {
		c.labels.add(m.label)
	}
	if m.extracted {
		c.extracted++
	}
	addRepeated(&c.items, m)
	if m.over != nil {
		c.over = m.over
	}
	if m.scored {
		c.scores.Add(m.score)
		c.squares.Add(m.score * m.score)
		c.scored++
		if m.score != 0 && m.score != 1 {
			c.partial++
		}
	}
}

func (c *cell) merge(o *cell) {
	for i, n := range o.outcomes {
		c.outcomes[i] += n
	}
	c.exact += o.exact
	c.extracted += o.extracted
	c.scored += o.scored
	c.scores.Merge(&o.scores)
	c.squares.Merge(&o.squares)
	c.partial += o.partial
	c.labels.merge(&o.labels)
	c.first.Merge(&o.first)
	c.content.Merge(&o.content)
	c.queued.Merge(&o.queued)
	c.total.Merge(&o.total)
	c.prompt.merge(o.prompt)
	c.completion.merge(o.completion)
	c.reasoning.merge(o.reasoning)
	c.bill.merge(&o.bill)
	c.items.Merge(&o.items)
	if o.over != nil {
		c.over = o.over
	}
}

// recorded and answered count the records of the cell.
func (c *cell) recorded() (all, answered int64) {
	for i, o := range verbatim.Outcomes() {
		all += c.outcomes[i]
		if o.Answered() {
			answered += c.outcomes[i]
		}
	}
	return all, answered
}

// finish turns counts into the numbers that are printed; planned is nil where the
// plan does not say it.
func (c *cell) finish(planned *int64) Line {
	all, answered := c.recorded()
	items := countedItems(c.items.All())
	line := Line{
		Planned:      planned,
		Recorded:     all,
		Answered:     answered,
		Unanswered:   all - answered,
		Exact:        items.exactRate(c.exact, answered, planned),
		Extracted:    items.rate(NewRate(c.extracted, answered, planned), func(n stream.ItemCount) int32 { return n.Extracted }),
		Trials:       items.trials(),
		Failures:     c.labels.ranked(),
		FirstToken:   Duration{c.first.Quantile(0.5), c.first.Quantile(0.95), c.first.N},
		FirstContent: Duration{c.content.Quantile(0.5), c.content.Quantile(0.95), c.content.N},
		Queued:       Duration{c.queued.Quantile(0.5), c.queued.Quantile(0.95), c.queued.N},
		Seconds:      Duration{c.total.Quantile(0.5), c.total.Quantile(0.95), c.total.N},
		Tokens:       Tokens{c.prompt.finish(), c.completion.finish(), c.reasoning.finish()},
		Cost:         c.bill.finish(),
	}
	line.Score = c.meanScore(items)
	for i, o := range verbatim.Outcomes() {
		line.Outcomes = append(line.Outcomes, Count{string(o), c.outcomes[i]})
	}
	return line
}

// meanScore returns the mean score, of items that were asked several times if there are any. If all scores are 0 or 1, it has the interval of a share.
func (c *cell) meanScore(items countedItems) Mean {
	if c.over != nil && len(items) > 0 {
		return items.overTrials(c.over)
	}
	m := Mean{N: c.scored}
	mean := c.scores.Value() / float64(c.scored)
	if math.IsNaN(mean) || math.IsInf(mean, 0) {
		return m
	}
	m.Value = &mean
	var i stats.Interval
	var ok bool
	switch {
	case len(items) > 0:
		i, ok = items.scores(c.partial > 0).Interval(mean, confidence)
	case c.partial == 0:
		i.Low, i.High = stats.Wilson(int(c.scores.Value()), int(c.scored), confidence)
		ok = true
	default:
		i, ok = stats.ScoreSums{Items: c.scored, Scores: c.scored, Mean: mean, Squares: max(c.squares.Value()-float64(c.scored)*mean*mean, 0)}.Interval(confidence)
	}
	if ok {
		m.Low, m.High = &i.Low, &i.High
	}
	return m
}
