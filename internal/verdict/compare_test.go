package verdict_test

import (
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/testmain"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

func TestVerdicts(t *testing.T) {
	same := func(n int, score float64) []float64 {
		s := make([]float64, n)
		for i := range s {
			s[i] = score
		}
		return s
	}
	for _, c := range []struct {
		name string
		a, b []float64
		want verdict.Word
	}{
		{"all ties, many", same(180, 1), same(180, 1), verdict.Equivalent},
		{"all ties, few", same(20, 1), same(20, 1), verdict.Inconclusive},
		{"all wrong, both", same(180, 0), same(180, 0), verdict.Equivalent},
		{"B fails throughout", same(20, 1), same(20, 0), verdict.Worse},
		{"B is right throughout", same(20, 0), same(20, 1), verdict.Better},
		{"one item, worse", same(1, 1), same(1, 0), verdict.Inconclusive},
		{"one item, tie", same(1, 1), same(1, 1), verdict.Inconclusive},
	} {
		got := verdicttest.Compare(t, verdicttest.SideOfScores("a", c.a...), verdicttest.SideOfScores("bb", c.b...), verdicttest.SmallOptions())
		if got.Word != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.Word, c.want)
		}
		if (got.ItemsNeeded != nil) != (c.want == verdict.Inconclusive && len(c.a) >= verdict.FewItems) {
			t.Errorf("%s: settle %+v", c.name, got.ItemsNeeded)
		}
		if d := got.Difference; !(d.Low < d.High) {
			t.Errorf("%s: an interval from %v to %v", c.name, d.Low, d.High)
		}
	}
}

// TestBinaryReference compares the posterior of right and wrong answers with values of
// the Dirichlet-multinomial model that another program computed.
func TestBinaryReference(t *testing.T) {
	var a, b []float64
	for i := range 100 { // 10 only A right, 3 only B, 87 both
		x, y := 1.0, 1.0
		if i < 10 {
			y = 0
		} else if i < 13 {
			x = 0
		}
		a, b = append(a, x), append(b, y)
	}
	c := verdicttest.Compare(t, verdicttest.SideOfScores("a", a...), verdicttest.SideOfScores("bb", b...), verdicttest.SmallOptions())
	for _, v := range []struct{ got, want float64 }{
		{c.Difference.Worse, .9204725}, {c.Difference.Equivalent, .0735720}, {c.Difference.Better, .0059555},
		{c.Success.Worse, .9204725}, {c.Success.SignFlip, .0922852},
	} {
		if math.Abs(v.got-v.want) > 1e-6 {
			t.Errorf("%v, want %v", v.got, v.want)
		}
	}
	if c.Flips.OnlyA != 10 || c.Flips.OnlyB != 3 || len(c.Flips.List) != 13 || c.Flips.List[0].B.Label != "altered" {
		t.Errorf("flips %+v", c.Flips)
	}
	if c.A.Right != 90+7 || math.Abs(c.A.Share-.97) > 1e-12 {
		t.Errorf("A %+v", c.A.SideResult)
	}
}

// TestRepeats counts an item once, however many trials it has.
func TestRepeats(t *testing.T) {
	trials := func(name string, n int, score func(i, trial int) float64) verdict.Side {
		var records []verbatim.Record
		for trial := range n {
			for i := range 50 {
				records = append(records, verdicttest.MakeRecord(len(records), verdicttest.MakeItem("copy", 8, i), trial, score(i, trial)))
			}
		}
		s := verdicttest.MakeSide(name, records...)
		s.Run.Plan.Trials, s.Run.Plan.Hash = n, "trials "+strconv.Itoa(n)
		return s
	}
	half := func(i, trial int) float64 { return float64((i + trial) % 2) }
	c := verdicttest.Compare(t, trials("a", 4, half), trials("bb", 4, half), verdicttest.SmallOptions())
	if c.Items != 50 || c.A.Answers != 200 || c.Difference.Value != 0 || c.Flips.OnlyA+c.Flips.OnlyB != 0 {
		t.Errorf("the same answers: %d items, %d answers, %v, %+v", c.Items, c.A.Answers, c.Difference.Value, c.Flips)
	}
	first := func(i, trial int) float64 {
		if trial == 0 || i > 4 {
			return 1
		}
		return 0
	}
	c = verdicttest.Compare(t, trials("a", 4, func(int, int) float64 { return 1 }), trials("bb", 4, first), verdicttest.SmallOptions())
	if want := -5 * 0.75 / 50; math.Abs(c.Difference.Value-want) > 1e-12 || c.Flips.OnlyA != 5 || c.B.Right != 200-15 {
		t.Errorf("five items wrong in three of four trials: %+v", c)
	}
	once := trials("a", 1, func(int, int) float64 { return 1 })
	c = verdicttest.Compare(t, once, trials("bb", 4, first), verdicttest.SmallOptions())
	if c.A.Answers != 50 || c.B.Answers != 200 || c.Items != 50 || !verdicttest.HasNote(c.Notes, "trials") {
		t.Errorf("once and four times: %d and %d answers, notes %v", c.A.Answers, c.B.Answers, c.Notes)
	}
}

