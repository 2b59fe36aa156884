package library

import (
	"errors"
	"path/filepath"
	"testing"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/store"
)

// TestNamedByModel: after the first run, the name of a model means its newest run of the same plan, or
// its newest run if it has none of that plan.
func TestNamedByModel(t *testing.T) {
	lib := &Library{Path: filepath.Join(t.TempDir(), "x.db")}
	s, err := store.Create(t.Context(), lib.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	defer lib.Close()
	for _, r := range []struct{ model, plan string }{{"a", "aaaaaa"}, {"b", "aaaaaa"}, {"b", "bbbbbb"}, {"c", "bbbbbb"}, {"c", "cccccc"}} {
		if _, _, err := s.Begin(t.Context(), verbatim.Run{Plan: verbatim.Plan{Hash: r.plan, Suite: "custom", Count: 1}, Model: r.model}, true); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := lib.Named(t.Context(), []string{"1", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 3 || runs[1].N != 2 || runs[2].N != 5 || runs[2].Given != "c" || runs[2].Ref != "5" {
		t.Errorf("%+v", runs)
	}
	_, err = lib.Named(t.Context(), []string{"1", "d"})
	if e, ok := errors.AsType[*errkind.Error](err); !ok || e.Kind != errkind.Usage {
		t.Errorf("%v", err)
	}
}
