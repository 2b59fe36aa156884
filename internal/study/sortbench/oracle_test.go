package sortbench

import (
	"cmp"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"verbatim/internal/exchange"
	"verbatim/internal/oracle"
	"verbatim/internal/paper"
	"verbatim/internal/verdict"
)

// scoreSides are the runs of the published scores.
func scoreSides(t testing.TB) []verdict.Side {
	t.Helper()
	runs, err := exchange.ReadSortBenchScores([]string{oracle.Path(t, "sortbench-v1.0", "published_scores.csv.gz")}, "", nil)
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

// ofScores is the document of the published scores, made once for all tests.
var ofScores = sync.OnceValues(func() (*paper.Document, error) {
	runs, err := exchange.ReadSortBenchScores([]string{filepath.Join(cmp.Or(os.Getenv("VERBATIM_ORACLE_DIR"), "../../../../shared/oracle"), "sortbench-v1.0", "published_scores.csv.gz")}, "", nil)
	if err != nil {
		return nil, err
	}
	var sides []verdict.Side
	for _, r := range runs {
		sides = append(sides, verdict.Side{Run: r.Run, Records: r.Records})
	}
	return document(sides, Options{Command: "verbatim report --preset sortbench"})
})

func published9(t testing.TB) *paper.Document {
	t.Helper()
	oracle.Path(t, "sortbench-v1.0")
	d, err := ofScores()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func tableNamed(t testing.TB, d *paper.Document, name string) *paper.Table {
	t.Helper()
	for i := range d.Tables {
		if d.Tables[i].Name == name {
			return &d.Tables[i]
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}
