package report

import (
	"hash/fnv"
	"math"

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

// effective returns the number of independent answers that vary as much as these do: from
// the number of items, if all answers to an item agree, to the number of answers. It is
// p(1−p)/V, where V is the linearised variance of the share p over items as clusters
// (Cochran 1977, Sampling Techniques, 3rd ed., section 9A.2).
func (c clusters) effective(right func(itemCount) int32) float64 {
	var answers, hits int64
	for _, n := range c {
		answers += int64(n.answers)
		hits += int64(right(n))
	}
	items, all := float64(len(c)), float64(answers)
	p := float64(hits) / all
	squares := 0.0 // its order is random: see below
	for _, n := range c {
		d := float64(right(n)) - p*float64(n.answers)
		squares += d * d
	}
	variance := items / (items - 1) * squares / (all * all)
	switch {
	case hits == 0 || hits == answers || len(c) == 1: // nothing says how much items differ
		return items
	case variance == 0:
		return all
	}
	// Rounding depends on the order of the sum, which a map does not keep.
	effective := math.Round(p*(1-p)/variance*1e6) / 1e6
	return min(max(effective, items), all)
}

// rate sets the interval of a rate by items, if they are counted apart.
func (c clusters) rate(r Rate, right func(itemCount) int32) Rate {
	r.Items = r.Of
	if len(c) == 0 || r.Of == 0 {
		return r
	}
	r.Items = int64(len(c))
	if r.Items < r.Of {
		low, high := stats.WilsonShare(*r.Share, c.effective(right), confidence)
		r.Low, r.High = &low, &high
	}
	return r
}

// scoreSquares returns the number of items with a score, and stats.ScoreSums.Squares.
func (c clusters) scoreSquares(mean float64) (items int64, squares float64) {
	for _, n := range c { // in random order: ScoreSums rounds
		if n.scored > 0 {
			items++
			d := n.score - mean*float64(n.scored)
			squares += d * d
		}
	}
	return items, squares
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
