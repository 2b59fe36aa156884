package verdict

import (
	"fmt"

	"verbatim"
	"verbatim/internal/stats"
)

// A comparer collects the matched items of one comparison.
type comparer struct {
	o        *Options
	grid     *Grid
	all      group
	families []*group     // by index of the grid's families
	lengths  []*group     // by index of the grid's lengths
	cells    []*group     // by cell of the grid
	exact    stats.Strata // differences of the shares of right answers, by cell
	leftOut  leftOut
	outcomes [2][outcomeCount]int64
	graders  []Graders
	flips    flips
}

func newComparer(o *Options, a, b *verbatim.Run) *comparer {
	return &comparer{o: o, grid: NewGrid(&a.Plan, &b.Plan)}
}

// add counts an item. The error names the item, if its score is not a number.
func (f *comparer) add(item *MatchedItem) error {
	a, b := &item.Runs[0], &item.Runs[1]
	switch {
	case b.Records == 0:
		f.leftOut.OnlyA++
		return nil
	case a.Records == 0:
		f.leftOut.OnlyB++
		return nil
	}
	cell := f.grid.Cell(item.Family, item.Length)
	at := f.grid.cells[cell]
	for _, g := range []*group{&f.all, groupAt(&f.families, at.family), groupAt(&f.lengths, at.length), groupAt(&f.cells, cell)} {
		if g == nil {
			continue
		}
		if err := g.add(item, cell); err != nil {
			return fmt.Errorf("item %s: %w", item.ID, err)
		}
	}
	for i := range item.Runs {
		for o, n := range item.Runs[i].outcomes {
			f.outcomes[i][o] += n
		}
	}
	switch {
	case a.Answers == 0 && b.Answers == 0:
		f.leftOut.Neither++
	case a.Answers == 0:
		f.leftOut.UnansweredA++
	case b.Answers == 0:
		f.leftOut.UnansweredB++
	default:
		f.flips.add(item, f.o.Flips)
		return f.exact.Add(cell, b.rightShare()-a.rightShare())
	}
	return nil
}

// groupAt returns the group at an index, and adds it if it is missing; nil for index -1.
func groupAt(list *[]*group, i int) *group {
	if i < 0 {
		return nil
	}
	for len(*list) <= i {
		*list = append(*list, new(group))
	}
	return (*list)[i]
}

// sideResult sums up run i over the items of a group.
func (f *comparer) sideResult(g *group, i int) SideResult {
	side := &g.sides[i]
	n := float64(g.items)
	r := SideResult{Answers: side.counts.Answers, Mean: side.scoreSum / n, Right: side.counts.Right, Share: side.share()}
	r.Range.Low, r.Range.High = side.counts.Interval(r.Share, f.o.Confidence)
	return r
}

// collected is what reading all runs once gives.
type collected struct {
	scores     *stats.RankScores // of the ranked runs, by cell
	leftOut    int64             // items that not all ranked runs answered
	vector     []float64         // scores of one item, in the order of contenders
	contenders []*contender      // the ranked runs
	cellSizes  map[int]int64     // number of items by cell of the design
}

// runScores are the scores of one run on the common items.
type runScores struct {
	strata      stats.Strata
	byItem      stats.ItemScores
	fingerprint float64 // hash of the scores, whatever their order is
}

// collect reads all runs.
func (f *ranker) collect() error {
	f.contenders = f.ranked()
	f.collected = collected{scores: stats.NewRankScores(len(f.contenders)), contenders: f.contenders, cellSizes: map[int]int64{}}
	for _, e := range f.entrants {
		*e = contender{side: e.side, unranked: e.unranked, scores: new(runScores)}
	}
	graders, err := match(f.sides, f.o.Score, f.o.ItemScore, f.addItem)
	for i, e := range f.entrants {
		e.graders = graders[i]
	}
	return err
}

