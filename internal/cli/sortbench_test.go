package cli

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
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

// checkout lays the published lists and outputs of some lengths out as the published
// repository does: unpacked, in benchmark_data and benchmark_results.
func checkout(t *testing.T, lengths ...string) string {
	t.Helper()
	dir := t.TempDir()
	files := 0
	for from, to := range map[string]string{"lists": "benchmark_data", "outputs": "benchmark_results"} {
		if err := os.Mkdir(filepath.Join(dir, to), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, length := range lengths {
			names, err := filepath.Glob(filepath.Join(oracle.Path(t, "sortbench-v1.0", from), "*_"+length+".json.gz"))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				unpack(t, name, filepath.Join(dir, to, strings.TrimSuffix(filepath.Base(name), ".gz")))
				files++
			}
		}
	}
	if files != 2*18*len(lengths) {
		t.Fatalf("%d files", files)
	}
	return dir
}

func unpack(t *testing.T, from, to string) {
	t.Helper()
	f, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestPresetOfACheckout imports a checkout of the published repository and makes the
// paper's tables and figures of it, by the commands of the documentation.
func TestPresetOfACheckout(t *testing.T) {
	exhaustive.Only(t)
	repository := checkout(t, "002", "008", "256")
	chat := filepath.Join(repository, "benchmark_results_o3-mini-Web")
	if err := os.CopyFS(chat, os.DirFS(oracle.Path(t, "sortbench-web"))); err != nil {
		t.Fatal(err)
	}
	db, out := filepath.Join(t.TempDir(), "x.db"), filepath.Join(t.TempDir(), "study")
	if r := invoke(t, db, "import", "sortbench", repository); r.code != 0 {
		t.Fatal(r.err)
	}
	r := invoke(t, db, "report", "--preset", "sortbench", "-o", out)
	if r.code != 0 || !strings.Contains(r.out, "Table 1.") || !strings.Contains(r.out, "14 figures as svg, pdf, png") || !strings.Contains(r.out, "nothing is compared") {
		t.Fatalf("%d %s\n%s", r.code, r.err, r.out)
	}
	// The chat answered 18 of the lists; tables of those alone would show nearly nothing of the others.
	for _, part := range []string{"Left out is run 8 (o3-mini-Web", "7 models sorted 270 lists each", "5 tables"} {
		if !strings.Contains(strings.Join(strings.Fields(r.out), " "), part) {
			t.Errorf("%q is not in\n%s", part, r.out)
		}
	}
	if r := invoke(t, db, "report", "--preset", "sortbench", "--format", "md", "o3-mini", "o3-mini-Web"); r.code != 0 || !strings.Contains(r.out, "2 models sorted 18 lists each") {
		t.Errorf("%d %s\n%s", r.code, r.err, r.out)
	}
	for _, name := range []string{
		"index.html", "differences.html", "paper.json", "tables/table-1.tex", "tables/table-2.md", "tables/table-4.csv", "tables/table-verdicts.csv",
		"figures/figure-01.svg", "figures/figure-02.pdf", "figures/figure-14.png",
	} {
		if info, err := os.Stat(filepath.Join(out, filepath.FromSlash(name))); err != nil || info.Size() < 100 {
			t.Errorf("%s: %v", name, err)
		}
	}
	data, err := os.ReadFile(filepath.Join(out, "paper.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Format, Command string
		Figures         []struct{ Number int }
	}
	if err := json.Unmarshal(data, &doc); err != nil || doc.Format != "verbatim/paper/1" || len(doc.Figures) != 14 || doc.Command != "verbatim report --preset sortbench 1 2 3 4 5 6 7" {
		t.Errorf("%v %+v", err, doc)
	}

	// The same again, of two runs: the folder is from this program, and files left over
	// are removed.
	if r := invoke(t, db, "report", "--preset", "sortbench", "-o", out, "o3-mini", "gpt-4o"); r.code != 0 {
		t.Fatal(r.err)
	}
	if _, err := os.Stat(filepath.Join(out, "figures", "figure-01.svg")); err == nil {
		t.Error("a figure of the study before is left: these two models show no thinking")
	}
}

// TestPresetOfNewRuns takes the newest run of every model, writes single formats, and
// leaves the folders of others alone.
func TestPresetOfNewRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := filepath.Join(dir, "x.db")
	if r := invoke(t, db, "report", "--preset", "sortbench"); r.code == 0 {
		t.Error("a study was made without a database")
	}
	few, more := filepath.Join(dir, "few"), filepath.Join(dir, "more")
	for _, folder := range []string{few, more} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, lists := range map[string]string{
		"few/sortbench_basic_v1.0_English_002.json":        `{"list_1": ["b", "a"], "list_2": ["c", "d"], "list_3": ["f", "e"]}`,
		"few/sortbench_basic_v1.0_English_004.json":        `{"list_1": ["b", "a", "d", "c"], "list_2": ["c", "d", "x", "y"], "list_3": ["f", "e", "g", "a"]}`,
		"few/sortbench_debug_v1.0_English-Sorted_004.json": `{"list_1": ["a", "b", "c", "d"], "list_2": ["c", "d", "x", "y"], "list_3": ["e", "f", "g", "h"]}`,
		"more/sortbench_basic_v1.0_English_002.json":       `{"list_1": ["x", "a"], "list_2": ["y", "d"]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(lists), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"run", "--quiet", "-m", "sim:sloppy?down=0", "--suite", "sortbench", "--edition", "reference", "--lists", few},
		{"run", "--quiet", "-m", "sim:perfect", "--suite", "sortbench", "--edition", "reference", "--lists", few},
		{"run", "--quiet", "-m", "sim:perfect", "--suite", "sortbench", "--edition", "reference", "--lists", more},
		{"run", "--quiet", "-m", "sim:perfect", "--task", "reverse", "--length", "4", "--items", "2"},
	} {
		if r := invoke(t, db, args...); r.code != 0 {
			t.Fatalf("%v: %s", args, r.err)
		}
	}
	r := invoke(t, db, "report", "--preset", "sortbench", "--format", "md")
	if r.code != 0 || !strings.Contains(r.out, "sim:sloppy") || !strings.Contains(r.out, "simulated") || strings.Contains(r.out, "Left out") || !strings.Contains(r.out, "The runs have no lists of advanced tasks") {
		t.Errorf("%d %s\n%.2000s", r.code, r.err, r.out)
	}
	for _, name := range []string{"text", "latex", "csv", "json", "html"} {
		file := filepath.Join(dir, "study."+name)
		if r := invoke(t, db, "report", "--preset", "sortbench", "--format", name, "-o", file); r.code != 0 || r.out != "" {
			t.Errorf("%s: %d %s %s", name, r.code, r.err, r.out)
		}
		if data, err := os.ReadFile(file); err != nil || len(data) < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	figures := filepath.Join(dir, "figures")
	if r := invoke(t, db, "report", "--preset", "sortbench", "--figures", figures, "1", "2"); r.code != 0 {
		t.Error(r.err)
	}
	if names, _ := filepath.Glob(filepath.Join(figures, "*")); len(names)%3 != 0 || len(names) < 24 {
		t.Errorf("%d files of figures", len(names))
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "holds files that this command did not write", []string{"--preset", "sortbench", "-o", dir}},
		{2, "there is no study", []string{"--preset", "mmlu"}},
		{2, "--metric does not go with --preset", []string{"--preset", "sortbench", "--metric", "exact"}},
		{2, "there is no format", []string{"--preset", "sortbench", "--format", "docx"}},
		{2, "does not go with", []string{"--preset", "sortbench", "--format", "md", "--figures", figures}},
		{2, "is not of SortBench", []string{"--preset", "sortbench", "--format", "md", "4"}},
		{2, "no answered list in common", []string{"--preset", "sortbench", "--format", "md", "1", "3"}},
		{2, "'verbatim runs' lists", []string{"--preset", "sortbench", "nosuch"}},
	} {
		r := invoke(t, db, append([]string{"report"}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.err, c.says) || !strings.Contains(r.err, "hint:") {
			t.Errorf("%v: %d %s", c.args, r.code, r.err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) == 0 {
		t.Fatal(err)
	}
}
