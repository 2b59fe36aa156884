package signedrank_test

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"testing"

	"verbatim/internal/exhaustive"
	"verbatim/internal/oracle"
	"verbatim/internal/stats"
	"verbatim/internal/stats/signedrank"
)

// published are the scores of one model on one list.
type published struct {
	mode, model string
	length      int
	scores      map[string]float64 // NaN where undefined
}

// models are the names that tables give to the models of the files.
func models() map[string]string {
	return map[string]string{
		"claude-3-5-haiku-20241022": "Claude-3.5-Haiku", "claude-3-5-sonnet-20241022": "Claude-3.5-Sonnet", "deepseekr1": "DeepSeek-r1",
		"gpt-4o": "GPT-4o", "gpt-4o-mini": "GPT-4o-mini", "llama3.1": "Llama-3.1", "o3-mini": "o3-mini",
	}
}

func publishedScores(t testing.TB) []published {
	t.Helper()
	var out []published
	for _, row := range oracle.Rows(t, "sortbench-v1.0/published_scores.csv.gz") {
		length, err := strconv.Atoi(row["length"])
		if err != nil {
			t.Fatal(err)
		}
		p := published{mode: row["mode"], model: models()[row["model"]], length: length, scores: map[string]float64{}}
		if p.model == "" {
			t.Fatalf("no name for %q", row["model"])
		}
		for _, column := range []string{"validity", "sorting_published", "faithfulness", "sortbench_published"} {
			p.scores[column] = math.NaN()
			if row[column] != "" {
				p.scores[column] = number(t, row[column])
			}
		}
		out = append(out, p)
	}
	return out
}

// columns are the published scores of one length: names and, for each, a column. The
// file gives every model its lists in the same order.
func columns(t testing.TB, all []published, length int) (names []string, scores [][]float64) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Values(models())) {
		var column []float64
		for _, p := range all {
			if p.model == name && p.length == length {
				column = append(column, p.scores["sortbench_published"])
			}
		}
		if len(column) != 180 {
			t.Fatalf("%d scores of %s at %d", len(column), name, length)
		}
		names, scores = append(names, name), append(scores, column)
	}
	return names, scores
}

func TestRankOfPublishedResults(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	all := publishedScores(t)
	tables := oracle.Rows(t, "stats/tables.csv")
	posteriors := map[[3]string]map[string]string{}
	for _, row := range oracle.Rows(t, "stats/posteriors.csv") {
		posteriors[[3]string{row["size"], row["a"], row["b"]}] = row
	}
	if len(tables) != 56 || len(posteriors) != 168 {
		t.Fatalf("%d rows, %d pairs", len(tables), len(posteriors))
	}
	pairs, lengths := 0, 0
	for length := 2; length <= 256; length *= 2 {
		names, scores := columns(t, all, length)
		if length != 8 && length != 256 && !exhaustive.All() {
			tables = tables[len(names):]
			continue // scripts/check has every length
		}
		lengths++
		r, err := signedrank.Rank(names, scores, 0.05, signedrank.Draws{})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range r.Rows {
			checkRow(t, tables[0], i, row)
			tables = tables[1:]
		}
		for _, p := range r.Pairs {
			key := [3]string{strconv.Itoa(length), r.Rows[p.Upper].Name, r.Rows[p.Lower].Name}
			if posteriors[key] == nil {
				t.Fatalf("no pair %v", key)
			}
			checkPair(t, posteriors[key], p)
			pairs++
		}
	}
	if pairs != 21*lengths {
		t.Errorf("%d pairs", pairs)
	}
}

// checkRow compares a row with the published one at three decimals.
func checkRow(t *testing.T, want map[string]string, i int, row signedrank.Row) {
	t.Helper()
	name := "size " + want["size"] + " " + want["model"]
	if want["model"] != row.Name || want["rank"] != strconv.Itoa(i+1) || want["n_valid"] != strconv.Itoa(row.N) {
		t.Errorf("%s at rank %s with %s scores: got %s at %d with %d", name, want["rank"], want["n_valid"], row.Name, i+1, row.N)
	}
	if want["magnitude_best"] != row.Best.Magnitude {
		t.Errorf("%s: %s, want %s", name, row.Best.Magnitude, want["magnitude_best"])
	}
	for column, got := range map[string]*float64{
		"mean": &row.Mean, "sd": &row.SD, "ci_lo": &row.Interval.Low, "ci_hi": &row.Interval.High, "d_best": row.Best.D, "d_above": row.Above.D,
	} {
		switch {
		case i == 0 && column == "d_above":
		case want[column] == "":
			if got != nil {
				t.Errorf("%s: %s is %v, want none", name, column, *got)
			}
		case got == nil:
			t.Errorf("%s: no %s, want %s", name, column, want[column])
		case math.Abs(*got-number(t, want[column])) > 6e-7:
			t.Errorf("%s: %s is %.6f, want %s", name, column, *got, want[column])
		}
	}
}

// checkPair compares a posterior with the published one, sampled with 50,000 draws
// and printed to five digits at most, and with a longer sample, both within four
// standard errors.
func checkPair(t *testing.T, want map[string]string, p signedrank.Pair) {
	t.Helper()
	name := want["size"] + " " + want["a"] + " " + want["b"]
	if math.Abs(p.Rope-number(t, want["rope"])) > 1e-9 {
		t.Errorf("%s: rope %.10f, want %s", name, p.Rope, want["rope"])
	}
	if string(p.Decision) != want["decision"] {
		t.Errorf("%s: %s, want %s", name, p.Decision, want["decision"])
	}
	for column, got := range map[string]float64{"p_smaller": p.Result.Smaller, "p_equal": p.Result.Equal, "p_larger": p.Result.Larger} {
		ref, pub, se := number(t, want[column+"_ref"]), number(t, want[column+"_pub"]), number(t, want["se_ref"])
		if tol := 4*math.Hypot(se, p.Result.SE) + 2e-5; math.Abs(got-ref) > tol {
			t.Errorf("%s: %s is %.5f, want %.5f ± %.5f", name, column, got, ref, tol)
		}
		if tol := 4*math.Hypot(math.Sqrt(ref*(1-ref)/50_000), p.Result.SE) + 2e-5; math.Abs(got-pub) > tol {
			t.Errorf("%s: %s is %.5f, published %.5f ± %.5f", name, column, got, pub, tol)
		}
	}
}

func TestLengthWeightedOfPublishedResults(t *testing.T) {
	all := publishedScores(t)
	cells := 0
	for _, want := range oracle.Rows(t, "stats/aggregate.csv") {
		for column, score := range map[string]string{"sortbench": "sortbench_published", "sorting": "sorting_published", "faithfulness": "faithfulness", "validity": "validity"} {
			var lengths []int
			var scores []float64
			for _, p := range all {
				if p.model == want["model"] && (p.mode == want["mode"] || want["mode"] == "all") {
					lengths, scores = append(lengths, p.length), append(scores, p.scores[score])
				}
			}
			got, ok, err := stats.LengthWeighted(lengths, scores)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			if math.Abs(got-number(t, want[column])) > 6e-7 {
				t.Errorf("%s %s: %s is %.6f, want %s", want["mode"], want["model"], column, got, want[column])
			}
			cells++
		}
	}
	if cells != 112 {
		t.Errorf("%d cells", cells)
	}
}

// number reads a number of the oracle.
func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
