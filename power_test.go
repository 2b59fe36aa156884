package verbatim_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPowerPage tests that docs/power.md and its figure are those of the saved measurements.
func TestPowerPage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 writes the page")
	}
	folder := t.TempDir()
	if out, err := exec.Command(python, "scripts/variants/page", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"power.md", "power.svg"} {
		want, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join("docs", name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/%s is not the page of scripts/variants/results.json (%v): run scripts/variants/page", name, err)
		}
	}
}
