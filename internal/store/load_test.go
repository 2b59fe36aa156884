package store

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/store/storetest"
)

// A run's load is the greatest of its parts, and goes with an export. A part without known
// slots changes nothing about them.
func TestAddLoad(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0))
	for _, step := range []struct{ add, want verbatim.Load }{
		{verbatim.Load{Peak: 8, Slots: 2}, verbatim.Load{Peak: 8, Slots: 2}},
		{verbatim.Load{Peak: 3, Slots: 4}, verbatim.Load{Peak: 8, Slots: 4}},
		{verbatim.Load{Peak: 9}, verbatim.Load{Peak: 9, Slots: 4}},
		{verbatim.Load{Peak: 1, Context: 2048}, verbatim.Load{Peak: 9, Slots: 4, Context: 2048}},
		{verbatim.Load{Peak: 1}, verbatim.Load{Peak: 9, Slots: 4, Context: 2048}},
	} {
		must(t, s.AddLoad(ctx, run.N, step.add))
		now, err := s.Find(ctx, run.Name, "")
		must(t, err)
		if now.Load == nil || *now.Load != step.want {
			t.Errorf("%+v and then: %+v, want %+v", step.add, now.Load, step.want)
		}
	}
	other := newStore(t)
	done, err := other.Import(ctx, strings.NewReader(export(t, s, run.N)))
	must(t, err)
	if l := done[0].Run.Load; l == nil || *l != (verbatim.Load{Peak: 9, Slots: 4, Context: 2048}) {
		t.Errorf("imported: %+v", l)
	}
	if err := s.AddLoad(ctx, 77, verbatim.Load{Peak: 1}); err == nil {
		t.Error("there is no run 77")
	}
}
