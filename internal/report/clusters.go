package report

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/stream"
	"verbatim/internal/verdict"
)

// clusters counts answers by item, where items are asked several times: the answers to one
// item are not independent of each other. It grows with the number of items, and is made of
// lists because a map of as many takes twice the memory and more while it grows.
type clusters struct {
	// parts are in the order of keys, with each key once. None is ever written again, so that
	// totals share them.
	parts []countedItems
	fresh countedItems // in no order
}

// countedItems are in the order of their keys, with each key once.
type countedItems []itemCount

// An itemCount counts the answers to one item.
type itemCount struct {
	key                               uint64
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
	n := itemCount{key: m.item, answers: 1}
	if m.exact {
		n.exact = 1
	}
	if m.extracted {
		n.extracted = 1
	}
	if m.scored {
		n.scored, n.score = 1, m.score
	}
	if last := len(c.fresh) - 1; last >= 0 && c.fresh[last].key == n.key {
		c.fresh[last].plus(&n)
		return
	}
	if len(c.fresh) >= 1024 && len(c.fresh) >= c.most()/4 {
		c.join()
	}
	c.fresh = append(c.fresh, n)
}

// most is at least the number of items in parts.
func (c *clusters) most() (n int) {
	for _, p := range c.parts {
		n += len(p)
	}
	return n
}

func (n *itemCount) plus(o *itemCount) {
	n.answers += o.answers
	n.exact += o.exact
	n.extracted += o.extracted
	n.scored += o.scored
	n.score += o.score
}

// settle makes a part of what is fresh.
func (c *clusters) settle() {
	if len(c.fresh) == 0 {
		return
	}
	slices.SortFunc(c.fresh, func(a, b itemCount) int { return cmp.Compare(a.key, b.key) })
	end := 0
	for i := range c.fresh[1:] {
		if n := &c.fresh[i+1]; c.fresh[end].key == n.key {
			c.fresh[end].plus(n)
		} else {
			end++
			c.fresh[end] = *n
		}
	}
	c.parts, c.fresh = append(c.parts, c.fresh[:end+1]), nil
}

// join makes one part of all.
func (c *clusters) join() {
	if all := c.all(); len(all) > 0 {
		c.parts = []countedItems{all}
	}
}

// all returns the counts, one for each item.
func (c *clusters) all() countedItems {
	c.settle()
	lists := c.parts
	for len(lists) > 1 {
		var half []countedItems
		for ; len(lists) > 1; lists = lists[2:] {
			half = append(half, union(lists[0], lists[1]))
		}
		lists = append(half, lists...)
	}
	if len(lists) == 0 {
		return nil
	}
	return lists[0]
}

// union returns two sorted lists as one.
func union(a, b countedItems) countedItems {
	if len(a) == 0 {
		return b
	}
	n := len(a)
	for i, k := 0, 0; k < len(b); k++ {
		for i < len(a) && a[i].key < b[k].key {
			i++
		}
		if i == len(a) || a[i].key != b[k].key {
			n++
		}
	}
	all := make(countedItems, 0, n)
	for len(a) > 0 && len(b) > 0 {
		switch cmp.Compare(a[0].key, b[0].key) {
		case -1:
			all, a = append(all, a[0]), a[1:]
		case 1:
			all, b = append(all, b[0]), b[1:]
		default:
			all = append(all, a[0])
			all[len(all)-1].plus(&b[0])
			a, b = a[1:], b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// merge adds what o counts. Both may go on.
func (c *clusters) merge(o *clusters) {
	o.settle()
	c.parts = append(c.parts, o.parts...)
}

// counts sums up the items for an interval.
func (all countedItems) counts(right func(itemCount) int32) *stats.ItemCounts {
	sums := new(stats.ItemCounts)
	for _, n := range all {
		sums.Add(int64(right(n)), int64(n.answers))
	}
	return sums
}

// exactRate is the rate of exact answers, with its interval by item.
func (all countedItems) exactRate(n, of int64, planned *int64) Rate {
	return all.rate(NewRate(n, of, planned), func(n itemCount) int32 { return n.exact })
}

// rate sets the interval of a rate by items, if they are counted apart.
func (all countedItems) rate(r Rate, right func(itemCount) int32) Rate {
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
		if n.scored > 0 {
			sums.Add(n.score, int64(n.scored), fractions)
		}
	}
	return sums
}

// An overTrials is a metric over the trials of an item.
type overTrials struct {
	score  verdict.ItemScoreFunc
	trials int // planned
}

// overTrials is the mean score of the items with enough answers.
func (all countedItems) overTrials(o *overTrials) (m Mean) {
	var byItem stats.ItemScores
	var sum stream.ExactSum
	for _, n := range all {
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
func (all countedItems) trials() *Trials {
	most, whole := int32(0), int64(0)
	for _, n := range all {
		most = max(most, n.answers)
	}
	if most < 2 {
		return nil
	}
	var any, every, majority int64
	for _, n := range all {
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
