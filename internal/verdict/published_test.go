package verdict_test

import (
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/exhaustive"
	"verbatim/internal/oracle"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

// TestPublishedPairs compares the 21 pairs of published models with reference
// values that were computed apart from this program.
func TestPublishedPairs(t *testing.T) {
	sides := verdicttest.Published(t)
	rows, err := csv.NewReader(strings.NewReader(string(oracle.Read(t, "stats/compare_ref.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]*verdict.Comparison{}
	checked := 0
	for _, row := range rows[1:] {
		if row[6] != "stratified" {
			continue
		}
		key := row[1] + "/" + row[2]
		if known[key] == nil {
			if len(known) == 3 && !exhaustive.All() {
				continue
			}
			known[key] = verdicttest.Compare(t, sides[row[1]], sides[row[2]], verdicttest.SmallOptions())
		}
		c := known[key]
		got, items := c.Difference, c.Items
		for _, r := range c.Lengths {
			if r.Length == row[0] {
				got, items = r.Difference, r.Items
			}
		}
		figure := func(i int) float64 {
			v, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		for i, v := range map[int]float64{3: float64(items), 4: got.Value, 7: got.Low, 8: got.High, 9: got.Worse, 10: got.Equivalent, 11: got.Better} {
			tolerance := 1.5e-6
			if i == 7 || i == 8 {
				tolerance = 1.5e-5
			}
			if math.Abs(v-figure(i)) > tolerance {
				t.Errorf("%s, length %s, %s: %v, reference %v", key, row[0], rows[0][i], v, figure(i))
			}
		}
		checked++
	}
	if checked < 12 {
		t.Fatalf("only %d rows were checked", checked)
	}
}

// TestPublishedScopes compares the standard error over tasks with reference values.
func TestPublishedScopes(t *testing.T) {
	sides := verdicttest.Published(t)
	rows, err := csv.NewReader(strings.NewReader(string(oracle.Read(t, "stats/paired_se.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:3] {
		c := verdicttest.Compare(t, sides[row[0]], sides[row[1]], verdicttest.SmallOptions())
		want, err := strconv.ParseFloat(row[6], 64)
		if err != nil {
			t.Fatal(err)
		}
		if c.Tasks == nil || math.Abs(c.Tasks.SE-want) > 1e-6 || c.Tasks.N != 18 {
			t.Errorf("%s, %s: tasks %+v, want SE %v", row[0], row[1], c.Tasks, want)
		}
	}
}
