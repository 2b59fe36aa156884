package stats_test

import (
	"os"
	"path/filepath"
	"testing"
)

// oracle returns the folder of reference figures, which is not part of the project.
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
		t.Skipf("the reference figures are not here: %v", err)
	}
	return path
}
