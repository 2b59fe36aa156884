package store

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"

	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// TestBrief packs values at the limits of their ranges.
func TestBrief(t *testing.T) {
	s := newStore(t)
	truncatedCode, err := codeOf(outcomes, verbatim.Truncated)
	must(t, err)
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		k := newInserter(c)
		for _, tail := range []any{int64(0), int64(-1), int64(7), int64(math.MaxInt64), int64(math.MinInt64), int64(1) << 61, int64(-1) << 61, "", "a", "list_3", strings.Repeat("x", 300)} {
			for _, score := range []float64{0, 1, 0.5, -1, math.Copysign(0, -1), math.NaN(), math.Inf(1)} {
				g := &verbatim.Grade{Outcome: verbatim.Truncated, Label: "empty", Grader: "text/1", Score: &score, Exact: score == 1, Extracted: score == 0, Detail: "prefix"}
				packed := k.brief(positionKey(3, MaxSeq), savedItem{Series: 1 << 40, Tail: tail}, 3, truncatedCode, g)
				must(t, k.Words.Err)
				var b brief
				if !b.unpack(packed.([]byte)) {
					t.Errorf("%v, %v: cannot be read", tail, score)
				}
				id := string(b.Text)
				if b.Text == nil {
					id = fmt.Sprint(b.Tail)
				}
				finite := !math.IsNaN(score) && !math.IsInf(score, 0)
				if id != fmt.Sprint(tail) || b.Scored != finite || finite && math.Float64bits(b.Score) != math.Float64bits(score) || b.Series != 1<<40 ||
					b.Seq != MaxSeq || b.Trial != 3 || b.Exact != (score == 1) || b.Extracted != (score == 0) || string(b.Detail) != "prefix" {
					t.Errorf("%v, %v: %+v", tail, score, b)
				}
			}
		}
		if packed := k.brief(1, savedItem{}, -1, 0, nil); packed != nil {
			t.Error("a trial before the first", packed)
		}
		return nil
	}))
}

// TestDamagedBriefs: bytes that are no brief are refused, and a file with such bytes is
// damaged.
func TestDamagedBriefs(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0), storetest.Typical(1), storetest.Typical(2))
	rapid.Check(t, func(t *rapid.T) {
		new(brief).unpack(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes")) // must not panic
	})
	// The last but one has no valid word for its facts, the last no word.
	for _, broken := range [][]byte{{}, {1}, {0xff}, {1, 0, 0, 1, 0, 0, 0}, {1, 0, 5, 1, 0, 0, 0, 1, 1, 0}, {0, 0, 5, 1, 0, 0, 0},
		{1, 0, 6, 1, 1, 0, 0}, {1, 0, 6, 250, 1, 0, 0, 0}} {
		must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
			_, _, err := c.Exec(`UPDATE reply SET brief = ? WHERE place = ?`, broken, positionKey(run.N, 1))
			return err
		}))
		var last error
		n := 0
		for _, err := range s.Records(ctx, run.N, Read{Scores: true}) {
			last = err
			n++
		}
		if n != 2 {
			t.Errorf("%v: %d records and errors", broken, n)
		}
		wantKind(t, last, sqlite.Corrupt)
	}
}
