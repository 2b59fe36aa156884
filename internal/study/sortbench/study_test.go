package sortbench

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exchange"
)

// TestChoose wants the newest run of every model of the lists that most models have, and a
// note on a model that has others alone.
func TestChoose(t *testing.T) {
	run := func(n int64, model string, seed uint64) verbatim.Run {
		return verbatim.Run{N: n, Name: model + "-1", Model: model, Plan: verbatim.Plan{Seed: seed}}
	}
	runs := []verbatim.Run{run(1, "alone", 2), run(2, "alpha", 1), run(3, "alpha", 1), run(4, "beta", 1), run(5, "beta", 2), run(6, "gamma", 1)}
	chosen, notes := choose(runs)
	var list []int64
	for _, r := range chosen {
		list = append(list, r.N)
	}
	if len(list) != 3 || list[0] != 3 || list[1] != 4 || list[2] != 6 {
		t.Errorf("the runs are %v, want 3, 4 and 6", list)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "run 1 (alone-1)") {
		t.Errorf("the notes are %q", notes)
	}
	if chosen, notes := choose(nil); chosen != nil || notes != nil {
		t.Errorf("of no run: %v %v", chosen, notes)
	}
}

// TestSameLists wants imported scores, imported outputs and lists of one release that
// were sent to be the same lists.
func TestSameLists(t *testing.T) {
	scores := verbatim.Run{Origin: exchange.OriginSortBench, Plan: verbatim.Plan{Items: &verbatim.ItemFile{Name: "v1.0", SHA256: "a", N: 1440}}}
	asked := verbatim.Run{Plan: verbatim.Plan{Items: &verbatim.ItemFile{Name: "v1.0", SHA256: "b", N: 1440}}}
	few := verbatim.Run{Plan: verbatim.Plan{Items: &verbatim.ItemFile{Name: "v1.0", SHA256: "c", N: 6}}}
	if !sameLists(&scores, &asked) || sameLists(&asked, &few) || sameLists(&scores, &verbatim.Run{}) {
		t.Error("published scores and a run of the same lists must be the same lists; 1,440 and 6 lists of one name, or a run without lists, must not")
	}
}
