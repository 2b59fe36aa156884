package verdict_test

import (
	"math"
	"testing"

	"verbatim"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

// TestMissingAnswers withholds a verdict above the bound, and not at it.
func TestMissingAnswers(t *testing.T) {
	with := func(name string, gone int) verdict.Side {
		var records []verbatim.Record
		for i := range 100 {
			if it := verdicttest.MakeItem("copy", 8, i); i < gone {
				records = append(records, verdicttest.LostRecord(i, it, 0))
			} else {
				records = append(records, verdicttest.MakeRecord(i, it, 0, float64(i%2)))
			}
		}
		return verdicttest.MakeSide(name, records...)
	}
	for gone, withheld := range map[int]bool{0: false, 2: false, 3: true} {
		c := verdicttest.Compare(t, with("a", 0), with("bb", gone), verdicttest.SmallOptions())
		if (c.Word == verdict.Withheld) != withheld || (len(c.Why) > 0) != withheld {
			t.Errorf("%d unanswered: %s %v", gone, c.Word, c.Why)
		}
		if c.Items != int64(100-gone) || c.LeftOut.UnansweredB != int64(gone) || math.Abs(c.LeftOut.Share-float64(gone)/100) > 1e-12 {
			t.Errorf("%d unanswered: %d items, left %+v", gone, c.Items, c.LeftOut)
		}
	}
	o := verdicttest.SmallOptions()
	o.MaxUnanswered = 0.5
	if c := verdicttest.Compare(t, with("a", 0), with("bb", 40), o); c.Word == verdict.Withheld {
		t.Errorf("below the requested bound: %s", c.Word)
	}
}

// TestUndecidedLimits withholds a verdict where one side was cut short more often.
func TestUndecidedLimits(t *testing.T) {
	with := func(name string, short int, detail string) verdict.Side {
		var records []verbatim.Record
		for i := range 100 {
			r := verdicttest.MakeRecord(i, verdicttest.MakeItem("copy", 8, i), 0, 1)
			if i < short {
				r = verdicttest.MakeRecord(i, verdicttest.MakeItem("copy", 8, i), 0, 0)
				r.Outcome, r.Grade.Outcome, r.Grade.Detail = verbatim.Truncated, verbatim.Truncated, detail
			}
			records = append(records, r)
		}
		return verdicttest.MakeSide(name, records...)
	}
	for _, c := range []struct {
		a, b   int
		detail string
		want   bool
	}{{0, 3, "prefix", true}, {3, 0, "prefix", true}, {3, 3, "prefix", false}, {0, 2, "prefix", false}, {0, 50, "diverged", false}} {
		got := verdicttest.Compare(t, with("a", c.a, c.detail), with("bb", c.b, c.detail), verdicttest.SmallOptions())
		if (got.Word == verdict.Withheld) != c.want {
			t.Errorf("%+v: %s %v", c, got.Word, got.Why)
		}
	}
}
