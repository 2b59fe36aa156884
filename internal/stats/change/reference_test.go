package change_test

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/oracle"
	"verbatim/internal/stats"
	"verbatim/internal/stats/change"
)

// reference is testdata/verify/reference.json: worked numbers of every statistic, computed
// by scripts/ref.py next to it.
type reference struct {
	Watch struct {
		U     float64      `json:"u"`
		H     int          `json:"H"`
		Calls int          `json:"calls_a_day"`
		Path  [][2]float64 `json:"path"`
	} `json:"watch"`
}

func readReference(t *testing.T) (r reference) {
	t.Helper()
	raw, err := os.ReadFile(oracle.Path(t, "verify", "reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: got %.12g, want %.12g", what, got, want)
	}
}

func TestWatchReference(t *testing.T) {
	r := readReference(t).Watch
	w, err := change.NewWatch(r.U, r.H)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Path) != 60 {
		t.Fatalf("%d trials, want 60", len(r.Path))
	}
	for i, row := range r.Path {
		if i%r.Calls == 0 {
			if err := w.NextDay(); err != nil {
				t.Fatal(err)
			}
		}
		w.Add(row[0] == 1)
		near(t, "value after trial "+strconv.Itoa(i), w.Value(), row[1], 1e-9)
		// A watch that is continued from its state goes on alike.
		again, err := change.NewWatch(r.U, r.H)
		if err == nil {
			err = again.Restore(w.State())
		}
		if err != nil || again.Value() != w.Value() || again.Day() != w.Day() {
			t.Fatalf("after trial %d: %v and day %d from the state, %v", i, again.Value(), again.Day(), err)
		}
		w = again
	}
	for _, s := range []change.WatchState{{}, {Day: 1, Stakes: []float64{1}}, {Day: -1, Stakes: []float64{1, 1, 1, 1}}, {Day: r.H + 1, Stakes: []float64{1, 1, 1, 1}},
		{Day: 1, Stakes: []float64{1, 1, 1, -1}}, {Day: 1, Stakes: []float64{1, 1, 1, math.NaN()}}, {Day: 1, Stakes: []float64{1, 1, 1, math.Inf(1)}}} {
		before := w.State()
		if err := w.Restore(s); err == nil || w.Day() != before.Day {
			t.Errorf("%+v is restored", s)
		}
	}
}

