package verdict_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

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
