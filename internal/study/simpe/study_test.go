package simpe

import (
	"testing"

	"verbatim"
)

// TestChoose wants the newest run of every model, whatever its items are.
func TestChoose(t *testing.T) {
	chosen, notes := choose([]verbatim.Run{
		{N: 1, Model: "a", Plan: verbatim.Plan{Seed: 1}}, {N: 2, Model: "b"}, {N: 3, Model: "a", Plan: verbatim.Plan{Seed: 2}},
	})
	if len(chosen) != 2 || chosen[0].N != 2 || chosen[1].N != 3 || notes != nil {
		t.Errorf("%+v %q", chosen, notes)
	}
}

// TestFamilies wants a test of simpE for every family, and back.
func TestFamilies(t *testing.T) {
	for _, test := range tests() {
		if got := Family(Test(test.family)); got != test.family {
			t.Errorf("%s becomes %q", test.family, got)
		}
	}
	if Test("sort-int") != "" || Family("sorting") != "" {
		t.Error("a family or a test is found that simpE does not have")
	}
}
