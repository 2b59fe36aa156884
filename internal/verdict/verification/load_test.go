package verification_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"verbatim/internal/verdict/verification"
)

func TestPairArms(t *testing.T) {
	for text, want := range map[string][2][]int{
		"all":                     {{0, 1}, {2, 3}},
		"1,cold":                  {},
		"1,cold/1,warm":           {},
		"1,warm/16,cold":          {{0}, {1}},
		"1,cold/16,warm/16,cold":  {{0}, {2}},
		"16,warm/4,cold/32,cold":  {{1}, {2}},
		"1,warm/1,cold/8,cold":    {{1}, {2}},
		"1,new/16,cold/16,warm":   {{0}, {1}},
		"2,cold/2,warm/9,warm/16": {{0, 1}, {3, 2}},
	} {
		arms, err := verification.ParseArms(text)
		if err != nil {
			t.Fatal(err)
		}
		few, many := verification.PairArms(arms)
		if !slices.Equal(few, want[0]) || !slices.Equal(many, want[1]) {
			t.Errorf("%s: %v and %v, want %v", text, few, many, want)
		}
	}
}

// replies draws the first replies of each of four arms.
func replies(r *rand.Rand, n int, right func(arm, prompt int) float64) (list [][]*bool) {
	for arm := range 4 {
		var one []*bool
		for k := range n {
			x := r.Float64() < right(arm, k)
			one = append(one, &x)
		}
		list = append(list, one)
	}
	return list
}

// An endpoint that answers alike under load is rarely different, even if the prefix and the mode of
// its replies change its answers. One that does not is found.
func TestCompareLoads(t *testing.T) {
	arms := verification.AllArms()
	const attempts = 2000
	for _, c := range []struct {
		name         string
		right        func(arm, prompt int) float64
		least, limit float64
	}{
		{"alike", func(int, int) float64 { return .5 }, 0, .05},
		{"prompts of two kinds", func(_, k int) float64 { return .1 + .8*float64(k%2) }, 0, .05},
		{"prefix counts", func(arm, _ int) float64 { return []float64{.3, .7, .3, .7}[arm] }, 0, .05},
		{"worse under load", func(arm, _ int) float64 { return []float64{.9, .9, .5, .5}[arm] }, .95, 1},
	} {
		r, rejected := rand.New(rand.NewPCG(7, 7)), 0
		for range attempts {
			l := verification.CompareLoads("x", arms, replies(r, 48, c.right))
			if l.Prompts != 48 || len(l.Few) != 2 || l.BetterFew+l.BetterMany > 48 {
				t.Fatalf("%s: %+v", c.name, l)
			}
			if l.P <= .05 {
				rejected++
			}
		}
		if n := float64(rejected); n < attempts*c.least || n > attempts*c.limit+4*math.Sqrt(attempts*.05) {
			t.Errorf("%s: %d of %d below 0.05", c.name, rejected, attempts)
		}
	}
}

// Arms without a reply are left out, and so are prompts without one in each arm.
func TestMissingArms(t *testing.T) {
	arms := verification.AllArms()
	r := rand.New(rand.NewPCG(1, 1))
	all := func(int, int) float64 { return 1 }
	list := replies(r, 10, all)
	list[1] = nil
	list[0][3] = nil
	if l := verification.CompareLoads("x", arms, list); l == nil || l.Prompts != 9 || len(l.Few) != 1 || l.Few[0] != arms[0] || l.Many[0] != arms[2] || l.ExactFew != 9 || l.P != 1 {
		t.Errorf("%+v", l)
	}
	list[0] = nil
	if l := verification.CompareLoads("x", arms, list); l != nil {
		t.Errorf("%+v", l)
	}
	two := []*verification.Load{{P: .01}, {P: .03}}
	if verification.AdjustLoads(two); two[0].Adjusted != .02 || two[1].Adjusted != .03 {
		t.Errorf("%v, %v", two[0].Adjusted, two[1].Adjusted)
	}
}
