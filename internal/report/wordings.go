package report

import (
	"cmp"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/stats"
)

// A wordingTally counts the answers of a run whose items are spread over several wordings, by family
// and by wording.
type wordingTally map[string][]wordingCell

type wordingCell struct {
	exactCount
	extracted int64
}

// add counts an answered record of a run with n wordings.
func (t wordingTally) add(n int, rec *verbatim.Record, m *entry) {
	name := familyOf(rec)
	if t[name] == nil && len(t) >= maxFamilies {
		name = Others
	}
	if t[name] == nil {
		t[name] = make([]wordingCell, n)
	}
	c := &t[name][verbatim.WordingOf(rec.Item.ID, n)]
	c.add(m)
	if m.extracted {
		c.extracted++
	}
}

func (t wordingTally) merge(o wordingTally) {
	for name, cells := range o {
		if t[name] == nil {
			t[name] = make([]wordingCell, len(cells))
		}
		for i := range cells {
			t[name][i].merge(&cells[i].exactCount)
			t[name][i].extracted += cells[i].extracted
		}
	}
}

// finish lists the wordings, and widens the intervals of a line by the variance between wordings.
// families are those of the line; without any, the line is of all families.
func (t wordingTally) finish(line *Line, families ...string) (list []Wording) {
	var exact, extracted [][]stats.WordingCount
	var sums []exactCount // by wording
	for name, cells := range t {
		if len(families) > 0 && !slices.Contains(families, name) {
			continue
		}
		var byExact, byExtracted []stats.WordingCount
		sums = append(sums, make([]exactCount, max(len(cells)-len(sums), 0))...)
		for i := range cells {
			c := &cells[i]
			byExact = append(byExact, stats.WordingCount{Right: c.exact, N: c.answered})
			byExtracted = append(byExtracted, stats.WordingCount{Right: c.extracted, N: c.answered})
			sums[i].merge(&c.exactCount)
		}
		exact, extracted = append(exact, byExact), append(extracted, byExtracted)
	}
	for _, r := range []struct {
		rate   *Rate
		counts [][]stats.WordingCount
	}{{&line.Exact, exact}, {&line.Extracted, extracted}} {
		same := line.Score.is(r.rate)
		if r.rate.spread(r.counts); same {
			line.Score.Low, line.Score.High = r.rate.Low, r.rate.High
		}
	}
	for i := range sums {
		list = append(list, Wording{strconv.Itoa(i), sums[i].rate(nil)})
	}
	return list
}

// is reports whether a mean score has the value and the interval of a rate.
func (m *Mean) is(r *Rate) bool {
	return m.Value != nil && m.Low != nil && r.Share != nil && *m.Value == *r.Share && *m.Low == *r.Low && *m.High == *r.High
}

// spread widens the interval of a rate by the variance between wordings; see stats.SpreadShare.
func (r *Rate) spread(tasks [][]stats.WordingCount) {
	if r.Share == nil || len(tasks) == 0 {
		return
	}
	// In a fixed order, so that sums are always rounded in the same way.
	slices.SortStableFunc(tasks, func(a, b []stats.WordingCount) int {
		return slices.CompareFunc(a, b, func(x, y stats.WordingCount) int {
			return cmp.Or(cmp.Compare(x.N, y.N), cmp.Compare(x.Right, y.Right))
		})
	})
	low, high := stats.SpreadShare(tasks, confidence)
	// If items have several trials, the interval by item may be the wider one.
	low, high = min(low, *r.Low), max(high, *r.High)
	r.Low, r.High = &low, &high
}
