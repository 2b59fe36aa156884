package change_test

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"verbatim/internal/oracle"
	"verbatim/internal/stats/change"
)

// readTable reads what real builds answered: a row for each prompt, a column for each build.
func readTable(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(oracle.Path(t, "verify", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// The level of one of verify's three probes.
const probeLevel = .01 / 3

// TestShareOfBuilds bets on the texts of real builds, compared with the shipped one. Other
// arithmetic changes a quarter to 40 % of them, which is no difference. The prompts to a
// difference are those of the specification's table: 20 where 92 % of texts differ, 30 at
// 87 %, 45 at 82 %, within a factor of 1.5.
func TestShareOfBuilds(t *testing.T) {
	rows := readTable(t, "exact.csv")
	for build, atMost := range map[string]int{
		"aa_base2": 0, "f32": 0, "f16": 0, "n1e-4": 0, "n1e-3": 0, "layer1e-2": 0, "n1e-2": 0, "q8_0": 0, "kv_q8_0": 0, "fa_off": 0, "rope": 0, "temp.1": 0,
		"nosys": 30, "rep1.1": 45, "q4_0": 45, "space": 45, "q5_1": 60, "q5_0": 60, "kv_q4_0": 60,
	} {
		bets, err := change.NewShare(.5)
		if err != nil {
			t.Fatal(err)
		}
		decided := 0
		for i, row := range rows {
			if bets.Add(row[build] != row["base"]); decided == 0 && bets.Value() >= 1/probeLevel {
				decided = i + 1
			}
		}
		if decided > atMost || (decided == 0) != (atMost == 0) {
			t.Errorf("%s: a difference after %d prompts, want at most %d; 0 without one", build, decided, atMost)
		}
	}
}

// TestMcNemarOfBuilds tests the paired grades of real builds: an item is right if the answer
// holds what was expected.
func TestMcNemarOfBuilds(t *testing.T) {
	rows := readTable(t, "exact.csv")
	for build, want := range map[string]struct {
		gained, lost int
		p            float64
	}{
		"aa_base2": {0, 0, 1}, "f16": {0, 0, 1}, "q8_0": {2, 2, 1}, "q5_1": {7, 7, 1}, "nosys": {15, 22, .3240},
		"kv_q4_0": {5, 10, .3018}, "q5_0": {4, 10, .1796}, "q4_0": {2, 10, .0386}, "rep1.1": {1, 13, .00183}, "space": {16, 0, 3.05e-5},
	} {
		gained, lost := 0, 0
		for _, row := range rows {
			isRight := func(build string) bool {
				return strings.Contains(strings.ToLower(row[build]), strings.ToLower(row["want"]))
			}
			switch {
			case isRight(build) && !isRight("base"):
				gained++
			case isRight("base") && !isRight(build):
				lost++
			}
		}
		if gained != want.gained || lost != want.lost {
			t.Errorf("%s: %d gained and %d lost of %d, want %d and %d", build, gained, lost, len(rows), want.gained, want.lost)
		}
		near(t, build+": p", change.ExactMcNemar(gained, lost), want.p, .01*want.p)
	}
}