// TestOverlap compares what two plans have in common and counts the rest.
func TestOverlap(t *testing.T) {
	a, b := verdicttest.SideOfScores("a", 1, 1, 1, 1, 1), verdicttest.SideOfScores("bb", 1, 1, 1)
	b.Run.Plan.Hash = "q"
	c := verdicttest.Compare(t, a, b, verdicttest.SmallOptions())
	if c.Items != 3 || c.LeftOut.OnlyA != 2 || c.LeftOut.OnlyB != 0 || !verdicttest.HasNote(c.Warnings, "plans") {
		t.Errorf("%d items, left %+v, warnings %v", c.Items, c.LeftOut, c.Warnings)
	}
	c = verdicttest.Compare(t, b, a, verdicttest.SmallOptions())
	if c.LeftOut.OnlyB != 2 {
		t.Errorf("the other way: left %+v", c.LeftOut)
	}
}

// TestStrata names what a posterior is stratified by, and falls back where a cell
// or a length has a single item.
func TestStrata(t *testing.T) {
	grid := func(families, lengths []int) (a, b verdict.Side) {
		var ra, rb []verbatim.Record
		for i := range families {
			it := verdicttest.MakeItem("task"+strconv.Itoa(families[i]), lengths[i], i)
			ra, rb = append(ra, verdicttest.MakeRecord(i, it, 0, 1)), append(rb, verdicttest.MakeRecord(i, it, 0, float64(i%3)/2))
		}
		return verdicttest.MakeSide("a", ra...), verdicttest.MakeSide("bb", rb...)
	}
	for _, c := range []struct {
		families, lengths []int
		by                string
		even              bool
	}{
		{[]int{0, 0, 1, 1}, []int{8, 8, 8, 8}, "cells", true},
		{[]int{0, 0, 1, 1, 1}, []int{8, 8, 8, 8, 8}, "cells", false},
		{[]int{0, 1, 0, 1}, []int{8, 8, 16, 16}, "lengths", true},
		{[]int{0, 1, 0}, []int{8, 8, 16}, "none", true},
		{[]int{0, 0, 0}, []int{8, 8, 8}, "none", true},
	} {
		a, b := grid(c.families, c.lengths)
		got := verdicttest.Compare(t, a, b, verdicttest.SmallOptions())
		if string(got.Difference.Stratified) != c.by || got.Balanced != c.even {
			t.Errorf("families %v, lengths %v: by %s, even %v", c.families, c.lengths, got.Difference.Stratified, got.Balanced)
		}
	}
}

// TestUndefinedScore counts it as 0 and says so.
func TestUndefinedScore(t *testing.T) {
	a, b := verdicttest.SideOfScores("a", 1, 1), verdicttest.SideOfScores("bb", 1, 1)
	var records []verbatim.Record
	for r := range b.Records {
		r.Grade.Score = nil
		records = append(records, r)
	}
	b.Records = verdicttest.EachRecord(records)
	c := verdicttest.Compare(t, a, b, verdicttest.SmallOptions())
	if c.Difference.Value != -1 || c.B.Undefined != 2 || !verdicttest.HasNote(c.Notes, "undefined") {
		t.Errorf("difference %v, undefined %d, notes %v", c.Difference.Value, c.B.Undefined, c.Notes)
	}
	o := verdicttest.SmallOptions()
	o.Score = func(*verbatim.Item, *verbatim.Grade) (float64, bool) { return math.NaN(), true }
	if _, err := verdict.Compare(verdicttest.SideOfScores("a", 1), verdicttest.SideOfScores("bb", 1), o); err == nil || !strings.Contains(err.Error(), "copy@1/len=8/seed=1/0") {
		t.Errorf("a score that is not a number: %v", err)
	}
}

