package stats_test

import (
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// oracle returns the path of published data, which are not part of the project.
func oracle(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(dir, "..", "shared", "oracle", name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatal(err)
		}
		t.Skipf("the published data are not here: %v", err)
	}
	return path
}

// rows reads a CSV file of the oracle, packed or not: a map by column for each row.
func rows(t testing.TB, name string) []map[string]string {
	t.Helper()
	file, err := os.Open(oracle(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	all, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, line := range all[1:] {
		row := make(map[string]string, len(line))
		for i, v := range line {
			row[all[0][i]] = v
		}
		out = append(out, row)
	}
	if len(out) == 0 {
		t.Fatalf("%s has no rows", name)
	}
	return out
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
