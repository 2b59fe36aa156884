package verdict_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/oracle"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/autorank"
	"verbatim/internal/verdict/verdicttest"
)

func lead(t testing.TB, sides ...verdict.Side) *verdict.Leaderboard {
	t.Helper()
	b, err := verdict.Rank(sides, verdict.RankOptions{Metric: "score", Score: verdicttest.StoredScore})
	if err != nil {
		t.Fatal(err)
	}
	if b == nil {
		t.Fatal("no leaderboard")
	}
	return b
}

// place finds a run.
func place(t testing.TB, b *verdict.Leaderboard, name string) *verdict.RankPlace {
	t.Helper()
	for i := range b.Places {
		if b.Places[i].Name == name {
			return &b.Places[i]
		}
	}
	t.Fatalf("%s has no place", name)
	return nil
}

// publishedSides are those of the models, in the order of their names.
func publishedSides(t testing.TB) []verdict.Side {
	all := verdicttest.Published(t)
	var list []verdict.Side
	for _, name := range []string{"Claude-3.5-Haiku", "Claude-3.5-Sonnet", "DeepSeek-r1", "GPT-4o", "GPT-4o-mini", "Llama-3.1", "o3-mini"} {
		s := all[name]
		s.Run.Model = name
		list = append(list, s)
	}
	return list
}

// TestPublishedLeaderboard ranks the published models, and compares the probabilities
// with those of comparisons without a region of equivalence.
func TestPublishedLeaderboard(t *testing.T) {
	sides := publishedSides(t)
	b := lead(t, sides...)
	var names []string
	for _, p := range b.Places {
		names = append(names, p.Model)
		t.Logf("%d (%d–%d) %s %.4f [%.4f, %.4f] P %.3f tied %v", p.Rank, p.RankLow, p.RankHigh, p.Model, p.Mean, p.Low, p.High, p.RankProbabilities, p.Indistinguishable)
	}
	if want := []string{"o3-mini", "GPT-4o", "Claude-3.5-Sonnet", "GPT-4o-mini", "Claude-3.5-Haiku", "Llama-3.1", "DeepSeek-r1"}; !slices.Equal(names, want) {
		t.Errorf("the order is %v, want %v", names, want)
	}
	if !b.Paired || b.Items != 1440 || b.LeftOut != 0 || string(b.Stratified) != "cells" || len(b.Notes) != 0 {
		t.Errorf("%d items of all, %d left, by %s, notes %v", b.Items, b.LeftOut, b.Stratified, b.Notes)
	}
	o, checked := verdicttest.SmallOptions(), 0
	o.Rope, o.Resamples = 0, 1
	for i, x := range b.Places {
		for j, y := range b.Places[:i] {
			if j != i-1 && checked > 0 { // those side by side, which are hardest to tell apart
				continue
			}
			find := func(name string) verdict.Side {
				return sides[slices.IndexFunc(sides, func(s verdict.Side) bool { return s.Run.Model == name })]
			}
			c := verdicttest.Compare(t, find(x.Model), find(y.Model), o)
			if math.Abs(c.Difference.Better-b.Ahead[j][i]) > 1e-6 {
				t.Errorf("%s ahead of %s: %v, compare says %v", y.Model, x.Model, b.Ahead[j][i], c.Difference.Better)
			}
			checked++
		}
	}
	if checked != 6 {
		t.Fatalf("only %d pairs were checked", checked)
	}
}

