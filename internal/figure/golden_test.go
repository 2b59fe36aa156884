package figure

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestGolden compares the drawings with golden files: after an intended change, run it
// with -update and look at them.
func TestGolden(t *testing.T) {
	list := samples()
	if len(list) == 0 {
		t.Fatal("no samples")
	}
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			if dir := os.Getenv("VERBATIM_FIGURES"); dir != "" {
				for _, f := range Formats() {
					var b bytes.Buffer
					if err := f.Write(s.figure, &b); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(dir, s.name+"."+f.Extension), b.Bytes(), 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
			var b bytes.Buffer
			if err := s.figure.SVG(&b); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", s.name+".svg")
			if *update {
				if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v; if the file is new, run with -update", err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s differs (-want +got); if it should, run with -update:\n%s", path, diff)
			}
		})
	}
}
