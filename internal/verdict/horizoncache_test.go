package verdict_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

// TestLimitsAreKept: what is saved of limits changes no result, in whatever order
// comparisons come, and also where they run at the same time.
func TestLimitsAreKept(t *testing.T) {
	a, b := verdicttest.DrawSides(3, 4, 6, 0.1, 1)
	c, d := verdicttest.DrawSides(3, 4, 6, 0.3, 2)
	c.Run.Name, d.Run.Name = "ccc", "dddd"
	pairs := [][2]verdict.Side{{a, b}, {a, c}, {d, a}, {a, b}}
	var want []*verdict.Comparison
	for _, p := range pairs {
		want = append(want, verdicttest.Compare(t, p[0], p[1], verdicttest.SmallOptions()))
	}
	o := verdicttest.SmallOptions()
	o.Horizons = new(verdict.HorizonCache)
	got := make([]*verdict.Comparison, len(pairs))
	done := make(chan error, len(pairs))
	for i, p := range pairs {
		go func() {
			var err error
			got[i], err = verdict.Compare(p[0], p[1], o)
			done <- err
		}()
	}
	for range pairs {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if want[0].A.Horizon == nil || want[0].Families[0].A.Horizon == nil {
		t.Fatal("no limits to keep")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	o.Resamples++
	other := verdicttest.Compare(t, a, b, o)
	if cmp.Equal(other.A.Horizon, want[0].A.Horizon) && cmp.Equal(other.B.Horizon, want[0].B.Horizon) {
		t.Error("other options, and the same limits")
	}
}

// TestNoLimits: without resamples none are looked for, and everything else is the same.
func TestNoLimits(t *testing.T) {
	a, b := verdicttest.DrawSides(3, 4, 6, 0.1, 1)
	o := verdicttest.SmallOptions()
	want := verdicttest.Compare(t, a, b, o)
	o.Resamples = 0
	got := verdicttest.Compare(t, a, b, o)
	if want.A.Horizon == nil || want.B.Horizon == nil || want.Families[0].A.Horizon == nil {
		t.Fatal("no limits to leave out")
	}
	want.A.Horizon, want.B.Horizon = nil, nil
	for i := range want.Families {
		want.Families[i].A.Horizon, want.Families[i].B.Horizon = nil, nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
