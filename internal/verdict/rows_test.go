package verdict_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

// TestHolm gives a row a verdict only if it holds after the correction for all rows of
// the family.
func TestHolm(t *testing.T) {
	// Alone, six failures of forty are a verdict; among eight lengths they are not.
	a, b := verdicttest.BinarySides(40, 6)
	if c := verdicttest.Compare(t, a, b, verdicttest.SmallOptions()); c.Word != verdict.Worse {
		t.Fatalf("alone: %s (%+v)", c.Word, c.Difference)
	}
	a, b = verdicttest.BinarySides(40, 6, 0, 0, 0, 0, 0, 0, 30)
	c := verdicttest.Compare(t, a, b, verdicttest.SmallOptions())
	first, last := c.Lengths[0], c.Lengths[7]
	if first.Word != verdict.Inconclusive || first.P > 0.05 || first.Adjusted <= 0.05 {
		t.Errorf("six of forty among eight lengths: %s, p %v, adjusted %v", first.Word, first.P, first.Adjusted)
	}
	if first.ItemsNeeded == nil || first.ItemsNeeded.Toward != verdict.Worse || *first.ItemsNeeded.More < 1 {
		t.Errorf("nothing would settle it: %+v", first.ItemsNeeded)
	}
	if last.Word != verdict.Worse || last.ItemsNeeded != nil {
		t.Errorf("thirty of forty: %s, %+v", last.Word, last.ItemsNeeded)
	}
}

// TestThreshold gives a verdict if the posterior probability and the p-value of the
// sign-flip test reach the threshold, and not below it.
func TestThreshold(t *testing.T) {
	var a, b []float64
	for i := range 100 { // 10 only A right, 3 only B: P(worse) is .9205, the sign-flip p .0923
		x, y := 1.0, 1.0
		if i < 10 {
			y = 0
		} else if i < 13 {
			x = 0
		}
		a, b = append(a, x), append(b, y)
	}
	o := verdicttest.SmallOptions()
	for threshold, want := range map[float64]verdict.Word{0.95: verdict.Inconclusive, 0.92: verdict.Inconclusive, 0.908: verdict.Inconclusive, 0.907: verdict.Worse} {
		o.Threshold = threshold
		c := verdicttest.Compare(t, verdicttest.SideOfScores("a", a...), verdicttest.SideOfScores("bb", b...), o)
		if c.Word != want {
			t.Errorf("threshold %v: %s, want %s", threshold, c.Word, want)
		}
		if c.Word == verdict.Inconclusive && (c.ItemsNeeded.Toward != verdict.Worse || *c.ItemsNeeded.Items != *c.ItemsNeeded.More+100) {
			t.Errorf("threshold %v: %+v", threshold, c.ItemsNeeded)
		}
	}
}

// TestEquivalentOfTies: an endpoint that fails 2 % of items outright shows no failure in 13 % of
// runs of 101 items, and in 5 % of 149. Only the latter are enough for "equivalent".
func TestEquivalentOfTies(t *testing.T) {
	for n, want := range map[int]verdict.Word{101: verdict.Inconclusive, 148: verdict.Inconclusive, 149: verdict.Equivalent} {
		right := slices.Repeat([]float64{1}, n)
		c := verdicttest.Compare(t, verdicttest.SideOfScores("a", right...), verdicttest.SideOfScores("bb", right...), verdicttest.SmallOptions())
		if c.Word != want {
			t.Errorf("%d items without a difference: %s, want %s", n, c.Word, want)
		}
		if c.ItemsNeeded != nil && *c.ItemsNeeded.Items != 149 {
			t.Errorf("%d items without a difference: %d would settle it, want 149", n, *c.ItemsNeeded.Items)
		}
	}
}

// TestEdgeOfEquivalence: no number of items is proposed for a difference at the edge of
// the ROPE.
func TestEdgeOfEquivalence(t *testing.T) {
	var a, b []float64
	for i := range 100 {
		a = append(a, 1)
		b = append(b, 1)
		if i < 2 {
			b[i] = 0
		}
	}
	c := verdicttest.Compare(t, verdicttest.SideOfScores("a", a...), verdicttest.SideOfScores("bb", b...), verdicttest.SmallOptions())
	if c.Word != verdict.Inconclusive || c.ItemsNeeded == nil || c.ItemsNeeded.Items != nil || c.ItemsNeeded.More != nil {
		t.Errorf("a difference of %v: %s, %+v", c.Difference.Value, c.Word, c.ItemsNeeded)
	}
}

// TestFlipsAreBounded lists the first ones in planned order and counts them all.
func TestFlipsAreBounded(t *testing.T) {
	a, b := verdicttest.BinarySides(20, 9)
	o := verdicttest.SmallOptions()
	for most, want := range map[int]int{0: 0, 4: 4, 9: 9, 50: 9, -1: 9} {
		o.Flips = most
		c := verdicttest.Compare(t, a, b, o)
		if len(c.Flips.List) != want || c.Flips.OnlyA != 9 || c.Flips.OnlyB != 0 {
			t.Errorf("at most %d: %d listed, %d and %d counted", most, len(c.Flips.List), c.Flips.OnlyA, c.Flips.OnlyB)
		}
		for i, f := range c.Flips.List {
			if !strings.HasSuffix(f.Item, "/"+strconv.Itoa(i)) || f.Right != "a" || f.B.Label != "altered" {
				t.Errorf("flip %d: %+v", i, f)
			}
		}
	}
}

