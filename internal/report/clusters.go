package report

import (
	"hash/fnv"
	"strconv"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/stream"
)

// clusters counts answers by item, where items are asked several times: the answers to one
// item are not independent of each other.
type clusters struct{ stream.Items }

// countedItems are in the order of their keys, with each key once.
type countedItems []stream.ItemCount

func (c *clusters) all() countedItems { return c.All() }

// itemKey names an item in clusters.
func itemKey(it *verbatim.Item) uint64 {
	h := fnv.New64a()
	h.Write([]byte(it.ID))
	return h.Sum64() | 1 // 0 means that items are not counted apart
}

// addRepeated adds an answer if its item is asked several times.
func (c *clusters) addRepeated(m *entry) {
	if m.item == 0 {
		return
	}
	n := stream.ItemCount{Key: m.item, Answers: 1}
	if m.exact {
		n.Exact = 1
	}
	if m.extracted {
		n.Extracted = 1
	}
	if m.scored {
		n.Scored, n.Score = 1, m.score
	}
	c.Add(n)
}

// counts sums up the items for an interval.
func (all countedItems) counts(right func(stream.ItemCount) int32) *stats.ItemCounts {
	sums := new(stats.ItemCounts)
	for _, n := range all {
		sums.Add(int64(right(n)), int64(n.Answers))
	}
	return sums
}

// exactRate is the rate of exact answers, with its interval by item.
func (all countedItems) exactRate(n, of int64, planned *int64) Rate {
	return all.rate(NewRate(n, of, planned), func(n stream.ItemCount) int32 { return n.Exact })
}

// rate sets the interval of a rate by items, if they are counted apart.
func (all countedItems) rate(r Rate, right func(stream.ItemCount) int32) Rate {
	r.Items = r.Of
	if len(all) == 0 || r.Of == 0 {
		return r
	}
	r.Items = int64(len(all))
	if r.Items < r.Of {
		low, high := all.counts(right).Interval(*r.Share, confidence)
		r.Low, r.High = &low, &high
	}
	return r
}

// scores collects the scores by item.
func (all countedItems) scores(fractions bool) *stats.ItemScores {
	sums := new(stats.ItemScores)
	for _, n := range all {
		if n.Scored > 0 {
			sums.Add(n.Score, int64(n.Scored), fractions)
		}
	}
	return sums
}

// overTrials is the mean score of the items with enough answers.
func (all countedItems) overTrials(o *overTrials) (m Mean) {
	var byItem stats.ItemScores
	var sum stream.ExactSum
	for _, n := range all {
		if s, ok := o.score(int64(n.Exact), int64(n.Answers), o.trials); ok {
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
func (all countedItems) trials() *Trials {
	most, whole := int32(0), int64(0)
	for _, n := range all {
		most = max(most, n.Answers)
	}
	if most < 2 {
		return nil
	}
	var any, every, majority int64
	for _, n := range all {
		if n.Answers < most {
			continue // an answer is missing
		}
		whole++
		if n.Exact > 0 {
			any++
		}
		if n.Exact == most {
			every++
		}
		if 2*n.Exact > most {
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
		t.Fewer = append(t.Fewer, FewerTrials{Trials: k + 1, Any: all.at(MetricPassAt, k+1), All: all.at(MetricAllAt, k+1)})
	}
	return t
}

// maxFewer bounds the numbers of trials that Trials.Fewer is over.
const maxFewer = 9

// at is the mean of a metric over k trials.
func (all countedItems) at(kind Metric, k int64) Mean {
	return all.overTrials(&overTrials{score: (kind + Metric(strconv.FormatInt(k, 10))).ItemScore()})
}
