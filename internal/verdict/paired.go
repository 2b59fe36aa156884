package verdict

import (
	"cmp"
	"slices"

	"golang.org/x/sync/errgroup"

	"verbatim/internal/stats"
)

// rankPaired ranks runs on the items that all of them answered.
func (f *ranker) rankPaired() (*Leaderboard, error) {
	how, stratum := f.grid.stratify(func(stratum func(cell int) int) bool {
		v := f.scores.Merge(stratum)
		return len(v.Cells()) > 1 && !v.HasSingletons()
	})
	joint, err := f.scores.Merge(stratum).Posterior(how != Unstratified, f.order(f.scores.Means()))
	if err != nil {
		return nil, err
	}
	b := f.newBoard(how)
	b.Paired, b.Items, b.LeftOut = true, f.scores.N(), f.leftOut
	var work errgroup.Group
	var ranks [][]float64
	pairs := triangle(len(f.contenders))
	work.Go(func() error {
		ranks = joint.RankProbabilities(f.o.Seed, f.o.Draws)
		f.shareTies(ranks)
		return nil
	})
	for a := range pairs {
		work.Go(func() (err error) {
			for c := range pairs[a] {
				if pairs[a][c], err = joint.Compare(a, c); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	if len(ranks) == 2 { // no draws are needed
		p := pairs[1][0].Ahead
		ranks = [][]float64{{1 - p, p}, {p, 1 - p}}
	}
	f.fillPlaces(b, joint.Means(), pairs, ranks)
	return b, nil
}

// triangle makes a lower triangle of pairs: each run with every run before it.
func triangle(n int) [][]stats.RankPair {
	pairs := make([][]stats.RankPair, n)
	for a := range pairs {
		pairs[a] = make([]stats.RankPair, a)
	}
	return pairs
}

// order lists the indexes of the contenders by falling means, so that draws do not depend on
// the order in which the runs were given.
func (f *ranker) order(means []float64) []int {
	list := make([]int, len(means))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(i, j int) int {
		if !sameMean(means[i], means[j]) {
			return cmp.Compare(means[j], means[i])
		}
		x, y := f.contenders[i].scores, f.contenders[j].scores
		return cmp.Or(cmp.Compare(y.items(), x.items()), cmp.Compare(y.fingerprint, x.fingerprint))
	})
	return list
}

// shareTies gives runs with identical scores the same rank probabilities: their draws
// differ only by Monte Carlo error.
func (f *ranker) shareTies(ranks [][]float64) {
	for i, e := range f.contenders {
		var same []int
		for j, other := range f.contenders {
			if n := e.scores.items(); n == other.scores.items() && sameMean(e.scores.fingerprint/float64(n), other.scores.fingerprint/float64(n)) {
				same = append(same, j)
			}
		}
		if len(same) < 2 || same[0] != i {
			continue
		}
		for rank := range ranks {
			sum := 0.0
			for _, j := range same {
				sum += ranks[j][rank]
			}
			for _, j := range same {
				ranks[j][rank] = sum / float64(len(same))
			}
		}
	}
}

// newBoard starts a Leaderboard.
func (f *ranker) newBoard(how stratification) *Leaderboard {
	return &Leaderboard{Metric: f.o.Metric, Confidence: f.o.Confidence, Stratified: how, Notes: f.notes(how)}
}

// sorted returns all runs: the ranked ones first, then the others, both by falling means.
func (f *ranker) sorted(mean func(*contender) float64) []*contender {
	list := slices.Clone(f.entrants)
	slices.SortStableFunc(list, func(x, y *contender) int {
		switch mx, my := mean(x), mean(y); {
		case (x.unranked == "") != (y.unranked == ""):
			return len(x.unranked) - len(y.unranked) // one of them is empty
		case !sameMean(mx, my):
			return cmp.Compare(my, mx)
		}
		return cmp.Or(cmp.Compare(x.side.Run.Name, y.side.Run.Name), cmp.Compare(x.side.Run.N, y.side.Run.N))
	})
	return list
}

// fillPlaces adds the places of all runs.
func (f *ranker) fillPlaces(b *Leaderboard, means []float64, pairs [][]stats.RankPair, probabilities [][]float64) {
	spans := stats.RankIntervals(pairs, b.Confidence)
	at := make(map[*contender]int) // in means
	for i, e := range f.contenders {
		at[e] = i
	}
	mean := func(e *contender) float64 {
		if i, ok := at[e]; ok {
			return means[i]
		}
		return e.scores.strata.Total().Mean
	}
	list := f.sorted(mean)
	index := make([]int, len(f.contenders)) // of Places
	for i, e := range list {
		if j, ok := at[e]; ok {
			index[j] = i
		}
	}
	for _, e := range list {
		p := RankPlace{RunInfo: e.side.Info(), Items: e.scores.items(), Mean: mean(e), Unranked: e.unranked}
		if in, ok := e.scores.byItem.Interval(min(max(p.Mean, 0), 1), b.Confidence); ok {
			p.Range = RangeOf(in)
		}
		if e.asked > 0 {
			p.Unanswered = float64(e.asked-e.answered) / float64(e.asked)
		}
		if i, ok := at[e]; ok {
			p.Rank, p.RankLow, p.RankHigh, p.RankProbabilities = 1, spans[i].Low, spans[i].High, probabilities[i]
			for _, m := range means {
				if m > p.Mean && !sameMean(m, p.Mean) {
					p.Rank++
				}
			}
			for _, j := range spans[i].Indistinguishable {
				p.Indistinguishable = append(p.Indistinguishable, index[j])
			}
			slices.Sort(p.Indistinguishable)
		}
		b.Places = append(b.Places, p)
	}
	b.IndistinguishableSets = indistinguishableSets(b.Places[:len(index)])
	b.Ahead = make([][]float64, len(index))
	for i := range b.Ahead {
		b.Ahead[i] = slices.Repeat([]float64{0.5}, len(index))
	}
	for a := range pairs {
		for c, l := range pairs[a] {
			b.Ahead[index[a]][index[c]], b.Ahead[index[c]][index[a]] = l.Ahead, 1-l.Ahead
		}
	}
}

// indistinguishableSets returns sets of pairwise indistinguishable places, in rising order:
// the longest sequences of neighbours, and all pairs that are in none of these.
func indistinguishableSets(places []RankPlace) (sets [][]int) {
	tied := func(i, j int) bool { return slices.Contains(places[i].Indistinguishable, j) }
	together := func(i, j int) bool {
		return slices.ContainsFunc(sets, func(s []int) bool { return slices.Contains(s, i) && slices.Contains(s, j) })
	}
	end := 0
	for i := range places {
		set := []int{i}
		for j := i + 1; j < len(places) && !slices.ContainsFunc(set, func(k int) bool { return !tied(k, j) }); j++ {
			set = append(set, j)
		}
		if last := set[len(set)-1]; last > i && last >= end {
			sets, end = append(sets, set), last+1
		}
	}
	for i := range places {
		for _, j := range places[i].Indistinguishable {
			if j > i && !together(i, j) {
				sets = append(sets, []int{i, j})
			}
		}
	}
	slices.SortFunc(sets, slices.Compare)
	return sets
}