// TestPublishedLeads compares the probabilities with reference values of the pairs,
// computed apart from this program: what is better by more than the region is ahead.
func TestPublishedLeads(t *testing.T) {
	b := lead(t, publishedSides(t)...)
	rows, err := csv.NewReader(strings.NewReader(string(oracle.Read(t, "stats/compare_ref.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, p := range b.Places {
		at[p.Model] = i
	}
	checked := 0
	for _, row := range rows[1:] {
		if row[0] != "0" || row[6] != "stratified" {
			continue
		}
		figure := func(i int) float64 {
			v, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		ahead, worse, better := b.Ahead[at[row[2]]][at[row[1]]], figure(9), figure(11)
		if ahead < better-1e-6 || 1-ahead < worse-1e-6 {
			t.Errorf("%s ahead of %s: %v, beyond the region it is better with %v and worse with %v", row[2], row[1], ahead, better, worse)
		}
		if (figure(7) > 0) != (ahead > 0.975) || (figure(8) < 0) != (ahead < 0.025) {
			t.Errorf("%s ahead of %s: %v, the interval is %v to %v", row[2], row[1], ahead, figure(7), figure(8))
		}
		checked++
	}
	if checked != 21 {
		t.Fatalf("%d pairs were checked", checked)
	}
}

// TestOneCriterion: 7 items only A has right and 1 only B, of 20. A ranking and a comparison have the
// same p-value, and neither calls a model better. Of fewer items no forecast is made.
func TestOneCriterion(t *testing.T) {
	of := func(n int) (a, b verdict.Side) {
		x, y := slices.Repeat([]float64{1}, n), slices.Repeat([]float64{1}, n)
		for i := range min(n, 8) {
			y[i] = 0
		}
		x[0], y[0] = 0, 1
		return verdicttest.SideOfScores("a", x...), verdicttest.SideOfScores("bb", y...)
	}
	a, b := of(20)
	c := verdicttest.Compare(t, a, b, verdicttest.SmallOptions())
	if want := 0.0703125; c.Word != verdict.Inconclusive || math.Abs(c.P-want) > 1e-9 || math.Abs(c.Success.SignFlip-want) > 1e-9 || math.Abs(c.Cells[0].P-want) > 1e-9 || c.ItemsNeeded == nil {
		t.Errorf("%s, p %v, of exact answers %v, of the cell %v, needed %v", c.Word, c.P, c.Success.SignFlip, c.Cells[0].P, c.ItemsNeeded)
	}
	if first := lead(t, a, b).Places[0]; first.Name != "a" || len(first.Indistinguishable) != 1 || first.RankHigh != 2 {
		t.Errorf("%+v", first)
	}
	a, b = of(7)
	if c := verdicttest.Compare(t, a, b, verdicttest.SmallOptions()); c.Word != verdict.Inconclusive || c.ItemsNeeded != nil {
		t.Errorf("7 items: %s, needed %+v", c.Word, c.ItemsNeeded)
	}
}

// TestLeadEdges ranks what is hard to rank.
func TestLeadEdges(t *testing.T) {
	right, wrong := slices.Repeat([]float64{1}, 60), slices.Repeat([]float64{0}, 60)
	t.Run("all ties", func(t *testing.T) {
		b := lead(t, verdicttest.SideOfScores("a", right...), verdicttest.SideOfScores("bb", right...), verdicttest.SideOfScores("ccc", right...))
		for i, p := range b.Places {
			if p.Rank != 1 || p.RankLow != 1 || p.RankHigh != 3 || len(p.Indistinguishable) != 2 || math.Abs(p.RankProbabilities[0]-1./3) > 1e-9 || p.Mean != 1 || p.High != 1 {
				t.Errorf("place %d: %+v", i, p)
			}
		}
	})
	t.Run("one ahead of two alike", func(t *testing.T) {
		b := lead(t, verdicttest.SideOfScores("a", wrong...), verdicttest.SideOfScores("bb", right...), verdicttest.SideOfScores("ccc", wrong...))
		if first := place(t, b, "bb"); first.Rank != 1 || first.RankHigh != 1 || len(first.Indistinguishable) != 0 || first.RankProbabilities[0] < 0.999 {
			t.Errorf("%+v", first)
		}
		for _, name := range []string{"a", "ccc"} {
			if p := place(t, b, name); p.Rank != 2 || p.RankLow != 2 || p.RankHigh != 3 || len(p.Indistinguishable) != 1 || b.Places[p.Indistinguishable[0]].Name == name || math.Abs(p.RankProbabilities[1]-0.5) > 0.001 {
				t.Errorf("%+v", p)
			}
		}
	})
	t.Run("fewer than two", func(t *testing.T) {
		for _, sides := range [][]verdict.Side{nil, {verdicttest.SideOfScores("a", 1, 1)}, {verdicttest.SideOfScores("a", 1), verdicttest.MakeSide("bb", verdicttest.LostRecord(0, verdicttest.MakeItem("copy", 8, 0), 0))}, {verdicttest.SideOfScores("a", 1, 1), simulated("bb", 1, 0)}} {
			if b, err := verdict.Rank(sides, verdict.RankOptions{Score: verdicttest.StoredScore}); b != nil || err != nil {
				t.Errorf("%d sides: %+v, %v", len(sides), b, err)
			}
		}
	})
	t.Run("an item that only some answered", func(t *testing.T) {
		a, b, c := verdicttest.SideOfScores("a", 1, 1, 0, 1), verdicttest.SideOfScores("bb", 0, 1, 1, 1), verdicttest.SideOfScores("ccc", 1, 0, 0)
		board := lead(t, a, b, c)
		if board.Items != 3 || board.LeftOut != 1 || math.Abs(place(t, board, "a").Mean-2./3) > 1e-12 || !verdicttest.HasNote(board.Notes, "left_out") {
			t.Errorf("%+v", board)
		}
		empty := verdicttest.MakeSide("dddd", verdicttest.LostRecord(0, verdicttest.MakeItem("copy", 8, 0), 0))
		board = lead(t, a, b, c, empty)
		if p := place(t, board, "dddd"); board.Items != 3 || p.Rank != 0 || p.Unranked == "" || p.RankProbabilities != nil || p != &board.Places[3] || len(board.Ahead) != 3 {
			t.Errorf("with a run without an answer: %+v", board)
		}
	})
	t.Run("unanswered", func(t *testing.T) {
		b := verdicttest.SideOfScores("bb", 1, 1, 1, 0)
		b.Records = verdicttest.EachRecord([]verbatim.Record{verdicttest.LostRecord(0, verdicttest.MakeItem("copy", 8, 0), 0), verdicttest.MakeRecord(1, verdicttest.MakeItem("copy", 8, 1), 0, 1), verdicttest.MakeRecord(2, verdicttest.MakeItem("copy", 8, 2), 0, 0)})
		board := lead(t, verdicttest.SideOfScores("a", 1, 1, 1), b)
		if p := place(t, board, "bb"); p.Rank == 0 || math.Abs(p.Unanswered-1./3) > 1e-12 || !verdicttest.HasNote(board.Notes, "unanswered") || verdicttest.HasNote(board.Notes, "unranked") {
			t.Errorf("%+v, notes %v", p, board.Notes)
		}
	})
	t.Run("undefined scores", func(t *testing.T) {
		b := verdicttest.SideOfScores("bb", 1, 1, 1)
		var records []verbatim.Record
		for r := range b.Records {
			r.Grade.Score = nil
			records = append(records, r)
		}
		b.Records = verdicttest.EachRecord(records)
		board := lead(t, verdicttest.SideOfScores("a", 1, 1, 1), b)
		if p := place(t, board, "bb"); p.Mean != 0 || !verdicttest.HasNote(board.Notes, "undefined") {
			t.Errorf("%+v, notes %v", p, board.Notes)
		}
		if _, err := verdict.Rank([]verdict.Side{verdicttest.SideOfScores("a", 1), verdicttest.SideOfScores("bb", 1)}, verdict.RankOptions{Score: func(*verbatim.Item, *verbatim.Grade) (float64, bool) { return math.NaN(), true }}); err == nil || !strings.Contains(err.Error(), "copy@1/len=8/seed=1/0") {
			t.Errorf("a score that is not a number: %v", err)
		}
	})
}

// simulated is a side whose model is built into the program.
func simulated(name string, s ...float64) verdict.Side {
	out := verdicttest.SideOfScores(name, s...)
	out.Run.Model = "sim:" + name
	return out
}

// TestBuiltInModels are listed below models of others, unless there are no others.
func TestBuiltInModels(t *testing.T) {
	b := lead(t, verdicttest.SideOfScores("a", 1, 0, 1), simulated("sim", 1, 1, 1), verdicttest.SideOfScores("bb", 0, 0, 1))
	p := b.Places[2]
	if p.Name != "sim" || p.Rank != 0 || p.Unranked == "" || p.Mean != 1 || p.Items != 3 || !(p.Low < 1) || len(b.Places[0].RankProbabilities) != 2 || b.Places[0].Name != "a" || !verdicttest.HasNote(b.Notes, "unranked") {
		t.Errorf("%+v, notes %v", b.Places, b.Notes)
	}
	b = lead(t, simulated("x", 1, 0, 1), simulated("yy", 1, 1, 1))
	if b.Places[0].Rank != 1 || b.Places[0].Name != "yy" || len(b.Notes) != 0 {
		t.Errorf("%+v, notes %v", b.Places, b.Notes)
	}
	own := own(nano("theirs", 1, 1, 1)) // a model of another program with this name
	if b = lead(t, verdicttest.SideOfScores("a", 1, 0, 1), own); b.Places[0].Model != "nano" || b.Places[0].Rank != 1 {
		t.Errorf("%+v", b.Places)
	}
	if c := verdicttest.Compare(t, verdicttest.SideOfScores("a", 1, 0, 1), simulated("sim", 1, 1, 1), verdicttest.SmallOptions()); !verdicttest.HasNote(c.Warnings, "built-in") {
		t.Errorf("compared with %v", c.Warnings)
	}
	for _, both := range [][2]verdict.Side{{simulated("x", 1, 0, 1), simulated("yy", 1, 1, 1)}, {verdicttest.SideOfScores("a", 1, 0, 1), own}} {
		if c := verdicttest.Compare(t, both[0], both[1], verdicttest.SmallOptions()); verdicttest.HasNote(c.Warnings, "built-in") {
			t.Errorf("both are, or neither is: %v", c.Warnings)
		}
	}
}

// nano is a side of the network inside this program.
func nano(name string, s ...float64) verdict.Side {
	out := verdicttest.SideOfScores(name, s...)
	out.Run.Model = "nano"
	return out
}

// TestNanoIsNotRanked with any other model, simulated models included, which are ranked
// among themselves all the same.
func TestNanoIsNotRanked(t *testing.T) {
	back := nano("back", 1, 1, 0) // of a run of this program, and of another program's log
	back.Run.Origin, back.Run.Tool = "inspect", "verbatim 1"
	for what, c := range map[string]struct {
		sides  []verdict.Side
		ranked string
	}{
		"beside others":    {[]verdict.Side{verdicttest.SideOfScores("a", 1, 0, 1), nano("n", 1, 1, 1), verdicttest.SideOfScores("bb", 0, 0, 1)}, "a bb"},
		"beside simulated": {[]verdict.Side{nano("n", 1, 1, 1), simulated("x", 1, 0, 1), simulated("yy", 0, 0, 1)}, "x yy"},
		"beside both":      {[]verdict.Side{simulated("x", 1, 1, 1), nano("n", 1, 1, 1), verdicttest.SideOfScores("a", 1, 0, 1), verdicttest.SideOfScores("bb", 0, 0, 1)}, "a bb"},
		"brought back":     {[]verdict.Side{back, verdicttest.SideOfScores("a", 1, 0, 1), verdicttest.SideOfScores("bb", 0, 0, 1)}, "a bb"},
		"by itself":        {[]verdict.Side{nano("n", 1, 1, 1), nano("nn", 1, 0, 1)}, "n nn"},
	} {
		b := lead(t, c.sides...)
		var ranked []string
		for _, p := range b.Places {
			if p.Rank > 0 {
				ranked = append(ranked, p.Name)
			} else if p.Model == "nano" && !strings.Contains(p.Unranked, "trained on some of its tasks") || p.Mean == 0 {
				t.Errorf("%s: %+v", what, p)
			}
		}
		if got := strings.Join(ranked, " "); got != c.ranked || len(b.Places) != len(c.sides) || verdicttest.HasNote(b.Notes, "unranked") != (len(ranked) < len(c.sides)) {
			t.Errorf("%s: ranked are %s, want %s; notes %v", what, got, c.ranked, b.Notes)
		}
	}
	if b, err := verdict.Rank([]verdict.Side{nano("n", 1, 1), simulated("x", 1, 0)}, verdict.RankOptions{Score: verdicttest.StoredScore}); b != nil || err != nil {
		t.Errorf("no run can be ranked: %+v, %v", b, err)
	}
	for what, c := range map[string]struct {
		a, b verdict.Side
		want int
	}{
		"beside another":     {verdicttest.SideOfScores("a", 1, 0, 1), nano("n", 1, 1, 1), 1},
		"beside simulated":   {nano("n", 1, 1, 1), simulated("x", 1, 0, 1), 1},
		"brought back":       {back, verdicttest.SideOfScores("a", 1, 0, 1), 1},
		"two of it":          {nano("n", 1, 1, 1), nano("nn", 1, 0, 1), 0},
		"beside a namesake":  {nano("n", 1, 1, 1), own(nano("theirs", 1, 0, 1)), 1},
		"only its namesakes": {verdicttest.SideOfScores("a", 1, 0, 1), own(nano("theirs", 1, 0, 1)), 0},
	} {
		n := 0
		for _, w := range verdicttest.Compare(t, c.a, c.b, verdicttest.SmallOptions()).Warnings {
			if w.Kind == "built-in" && strings.Contains(w.Text, "is nano, the built-in model") {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %d warnings, want %d", what, n, c.want)
		}
	}
	_, err := autorank.Rank([]verdict.Side{verdicttest.SideOfScores("a", 1, 0), nano("n", 1, 0)}, autorank.Options{Metric: "score", Score: verdicttest.StoredScore})
	var r *verdict.Refusal
	if !errors.As(err, &r) || r.Do == "" || !strings.Contains(r.Why, "not ranked among others") {
		t.Errorf("the signed-rank analysis: %v", err)
	}
	if _, err := autorank.Rank([]verdict.Side{nano("n", 1, 0), nano("nn", 1, 0)}, autorank.Options{Metric: "score", Score: verdicttest.StoredScore}); err != nil {
		t.Error(err)
	}
}

// own makes a side one of another program.
func own(s verdict.Side) verdict.Side {
	s.Run.Origin = "lm-eval"
	return s
}

// TestLeadRefuses everything that Compare refuses, except another seed.
func TestLeadRefuses(t *testing.T) {
	for field, change := range map[string]func(s *verdict.Side){
		"edition": func(s *verdict.Side) { s.Run.Plan.Edition = verbatim.Reference },
		"prompt":  func(s *verdict.Side) { s.Run.Plan.Variant = &verbatim.Variant{Shots: 2} },
		"version of family copy": func(s *verdict.Side) {
			s.Run.Plan.Cells = []verbatim.Cell{{Family: "copy", Version: 2}}
		},
		"run": func(s *verdict.Side) { *s = verdicttest.SideOfScores("bb", 1, 1) },
		"grader": func(s *verdict.Side) {
			var records []verbatim.Record
			for r := range s.Records {
				r.Grade.Grader = "text/3"
				records = append(records, r)
			}
			s.Records = verdicttest.EachRecord(records)
		},
		"items": func(s *verdict.Side) {
			s.Records = verdicttest.EachRecord([]verbatim.Record{verdicttest.MakeRecord(0, verdicttest.MakeItem("sort", 8, 0), 0, 1), verdicttest.MakeRecord(1, verdicttest.MakeItem("sort", 8, 1), 0, 1)})
			s.Run.Plan.Hash = "another"
		},
	} {
		a, b, c := verdicttest.SideOfScores("a", 1, 1), verdicttest.SideOfScores("bb", 1, 1), verdicttest.SideOfScores("ccc", 1, 0)
		a.Run.Plan.Cells = []verbatim.Cell{{Family: "copy", Version: 1}}
		change(&c)
		_, err := verdict.Rank([]verdict.Side{a, b, c}, verdict.RankOptions{Score: verdicttest.StoredScore})
		var refusal *verdict.Refusal
		if !errors.As(err, &refusal) || refusal.Field != field || refusal.Do == "" {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := verdict.Rank([]verdict.Side{verdicttest.SideOfScores("a", 1), verdicttest.SideOfScores("bb", 1)}, verdict.RankOptions{}); err == nil {
		t.Error("no score, and no error")
	}
	if _, err := verdict.Rank([]verdict.Side{verdicttest.SideOfScores("a", 1), verdicttest.SideOfScores("bb", 1)}, verdict.RankOptions{Score: verdicttest.StoredScore, Confidence: 2}); err == nil {
		t.Error("a confidence of 2, and no error")
	}
}

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

// TestLeadApart ranks runs of two seeds on their own items, and distinguishes fewer
// runs than on the same items.
func TestLeadApart(t *testing.T) {
	own := func(name string, from, right int) verdict.Side {
		var records []verbatim.Record
		for i := range 100 {
			s := 0.0
			if i < right {
				s = 1
			}
			records = append(records, verdicttest.MakeRecord(i, verdicttest.MakeItem("copy", 8, from+i), 0, s))
		}
		return verdicttest.MakeSide(name, records...)
	}
	a, b := own("a", 0, 90), own("bb", 1000, 75)
	b.Run.Plan.Seed, b.Run.Plan.Hash = 2, "another"
	board := lead(t, a, b)
	if board.Paired || board.Items != 0 || board.LeftOut != 200 || !verdicttest.HasNote(board.Notes, "unpaired") {
		t.Errorf("%+v", board)
	}
	first, second := place(t, board, "a"), place(t, board, "bb")
	if first.Rank != 1 || second.Rank != 2 || first.Items != 100 || math.Abs(first.Mean-0.9) > 1e-12 || first.RankProbabilities[0] < 0.99 || len(first.Indistinguishable) != 0 {
		t.Errorf("%+v", board.Places)
	}
	if turned := lead(t, b, a); place(t, turned, "a").RankProbabilities[0] < 0.99 || place(t, turned, "a").RankHigh != 1 {
		t.Errorf("in the other order: %+v", turned.Places)
	}
	if p := board.Ahead[0][1]; math.Abs(p-0.9977) > 0.001 || math.Abs(p-first.RankProbabilities[0]) > 0.005 {
		t.Errorf("ahead with %v, first with %v", p, first.RankProbabilities[0])
	}
	if verdicttest.HasNote(board.Notes, "weights") {
		t.Errorf("notes %v", board.Notes)
	}
	shares := func(name string, seed uint64, short int) verdict.Side {
		var records []verbatim.Record
		for i := range 40 {
			length := 16
			if i < short {
				length = 8
			}
			records = append(records, verdicttest.MakeRecord(i, verdicttest.MakeItem("copy", length, int(seed)*1000+i), 0, float64(i%2)))
		}
		s := verdicttest.MakeSide(name, records...)
		s.Run.Plan.Seed, s.Run.Plan.Hash = seed, name
		return s
	}
	if even, odd := lead(t, shares("a", 1, 20), shares("bb", 2, 20)), lead(t, shares("a", 1, 20), shares("bb", 2, 30)); verdicttest.HasNote(even.Notes, "weights") || !verdicttest.HasNote(odd.Notes, "weights") || string(even.Stratified) != "cells" {
		t.Errorf("notes %v and %v, by %s", even.Notes, odd.Notes, even.Stratified)
	}
	// Two of three seeds alike: still nothing is common to all.
	board = lead(t, a, b, own("ccc", 0, 80))
	if board.Paired || place(t, board, "ccc").Rank != 2 {
		t.Errorf("%+v", board)
	}
}

// TestLeadApartAlike: runs that were wrong in as many items of their own have the same
// probabilities of their ranks, and more items are not as many.
func TestLeadApartAlike(t *testing.T) {
	wrong := func(name string, from, items, right int) verdict.Side {
		var records []verbatim.Record
		for i := range items {
			s := 0.0
			if i < right {
				s = 1
			}
			records = append(records, verdicttest.MakeRecord(i, verdicttest.MakeItem("copy", 8, from+i), 0, s))
		}
		s := verdicttest.MakeSide(name, records...)
		s.Run.Plan.Hash = name
		return s
	}
	sides := []verdict.Side{wrong("a", 0, 5, 0), wrong("bb", 100, 5, 3), wrong("ccc", 200, 5, 0), wrong("dddd", 300, 9, 0)}
	board := lead(t, sides...)
	if a, c, d := place(t, board, "a"), place(t, board, "ccc"), place(t, board, "dddd"); !slices.Equal(a.RankProbabilities, c.RankProbabilities) || slices.Equal(a.RankProbabilities, d.RankProbabilities) {
		t.Errorf("%v, %v and %v", a.RankProbabilities, c.RankProbabilities, d.RankProbabilities)
	}
	slices.Reverse(sides)
	turned := lead(t, sides...)
	for _, name := range []string{"a", "bb", "ccc", "dddd"} {
		if p, q := place(t, board, name).RankProbabilities, place(t, turned, name).RankProbabilities; !slices.Equal(p, q) {
			t.Errorf("%s: %v, in the other order %v", name, p, q)
		}
	}
}

// TestLeadByItem: several trials count as their mean, and the order of records of
// another plan does not matter.
func TestLeadByItem(t *testing.T) {
	var records []verbatim.Record
	for trial := range 2 {
		for i := range 4 {
			records = append(records, verdicttest.MakeRecord(len(records), verdicttest.MakeItem("copy", 8, 3-i), trial, float64((i+trial)%2)))
		}
	}
	b := verdicttest.MakeSide("bb", records...)
	b.Run.Plan.Trials, b.Run.Plan.Hash = 2, "twice"
	board := lead(t, verdicttest.SideOfScores("a", 1, 1, 1, 0), b)
	if p := place(t, board, "bb"); board.Items != 4 || p.Mean != 0.5 || !verdicttest.HasNote(board.Notes, "trials") || !verdicttest.HasNote(board.Notes, "plans") {
		t.Errorf("%+v, notes %v", p, board.Notes)
	}
}
