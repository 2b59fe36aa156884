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
// item are not independent of each other. It grows with the number of items, and is a list
// because a map of as many takes twice the memory and more while it grows.
type clusters struct {
	list []itemCount
	// sorted is the length of the part of the list that is in the order of keys, with each key
	// once. It is never written again, so that totals can share it.
	sorted int
}

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
	if last := len(c.list) - 1; last >= c.sorted && c.list[last].key == n.key {
		c.list[last].plus(&n)
		return
	}
	if len(c.list)-c.sorted >= max(1024, c.sorted/4) {
		c.sort()
	}
	c.list = append(c.list, n)
}

func (n *itemCount) plus(o *itemCount) {
	n.answers += o.answers
	n.exact += o.exact
	n.extracted += o.extracted
	n.scored += o.scored
	n.score += o.score
}

// sort puts the whole list in order.
func (c *clusters) sort() {
	more := c.list[c.sorted:]
	if len(more) == 0 {
		return
	}
	slices.SortFunc(more, func(a, b itemCount) int { return cmp.Compare(a.key, b.key) })
	end := 0
	for i := range more[1:] {
		if n := &more[i+1]; more[end].key == n.key {
			more[end].plus(n)
		} else {
			end++
			more[end] = *n
		}
	}
	c.list = union(c.list[:c.sorted:c.sorted], more[:end+1])
	c.sorted = len(c.list)
}

// union returns two sorted lists as one.
func union(a, b []itemCount) []itemCount {
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
	all := make([]itemCount, 0, n)
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
	o.sort()
	if len(c.list) == 0 {
		c.list, c.sorted = slices.Clip(o.list), o.sorted
		return
	}
	if len(o.list) == 0 {
		return
	}
	c.sort()
	c.list = union(c.list, o.list)
	c.sorted = len(c.list)
}

// all returns the counts, one for each item.
func (c *clusters) all() []itemCount {
	c.sort()
	return c.list
}

// counts sums up the items for an interval.
func (c *clusters) counts(right func(itemCount) int32) *stats.ItemCounts {
	sums := new(stats.ItemCounts)
	for _, n := range c.all() {
		sums.Add(int64(right(n)), int64(n.answers))
	}
	return sums
}

// exactRate is the rate of exact answers, with its interval by item.
func (c *clusters) exactRate(n, of int64, planned *int64) Rate {
	return c.rate(NewRate(n, of, planned), func(n itemCount) int32 { return n.exact })
}

// rate sets the interval of a rate by items, if they are counted apart.
func (c *clusters) rate(r Rate, right func(itemCount) int32) Rate {
	r.Items = r.Of
	if len(c.list) == 0 || r.Of == 0 {
		return r
	}
	r.Items = int64(len(c.all()))
	if r.Items < r.Of {
		low, high := c.counts(right).Interval(*r.Share, confidence)
		r.Low, r.High = &low, &high
	}
	return r
}

// scores collects the scores by item.
func (c *clusters) scores(fractions bool) *stats.ItemScores {
	all := new(stats.ItemScores)
	for _, n := range c.all() {
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
func (c *clusters) overTrials(o *overTrials) (m Mean) {
	var byItem stats.ItemScores
	var sum stream.ExactSum
	for _, n := range c.all() {
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
func (c *clusters) trials() *Trials {
	most, whole := int32(0), int64(0)
	for _, n := range c.all() {
		most = max(most, n.answers)
	}
	if most < 2 {
		return nil
	}
	var any, every, majority int64
	for _, n := range c.all() {
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
func (c *clusters) at(kind Metric, k int64) Mean {
	return c.overTrials(&overTrials{score: (kind + Metric(strconv.FormatInt(k, 10))).ItemScore()})
}