// A state that was taken does not change with the watch.
func TestWatchStateIsACopy(t *testing.T) {
	w, err := change.NewWatch(.1, 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.NextDay(); err != nil {
		t.Fatal(err)
	}
	state := w.State()
	before := slices.Clone(state.Stakes)
	if w.Add(true); !slices.Equal(state.Stakes, before) {
		t.Errorf("%v, and after a trial %v", before, state.Stakes)
	}
}

// recorded reads log probabilities that a real server listed, by build, prompt and reply.
// Files without a column of replies have one reply for each prompt.
func recorded(t *testing.T, name string, replies bool) map[string]map[string][]change.LogProbs {
	t.Helper()
	f, err := os.Open(oracle.Path(t, "verify", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string][]change.LogProbs{}
	for _, row := range rows[1:] {
		build, prompt, n := row[0], row[1], 0
		if replies {
			if n, err = strconv.Atoi(row[2]); err != nil {
				t.Fatal(err)
			}
		}
		token := row[len(row)-2]
		x, err := strconv.ParseFloat(row[len(row)-1], 64)
		if err != nil {
			t.Fatal(err)
		}
		if all[build] == nil {
			all[build] = map[string][]change.LogProbs{}
		}
		lists := all[build][prompt]
		for len(lists) <= n {
			lists = append(lists, change.LogProbs{})
		}
		lists[n][token] = x
		all[build][prompt] = lists
	}
	return all
}

// Distances of real builds from the shipped one: a restart gives 0, other arithmetic stays
// near 0.07 nats, and changes of weights, cache or template are beyond 0.138, the largest
// difference that one unchanged server showed between its own replies.
func TestDistanceOfBuilds(t *testing.T) {
	all := recorded(t, "lt.csv", false)
	for _, c := range []struct {
		build    string
		from, to float64
	}{
		{"aa_base2", 0, 0}, {"temp.1", 0, 0}, {"rep1.1", 0, 0},
		{"f32", .05, .1}, {"f16", .05, .1}, {"n1e-3", .05, .1}, {"fa_off", .05, .1}, {"q8_0", .05, .12}, {"kv_q8_0", .05, .12},
		{"kv_q4_0", .2, .4}, {"q5_1", .2, .4}, {"q4_0", .3, .6}, {"sys", .25, .5}, {"nosys", .4, .9}, {"space", .7, 1.4},
	} {
		sum, n := 0.0, 0.0
		for prompt, base := range all["base"] {
			d, err := change.Distance(base[0], all[c.build][prompt][0])
			if err != nil {
				t.Fatalf("%s, %q: %v", c.build, prompt, err)
			}
			sum += d
			n++
		}
		if mean := sum / n; n < 10 || mean < c.from || mean > c.to {
			t.Errorf("%s: mean distance %.4f nats over %v prompts, want %v to %v", c.build, mean, n, c.from, c.to)
		}
	}
}

// Replies of real servers at eight requests in flight: two processes of one build are never
// further apart than they are from themselves. Other arithmetic and other caches may be, at
// one of the two prompts, which is no evidence.
func TestSpreadOfOneBuild(t *testing.T) {
	all := recorded(t, "lt_load8.csv", true)
	for _, c := range []struct {
		build           string
		atMost, atLeast int
	}{{"base2_8", 0, 0}, {"f16_8", 1, 0}, {"q8_0_8", 1, 1}, {"kv_q8_0_8", 1, 1}} {
		var prompts []change.SidePair
		for _, prompt := range slices.Sorted(keys(all["base_8"])) {
			prompts = append(prompts, change.SidePair{A: all["base_8"][prompt], B: all[c.build][prompt]})
		}
		got, err := change.NewSpreadTest(prompts)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Prompts) != 2 || got.Beyond > c.atMost || got.Beyond < c.atLeast {
			t.Errorf("%s: %d of %d prompts beyond their own spread, want %d to %d of 2", c.build, got.Beyond, len(got.Prompts), c.atLeast, c.atMost)
		}
		if c.build == "base2_8" && got.Shared != 2 {
			t.Errorf("%d of 2 prompts share a numeric state, want both", got.Shared)
		}
		if got.Differ(.01) {
			t.Errorf("%s: differs at level .01", c.build)
		}
	}
}

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
		near(t, build+": p", stats.SignTest(int64(gained), int64(lost)), want.p, .01*want.p)
	}
}

// Binomial tails, from tables: P(Bin(16, .5) >= 14) = .00209, >= 13: .0106.
func TestLeastBeyond(t *testing.T) {
	for _, c := range []struct {
		n     int
		alpha float64
		least int
		ok    bool
	}{{16, .0025, 14, true}, {16, .00125, 15, true}, {16, .00025, 16, true}, {16, .01, 14, true}, {16, .0107, 13, true}, {4, .0025, 0, false}, {4, .0625, 4, true}, {0, .9, 0, false}} {
		if least, ok := change.LeastBeyond(c.n, c.alpha); least != c.least || ok != c.ok {
			t.Errorf("%d words at %v: %d, %v", c.n, c.alpha, least, ok)
		}
	}
	// 14 of 16 with probability .789 at a share of .9 (binomial table): power .8 needs a little more.
	q, ok := change.DetectableBeyond(16, .0025, .789)
	if !ok || math.Abs(q-.9) > .001 {
		t.Errorf("%v, want .9", q)
	}
	if q, ok = change.DetectableBeyond(16, .0025, .8); !ok || q <= .9 || q > .91 {
		t.Errorf("%v, want a little more than .9", q)
	}
	if _, ok = change.DetectableBeyond(4, .0025, .8); ok {
		t.Error("four words find a difference at .0025")
	}
}