// TestBrokenStreams passes on the errors of reading, and ends the other side.
func TestBrokenStreams(t *testing.T) {
	broken := errors.New("the disk is on fire")
	for _, which := range []int{0, 1} {
		sides := []verdict.Side{verdicttest.SideOfScores("a", make([]float64, 3000)...), verdicttest.SideOfScores("bb", make([]float64, 3000)...)}
		good := sides[which].Records
		ended := make(chan bool, 1)
		sides[which].Records = func(yield func(verbatim.Record, error) bool) {
			n := 0
			for r := range good {
				if n++; n > 700 {
					yield(verbatim.Record{}, broken)
					return
				}
				if !yield(r, nil) {
					return
				}
			}
		}
		other := sides[1-which].Records
		sides[1-which].Records = func(yield func(verbatim.Record, error) bool) {
			defer func() { ended <- true }()
			other(yield)
		}
		if _, err := verdict.Compare(sides[0], sides[1], verdicttest.SmallOptions()); !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
		<-ended
	}
}

// TestEqualModels sums the probability of a false verdict on two equal models over all
// outcomes of n right or wrong answers. It must be at most 6 % for every n from 8 and every
// share of items that differ. The posterior alone gave 6.6 to 14.6 %.
func TestEqualModels(t *testing.T) {
	sizes, step := []int{8, 9, 10, 12, 15, 20, 30}, 0.05
	if os.Getenv("VERBATIM_EXHAUSTIVE") != "" {
		sizes, step = nil, 0.01
		for n := 8; n <= 120; n++ {
			sizes = append(sizes, n)
		}
	}
	for _, n := range sizes {
		for _, rope := range []float64{0, 0.02, 0.05} {
			decided := directions(t, n, rope)
			for differ := step; differ < 1+step/2; differ += step {
				if rate := falseVerdicts(decided, min(differ, 1)); rate > 0.06 {
					t.Errorf("%d items, ROPE %v, %.2f of them differ: %.4f false verdicts", n, rope, differ, rate)
				}
			}
		}
	}
}

// directions gives the verdict, worse or better, by the number of differing items and
// by how many of them only A has right.
func directions(t *testing.T, n int, rope float64) [][]bool {
	o := verdict.Defaults("", nil)
	o.Rope = rope
	decided := make([][]bool, n+1)
	for differ := range decided {
		decided[differ] = make([]bool, differ+1)
		for onlyA := range decided[differ] {
			if onlyB := differ - onlyA; onlyB < onlyA {
				decided[differ][onlyA] = decided[differ][onlyB]
				continue
			}
			var s stats.Strata
			for i := range n {
				d := 0.0
				switch {
				case i < onlyA:
					d = -1
				case i < differ:
					d = 1
				}
				if err := s.Add(0, d); err != nil {
					t.Fatal(err)
				}
			}
			p, err := s.Posterior()
			if err != nil {
				t.Fatal(err)
			}
			d, err := o.Difference(p, &s, false)
			if err != nil {
				t.Fatal(err)
			}
			word := o.Word(&d)
			decided[differ][onlyA] = word == verdict.Worse || word == verdict.Better
		}
	}
	return decided
}

// falseVerdicts is the probability of a direction if each item differs with a probability,
// as likely in one direction as in the other.
func falseVerdicts(decided [][]bool, share float64) (rate float64) {
	n := len(decided) - 1
	for differ, row := range decided {
		for onlyA, is := range row {
			if is {
				rate += binomial(n, differ, share) * binomial(differ, onlyA, 0.5)
			}
		}
	}
	return rate
}

