package verdict_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

// anyPair draws two sides: of one plan with one trial, or of two plans with some.
func anyPair(t *rapid.T) (a, b verdict.Side) {
	if rapid.Bool().Draw(t, "one plan") {
		list := verdicttest.DrawRequests(t, 1)
		return verdicttest.MakeSide("a", verdicttest.Records(list)...), verdicttest.MakeSide("bb", verdicttest.Records(verdicttest.DrawAgain(t, list, true))...)
	}
	list := verdicttest.DrawRequests(t, rapid.IntRange(1, 3).Draw(t, "trials"))
	a, b = verdicttest.MakeSide("a", verdicttest.Records(list)...), verdicttest.MakeSide("bb", verdicttest.Records(verdicttest.DrawAgain(t, list, false))...)
	b.Run.Plan.Hash = "q"
	return a, b
}

// compared compares, or discards a draw that cannot be compared and says why.
func compared(t *rapid.T, a, b verdict.Side) *verdict.Comparison {
	o := verdicttest.SmallOptions()
	o.Rope = 0.02
	c, err := verdict.Compare(a, b, o)
	if refusal, ok := err.(*verdict.Refusal); ok {
		if refusal.Field != "items" || refusal.Why == "" {
			t.Fatalf("refused: %v", err)
		}
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestAnythingIsDefined gives every pair of runs a complete result or a refusal with a
// reason: no number that JSON cannot hold, no interval without width, no word outside
// the set, probabilities that add up.
func TestAnythingIsDefined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyPair(t)
		c := compared(t, a, b)
		if c == nil {
			return
		}
		if _, err := json.Marshal(c); err != nil {
			t.Fatal(err)
		}
		verdicts := []verdict.Verdict{c.Verdict, {Word: verdict.Inconclusive, Difference: c.Success, ItemsNeeded: &verdict.ItemsNeeded{}}}
		for _, r := range append(c.Families, c.Lengths...) {
			verdicts = append(verdicts, r.Verdict)
			if r.Adjusted < r.P || r.P < 0 || r.Adjusted > 1 {
				t.Fatalf("p %v, adjusted %v", r.P, r.Adjusted)
			}
		}
		for _, v := range verdicts {
			d := v.Difference
			if !(d.Low < d.High) || d.Value < d.Low || d.Value > d.High {
				t.Fatalf("the difference %v in the interval from %v to %v", d.Value, d.Low, d.High)
			}
			if sum := d.Worse + d.Equivalent + d.Better; math.Abs(sum-1) > 1e-8 || min(d.Worse, d.Equivalent, d.Better) < 0 {
				t.Fatalf("probabilities %v %v %v", d.Worse, d.Equivalent, d.Better)
			}
			switch v.Word {
			case verdict.Worse, verdict.Equivalent, verdict.Better, verdict.Withheld, verdict.Inconclusive:
			default:
				t.Fatalf("word %q", v.Word)
			}
			if (v.Word == verdict.Withheld) != (len(v.Why) > 0) || v.Word != verdict.Inconclusive && v.ItemsNeeded != nil {
				t.Fatalf("%s: why %v, settle %v", v.Word, v.Why, v.ItemsNeeded)
			}
			if v.ItemsNeeded != nil && v.ItemsNeeded.More != nil && *v.ItemsNeeded.More < 1 {
				t.Fatalf("%d more items", *v.ItemsNeeded.More)
			}
		}
	})
}

