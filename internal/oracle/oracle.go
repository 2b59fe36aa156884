// Package oracle finds the reference data that tests compare with: published lists,
// outputs and scores, tables of other programs, recorded bytes of servers. They are no
// part of the project and lie in ../shared/oracle beside the checkout.
//
// Start at Path. Where there are none the test is skipped and says so, or fails if
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
// ../shared/oracle.
func Path(t testing.TB, name ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{root(t), "..", "shared", "oracle"}, name...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatal(err)
		}
		t.Skipf("the reference data is not here: %v", err)
	}
	return path
}

// root is the folder of the go.mod above the test.
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

// Read reads a file of reference data; one whose name ends in .gz is unpacked.
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

// Rows reads a CSV file of reference data, packed or not: a map from the names of the
// columns to the cells for each row, of which there is one at least.
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