// addItem counts an item, and adds its scores if all ranked runs answered it.
func (f *ranker) addItem(item *MatchedItem) error {
	all := true
	for i, e := range f.entrants {
		r := &item.Runs[i]
		if r.Records > 0 {
			e.asked++
		}
		if r.Answers > 0 {
			e.answered++
			e.answers, e.undecided, e.undefined = e.answers+r.Answers, e.undecided+r.Undecided, e.undefined+r.Undefined
		} else if e.unranked == "" {
			all = false
		}
	}
	if !all {
		f.leftOut++
		return nil
	}
	cell := f.grid.Cell(item.Family, item.Length)
	f.cellSizes[f.grid.Design(cell)]++
	f.vector = f.vector[:0]
	err := f.eachScore(item, cell, func(e *contender, score float64) error {
		if e.unranked == "" {
			f.vector = append(f.vector, score)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return f.scores.Add(cell, f.vector)
}

// eachScore adds an item to the scores of every run that answered it, and calls visit with its
// score in that run.
func (f *ranker) eachScore(item *MatchedItem, cell int, visit func(e *contender, score float64) error) error {
	hash := hashUnit(item.ID)
	for i, e := range f.entrants {
		r := &item.Runs[i]
		if r.Answers == 0 {
			continue
		}
		if err := e.scores.add(cell, r, hash); err != nil {
			return fmt.Errorf("run %s: item %s: %w", e.side.Run.Name, item.ID, err)
		}
		if err := visit(e, r.meanScore()); err != nil {
			return err
		}
	}
	return nil
}

// add adds the answers to an item, with the hashUnit of its id.
func (m *runScores) add(cell int, answers *itemResult, hash float64) error {
	score := answers.meanScore()
	m.byItem.Add(answers.ScoreSum, answers.Scored, answers.Fractions)
	m.fingerprint += hash * score
	return m.strata.Add(cell, score)
}

// items is the number of items.
func (m *runScores) items() int64 { return m.strata.Total().N }

// hashUnit returns a number between 0 and 1 from an item id (FNV-1a, with its high bits
// mixed). Sums of scores with these weights differ for runs with equal means and different
// scores.
func hashUnit(item string) float64 {
	h := uint64(14695981039346656037)
	for i := range len(item) {
		h = (h ^ uint64(item[i])) * 1099511628211
	}
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return float64(h>>11) / (1 << 53)
}

// A group collects the matched items of one row: of all items, of a family or of a
// length. Its size is bounded by the number of cells, not of items.
type group struct {
	strata    stats.Strata // differences of scores, by cell
	items     int64        // with an answer of both runs
	attempted int64        // with a record of both runs
	// unanswered is the sum, over the items attempted, of the share of their pairs of
	// answers in which a side is missing: 1 or 0 with one trial.
	unanswered float64
	sides      [2]groupSide
}

// A groupSide sums up one run over the items of a group.
type groupSide struct {
	scoreSum  float64 // of the items' mean scores
	rightSum  float64 // of the items' shares of right answers
	counts    stats.ItemCounts
	undecided int64
	undefined int64
	onlyRight int64 // items that this run has right more often than the other
}

// add counts an item of which both runs have a record.
func (g *group) add(item *MatchedItem, cell int) error {
	a, b := &item.Runs[0], &item.Runs[1]
	g.attempted++
	g.unanswered += 1 - float64(a.Answers)/float64(a.Records)*(float64(b.Answers)/float64(b.Records))
	if a.Answers == 0 || b.Answers == 0 {
		return nil
	}
	if err := g.strata.Add(cell, b.meanScore()-a.meanScore()); err != nil {
		return err
	}
	g.items++
	for i := range g.sides {
		r, s := &item.Runs[i], &g.sides[i]
		s.counts.Add(r.Right, r.Answers)
		s.scoreSum += r.meanScore()
		s.rightSum += r.rightShare()
		s.undecided += r.Undecided
		s.undefined += r.Undefined
		if r.rightShare() > item.Runs[1-i].rightShare() {
			s.onlyRight++
		}
	}
	return nil
}

// share is the mean over the items of their shares of right answers. If all items have as
// many answers, it is the share of right answers, to the last bit.
func (s *groupSide) share() float64 {
	if s.counts.Even() {
		return float64(s.counts.Right) / float64(s.counts.Answers)
	}
	return min(s.rightSum/float64(s.counts.Items), 1) // sums are rounded
}

// unansweredShare is the share of pairs of answers in which a side is missing.
func (g *group) unansweredShare() float64 {
	if g.attempted == 0 {
		return 0
	}
	return g.unanswered / float64(g.attempted)
}

// truncationGap is the share of B's answers that are undecided, minus A's.
func (g *group) truncationGap() float64 {
	share := func(s groupSide) float64 { return float64(s.undecided) / float64(max(s.counts.Answers, 1)) }
	return share(g.sides[1]) - share(g.sides[0])
}

// A Stratification names the strata of a posterior. Differences between strata add no
// uncertainty, because the plan fixes the number of items in each.
type stratification string

// The stratifications, the finest first.
const (
	byCell       stratification = "cells"   // family and length
	byLength     stratification = "lengths" // if some cell has one item only
	Unstratified stratification = "none"    // if some length has one item only, or there is one cell
)

// Stratify returns the finest stratification that usable accepts, and the function that maps
// the cells of the grid to its strata.
func (g *Grid) stratify(usable func(stratum func(cell int) int) bool) (stratification, func(cell int) int) {
	switch {
	case usable(g.Design):
		return byCell, g.Design
	case usable(g.sameLength):
		return byLength, g.sameLength
	}
	return Unstratified, func(int) int { return 0 }
}

// StratifiedPosterior returns the posterior of the mean of differences by cell of the
// grid. It uses the finest stratification in which every stratum has two items or more,
// and also returns the differences by stratum.
func StratifiedPosterior(differences *stats.Strata, g *Grid) (*stats.Posterior, stratification, *stats.Strata, error) {
	var s *stats.Strata
	how, stratum := g.stratify(func(stratum func(cell int) int) bool {
		s = differences.Merge(stratum)
		return len(s.Cells()) > 1 && !s.HasSingletons()
	})
	if how != Unstratified {
		p, err := s.StratifiedPosterior()
		return p, how, s, err
	}
	s = differences.Merge(stratum)
	p, err := s.Posterior()
	return p, how, s, err
}
