package verdict

import (
	"verbatim/internal/stats"
)

// A bin gathers the pairs of a row: of everything, of a family or of a length. Its
// size is bounded by the cells that it holds, not by its pairs.
type bin struct {
	strata stats.Strata // differences of scores, by cell
	items  int64        // with an answer on both sides
	asked  int64        // that both sides have a record of
	// lost is the sum over these of the share of their pairs of answers in which
	// a side has none: 1 or 0 where each item was asked once.
	lost float64
	arms [2]arm
}

// An arm is what a bin knows of one side: of the items with an answer on both.
type arm struct {
	answers   int64
	mean      float64 // sum over the items of the mean score of their answers
	share     float64 // sum over the items of the share of their answers that are right
	right     int64
	undecided int64
	undefined int64
	more      int64 // items on which this side is right more often
}

// add takes a pair in whose item stands in the cell.
func (b *bin) add(p *pair, cell int) error {
	x, y := &p.halves[0], &p.halves[1]
	b.asked++
	b.lost += 1 - float64(x.answers)/float64(x.records)*(float64(y.answers)/float64(y.records))
	if x.answers == 0 || y.answers == 0 {
		return nil
	}
	if err := b.strata.Add(cell, y.score/float64(y.answers)-x.score/float64(x.answers)); err != nil {
		return err
	}
	b.items++
	for i := range b.arms {
		h, a := &p.halves[i], &b.arms[i]
		a.answers += h.answers
		a.mean += h.score / float64(h.answers)
		a.share += h.share(h.right)
		a.right += h.right
		a.undecided += h.undecided
		a.undefined += h.undefined
		if other := &p.halves[1-i]; h.share(h.right) > other.share(other.right) {
			a.more++
		}
	}
	return nil
}

// missing is the share of pairs of answers in which a side has none.
func (b *bin) missing() float64 {
	if b.asked == 0 {
		return 0
	}
	return b.lost / float64(b.asked)
}

// gap is the share of B's answers that are undecided limits, less A's.
func (b *bin) gap() float64 {
	share := func(a arm) float64 { return float64(a.undecided) / float64(max(a.answers, 1)) }
	return share(b.arms[1]) - share(b.arms[0])
}

// A stratification says which differences between items a posterior leaves out
// of its uncertainty, because the design holds them fixed.
type stratification string

const (
	byCell   stratification = "cells"   // family and length
	byLength stratification = "lengths" // since some cell holds a single item
	plain    stratification = "none"    // since some length does too, or there is one cell
)

// posterior returns that of the bin's differences of scores.
func (b *bin) posterior(g *grid) (*stats.Posterior, stratification, *stats.Strata, error) {
	return posterior(&b.strata, g)
}

// posterior returns the posterior of the mean of differences by cell of the grid, as
// finely stratified as the numbers of items allow, with the strata that it is over.
func posterior(differences *stats.Strata, g *grid) (*stats.Posterior, stratification, *stats.Strata, error) {
	for _, level := range []struct {
		name stratification
		to   func(int) int
	}{{byCell, g.design}, {byLength, g.sameLength}} {
		s := differences.Merge(level.to)
		if len(s.Cells()) < 2 || s.Lone() {
			continue
		}
		p, err := s.Stratified()
		return p, level.name, s, err
	}
	s := differences.Merge(func(int) int { return 0 })
	p, err := s.Posterior()
	return p, plain, s, err
}
