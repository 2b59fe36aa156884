package report

import (
	"fmt"
	"math"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/stats"
)

const confidence = 0.95

// A cell counts records. Its size is bounded, whatever it is fed, and cells add
// up, so that every total is made from the cells below it.
type cell struct {
	outcomes   [8]int64 // in the order of slot
	exact      int64
	extracted  int64
	scored     int64
	scores     exactSum
	labels     tally
	first      sketch
	content    sketch
	total      sketch
	prompt     sum
	completion sum
	reasoning  sum
	bill       bill
	clusters   clusters // nil where each item is asked once
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

// slot returns the place of an outcome in the order of verbatim.Outcomes.
func slot(o verbatim.Outcome) (int, error) {
	switch o {
	case verbatim.Pass:
		return 0, nil
	case verbatim.Wrapped:
		return 1, nil
	case verbatim.Wrong:
		return 2, nil
	case verbatim.Refused:
		return 3, nil
	case verbatim.Truncated:
		return 4, nil
	case verbatim.CutOff:
		return 5, nil
	case verbatim.Errored:
		return 6, nil
	case verbatim.Skipped:
		return 7, nil
	}
	return 0, fmt.Errorf("there is no outcome %q", o)
}

// An entry is what cells count of one record, read from it once for all of them.
type entry struct {
	slot                     int
	answered                 bool
	exact, extracted, scored bool
	score                    float64
	label                    string
	first, content, total    bucketed
	usage                    verbatim.Usage
	bill                     bill
	item                     uint64 // counted apart by this key; 0: each item is asked once
}

// read returns the entry of a record. The error says how the record contradicts
// itself.
func read(metric Metric, rec *verbatim.Record) (m entry, err error) {
	if m.slot, err = slot(rec.Outcome); err != nil {
		return m, err
	}
	if m.answered = rec.Outcome.Answered(); m.answered {
		g := rec.Grade
		if g == nil {
			return m, errkind.Damagedf("outcome %s, but no grade", rec.Outcome)
		}
		m.exact, m.extracted, m.label = g.Exact, g.Extracted, g.Label
		m.score, m.scored = metric.Score(rec.Item, g)
	}
	m.bill.add(rec)
	m.first, m.content, m.total = unbucketed, unbucketed, unbucketed
	if r := rec.Reply; r != nil {
		m.usage = r.Usage
		m.total = bucketOf(r.Times.Total.Seconds())
		content, first := r.Times.FirstContent, r.Times.FirstToken()
		if content != nil {
			m.content = bucketOf(content.Seconds())
		}
		switch {
		case first == nil:
		case content != nil && *first == *content: // a bucket takes a logarithm
			m.first = m.content
		default:
			m.first = bucketOf(first.Seconds())
		}
	}
	return m, nil
}

func (c *cell) add(m *entry) {
	c.outcomes[m.slot]++
	if m.answered {
		c.judge(m)
	}
	c.bill.merge(&m.bill)
	c.first.add(m.first)
	c.content.add(m.content)
	c.total.add(m.total)
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
	if m.item != 0 {
		c.clusters.add(m)
	}
	if m.scored {
		c.scores.add(m.score)
		c.scored++
	}
}

func (c *cell) merge(o *cell) {
	for i, n := range o.outcomes {
		c.outcomes[i] += n
	}
	c.exact += o.exact
	c.extracted += o.extracted
	c.scored += o.scored
	c.scores.merge(&o.scores)
	c.labels.merge(&o.labels)
	c.first.merge(&o.first)
	c.content.merge(&o.content)
	c.total.merge(&o.total)
	c.prompt.merge(o.prompt)
	c.completion.merge(o.completion)
	c.reasoning.merge(o.reasoning)
	c.bill.merge(&o.bill)
	c.clusters.merge(o.clusters)
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

// seal turns counts into the numbers that are printed; planned is nil where the
// plan does not say it.
func (c *cell) finish(planned *int64) Line {
	all, answered := c.recorded()
	line := Line{
		Planned:      planned,
		Recorded:     all,
		Answered:     answered,
		Unanswered:   all - answered,
		Exact:        c.clusters.rate(NewRate(c.exact, answered, planned), func(n itemCount) int32 { return n.exact }),
		Extracted:    c.clusters.rate(NewRate(c.extracted, answered, planned), func(n itemCount) int32 { return n.extracted }),
		Trials:       c.clusters.trials(),
		Score:        Mean{N: c.scored},
		Failures:     c.labels.ranked(),
		FirstToken:   Duration{c.first.quantile(0.5), c.first.quantile(0.95), c.first.n},
		FirstContent: Duration{c.content.quantile(0.5), c.content.quantile(0.95), c.content.n},
		Seconds:      Duration{c.total.quantile(0.5), c.total.quantile(0.95), c.total.n},
		Tokens:       Tokens{c.prompt.finish(), c.completion.finish(), c.reasoning.finish()},
		Cost:         c.bill.finish(),
	}
	if mean := c.scores.value() / float64(c.scored); !math.IsNaN(mean) && !math.IsInf(mean, 0) {
		line.Score.Value = &mean
	}
	for i, o := range verbatim.Outcomes() {
		line.Outcomes = append(line.Outcomes, Count{string(o), c.outcomes[i]})
	}
	return line
}

// NewRate returns the share of n among so many independent answers.
func NewRate(n, of int64, planned *int64) Rate {
	r := Rate{N: n, Of: of, Items: of}
	if of > 0 {
		share := float64(n) / float64(of)
		low, high := stats.Wilson(int(n), int(of), confidence)
		r.Share, r.Low, r.High = &share, &low, &high
	}
	if planned != nil && *planned > 0 {
		share := float64(n) / float64(*planned)
		r.OfPlanned = &share
	}
	return r
}
