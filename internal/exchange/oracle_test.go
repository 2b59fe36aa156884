package exchange_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exchange"

	"verbatim/internal/exhaustive"
	"verbatim/internal/oracle"
)

func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func collect(t *testing.T, r exchange.Run) []verbatim.Record {
	t.Helper()
	var out []verbatim.Record
	for rec, err := range r.Records {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rec)
	}
	return out
}

func TestSortBenchOfTheOracle(t *testing.T) {
	root := oracle.Path(t, "sortbench-v1.0")
	runs, err := exchange.ReadSortBench(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	var models []string
	for _, r := range runs {
		models = append(models, r.Model)
	}
	if got := strings.Join(models, " "); got != "claude-3-5-haiku-20241022 claude-3-5-sonnet-20241022 deepseekr1 gpt-4o gpt-4o-mini llama3.1 o3-mini" {
		t.Fatalf("models %s", got)
	}
	for i, r := range runs {
		p := r.Plan
		if p.Hash != runs[0].Plan.Hash || p.Suite != "sortbench" || p.Edition != verbatim.Reference || p.Count != 720 || p.Items.N != 720 || p.Trials != 1 || r.Origin != "sortbench" {
			t.Errorf("%s: plan %+v, origin %q", r.Model, p, r.Origin)
		}
		if i > 0 && !exhaustive.All() {
			continue // the records of all are read alike
		}
		recs := collect(t, r)
		if len(recs) != 720 {
			t.Errorf("%s: %d records", r.Model, len(recs))
		}
		for i, rec := range recs {
			if rec.Seq != int64(i) || rec.Reply == nil || rec.Failure != nil || rec.Grade != nil || rec.Outcome != "" {
				t.Fatalf("%s: record %d: %+v", r.Model, i, rec)
			}
		}
	}
	rec := collect(t, runs[3])[3]
	if rec.Item.ID != "sortbench:v1.0/advanced/ASCII-Cased/2/list_4" {
		t.Errorf("the fourth item is %s", rec.Item.ID)
	}
	if got := rec.Item.Facts; got["family"] != "ASCII-Cased" || got["length"] != "2" || got["edition"] != "reference" || got["task"] != "ASCII-Cased" || got["mode"] != "advanced" || got["list"] != "list_4" {
		t.Errorf("facts %v", got)
	}
}

// What is imported must be, character by character, what the files hold.
func TestSortBenchIsVerbatim(t *testing.T) {
	exhaustive.Only(t)
	root := oracle.Path(t, "sortbench-v1.0")
	runs, err := exchange.ReadSortBench(root, func(mode, task string) string { return mode + " " + task })
	if err != nil {
		t.Fatal(err)
	}
	type results struct {
		Results []struct {
			Model  string
			Sorted map[string]string `json:"sorted_lists"`
		}
	}
	files := make(map[string]results)
	n := 0
	for _, r := range runs {
		for rec, err := range r.Records {
			if err != nil {
				t.Fatal(err)
			}
			f := rec.Item.Facts
			length, _ := strconv.Atoi(f["length"])
			name := "sortbench_" + f["mode"] + "_v1.0_" + f["task"] + "_" + strings.Repeat("0", 3-len(f["length"])) + strconv.Itoa(length) + ".json.gz"
			data, ok := files[name]
			if !ok {
				if err := json.Unmarshal(unpacked(t, filepath.Join(root, "outputs", name)), &data); err != nil {
					t.Fatal(err)
				}
				files[name] = data
			}
			i := slices.IndexFunc(data.Results, func(x struct {
				Model  string
				Sorted map[string]string `json:"sorted_lists"`
			}) bool {
				return x.Model == r.Model
			})
			if rec.Reply.Text != data.Results[i].Sorted[f["list"]] {
				t.Fatalf("%s of %s is not what the file says", rec.Item.ID, r.Model)
			}
			if f["family"] != f["mode"]+" "+f["task"] {
				t.Fatalf("family %q was not named by the namer", f["family"])
			}
			if len(rec.Item.Want.List) != length || len(rec.Item.Source.List) != length {
				t.Fatalf("%s has %d and %d elements", rec.Item.ID, len(rec.Item.Want.List), len(rec.Item.Source.List))
			}
			n++
		}
	}
	if n != 5040 {
		t.Errorf("%d records", n)
	}
}

// The same data in the other layout, unpacked, with the names that Windows can
// hold, is the same plan with the same answers.
func TestSortBenchLayouts(t *testing.T) {
	exhaustive.Only(t)
	root := oracle.Path(t, "sortbench-v1.0")
	dir := t.TempDir()
	for from, to := range map[string]string{"lists": "benchmark_data", "outputs": "benchmark_results"} {
		if err := os.Mkdir(filepath.Join(dir, to), 0o755); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(root, from, "*.json.gz"))
		if err != nil || len(files) != 144 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		for i, f := range files {
			data, name := unpacked(t, f), strings.TrimSuffix(filepath.Base(f), ".gz")
			if i%2 == 0 {
				name = strings.ReplaceAll(name, ":", "-")
			}
			if err := os.WriteFile(filepath.Join(dir, to, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	a, err := exchange.ReadSortBench(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := exchange.ReadSortBench(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a[0].Plan.Hash != b[0].Plan.Hash || len(a) != len(b) {
		t.Errorf("plans %s and %s, %d and %d runs", a[0].Plan.Hash, b[0].Plan.Hash, len(a), len(b))
	}
	x, y := collect(t, a[6]), collect(t, b[6])
	for i := range x {
		if x[i].Item.ID != y[i].Item.ID || x[i].Reply.Text != y[i].Reply.Text {
			t.Fatalf("record %d: %s and %s", i, x[i].Item.ID, y[i].Item.ID)
		}
	}
	n := 0
	lists, err := exchange.ReadSortBenchLists(filepath.Join(dir, "benchmark_data"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for it, err := range lists {
		if err != nil {
			t.Fatal(err)
		}
		if n++; len(it.Want.List) == 0 {
			t.Errorf("%s is empty", it.ID)
		}
	}
	if n != 1440 {
		t.Errorf("%d published lists", n)
	}
}

// The published scores, as imported, give the published Table 1: the mean of each
// length weighted by the length.
func TestScoresOfTheOracle(t *testing.T) {
	exhaustive.Only(t)
	root := oracle.Path(t, "sortbench-v1.0")
	runs, err := exchange.ReadSortBenchScores([]string{filepath.Join(root, "published_scores.csv.gz")}, root, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := aggregate(t)
	for _, r := range runs {
		sums, counts := make(map[int]float64), make(map[int]float64)
		recs := collect(t, r)
		if len(recs) != 1440 || r.Plan.Count != 1440 {
			t.Errorf("%s: %d records of %d", r.Model, len(recs), r.Plan.Count)
		}
		for i, rec := range recs {
			if rec.Reply != nil || rec.Grade.Grader != exchange.Published || rec.Item.Want.List == nil || rec.Seq != int64(i) {
				t.Fatalf("%s: %+v", rec.Item.ID, rec)
			}
			length, _ := strconv.Atoi(rec.Item.Facts["length"])
			if rec.Grade.Score != nil {
				sums[length] += *rec.Grade.Score
				counts[length]++
			}
		}
		got := 0.0
		for length, sum := range sums {
			got += float64(length) * sum / counts[length] / 510
		}
		if math.Abs(got-want[r.Model]) > 5e-7 {
			t.Errorf("%s: %.7f, published %.6f", r.Model, got, want[r.Model])
		}
	}
	if len(runs) != 7 || len(want) != 7 {
		t.Errorf("%d runs, %d published means", len(runs), len(want))
	}
	bare, err := exchange.ReadSortBenchScores([]string{filepath.Join(root, "published_scores.csv.gz")}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if rec := collect(t, bare[0])[0]; rec.Item.Prompt != nil || rec.Item.ID != "sortbench:v1.0/advanced/ASCII-Cased/2/list_1" {
		t.Errorf("a score without lists: %+v", rec.Item)
	}
}

// aggregate reads the published weighted means of all tasks together.
func aggregate(t *testing.T) map[string]float64 {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(oracle.Path(t, "stats"), "aggregate.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := table(t, data)
	names := map[string]string{
		"o3-mini": "o3-mini", "GPT-4o": "gpt-4o", "GPT-4o-mini": "gpt-4o-mini", "Claude-3.5-Sonnet": "claude-3-5-sonnet-20241022",
		"Claude-3.5-Haiku": "claude-3-5-haiku-20241022", "Llama-3.1": "llama3.1", "DeepSeek-r1": "deepseekr1",
	}
	out := make(map[string]float64)
	for _, row := range rows[1:] {
		if row[0] == "all" {
			if out[names[row[1]]], err = strconv.ParseFloat(row[2], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}
