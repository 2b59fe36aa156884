package items_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/api.txt")

// TestAPI compares what the public packages export with a saved list. A removed or changed line
// breaks other people's programs.
func TestAPI(t *testing.T) {
	var got []byte
	for _, dir := range []string{"../items", "../grade"} {
		out, err := exec.Command("go", "doc", "-all", dir).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got = append(got, out...)
	}
	saved := filepath.Join("testdata", "api.txt")
	if *update {
		if err := os.WriteFile(saved, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the exports of the public packages have changed; if that is intended, run go test ./items -update\n%s", got)
	}
}
