package report

import (
	"cmp"
	"slices"

	"verbatim/internal/verdict"
)

// A place is a run with its ranks.
type place struct {
	run int // in Report.Runs
	verdict.RankPlace
	tied bool
}

// HeadlineOrder returns the indexes of the runs of a report, the best first. Unranked runs follow the ranked
// ones by their exact share, then by name. So the order does not depend on that of Report.Runs.
func HeadlineOrder(r *Report) []int {
	var list []int
	for _, p := range places(r) {
		list = append(list, p.run)
	}
	return list
}

// places lists the runs in the order of the rows. Every run of the report is in it once.
func places(r *Report) (list []place) {
	seen := make([]bool, len(r.Runs))
	if b := r.Leaderboard; b != nil {
		for i := range b.Places {
			at := find(r, seen, &b.Places[i])
			if at < 0 || b.Places[i].Rank == 0 {
				continue
			}
			seen[at] = true
			list = append(list, place{at, b.Places[i], tied(b, i)})
		}
	}
	ranked := len(list)
	for i := range r.Runs {
		if !seen[i] {
			list = append(list, place{run: i})
		}
	}
	slices.SortStableFunc(list[ranked:], func(x, y place) int {
		a, b := &r.Runs[x.run], &r.Runs[y.run]
		return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(a.Head.Name, b.Head.Name), cmp.Compare(a.Head.N, b.Head.N))
	})
	return list
}

// tied reports whether another run has the rank of a place.
func tied(b *verdict.Leaderboard, at int) bool {
	for i := range b.Places {
		if i != at && b.Places[i].Rank == b.Places[at].Rank {
			return true
		}
	}
	return false
}

// share is the exact share of a run; below 0 without an answer.
func share(b *Block) float64 {
	if s := b.Total.Exact.Share; s != nil {
		return *s
	}
	return -1
}

// find returns the index of the run of a place, among the runs that have no place yet; -1 without
// it. Runs that are not saved may have equal names. Then the plan and the note decide, if they can,
// otherwise it is the first such run.
func find(r *Report, seen []bool, p *verdict.RankPlace) int {
	for i := range r.Runs {
		if h := &r.Runs[i].Head; !seen[i] && h.N == p.N && h.Name == p.Name && h.Model == p.Model && h.Plan == p.Plan && (h.N > 0 || h.Note == p.Note) {
			return i
		}
	}
	for i := range r.Runs {
		if h := &r.Runs[i].Head; !seen[i] && h.N == p.N && h.Name == p.Name && h.Model == p.Model {
			return i
		}
	}
	return -1
}
