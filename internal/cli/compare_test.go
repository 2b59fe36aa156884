package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/exhaustive"
	"verbatim/internal/oracle"
	"verbatim/internal/report"
)

// published are the names of the models in the scores' file and in the tables.
var published = map[string]string{
	"claude-3-5-haiku-20241022": "Claude-3.5-Haiku", "claude-3-5-sonnet-20241022": "Claude-3.5-Sonnet", "deepseekr1": "DeepSeek-r1",
	"gpt-4o": "GPT-4o", "gpt-4o-mini": "GPT-4o-mini", "llama3.1": "Llama-3.1", "o3-mini": "o3-mini",
}

// TestPublishedTables has the command compute SortBench's published tables again:
// order, means, deviations, intervals, effect sizes and decisions of all lengths, and
// the weighted means, at the three decimals that were printed.
func TestPublishedTables(t *testing.T) {
	exhaustive.Only(t)
	scores := oracle.Path(t, "sortbench-v1.0", "published_scores.csv.gz")
	db := filepath.Join(t.TempDir(), "x.db")
	if got := invoke(t, db, "import", "sortbench", "--scores", scores); got.code != exitDone {
		t.Fatal(got.err)
	}
	got := invoke(t, db, "compare", "1", "2", "3", "4", "5", "6", "7", "--method", "signed-rank", "--json")
	if got.code != exitDone {
		t.Fatal(got.err)
	}
	var doc report.Compared
	if err := json.Unmarshal([]byte(got.out), &doc); err != nil {
		t.Fatal(err)
	}
	r := doc.Ranking
	three := func(v float64) string {
		return strings.Replace(strconv.FormatFloat(v, 'f', 3, 64), "-0.000", "0.000", 1)
	}
	checked := 0
	same := func(what, got, want string) {
		t.Helper()
		if checked++; want == "" {
			return
		}
		number, err := strconv.ParseFloat(want, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got != three(number) {
			t.Errorf("%s: %s, published %s", what, got, want)
		}
	}
	for _, want := range oracle.Rows(t, "stats", "tables.csv") {
		for _, table := range r.Tables {
			if table.Length != want["size"] {
				continue
			}
			rank, err := strconv.Atoi(want["rank"])
			if err != nil {
				t.Fatal(err)
			}
			row := table.Rows[rank-1]
			what := "length " + want["size"] + " rank " + want["rank"]
			if name := published[r.Runs[row.Run].Model]; name != want["model"] {
				t.Errorf("%s: %s, published %s", what, name, want["model"])
			}
			same(what+" mean", three(row.Mean), want["mean"])
			same(what+" sd", three(row.SD), want["sd"])
			same(what+" low", three(row.Low), want["ci_lo"])
			same(what+" high", three(row.High), want["ci_hi"])
			if row.D != nil {
				same(what+" d", three(*row.D), want["d_best"])
			}
			if row.DAbove != nil {
				same(what+" d above", three(*row.DAbove), want["d_above"])
			}
			if rank > 1 && row.Magnitude != want["magnitude_best"] {
				t.Errorf("%s: %s, published %s", what, row.Magnitude, want["magnitude_best"])
			}
			for _, p := range table.Pairs {
				for upper, column := range map[int]string{1: "best", rank - 1: "above"} {
					if p.Lower != rank || p.Upper != upper {
						continue
					}
					if p.Word != want["decision_"+column] {
						t.Errorf("%s: %s compared with the %s, published %s", what, p.Word, column, want["decision_"+column])
					}
					smaller, err := strconv.ParseFloat(want["p_smaller_"+column+"_published"], 64)
					if err != nil {
						t.Fatal(err)
					}
					// Both are simulated: with 50,000 draws there, to a standard error
					// of .001 here.
					if allowed := 4*math.Sqrt(smaller*(1-smaller)/50_000) + 4*0.001; math.Abs(p.Smaller-smaller) > allowed {
						t.Errorf("%s: p(smaller) %v compared with the %s, published %v", what, p.Smaller, column, smaller)
					}
				}
			}
		}
	}
	for _, want := range oracle.Rows(t, "stats", "aggregate.csv") {
		for _, table := range r.Weighted {
			for _, row := range table.Rows {
				if table.Mode != want["mode"] || published[r.Runs[row.Run].Model] != want["model"] {
					continue
				}
				for i, column := range table.Columns {
					same(want["mode"]+" "+want["model"]+" "+column, three(*row.Means[i]), want[column])
				}
			}
		}
	}
	if want := 8*7*4 + 4*7*4; checked < want {
		t.Errorf("only %d figures were checked, want %d", checked, want)
	}
}

// TestScoreFilesTogether: the published repository has a file of scores for each mode.
// However they are named together, a model has one run.
func TestScoreFilesTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var files []string
	for _, mode := range []string{"advanced", "basic", "debug"} {
		rows := "Mode,Version,Model,Type,Size,List Name,SortBench Score\n"
		for _, model := range []string{"a", "b"} {
			for i := range 4 {
				rows += fmt.Sprintf("%s,v1.0,%s,English,2,list_%d,%d\n", mode, model, i+1, (i+len(model))%2)
			}
		}
		path := filepath.Join(dir, mode+".csv")
		if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	for _, args := range [][]string{
		{"--scores", strings.Join(files, ",")},
		{"--scores", files[2], "--scores", files[0], "--scores", files[1]},
		{"--scores", files[0], files[1], files[2]}, // as a shell writes *.csv
	} {
		db := filepath.Join(t.TempDir(), "x.db")
		got := invoke(t, db, append([]string{"import", "sortbench"}, args...)...)
		if got.code != exitDone || strings.Count(got.err, "12 records saved") != 2 {
			t.Errorf("%v: exit code %d\n%s", args, got.code, got.err)
		}
		if got := invoke(t, db, "compare", "1", "2", "--rope", "1"); got.code != exitDone || !strings.Contains(got.out, "are equivalent") {
			t.Errorf("%v: with --rope 1: exit code %d\n%s%s", args, got.code, got.out, got.err)
		}
	}
	if got := invoke(t, filepath.Join(dir, "x.db"), "import", "sortbench", dir, t.TempDir(), "--scores", files[0]); got.code != Usage {
		t.Errorf("two folders: exit code %d\n%s", got.code, got.err)
	}
}
