package verdict_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"verbatim"
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
		if (got.ItemsNeeded != nil) != (c.want == verdict.Inconclusive) {
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
		{c.Success.Worse, .9204725}, {c.Success.P, .057373},
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
