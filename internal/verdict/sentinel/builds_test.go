package sentinel

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"verbatim/internal/oracle"
	"verbatim/internal/stats/change"
)

// TestBandOfBuilds watches the first tokens of real builds, at the words whose first two tokens
// lie in the band on the shipped one. Numerics move few of them, and raise no alarm in a year. Most
// changes of weights, cache and prompt move many, and raise one within days.
func TestBandOfBuilds(t *testing.T) {
	f, err := os.Open(oracle.Path(t, "verify", "first_tokens.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string]int{}
	for i, name := range rows[0] {
		columns[name] = i
	}
	var band [][]string
	for _, row := range rows[1:] {
		gap, err := strconv.ParseFloat(row[columns["gap_nats_on_base"]], 64)
		if err == nil && gap >= leastGap && gap <= mostGap { // without a gap, the reply has no second token
			band = append(band, row)
		}
	}
	if len(band) != 37 {
		t.Fatalf("%d words of 200 in the band, want 37", len(band))
	}
	for build, want := range map[string]struct{ flips, days int }{ // days until an alarm; 0: none in a year
		"aa_base2": {0, 0}, "f32": {1, 0}, "f16": {1, 0}, "n1e-3": {1, 0}, "q8_0": {0, 0}, "kv_q8_0": {0, 0}, "fa_off": {0, 0}, "rope": {0, 0}, "rep1.1": {0, 0},
		"kv_q4_0": {10, 4}, "q4_0": {10, 4}, "sys": {19, 2}, "q5_1": {25, 1}, "nosys": {35, 1}, "space": {37, 1},
	} {
		flips := 0
		for _, row := range band {
			if row[columns[build]] != row[columns["base"]] {
				flips++
			}
		}
		if flips != want.flips {
			t.Errorf("%s: %d of %d words flip, want %d", build, flips, len(band), want.flips)
		}
		if day := alarmDay(t, band, columns["base"], columns[build]); day > want.days || (day == 0) != (want.days == 0) {
			t.Errorf("%s: an alarm on day %d, want by day %d; 0 without an alarm", build, day, want.days)
		}
	}
}

// alarmDay returns the day of the first alarm of a watch of a year, with 12 calls a day to one
// word after the other; 0 without an alarm.
func alarmDay(t *testing.T, band [][]string, base, build int) int {
	t.Helper()
	const days, calls = 365, 12
	w, err := change.NewWatch(.05, days)
	if err != nil {
		t.Fatal(err)
	}
	for day := range days {
		if err := w.NextDay(); err != nil {
			t.Fatal(err)
		}
		for call := range calls {
			row := band[(day*calls+call)%len(band)]
			if w.Add(row[build] != row[base]); w.Value() >= 100 {
				return day + 1
			}
		}
	}
	return 0
}