// TestAnotherItemAtAPlace refuses to pair different items at one position.
func TestAnotherItemAtAPlace(t *testing.T) {
	a := verdicttest.MakeSide("a", verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 8, 0), 0, 1))
	b := verdicttest.MakeSide("bb", verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 8, 1), 0, 1))
	if _, err := verdict.Compare(a, b, verdicttest.SmallOptions()); err == nil || !strings.Contains(err.Error(), "copy@1/len=8/seed=1/1") {
		t.Errorf("error %v", err)
	}
}

// TestBands reports the bands of a plan and stratifies by its cells.
func TestBands(t *testing.T) {
	cells := []verbatim.Cell{
		{Family: "reverse", Version: 1, Length: verbatim.Lengths{Min: 2, Max: 30}, N: 6, Bands: []verbatim.Lengths{{Min: 2, Max: 8}, {Min: 9, Max: 30}}},
		{Family: "add", Version: 1, Length: verbatim.Lengths{Min: 3, Max: 30}, N: 6},
	}
	var ra, rb []verbatim.Record
	for i, n := range []int{3, 8, 9, 30, 5, 12} {
		for _, family := range []string{"reverse", "add"} {
			it := verdicttest.MakeItem(family, n, i)
			ra, rb = append(ra, verdicttest.MakeRecord(len(ra), it, 0, 1)), append(rb, verdicttest.MakeRecord(len(rb), it, 0, float64(i%2)))
		}
	}
	// Beyond its plan an item has a cell of its own.
	far := verdicttest.MakeItem("add", 31, 0)
	ra, rb = append(ra, verdicttest.MakeRecord(len(ra), far, 0, 1)), append(rb, verdicttest.MakeRecord(len(rb), far, 0, 1))
	a, b := verdicttest.MakeSide("a", ra...), verdicttest.MakeSide("bb", rb...)
	a.Run.Plan.Cells, b.Run.Plan.Cells = cells, cells
	c := verdicttest.Compare(t, a, b, verdicttest.SmallOptions())
	var names []string
	for _, r := range c.Lengths {
		names = append(names, r.Family+" "+r.Length+" "+strconv.FormatInt(r.Items, 10))
	}
	if want := []string{"reverse 2–8 3", "reverse 9–30 3", "add 3–30 6", "add 31 1"}; !slices.Equal(names, want) {
		t.Errorf("lengths %q, want %q", names, want)
	}
	if c.A.Horizon != nil || c.Families[0].A.Horizon != nil {
		t.Error("there is a limit of bands, which are not on the scale of lengths")
	}
	a.Records, b.Records = verdicttest.EachRecord(ra[:12]), verdicttest.EachRecord(rb[:12])
	c = verdicttest.Compare(t, a, b, verdicttest.SmallOptions())
	if c.Difference.Stratified != "cells" || !c.Balanced || len(c.Families) != 2 {
		t.Errorf("by %s, even %v, %d families", c.Difference.Stratified, c.Balanced, len(c.Families))
	}
}

// TestLimitOfTasks: the limit does not depend on which task was sent first.
func TestLimitOfTasks(t *testing.T) {
	sides := func(order ...int) (a, b verdict.Side) {
		var records []verbatim.Record
		for i := range 10 {
			for _, f := range order {
				for l := range 4 {
					score := 0.0
					if l < f || (l == f && i < 5) {
						score = 1
					}
					records = append(records, verdicttest.MakeRecord(len(records), verdicttest.MakeItem("task"+strconv.Itoa(f), 2<<l, i), 0, score))
				}
			}
		}
		return verdicttest.MakeSide("a", records...), verdicttest.MakeSide("bb", records...)
	}
	o := verdicttest.SmallOptions()
	o.Resamples = 101
	x, y := sides(0, 1, 2, 3)
	first := verdicttest.Compare(t, x, y, o)
	x, y = sides(3, 1, 0, 2)
	other := verdicttest.Compare(t, x, y, o)
	if first.A.Horizon == nil || *first.A.Horizon != *other.A.Horizon {
		t.Errorf("%+v and %+v", first.A.Horizon, other.A.Horizon)
	}
	texts := func(c *verdict.Comparison) (list []string) {
		for _, r := range c.Families {
			list = append(list, r.Family+" "+r.A.Horizon.Text)
		}
		slices.Sort(list)
		return list
	}
	if got := texts(other); !slices.Equal(got, texts(first)) || len(got) != 4 {
		t.Errorf("limits %v and %v", got, texts(first))
	}
}

