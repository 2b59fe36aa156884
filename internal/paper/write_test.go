package paper

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// filesIn lists the files in a folder.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteFigures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "figures")
	figs := Charts(whole())[:2]
	paths, err := WriteFigures(t.Context(), dir, figs, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "exact-share.pdf exact-share.png exact-share.svg extracted-share.pdf extracted-share.png extracted-share.svg"
	if got := strings.Join(filesIn(t, dir), " "); got != want {
		t.Errorf("the folder holds %s, want %s", got, want)
	}
	if len(paths) != 6 || paths[0] != filepath.Join(dir, "exact-share.svg") {
		t.Errorf("paths: %q", paths)
	}
	for i, head := range []string{"<svg ", "%PDF-", "\x89PNG"} {
		data, err := os.ReadFile(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(data, []byte(head)) {
			t.Errorf("%s begins with %.8q", paths[i], data)
		}
	}
	svg, _ := os.ReadFile(paths[0])
	if !strings.Contains(string(svg), "<title>Figure 1. Exact share over length") || !strings.Contains(string(svg), "<desc>Exact share over all tasks: alpha 0.600, beta 0.500") {
		t.Errorf("the drawing does not say what it shows: %.400s", svg)
	}
	again, err := WriteFigures(t.Context(), dir, figs, nil)
	if err != nil || len(again) != 6 {
		t.Errorf("a second time: %q, %v", again, err)
	}
	if same, _ := os.ReadFile(paths[0]); !bytes.Equal(same, svg) {
		t.Error("the same report made another file")
	}
}

// TestWriteNone holds that a figure that cannot be written leaves everything as it was.
func TestWriteNone(t *testing.T) {
	good := Charts(whole())[0]
	for _, c := range []struct {
		name string
		figs []Figure
		want string
	}{
		{"a folder in its place", []Figure{good, {Name: "folder", Figure: good.Figure}}, "folder.pdf is a folder"},
		{"no name", []Figure{good, {Figure: good.Figure}}, "named"},
		{"another folder", []Figure{{Name: "../evil", Figure: good.Figure}}, "../evil"},
		{"a hidden file", []Figure{{Name: ".evil", Figure: good.Figure}}, ".evil"},
		{"twice", []Figure{good, {Name: strings.ToUpper(good.Name), Figure: good.Figure}}, "two figures"},
		{"too long", []Figure{{Name: strings.Repeat("x", 101), Figure: good.Figure}}, "100 letters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			old := filepath.Join(dir, good.Name+".svg")
			if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, "folder.pdf"), 0o777); err != nil {
				t.Fatal(err)
			}
			paths, err := WriteFigures(t.Context(), dir, c.figs, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) || paths != nil {
				t.Fatalf("paths %q, error %v, want one about %q", paths, err, c.want)
			}
			if got := filesIn(t, dir); len(got) != 2 {
				t.Errorf("left behind: %q", got)
			}
			if data, _ := os.ReadFile(old); string(data) != "old" {
				t.Errorf("the old figure is now %.20q", data)
			}
		})
	}
}

func TestWriteIntoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteFigures(t.Context(), path, Charts(whole()), nil); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a file in place of the folder: %v", err)
	}
}
