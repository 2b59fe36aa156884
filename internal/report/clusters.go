package report

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/stats"
)

// countedItems are the answers counted by item, where items have several trials: the answers
// to one item are not independent of each other. They are sorted by key, with each key once.
type countedItems []stats.ItemCount

// itemKey is the key of an item in stats.Items.
func itemKey(it *verbatim.Item) uint64 {
	h := fnv.New64a()
	h.Write([]byte(it.ID))
	return h.Sum64() | 1 // 0 means that answers are not counted by item
}

// addRepeated adds an answer to items if its item has several trials.
func addRepeated(items *stats.Items, m *entry) {
	if m.item == 0 {
		return
	}
	n := stats.ItemCount{Key: m.item, Answers: 1}
	if m.exact {
		n.Exact = 1
	}
	if m.extracted {
		n.Extracted = 1
	}
	if m.scored {
		n.Scored, n.Score = 1, m.score
	}
	items.Add(n)
}

// An exactCount counts answers and the exact ones.
type exactCount struct {
	answered, exact int64
	items           stats.Items // empty if each item has one trial
}

func (c *exactCount) add(m *entry) {
	c.answered++
	if m.exact {
		c.exact++
	}
	addRepeated(&c.items, m)
}

func (c *exactCount) merge(o *exactCount) {
	c.answered += o.answered
	c.exact += o.exact
	c.items.Merge(&o.items)
}

func (c *exactCount) rate(planned *int64) Rate {
	return countedItems(c.items.All()).exactRate(c.exact, c.answered, planned)
}

// counts sums up the items for an interval. right returns the number of right answers.
func (all countedItems) counts(right func(stats.ItemCount) int32) *stats.ItemCounts {
	sums := new(stats.ItemCounts)
	for _, n := range all {
		sums.Add(int64(right(n)), int64(n.Answers))
	}
	return sums
}

// exactRate returns the rate of n exact of so many answers, with its interval by item.
func (all countedItems) exactRate(n, of int64, planned *int64) Rate {
	return all.rate(NewRate(n, of, planned), func(n stats.ItemCount) int32 { return n.Exact })
}

// rate sets Items and the interval of a rate, if its answers are counted by item.
func (all countedItems) rate(r Rate, right func(stats.ItemCount) int32) Rate {
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

// scores collects the scores by item. fractions says whether one is neither 0 nor 1.
func (all countedItems) scores(fractions bool) *stats.ItemScores {
	sums := new(stats.ItemScores)
	for _, n := range all {
		if n.Scored > 0 {
			sums.Add(n.Score, int64(n.Scored), fractions)
		}
	}
	return sums
}

// alike are the items with the same number of answers and the same number of exact ones.
type alike struct {
	exact, answers int32
	items          int64
}

// alike returns how many items have the same counts: few lines for many items.
func (all countedItems) alike() []alike {
	type counts struct{ exact, answers int32 }
	items := make(map[counts]int64)
	for _, n := range all {
		items[counts{n.Exact, n.Answers}]++
	}
	list := make([]alike, 0, len(items))
	for c, n := range items {
		list = append(list, alike{c.exact, c.answers, n})
	}
	slices.SortFunc(list, func(a, b alike) int { return cmp.Or(cmp.Compare(a.answers, b.answers), cmp.Compare(a.exact, b.exact)) })
	return list
}

// meanOverTrials returns the mean, over the items with enough answers, of a metric over trials.
func meanOverTrials(list []alike, o *overTrials) (m Mean) {
	var byItem stats.ItemScores
	var sum stats.ExactSum
	for _, n := range list {
		if s, ok := o.score(int64(n.exact), int64(n.answers), o.trials); ok {
			m.N += n.items
			sum.AddTimes(s, n.items)
			byItem.AddTimes(n.items, s, 1, s != 0 && s != 1)
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

// trials summarises items with several trials; nil if no item has several answers.
func trials(list []alike) *Trials {
	if len(list) == 0 || list[len(list)-1].answers < 2 {
		return nil
	}
	most := list[len(list)-1].answers
	var whole, any, every, majority int64
	for _, n := range list {
		if n.answers < most {
			continue // an answer is missing
		}
		whole += n.items
		if n.exact > 0 {
			any += n.items
		}
		if n.exact == most {
			every += n.items
		}
		if 2*n.exact > most {
			majority += n.items
		}
	}
	rate := func(n int64) Rate {
		r := NewRate(n, whole, nil)
		r.Items = whole
		return r
	}
	t := &Trials{Each: int64(most), Any: rate(any), All: rate(every), Majority: rate(majority), Fewer: []fewerTrials{}}
	for k := range min(int64(most)-1, maxFewer) {
		t.Fewer = append(t.Fewer, fewerTrials{Trials: k + 1, Any: meanAt(list, metricPassAt, k+1), All: meanAt(list, metricAllAt, k+1)})
	}
	return t
}

// maxFewer bounds the length of Trials.Fewer.
const maxFewer = 9

// meanAt returns the mean of a kind of metric over k trials.
func meanAt(list []alike, kind Metric, k int64) Mean {
	return meanOverTrials(list, &overTrials{score: (kind + Metric(strconv.FormatInt(k, 10))).ItemScore()})
}
