package report

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

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

// A Rate is the share of answers with a property, such as exact, with its interval. OfPlanned is
// the share of the planned requests.
type Rate struct {
	N         int64    `json:"n"`          // answers with the property
	Of        int64    `json:"of"`         // answers
	Items     int64    `json:"items"`      // items with an answer; fewer than Of if items have several trials
	Share     *float64 `json:"share"`      // N / Of; nil without answers
	Low       *float64 `json:"low"`        // lower end of the 95 % interval, by item
	High      *float64 `json:"high"`       // upper end
	OfPlanned *float64 `json:"of_planned"` // nil if Line.Planned is nil or 0
}

// Repeated reports whether items have several answers.
func (r *Rate) Repeated() bool { return r.Items > 0 && r.Items < r.Of }

// confidence is that of all intervals.
const confidence = 0.95

// NewRate returns the rate of n of so many independent answers, with Wilson's interval. planned may
// be nil.
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

// A tally counts names. The zero value is ready.
type tally struct {
	byName[tallyCount, *tallyCount]
	lastName  string // that was counted last
	lastCount *tallyCount
}

// A tallyCount is how often a name was counted.
type tallyCount int64

func (n *tallyCount) merge(o *tallyCount) { *n += *o }

const (
	maxKept  = 512 // names with a count of their own
	maxNames = 64  // names that reports show, the commonest
	Others   = "(others)"
)

// add counts one more of name.
func (t *tally) add(name string) { t.addN(name, 1) }

// addN counts n more of name.
func (t *tally) addN(name string, n int64) {
	if t.lastCount == nil || t.lastName != name {
		t.lastName, t.lastCount = name, t.of(name, maxKept)
	}
	*t.lastCount += tallyCount(n)
}

func (t *tally) merge(o *tally) {
	t.byName.merge(&o.byName, maxKept)
	t.lastCount = nil
}

// ranked returns the counts, commonest first and equal ones by name: of at most maxNames names,
// and the sum of all others under the name Others. It is nil without counts.
func (t *tally) ranked() []Count {
	if len(t.values) == 0 {
		return nil
	}
	counts := make([]Count, 0, len(t.values))
	for name, n := range t.values {
		counts = append(counts, Count{name, int64(*n)})
	}
	sortCounts(counts)
	rest := int64(0)
	if t.rest != nil {
		rest = int64(*t.rest)
	}
	for _, c := range counts[min(len(counts), maxNames):] {
		rest += c.N
	}
	counts = counts[:min(len(counts), maxNames)]
	if rest > 0 {
		if i := slices.IndexFunc(counts, func(c Count) bool { return c.Name == Others }); i >= 0 {
			counts[i].N += rest
		} else {
			counts = append(counts, Count{Others, rest})
		}
		sortCounts(counts)
	}
	return counts
}

// sortCounts sorts counts, commonest first and equal ones by name.
func sortCounts(counts []Count) {
	slices.SortStableFunc(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
}

// listCounts returns the names with their counts in brackets, separated by commas.
func listCounts(counts []Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = fmt.Sprintf("%s (%d)", c.Name, c.N)
	}
	return strings.Join(parts, ", ")
}

// ListSome is listCounts of the first five counts, with the number of the others.
func ListSome(counts []Count) string {
	const shown = 5
	if len(counts) <= shown+1 { // one more takes no more room than its number
		return listCounts(counts)
	}
	return fmt.Sprintf("%s and %d more", listCounts(counts[:shown]), len(counts)-shown)
}

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
