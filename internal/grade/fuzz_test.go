package grade

import (
	"reflect"
	"slices"
	"testing"

	"verbatim"
	"verbatim/internal/grade/traits"
)

// FuzzList: no reply makes the list graders panic; a grade does not depend on what
// the scratch was used for before; the parts of a grade agree with each other.
func FuzzList(f *testing.F) {
	for _, c := range readingCases {
		f.Add(c.reply, byte(c.kind))
	}
	for _, c := range listCases {
		f.Add(c.reply, byte(0))
	}
	items := []*verbatim.Item{intsItem, wordsItem, spellItem, fourItem, twinsItem, rowsItem, mixedItem, noneItem, oneItem,
		listItem([]any{2.5, 1e-5, -3.0}, []any{-3.0, 1e-5, 2.5}), listItem([]any{true, false}, []any{false, true})}
	judges := make([]*listJudge, len(items))
	for i, it := range items {
		j, err := newListJudge(it)
		if err != nil {
			f.Fatal(err)
		}
		judges[i] = j
	}
	used := new(Scratch)
	f.Fuzz(func(t *testing.T, reply string, which byte) {
		j := judges[int(which)%len(judges)]
		for _, finish := range []verbatim.Finish{verbatim.FinishStop, verbatim.FinishLength, verbatim.FinishRefusal} {
			g := j.Grade(reply, finish, "sortbench", used)
			if fresh := j.Grade(reply, finish, "sortbench", new(Scratch)); !reflect.DeepEqual(g, fresh) {
				t.Fatalf("%q: %+v with used memory, %+v with fresh", reply, g, fresh)
			}
			checkListGrade(t, reply, finish, g)
		}
		if g := j.Grade(j.printed, verbatim.FinishStop, "list", used); !g.Exact || *g.Score != 1 {
			t.Fatalf("the right reply after %q: %+v", reply, g)
		}
	})
}

func checkListGrade(t *testing.T, reply string, finish verbatim.Finish, g verbatim.Grade) {
	t.Helper()
	switch {
	case g.Exact != (g.Label == traits.LabelPass) || g.Exact && !g.Extracted:
		t.Fatalf("%q: strict %v, extracted %v, label %s", reply, g.Exact, g.Extracted, g.Label)
	case g.Label != traits.LabelPass && !slices.ContainsFunc(listLabels("list"), func(l traits.Label) bool { return l.Name == g.Label }):
		t.Fatalf("%q: no label %q", reply, g.Label)
	case g.Extracted && !slices.Contains([]string{traits.LabelPass, labelCoerced, labelExplained, labelReformatted, traits.LabelLeak}, g.Label):
		t.Fatalf("%q: extracted with label %s", reply, g.Label)
	case !g.Exact && finish == verbatim.FinishLength && g.Outcome != verbatim.Truncated && g.Outcome != verbatim.Refused:
		t.Fatalf("%q: outcome %s at the limit", reply, g.Outcome)
	case g.Score == nil || *g.Score < 0 || *g.Score > 1:
		t.Fatalf("%q: score %v", reply, g.Score)
	case g.Measures["parsed"] == 0 && *g.Score != 0:
		t.Fatalf("%q: not parsed, but %v", reply, *g.Score)
	}
	for key, x := range g.Measures {
		if x < 0 || x != x {
			t.Fatalf("%q: %s is %v", reply, key, x)
		}
	}
}