func binomial(n, k int, p float64) float64 {
	if p >= 1 {
		if k == n {
			return 1
		}
		return 0
	}
	all, _ := math.Lgamma(float64(n + 1))
	some, _ := math.Lgamma(float64(k + 1))
	rest, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(all - some - rest + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// TestAdjust corrects the verdicts on several runs by Holm, and leaves a withheld one.
func TestAdjust(t *testing.T) {
	var list []*verdict.Comparison
	for _, c := range []struct {
		worse float64
		word  verdict.Word
	}{{0.999, verdict.Worse}, {0.97, verdict.Worse}, {0.98, verdict.Withheld}} {
		one := &verdict.Comparison{Threshold: 0.95, P: 1 - c.worse}
		one.Word = c.word
		one.Difference = verdict.Difference{Worse: c.worse, Equivalent: 1 - c.worse}
		list = append(list, one)
	}
	verdict.Adjust(list)
	for i, want := range []verdict.Word{verdict.Worse, verdict.Inconclusive, verdict.Withheld} {
		if c := list[i]; c.Word != want || c.Together != 3 {
			t.Errorf("comparison %d: %s of %d, want %s (p %v, adjusted %v)", i, c.Word, c.Together, want, c.P, c.Adjusted)
		}
	}
}

// TestMissingAnswers withholds a verdict above the bound, and not at it.
func TestMissingAnswers(t *testing.T) {
	with := func(name string, gone int) verdict.Side {
		var records []verbatim.Record
		for i := range 100 {
			if it := verdicttest.MakeItem("copy", 8, i); i < gone {
				records = append(records, verdicttest.LostRecord(i, it, 0))
			} else {
				records = append(records, verdicttest.MakeRecord(i, it, 0, float64(i%2)))
			}
		}
		return verdicttest.MakeSide(name, records...)
	}
	for gone, withheld := range map[int]bool{0: false, 2: false, 3: true} {
		c := verdicttest.Compare(t, with("a", 0), with("bb", gone), verdicttest.SmallOptions())
		if (c.Word == verdict.Withheld) != withheld || (len(c.Why) > 0) != withheld {
			t.Errorf("%d unanswered: %s %v", gone, c.Word, c.Why)
		}
		if c.Items != int64(100-gone) || c.LeftOut.UnansweredB != int64(gone) || math.Abs(c.LeftOut.Share-float64(gone)/100) > 1e-12 {
			t.Errorf("%d unanswered: %d items, left %+v", gone, c.Items, c.LeftOut)
		}
	}
	o := verdicttest.SmallOptions()
	o.MaxUnanswered = 0.5
	if c := verdicttest.Compare(t, with("a", 0), with("bb", 40), o); c.Word == verdict.Withheld {
		t.Errorf("below the requested bound: %s", c.Word)
	}
}

// TestUndecidedLimits withholds a verdict where one side was cut short more often.
func TestUndecidedLimits(t *testing.T) {
	with := func(name string, short int, detail string) verdict.Side {
		var records []verbatim.Record
		for i := range 100 {
			r := verdicttest.MakeRecord(i, verdicttest.MakeItem("copy", 8, i), 0, 1)
			if i < short {
				r = verdicttest.MakeRecord(i, verdicttest.MakeItem("copy", 8, i), 0, 0)
				r.Outcome, r.Grade.Outcome, r.Grade.Detail = verbatim.Truncated, verbatim.Truncated, detail
			}
			records = append(records, r)
		}
		return verdicttest.MakeSide(name, records...)
	}
	for _, c := range []struct {
		a, b   int
		detail string
		want   bool
	}{{0, 3, "prefix", true}, {3, 0, "prefix", true}, {3, 3, "prefix", false}, {0, 2, "prefix", false}, {0, 50, "diverged", false}} {
		got := verdicttest.Compare(t, with("a", c.a, c.detail), with("bb", c.b, c.detail), verdicttest.SmallOptions())
		if (got.Word == verdict.Withheld) != c.want {
			t.Errorf("%+v: %s %v", c, got.Word, got.Why)
		}
	}
}

// TestRefusals changes one field at a time, and wants the error to name it.
func TestRefusals(t *testing.T) {
	cells := []verbatim.Cell{{Family: "copy", Version: 1, Length: verbatim.Lengths{Min: 8, Max: 8}, N: 3}}
	for _, c := range []struct {
		field  string
		change func(*verdict.Side)
	}{
		{"run", func(s *verdict.Side) { *s = verdicttest.SideOfScores("a", 1, 1, 1) }},
		{"edition", func(s *verdict.Side) { s.Run.Plan.Edition = verbatim.Paper }},
		{"seed", func(s *verdict.Side) { s.Run.Plan.Seed = 7 }},
		{"version of family copy", func(s *verdict.Side) {
			s.Run.Plan.Cells = []verbatim.Cell{{Family: "copy", Version: 2, Length: verbatim.Lengths{Min: 8, Max: 8}, N: 3}}
		}},
		{"prompt", func(s *verdict.Side) { s.Run.Plan.Variant = &verbatim.Variant{Shots: 3} }},
		{"items", func(s *verdict.Side) { // nothing in common
			s.Run.Plan.Hash, s.Records = "q", verdicttest.EachRecord([]verbatim.Record{verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 9, 0), 0, 1)})
		}},
		{"items", func(s *verdict.Side) { // nothing answered
			s.Records = verdicttest.EachRecord([]verbatim.Record{verdicttest.LostRecord(0, verdicttest.MakeItem("copy", 8, 0), 0)})
		}},
		{"items", func(s *verdict.Side) { s.Records = verdicttest.EachRecord(nil) }},
		{"items", func(s *verdict.Side) { // the same position twice
			r := verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 8, 0), 0, 1)
			s.Records = verdicttest.EachRecord([]verbatim.Record{r, r})
		}},
		{"items", func(s *verdict.Side) { // the same item twice in a trial, at two positions
			r := verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 8, 0), 0, 1)
			s.Run.Plan.Hash, s.Records = "q", verdicttest.EachRecord([]verbatim.Record{r, verdicttest.MakeRecord(1, r.Item, 0, 1)})
		}},
		{"grader", func(s *verdict.Side) {
			r := verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 8, 0), 0, 1)
			r.Grade.Grader = "text/3"
			s.Records = verdicttest.EachRecord([]verbatim.Record{r})
		}},
	} {
		a, b := verdicttest.SideOfScores("a", 1, 1, 1), verdicttest.SideOfScores("bb", 1, 1, 1)
		a.Run.Plan.Cells, b.Run.Plan.Cells = cells, cells
		c.change(&b)
		_, err := verdict.Compare(a, b, verdicttest.SmallOptions())
		var r *verdict.Refusal
		if !errors.As(err, &r) {
			t.Errorf("%s: error %v", c.field, err)
			continue
		}
		if r.Field != c.field || r.Hint() == "" || !r.Misuse() || !strings.Contains(r.Error(), "a and ") {
			t.Errorf("%s: %+v: %v", c.field, r, r)
		}
	}
	own := func(sum string) verdict.Side {
		s := verdicttest.SideOfScores("a"+sum, 1, 1)
		s.Run.Plan.Suite, s.Run.Plan.Hash, s.Run.Plan.Items = "items", sum, &verbatim.ItemFile{Name: "mine.jsonl", SHA256: sum}
		return s
	}
	var r *verdict.Refusal
	if _, err := verdict.Compare(own("1"), own("2"), verdicttest.SmallOptions()); !errors.As(err, &r) || r.Field != "items file" {
		t.Errorf("other files of items: %v", err)
	}
}

