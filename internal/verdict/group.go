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
	answers   int64
	scoreSum  float64 // of the items' mean scores
	rightSum  float64 // of the items' shares of right answers
	right     int64
	undecided int64
	undefined int64
	onlyRight int64 // items that this run has right more often
}

// add takes in an item of which both runs have a record.
func (g *group) add(item *MatchedItem, cell int) error {
	a, b := &item.Runs[0], &item.Runs[1]
	g.attempted++
	g.unanswered += 1 - float64(a.Answers)/float64(a.Records)*(float64(b.Answers)/float64(b.Records))
	if a.Answers == 0 || b.Answers == 0 {
		return nil
	}
	if err := g.strata.Add(cell, b.MeanScore()-a.MeanScore()); err != nil {
		return err
	}
	g.items++
	for i := range g.sides {
		r, s := &item.Runs[i], &g.sides[i]
		s.answers += r.Answers
		s.scoreSum += r.MeanScore()
		s.rightSum += r.rightShare()
		s.right += r.Right
		s.undecided += r.Undecided
		s.undefined += r.Undefined
		if r.rightShare() > item.Runs[1-i].rightShare() {
			s.onlyRight++
		}
	}
	return nil
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
	share := func(s groupSide) float64 { return float64(s.undecided) / float64(max(s.answers, 1)) }
	return share(g.sides[1]) - share(g.sides[0])
}
