package report

import (
	"math"

	"verbatim"
	"verbatim/internal/stats"
)

// A cell counts records. Its size is bounded, except for items. Cells can be merged: every total
// is made from the cells below it.
type cell struct {
	outcomes   [8]int64 // by slot
	exact      int64
	extracted  int64
	scored     int64
	scores     stats.ExactSum
	squares    stats.ExactSum // of scores
	partial    int64          // scores that are neither 0 nor 1
	labels     tally
	first      stats.Quantiles
	content    stats.Quantiles
	queued     stats.Quantiles
	total      stats.Quantiles
	prompt     sum
	completion sum
	reasoning  sum
	bill       bill
	items      stats.Items // answers by item; empty if each item has one trial
	over       *overTrials // nil: the metric is of one answer
}

// A sum gathers a Sum.
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
		c.addGrade(m)
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

// addGrade counts the grade of an answer.
func (c *cell) addGrade(m *entry) {
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

// recorded returns the number of records, and how many of them are answered.
func (c *cell) recorded() (all, answered int64) {
	for i, o := range verbatim.Outcomes() {
		all += c.outcomes[i]
		if o.Answered() {
			answered += c.outcomes[i]
		}
	}
	return all, answered
}

// finish returns the line of the cell. planned is nil if it is unknown.
func (c *cell) finish(planned *int64) Line {
	all, answered := c.recorded()
	items := countedItems(c.items.All())
	list := items.alike()
	line := Line{
		Planned:      planned,
		Recorded:     all,
		Answered:     answered,
		Unanswered:   all - answered,
		Exact:        items.exactRate(c.exact, answered, planned),
		Extracted:    items.rate(NewRate(c.extracted, answered, planned), func(n stats.ItemCount) int32 { return n.Extracted }),
		Score:        c.meanScore(items, list),
		Trials:       trials(list),
		Failures:     c.labels.ranked(),
		FirstToken:   duration(&c.first),
		FirstContent: duration(&c.content),
		Queued:       duration(&c.queued),
		Seconds:      duration(&c.total),
		Tokens:       tokens{c.prompt.finish(), c.completion.finish(), c.reasoning.finish()},
		Cost:         c.bill.finish(),
	}
	for i, o := range verbatim.Outcomes() {
		line.Outcomes = append(line.Outcomes, Count{string(o), c.outcomes[i]})
	}
	return line
}

func duration(q *stats.Quantiles) Duration {
	return Duration{q.Quantile(0.5), q.Quantile(0.95), q.N}
}

// meanScore returns the mean of the scores of the answers, or for a metric over trials of the
// items. Its interval is by item. If all scores are 0 or 1, it is that of a share.
func (c *cell) meanScore(items countedItems, list []alike) Mean {
	if c.over != nil && len(items) > 0 {
		return meanOverTrials(list, c.over)
	}
	m := Mean{N: c.scored}
	mean := c.scores.Value() / float64(c.scored)
	if math.IsNaN(mean) || math.IsInf(mean, 0) {
		return m
	}
	m.Value = &mean
	i, ok := stats.Interval{}, true
	switch {
	case len(items) > 0:
		i, ok = items.scores(c.partial > 0).Interval(mean, confidence)
	case c.partial == 0:
		i.Low, i.High = stats.Wilson(int(c.scores.Value()), int(c.scored), confidence)
	default:
		squares := max(c.squares.Value()-float64(c.scored)*mean*mean, 0)
		i, ok = stats.ScoreSums{Items: c.scored, Scores: c.scored, Mean: mean, Squares: squares}.Interval(confidence)
	}
	if ok {
		m.Low, m.High = &i.Low, &i.High
	}
	return m
}