// TestSidesMirror exchanges the sides, which exchanges better and worse.
func TestSidesMirror(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyPair(t)
		x, y := compared(t, a, b), compared(t, b, a)
		if (x == nil) != (y == nil) {
			t.Fatal("one of them is refused")
		}
		if x == nil {
			return
		}
		near := func(what string, p, q float64) {
			if math.Abs(p-q) > 1e-6 {
				t.Fatalf("%s: %v and %v", what, p, q)
			}
		}
		mirror := func(what string, v, w verdict.Verdict) {
			d, e := v.Difference, w.Difference
			near(what+" value", d.Value, -e.Value)
			near(what+" low", d.Low, -e.High)
			near(what+" high", d.High, -e.Low)
			near(what+" worse", d.Worse, e.Better)
			near(what+" equivalent", d.Equivalent, e.Equivalent)
			if mirrored[v.Word] != w.Word {
				t.Fatalf("%s: %s and %s", what, v.Word, w.Word)
			}
		}
		mirror("all", x.Verdict, y.Verdict)
		if x.Flips.OnlyA != y.Flips.OnlyB || x.LeftOut.OnlyA != y.LeftOut.OnlyB || x.LeftOut.UnansweredA != y.LeftOut.UnansweredB || x.A.Right != y.B.Right {
			t.Fatalf("%+v and %+v", x.Flips, y.Flips)
		}
		near("p", x.Success.SignFlip, y.Success.SignFlip)
		for i := range x.Lengths {
			mirror("length", x.Lengths[i].Verdict, y.Lengths[i].Verdict)
		}
	})
}

var mirrored = map[verdict.Word]verdict.Word{
	verdict.Worse: verdict.Better, verdict.Better: verdict.Worse, verdict.Equivalent: verdict.Equivalent,
	verdict.Inconclusive: verdict.Inconclusive, verdict.Withheld: verdict.Withheld,
}

// TestOrderDoesNotMatter compares the same items in another order: only which flips are
// listed first changes. Names change nothing but themselves.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := verdicttest.DrawRequests(t, 1)
		other := verdicttest.DrawAgain(t, list, true)
		order := rapid.Permutation(indexes(len(list))).Draw(t, "order")
		shuffled := func(in []verdicttest.Request) (out []verdicttest.Request) {
			for _, i := range order {
				out = append(out, in[i])
			}
			return out
		}
		x := compared(t, verdicttest.MakeSide("a", verdicttest.Records(list)...), verdicttest.MakeSide("bb", verdicttest.Records(other)...))
		y := compared(t, verdicttest.MakeSide("another", verdicttest.Records(shuffled(list))...), verdicttest.MakeSide("name", verdicttest.Records(shuffled(other))...))
		if (x == nil) != (y == nil) {
			t.Fatal("one of them is refused")
		}
		if x == nil {
			return
		}
		strip := func(c *verdict.Comparison) string {
			c.Flips.List, c.A.RunInfo, c.B.RunInfo = nil, verdict.RunInfo{}, verdict.RunInfo{}
			c.Families = nil // they are in the order of the records
			c.Cells = nil
			return rounded(reflect.ValueOf(*c))
		}
		if got, want := strip(y), strip(x); got != want {
			t.Fatalf("in another order\n%s\nnot\n%s", got, want)
		}
	})
}

func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// rounded prints a value with its numbers to seven decimals: sums in another order
// differ in the last ones.
func rounded(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Float64:
		return strconv.FormatFloat(v.Float()+0, 'f', 7, 64)
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return rounded(v.Elem())
	case reflect.Struct:
		out := "{"
		for i := range v.NumField() {
			out += v.Type().Field(i).Name + ":" + rounded(v.Field(i)) + " "
		}
		return out + "}"
	case reflect.Slice:
		out := "["
		for i := range v.Len() {
			out += rounded(v.Index(i)) + " "
		}
		return out + "]"
	}
	return fmt.Sprint(v)
}

// TestCopyOfARun finds no difference between a run and its copy.
func TestCopyOfARun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := verdicttest.DrawRequests(t, 1)
		c := compared(t, verdicttest.MakeSide("a", verdicttest.Records(list)...), verdicttest.MakeSide("copy", verdicttest.Records(list)...))
		if c == nil {
			return
		}
		d := c.Difference
		if d.Value != 0 || math.Abs(d.Worse-d.Better) > 1e-9 || math.Abs(d.Low+d.High) > 1e-9 || c.Flips.OnlyA+c.Flips.OnlyB > 0 || c.Success.SignFlip != 1 {
			t.Fatalf("%+v, flips %+v", d, c.Flips)
		}
		if c.Word == verdict.Worse || c.Word == verdict.Better {
			t.Fatalf("%s than itself", c.Word)
		}
	})
}
