package report

import (
	"hash/fnv"
	"strconv"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/stream"
	"verbatim/internal/verdict"
)

// clusters counts answers by item, where items are asked several times: the answers to one
// item are not independent of each other. It grows with the number of items.
type clusters map[uint64]itemCount

// An itemCount counts the answers to one item.
type itemCount struct {
	answers, exact, extracted, scored int32
	score                             float64 // sum
}

// itemKey names an item in clusters.
func itemKey(it *verbatim.Item) uint64 {
	h := fnv.New64a()
	h.Write([]byte(it.ID))
	return h.Sum64() | 1 // 0 means that items are not counted apart
}

// addRepeated adds an answer if its item is asked several times.
func (c *clusters) addRepeated(m *entry) {
	if m.item != 0 {
		c.add(m)
	}
}

func (c *clusters) add(m *entry) {
	if *c == nil {
		*c = clusters{}
	}
	n := (*c)[m.item]
	n.answers++
	if m.exact {
		n.exact++
	}
	if m.extracted {
		n.extracted++
	}
	if m.scored {
		n.scored++
		n.score += m.score
	}
	(*c)[m.item] = n
}

func (c *clusters) merge(o clusters) {
	if len(o) > 0 && *c == nil {
		*c = make(clusters, len(o))
	}
	for key, more := range o {
		n := (*c)[key]
		n.answers += more.answers
		n.exact += more.exact
		n.extracted += more.extracted
		n.scored += more.scored
		n.score += more.score
		(*c)[key] = n
	}
}

// counts sums up the items for an interval.
func (c clusters) counts(right func(itemCount) int32) *stats.ItemCounts {
	sums := new(stats.ItemCounts)
	for _, n := range c {
		sums.Add(int64(right(n)), int64(n.answers))
	}
	return sums
}

// exactRate is the rate of exact answers, with its interval by item.
func (c clusters) exactRate(n, of int64, planned *int64) Rate {
	return c.rate(NewRate(n, of, planned), func(n itemCount) int32 { return n.exact })
}

// rate sets the interval of a rate by items, if they are counted apart.
func (c clusters) rate(r Rate, right func(itemCount) int32) Rate {
	r.Items = r.Of
	if len(c) == 0 || r.Of == 0 {
		return r
	}
	r.Items = int64(len(c))
	if r.Items < r.Of {
		low, high := c.counts(right).Interval(*r.Share, confidence)
		r.Low, r.High = &low, &high
	}
	return r
}

// scores collects the scores by item, in random order: their interval is rounded.
func (c clusters) scores(fractions bool) *stats.ItemScores {
	all := new(stats.ItemScores)
	for _, n := range c {
		if n.scored > 0 {
			all.Add(n.score, int64(n.scored), fractions)
		}
	}
	return all
}

// An overTrials is a metric over the trials of an item.
type overTrials struct {
	score  verdict.ItemScoreFunc
	trials int // planned
}

// overTrials is the mean score of the items with enough answers.
func (c clusters) overTrials(o *overTrials) (m Mean) {
	var byItem stats.ItemScores
	var sum stream.ExactSum
	for _, n := range c {
		if s, ok := o.score(int64(n.exact), int64(n.answers), o.trials); ok {
			m.N++
			sum.Add(s)
			byItem.Add(s, 1, s != 0 && s != 1)
		}
	}
	if m.N == 0 {
		return m
	}
	mean := min(sum.Value()/float64(m.N), 1)
	m.Value = &mean
	if i, ok := byItem.Interval(mean, confidence); ok {
		m.Low, m.High = &i.Low, &i.High
	}
	return m
}

// trials summarises the trials of items that were asked several times; nil where none was.
func (c clusters) trials() *Trials {
	most, whole := int32(0), int64(0)
	for _, n := range c {
		most = max(most, n.answers)
	}
	if most < 2 {
		return nil
	}
	var any, every, majority int64
	for _, n := range c {
		if n.answers < most {
			continue // an answer is missing
		}
		whole++
		if n.exact > 0 {
			any++
		}
		if n.exact == most {
			every++
		}
		if 2*n.exact > most {
			majority++
		}
	}
	rate := func(n int64) Rate {
		r := NewRate(n, whole, nil)
		r.Items = whole
		return r
	}
	t := &Trials{Each: int64(most), Any: rate(any), All: rate(every), Majority: rate(majority), Fewer: []FewerTrials{}}
	for k := range min(int64(most)-1, maxFewer) {
		t.Fewer = append(t.Fewer, FewerTrials{Trials: k + 1, Any: c.at(MetricPassAt, k+1), All: c.at(MetricAllAt, k+1)})
	}
	return t
}

// maxFewer bounds the numbers of trials that Trials.Fewer is over.
const maxFewer = 9

// at is the mean of a metric over k trials.
func (c clusters) at(kind Metric, k int64) Mean {
	return c.overTrials(&overTrials{score: (kind + Metric(strconv.FormatInt(k, 10))).ItemScore()})
}
