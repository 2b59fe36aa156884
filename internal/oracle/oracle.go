// Package oracle finds the reference data that tests compare with.
//
// The project's own data are in testdata: recorded bytes of servers, statistics
// computed by other programs, the graders' specification in Python. Data of other
// projects (SortBench's published lists, outputs and scores, OpenAI's description of
// its API) are not part of this repository. They are read from ../shared/oracle next
// to the checkout, or from the folder that VERBATIM_ORACLE_DIR names.
//
// Start at Path. If data are missing, it skips the test with a message, or fails it if
// VERBATIM_ORACLE is "require".
package oracle

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Path returns the path of a file or a folder of reference data, by its name below
// testdata or below the folder of other projects' data.
func Path(t testing.TB, name ...string) string {
	t.Helper()
	own := filepath.Join(append([]string{root(t), "internal", "oracle", "testdata"}, name...)...)
	if _, err := os.Stat(own); err == nil {
		return own
	}
	path := filepath.Join(append([]string{others(t)}, name...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatal(err)
		}
		t.Skipf("the reference data is not here: %v", err)
	}
	return path
}

// others returns the folder of other projects' data.
func others(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("VERBATIM_ORACLE_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(root(t), "..", "shared", "oracle")
}

// root returns the folder of the go.mod above the test.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// Read returns the content of a file of reference data. It unpacks files whose names end in .gz.
func Read(t testing.TB, name ...string) []byte {
	t.Helper()
	path := Path(t, name...)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(path, ".gz") {
		return data
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}

// Rows reads a CSV file of reference data, packed or not. It returns a map from the names of columns
// to cells for each row. A file without rows fails the test.
func Rows(t testing.TB, name ...string) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(Read(t, name...))).ReadAll()
	if err != nil || len(all) < 2 {
		t.Fatalf("%s: %d rows: %v", filepath.Join(name...), len(all), err)
	}
	var rows []map[string]string
	for _, cells := range all[1:] {
		row := make(map[string]string, len(cells))
		for i, column := range all[0] {
			row[column] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}
