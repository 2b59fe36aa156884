package report

import (
	"hash/fnv"

	"verbatim"
	"verbatim/internal/stats"
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
	return &Trials{Each: int64(most), Any: rate(any), All: rate(every), Majority: rate(majority)}
}
