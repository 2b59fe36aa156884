package task

import (
	"slices"
	"testing"

	"verbatim"
)

func TestSearchPlan(t *testing.T) {
	lengths := func(family string) (out []int) {
		p, err := SearchPlan(family, Request{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if p.Trials != 1 || p.Hash == "" || p.Count != int64(len(p.Cells)*searchItems) {
			t.Errorf("%s: %d trials, %d requests, hash %q", family, p.Trials, p.Count, p.Hash)
		}
		if _, err := Open(p, nil); err != nil {
			t.Error(err)
		}
		for _, c := range p.Cells {
			if c.Length.Min != c.Length.Max || c.Family != family || c.N != searchItems {
				t.Errorf("%s: cell %+v", family, c)
			}
			out = append(out, c.Length.Min)
		}
		return out
	}
	for family, want := range map[string][]int{
		"reverse": {2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048, 2896, 4096, 5793, 8192,
			11585, 16384, 23170, 32768, 46341, 65536},
		"sort-int":           {2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724},
		"sort-int-duplicate": {2, 4, 6, 8, 12, 16, 24, 32, 46, 64, 92, 128, 182, 256, 362, 512, 724, 1024, 1448},
	} {
		if got := lengths(family); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", family, got, want)
		}
	}
	if got := lengths("add"); got[len(got)-1] != 2896 {
		t.Errorf("add ends at %d digits", got[len(got)-1])
	}
	if got := lengths("sort-float"); got[len(got)-1] != longestList {
		t.Errorf("sort-float ends at %d items", got[len(got)-1])
	}
}

func TestSearchPlanRefuses(t *testing.T) {
	if _, err := SearchPlan("revers", Request{}); err == nil {
		t.Error("a family that is not there has a plan")
	}
	if _, err := SearchPlan("reverse", Request{Edition: "first"}); err == nil {
		t.Error("an edition that is not there has a plan")
	}
	plain, err := SearchPlan("reverse", Request{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	put, err := SearchPlan("reverse", Request{Seed: 1, Variant: verbatim.Variant{Shots: 2}})
	if err != nil || put.Hash == plain.Hash {
		t.Errorf("with examples: hash %.6s, without %.6s, %v", put.Hash, plain.Hash, err)
	}
}
