package watching

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/report/result"
	"verbatim/internal/store"
)

// openSaved opens a copy of a saved database.
func openSaved(t *testing.T, name string) *store.Store {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(path, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestEarlierWatches reads the watches of earlier versions of the program, whose words, choice and
// daily draws were others: days, capital and words are those that these versions printed.
func TestEarlierWatches(t *testing.T) {
	t.Parallel()
	saved, err := filepath.Glob("testdata/*.json")
	if err != nil || len(saved) == 0 {
		t.Fatal("no saved watch", err)
	}
	for _, file := range saved {
		bytes, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want result.Watched
		if err := json.Unmarshal(bytes, &want); err != nil {
			t.Fatal(file, err)
		}
		found, err := Load(t.Context(), openSaved(t, strings.TrimSuffix(filepath.Base(file), ".json")+".db.gz"), "")
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %d watches, %v", file, len(found), err)
		}
		got := Status(&found[0])
		if got.Capital != want.Capital || got.Word != want.Word || got.Tolerance != want.Tolerance || got.Items != want.Items || !got.Since.Equal(want.Since) || !reflect.DeepEqual(got.Days, want.Days) || !reflect.DeepEqual(got.Alarm, want.Alarm) {
			t.Errorf("%s: %+v\nwant %+v", file, got, want)
		}
		enrolled := map[string]bool{}
		for _, it := range found[0].Enrolled.Items {
			enrolled[it.Word] = it.Word != "" && it.Answer != ""
		}
		next, err := found[0].Today("2027-01-01", 0, verbatim.Params{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range next.Items() {
			if !enrolled[it.Prompt[0].Content[0].Text] {
				t.Errorf("%s: the next day sends %q", file, it.Prompt[0].Content[0].Text)
			}
		}
	}
}
