package grade_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"verbatim"
	"verbatim/internal/grade"
)

// TestMemoryHoldsNothing: a grade is the same whatever the memory was used for before. The replies
// are of texts, numbers and lists in random order, each also cut at the end.
func TestMemoryHoldsNothing(t *testing.T) {
	all := readJudged(t)
	r := rand.New(rand.NewPCG(3, 3))
	r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	var m grade.Memory
	for i := range all {
		it := all[i].item(t)
		text, _, _ := all[i].reply()
		for _, c := range []struct {
			text   string
			finish verbatim.Finish
		}{{text, all[i].Finish}, {text[:r.IntN(len(text)+1)], verbatim.FinishLength}, {text + "\n" + text, ""}, {"The sorted list is:\n[1, 2, [3, 4]", ""}} {
			if got, want := m.Of(it, c.text, c.finish), grade.Of(it, c.text, c.finish); !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %+v, with fresh memory %+v", c.text, got, want)
			}
		}
	}
}
