package paper

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"verbatim/internal/exchange"
	"verbatim/internal/verdict"
)

// oracle returns the path of published data, which is not part of the project.
func oracle(t testing.TB, name ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared", "oracle"}, name...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatal(err)
		}
		t.Skipf("the published data is not here: %v", err)
	}
	return path
}

// rowsOf reads a CSV file, packed or not, each row by the names of its columns.
func rowsOf(t testing.TB, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	data, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	rows := records(string(data))
	if len(rows) == 0 {
		t.Fatalf("%s has no rows", path)
	}
	return rows
}

// scoreSides are the runs of the published scores.
func scoreSides(t testing.TB) []verdict.Side {
	t.Helper()
	runs, err := exchange.Scores(oracle(t, "sortbench-v1.0", "published_scores.csv.gz"), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var sides []verdict.Side
	for _, r := range runs {
		sides = append(sides, verdict.Side{Run: r.Run, Records: r.Records})
	}
	if len(sides) != paperModels {
		t.Fatalf("%d runs", len(sides))
	}
	return sides
}

// study is the document of the published scores, made once for all tests.
var study = sync.OnceValues(func() (*Document, error) {
	runs, err := exchange.Scores(filepath.Join("..", "..", "..", "shared", "oracle", "sortbench-v1.0", "published_scores.csv.gz"), "", nil)
	if err != nil {
		return nil, err
	}
	var sides []verdict.Side
	for _, r := range runs {
		sides = append(sides, verdict.Side{Run: r.Run, Records: r.Records})
	}
	return SortBench(sides, SortBenchOptions{Command: "verbatim report --preset sortbench"})
})

func published9(t testing.TB) *Document {
	t.Helper()
	oracle(t, "sortbench-v1.0")
	d, err := study()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func tableNamed(t testing.TB, d *Document, name string) *Table {
	t.Helper()
	for i := range d.Tables {
		if d.Tables[i].Name == name {
			return &d.Tables[i]
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}