// promptSides returns two runs of one model, the second with another prompt.
func promptSides() (a, b verdict.Side) {
	a, b = verdicttest.DrawSides(3, 4, 6, 0.3, 1)
	b.Run.Name, b.Run.Model, b.Run.Params = "b", a.Run.Model, a.Run.Params
	b.Run.Plan.Variant, b.Run.Plan.Hash = &verbatim.Variant{Paraphrase: "1"}, "other"
	return a, b
}

// TestAcrossPrompt: two prompts with one model are compared item by item, with the figures
// of any comparison.
func TestAcrossPrompt(t *testing.T) {
	a, b := promptSides()
	o := verdicttest.SmallOptions()
	if _, err := verdict.Compare(a, b, o); err == nil || !strings.Contains(err.Error(), "prompt differs") {
		t.Errorf("without --across: %v", err)
	}
	o.AcrossPrompt = true
	c, err := verdict.Compare(a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	same, other := verdicttest.DrawSides(3, 4, 6, 0.3, 1)
	want := verdicttest.Compare(t, same, other, verdicttest.SmallOptions())
	if c.Across != verdict.AcrossPrompt || c.Items != want.Items || c.Difference != want.Difference || c.Word != want.Word {
		t.Errorf("%+v, want the figures %+v", c.Difference, want.Difference)
	}
}

func TestAcrossPromptRefuses(t *testing.T) {
	for name, change := range map[string]func(*verbatim.Run){
		"model":      func(r *verbatim.Run) { r.Model = "another" },
		"parameters": func(r *verbatim.Run) { r.Params.Effort = "low" },
		"prompt":     func(r *verbatim.Run) { r.Plan.Variant = nil },
		"seed":       func(r *verbatim.Run) { r.Plan.Seed++ },
	} {
		a, b := promptSides()
		change(&b.Run)
		o := verdicttest.SmallOptions()
		o.AcrossPrompt = true
		_, err := verdict.Compare(a, b, o)
		var refused *verdict.Refusal
		if !errors.As(err, &refused) || refused.Field != name || refused.Hint() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPromptPairs: each run is compared with the first of its model.
func TestPromptPairs(t *testing.T) {
	run := func(model, effort, paraphrase string) verdict.Side {
		return verdict.Side{Run: verbatim.Run{Model: model, Params: verbatim.Params{Effort: effort}, Plan: verbatim.Plan{Variant: &verbatim.Variant{Paraphrase: paraphrase}}}}
	}
	pairs, err := verdict.PromptPairs([]verdict.Side{run("a", "", "1"), run("b", "", "1"), run("b", "", "2"), run("a", "", "2"), run("a", "", "3")})
	if err != nil || len(pairs) != 3 || pairs[0] != [2]int{0, 3} || pairs[1] != [2]int{0, 4} || pairs[2] != [2]int{1, 2} {
		t.Errorf("%v, %v", pairs, err)
	}
	if _, err := verdict.PromptPairs([]verdict.Side{run("a", "", "1"), run("a", "low", "2"), run("a", "", "2")}); err == nil {
		t.Error("a run without a partner is not refused")
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }

// TestLimitsAreKept: what is saved of limits changes no result, in whatever order
// comparisons come, and also where they run at the same time.
func TestLimitsAreKept(t *testing.T) {
	a, b := verdicttest.DrawSides(3, 4, 6, 0.1, 1)
	c, d := verdicttest.DrawSides(3, 4, 6, 0.3, 2)
	c.Run.Name, d.Run.Name = "ccc", "dddd"
	pairs := [][2]verdict.Side{{a, b}, {a, c}, {d, a}, {a, b}}
	var want []*verdict.Comparison
	for _, p := range pairs {
		want = append(want, verdicttest.Compare(t, p[0], p[1], verdicttest.SmallOptions()))
	}
	o := verdicttest.SmallOptions()
	o.Horizons = new(verdict.HorizonCache)
	got := make([]*verdict.Comparison, len(pairs))
	done := make(chan error, len(pairs))
	for i, p := range pairs {
		go func() {
			var err error
			got[i], err = verdict.Compare(p[0], p[1], o)
			done <- err
		}()
	}
	for range pairs {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if want[0].A.Horizon == nil || want[0].Families[0].A.Horizon == nil {
		t.Fatal("no limits to keep")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	o.Resamples++
	other := verdicttest.Compare(t, a, b, o)
	if cmp.Equal(other.A.Horizon, want[0].A.Horizon) && cmp.Equal(other.B.Horizon, want[0].B.Horizon) {
		t.Error("other options, and the same limits")
	}
}

// TestNoLimits: without resamples none are looked for, and everything else is the same.
func TestNoLimits(t *testing.T) {
	a, b := verdicttest.DrawSides(3, 4, 6, 0.1, 1)
	o := verdicttest.SmallOptions()
	want := verdicttest.Compare(t, a, b, o)
	o.Resamples = 0
	got := verdicttest.Compare(t, a, b, o)
	if want.A.Horizon == nil || want.B.Horizon == nil || want.Families[0].A.Horizon == nil {
		t.Fatal("no limits to leave out")
	}
	want.A.Horizon, want.B.Horizon = nil, nil
	for i := range want.Families {
		want.Families[i].A.Horizon, want.Families[i].B.Horizon = nil, nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkCompare(b *testing.B) {
	x, y := verdicttest.DrawSides(18, 8, 10, 0.02, 1)
	for b.Loop() {
		verdicttest.Compare(b, x, y, verdict.Defaults("score", verdicttest.StoredScore))
	}
}

// BenchmarkPairs is the time of a pair in a long comparison.
func BenchmarkPairs(b *testing.B) {
	x, y := verdicttest.DrawSides(18, 8, 100, 0.02, 1)
	for b.Loop() {
		verdicttest.Compare(b, x, y, verdict.Defaults("score", verdicttest.StoredScore))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/14400, "ns/pair")
}

// BenchmarkBaseline compares six runs with one, as a report does, alone and with saved
// limits.
func BenchmarkBaseline(b *testing.B) {
	var sides []verdict.Side
	for i := range 4 {
		x, y := verdicttest.DrawSides(18, 8, 10, 0.02*float64(i), uint64(i))
		sides = append(sides, x, y)
	}
	for i := range sides {
		sides[i].Run.Name = string(rune('a' + i))
	}
	for _, saved := range []bool{false, true} {
		b.Run(strconv.FormatBool(saved), func(b *testing.B) {
			for b.Loop() {
				o := verdict.Defaults("score", verdicttest.StoredScore)
				if saved {
					o.Horizons = new(verdict.HorizonCache)
				}
				for _, s := range sides[1:7] {
					verdicttest.Compare(b, sides[0], s, o)
				}
			}
		})
	}
}
