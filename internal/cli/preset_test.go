package cli

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/exhaustive"
	"verbatim/internal/oracle"
)

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
	repository := checkout(t, "002", "008")
	db, out := filepath.Join(t.TempDir(), "x.db"), filepath.Join(t.TempDir(), "study")
	if r := invoke(t, db, "import", "sortbench", repository); r.code != 0 {
		t.Fatal(r.err)
	}
	r := invoke(t, db, "report", "--preset", "sortbench", "-o", out)
	if r.code != 0 || !strings.Contains(r.out, "Table 1.") || !strings.Contains(r.out, "14 figures as svg, pdf, png") || !strings.Contains(r.out, "nothing is compared") {
		t.Fatalf("%d %s\n%s", r.code, r.err, r.out)
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