// TestCellByChance: how likely the split of a cell is by chance, by hand: of n items that
// one side alone has right, k and n-k, it is twice the chance of k or fewer heads of n
// fair coins, less that of k heads.
func TestCellByChance(t *testing.T) {
	var a, b []verbatim.Record
	add := func(length int, onlyA, onlyB, both int) {
		for i := range onlyA + onlyB + both {
			x, y := 1.0, 1.0
			if i < onlyA {
				y = 0
			} else if i < onlyA+onlyB {
				x = 0
			}
			a = append(a, verdicttest.MakeRecord(len(a), verdicttest.MakeItem("copy", length, i), 0, x))
			b = append(b, verdicttest.MakeRecord(len(b), verdicttest.MakeItem("copy", length, i), 0, y))
		}
	}
	add(4, 0, 0, 3)
	add(8, 5, 0, 1)
	add(16, 1, 6, 2)
	add(32, 2, 2, 0)
	c := verdicttest.Compare(t, verdicttest.MakeSide("a", a...), verdicttest.MakeSide("bb", b...), verdicttest.SmallOptions())
	want := []float64{1, 2. / 32, 2 * 8 / 128., 1}
	if len(c.Cells) != len(want) {
		t.Fatalf("%d cells", len(c.Cells))
	}
	for i, cell := range c.Cells {
		if math.Abs(cell.P-want[i]) > 1e-12 {
			t.Errorf("%s: %d and %d: %v, want %v", cell.Length, cell.OnlyA, cell.OnlyB, cell.P, want[i])
		}
	}
}

// TestTables: a table has a row for each family and length in the order of the plan, none if
// there would be a single one, and none if there would be too many.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		name                              string
		families, lengths                 int
		familyRows, lengthRows            int
		familiesAreNoted, lengthsAreNoted bool
	}{
		{"one of each", 1, 1, 0, 0, false, false},
		{"some", 3, 2, 3, 2, false, false},
		{"one family", 1, 48, 0, 48, false, false},
		{"many lengths", 1, 49, 0, 0, false, true},
		{"one length", 256, 1, 256, 0, false, false},
		{"many families", 257, 1, 0, 0, true, false},
	} {
		var records []verbatim.Record
		for f := range c.families {
			for l := range c.lengths {
				for i := range 2 {
					records = append(records, verdicttest.MakeRecord(len(records), verdicttest.MakeItem("task"+strconv.Itoa(f), 1+l, i), 0, 1))
				}
			}
		}
		o := verdicttest.SmallOptions()
		o.Resamples = 0
		got := verdicttest.Compare(t, verdicttest.MakeSide("a", records...), verdicttest.MakeSide("bb", records...), o)
		if len(got.Families) != c.familyRows || len(got.Lengths) != c.lengthRows {
			t.Errorf("%s: %d families and %d lengths", c.name, len(got.Families), len(got.Lengths))
		}
		if verdicttest.HasNote(got.Notes, "families") != c.familiesAreNoted || verdicttest.HasNote(got.Notes, "lengths") != c.lengthsAreNoted {
			t.Errorf("%s: %v", c.name, got.Notes)
		}
		for i, r := range got.Families {
			if r.Family != "task"+strconv.Itoa(i) || r.Length != "" || r.Items != got.Items/int64(c.families) {
				t.Errorf("%s: row %d is of %s %s with %d items", c.name, i, r.Family, r.Length, r.Items)
			}
		}
		for i, r := range got.Lengths {
			if r.Length != strconv.Itoa(1+i) || r.Family != "" || r.Items != got.Items/int64(c.lengths) {
				t.Errorf("%s: row %d is of %s %s with %d items", c.name, i, r.Family, r.Length, r.Items)
			}
		}
	}
}

// TestGridIsBounded: whatever the facts of the items are, the number of cells is bounded.
func TestGridIsBounded(t *testing.T) {
	for name, facts := range map[string]func(i int) (family, length string){
		"families": func(i int) (string, string) { return strconv.Itoa(i), "8" },
		"lengths":  func(i int) (string, string) { return "task", strconv.Itoa(i) },
	} {
		g := verdict.NewGrid()
		cells := map[int]bool{}
		for range 2 {
			for i := range 20_000 {
				cells[g.Cell(facts(i))] = true
			}
		}
		if n := len(cells); n < 4096 || n > 8193 {
			t.Errorf("%s: %d cells", name, n)
		}
	}
}

// TestPairs: every run is compared with the first, or with every other.
func TestPairs(t *testing.T) {
	var sides []verdict.Side
	for _, name := range []string{"a", "bb", "ccc"} {
		sides = append(sides, verdicttest.SideOfScores(name, 0, 1, 1, 0))
	}
	for all, want := range map[bool][][2]string{
		false: {{"a", "bb"}, {"a", "ccc"}},
		true:  {{"a", "bb"}, {"a", "ccc"}, {"bb", "ccc"}},
	} {
		list, err := verdict.CompareSeveral(sides, verdicttest.SmallOptions(), all)
		if err != nil {
			t.Fatal(err)
		}
		var got [][2]string
		for _, c := range list {
			got = append(got, [2]string{c.A.Name, c.B.Name})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("all pairs %t: %s", all, diff)
		}
	}
}
