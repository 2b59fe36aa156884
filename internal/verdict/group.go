package verdict

import "verbatim/internal/stats"

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
