package verdict_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/verdict"

	"verbatim/internal/verdict/verdicttest"
)

// anyField draws two to five sides of one plan, or of several.
func anyField(t *rapid.T) []verdict.Side {
	trials, plans := rapid.IntRange(1, 2).Draw(t, "trials"), rapid.Bool().Draw(t, "several plans")
	list := verdicttest.DrawRequests(t, trials)
	var sides []verdict.Side
	for i := range rapid.IntRange(2, 5).Draw(t, "runs") {
		s := verdicttest.MakeSide(fmt.Sprintf("run %d", i), verdicttest.Records(verdicttest.DrawAgain(t, list, !plans))...)
		if plans {
			s.Run.Plan.Hash = fmt.Sprint("plan ", i)
		}
		s.Run.Plan.Trials = trials
		sides = append(sides, s)
	}
	return sides
}

// TestAnyLeaderboardIsDefined gives every set of runs a complete leaderboard or a
// refusal with a reason: no number that JSON cannot hold, ranks and ties that agree
// with each other.
func TestAnyLeaderboardIsDefined(t *testing.T) {
	boards := 0
	rapid.Check(t, func(t *rapid.T) {
		sides := anyField(t)
		b, err := verdict.Rank(sides, verdict.RankOptions{Score: verdicttest.StoredScore, Draws: 250})
		if refusal, ok := err.(*verdict.Refusal); ok {
			if refusal.Field != "items" || refusal.Why == "" {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return
		}
		boards++
		if _, err := json.Marshal(b); err != nil {
			t.Fatal(err)
		}
		if len(b.Places) != len(sides) {
			t.Fatalf("%d places of %d runs", len(b.Places), len(sides))
		}
		k := len(b.Ahead)
		for i, p := range b.Places {
			if (p.Rank == 0) != (i >= k) || (p.Rank == 0) != (p.Unranked != "") {
				t.Fatalf("place %d of %d: %+v", i, k, p)
			}
			if p.Rank == 0 {
				continue
			}
			if i > 0 && (p.Mean > b.Places[i-1].Mean+1e-12 || p.Rank < b.Places[i-1].Rank) {
				t.Fatalf("place %d has mean %v and rank %d after %+v", i, p.Mean, p.Rank, b.Places[i-1])
			}
			sum := 0.0
			for _, x := range p.RankProbabilities {
				sum += x
			}
			if !(p.Low < p.High) || p.Mean < p.Low-1e-12 || p.Mean > p.High+1e-12 || math.Abs(sum-1) > 1e-9 || len(p.RankProbabilities) != k ||
				p.RankLow > p.Rank || p.RankHigh < p.Rank || p.RankHigh-p.RankLow != len(p.Indistinguishable) {
				t.Fatalf("place %d: %+v", i, p)
			}
			for _, j := range p.Indistinguishable {
				if !slices.Contains(b.Places[j].Indistinguishable, i) || !slices.ContainsFunc(b.IndistinguishableSets, func(s []int) bool { return slices.Contains(s, i) && slices.Contains(s, j) }) {
					t.Fatalf("%d is tied with %d: %+v, sets %v", i, j, b.Places[j], b.IndistinguishableSets)
				}
			}
			for j := range b.Ahead[i] {
				if math.Abs(b.Ahead[i][j]+b.Ahead[j][i]-1) > 1e-12 {
					t.Fatalf("ahead %v and %v", b.Ahead[i][j], b.Ahead[j][i])
				}
			}
		}
		for _, set := range b.IndistinguishableSets {
			for _, i := range set {
				for _, j := range set {
					if i != j && !slices.Contains(b.Places[i].Indistinguishable, j) {
						t.Fatalf("set %v, but %d is distinguished from %d", set, i, j)
					}
				}
			}
		}
	})
	if boards == 0 {
		t.Fatal("there was nothing to rank")
	}
}

// TestLeadIgnoresOrderAndNames: the same answers give the same numbers whatever the
// runs are called, in whatever order they and, where they are matched by item, their
// records come.
func TestLeadIgnoresOrderAndNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := verdicttest.DrawRequests(t, 1)
		var runs [][]verbatim.Record
		for range rapid.IntRange(2, 4).Draw(t, "runs") {
			runs = append(runs, verdicttest.Records(verdicttest.DrawAgain(t, list, true)))
		}
		shuffled := rapid.Bool().Draw(t, "records shuffled")
		luck := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "luck"), 1))
		made := func(order []int, name string) map[int]*verdict.RankPlace {
			var sides []verdict.Side
			for _, i := range order {
				records := slices.Clone(runs[i])
				if shuffled && name != "a" {
					luck.Shuffle(len(records), func(x, y int) { records[x], records[y] = records[y], records[x] })
				}
				s := verdicttest.MakeSide(fmt.Sprint(name, (i*7)%5), records...)
				s.Run.N = int64(i)
				if shuffled {
					s.Run.Plan.Trials = 0 // unknown: by item
				}
				sides = append(sides, s)
			}
			b, err := verdict.Rank(sides, verdict.RankOptions{Score: verdicttest.StoredScore, Draws: 250})
			if _, refused := err.(*verdict.Refusal); err != nil && !refused {
				t.Fatal(err)
			}
			out := map[int]*verdict.RankPlace{}
			if b != nil {
				for i := range b.Places {
					out[int(b.Places[i].N)] = &b.Places[i]
				}
			}
			return out
		}
		order := luck.Perm(len(runs))
		first := made([]int{0, 1, 2, 3}[:len(runs)], "a")
		second := made(order, "z")
		if len(first) != len(second) {
			t.Fatalf("%d places, in another order %d", len(first), len(second))
		}
		for i, p := range first {
			q := second[i]
			near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9 }
			same := p.Rank == q.Rank && p.RankLow == q.RankLow && p.RankHigh == q.RankHigh && near(p.Mean, q.Mean) && near(p.Low, q.Low) && near(p.High, q.High)
			for rank := range p.RankProbabilities {
				same = same && near(p.RankProbabilities[rank], q.RankProbabilities[rank])
			}
			if !same {
				t.Fatalf("run %d: %+v, in another order %+v", i, p, q)
			}
		}
	})
}

// TestManyRuns ranks fifty, more than bits of a byte and less than of a word.
func TestManyRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var sides []verdict.Side
	for i := range 50 {
		var s []float64
		for range 40 {
			v := 0.0
			if r.Float64() < 0.2+0.015*float64(i) {
				v = 1
			}
			s = append(s, v)
		}
		sides = append(sides, verdicttest.SideOfScores(fmt.Sprint("run", i), s...))
	}
	b := lead(t, sides...)
	if len(b.Places) != 50 || len(b.Ahead) != 50 || b.Places[0].RankHigh < 2 || b.Places[0].RankHigh == 50 || b.Places[49].RankLow == 1 {
		t.Errorf("first %+v, last %+v", b.Places[0], b.Places[49])
	}
}
