package grade_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
)

// TestMemoryHoldsNothing: a grade is the same whatever the memory was used for before. The replies
// are of texts, numbers and lists in random order, each also cut at the end.
func TestMemoryHoldsNothing(t *testing.T) {
	all := readJudged(t)
	r := rand.New(rand.NewPCG(3, 3))
	r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	if !exhaustive.All() {
		all = all[:len(all)/4]
	}
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

// TestTryAfterPanic: a panic is an error that names a defect, and leaves nothing in the memory.
func TestTryAfterPanic(t *testing.T) {
	numbers := verbatim.Item{Want: verbatim.ListAnswer([]any{int64(1), int64(2)}), Source: &verbatim.Answer{List: []any{int64(2), int64(1)}}}
	var m grade.Memory
	if g, err := m.Try(&numbers, "Sorted: [1, 2]", verbatim.FinishStop); err != nil || !g.Extracted {
		t.Fatalf("%+v, %v", g, err)
	}
	if reflect.ValueOf(&m).Elem().IsZero() {
		t.Fatal("the memory holds nothing before the panic, so that this shows nothing")
	}
	if _, err := m.Try(nil, "text", verbatim.FinishStop); err == nil || !strings.Contains(err.Error(), "a defect of verbatim") {
		t.Errorf("no item: %v", err)
	}
	if !reflect.ValueOf(&m).Elem().IsZero() {
		t.Error("the memory is not clear after a panic")
	}
}
