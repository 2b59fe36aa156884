package task

import (
	"slices"
	"strconv"
	"testing"

	"verbatim"
)

// TestPart: a part of a suite has items of the whole, with their ids, and a name and a
// plan of its own; a request for all of it is the whole.
func TestPart(t *testing.T) {
	for _, suite := range Suites() {
		q := Request{Suite: suite.Name, Seed: 7}
		whole := must(Plan(q))
		first := whole.Cells[0]
		q.Tasks, q.Items = []string{first.Family}, max(1, first.N/2)
		if first.Length.Min == first.Length.Max {
			q.Lengths = []verbatim.Lengths{first.Length}
		}
		part := must(Plan(q))
		if suite.Name != "quick" && part.Suite != suite.Name+partOfSuite || part.Hash == whole.Hash || len(part.Cells) != 1 || part.Count != int64(q.Items) {
			t.Errorf("%s: the part is %+v", suite.Name, part)
		}
		if suite.Name != "simpe" { // whose lengths are ranges that a request cannot name
			ids := idsOf(t, whole)
			for _, id := range idsOf(t, part) {
				if !slices.Contains(ids, id) {
					t.Errorf("%s is no item of the suite %s", id, suite.Name)
				}
			}
		}
		all := must(Plan(Request{Suite: suite.Name, Seed: 7, Tasks: []string{"*"}}))
		if all.Hash != whole.Hash {
			t.Errorf("%s: all of its tasks make the plan %s, and the suite has the plan %s", suite.Name, all.Hash, whole.Hash)
		}
	}
}

func idsOf(t *testing.T, p verbatim.Plan) (ids []string) {
	t.Helper()
	d := must(Open(p, nil))
	for position, ok := d.Next(); ok; position, ok = d.Next() {
		ids = append(ids, must(d.Item(position)).ID)
	}
	return ids
}

// TestPartOfLists takes the first lists of a task and length, which keep their ids.
func TestPartOfLists(t *testing.T) {
	var items []verbatim.Item
	for _, name := range []string{"sort-int", "sort-ascii"} {
		for _, length := range []int{2, 4} {
			for n := range 3 {
				it := mustDraw(t, must(Find(name)), parameters(length, verbatim.Reference), 1, n)
				it.ID = name + "/" + strconv.Itoa(length) + "/" + strconv.Itoa(n)
				items = append(items, it)
			}
		}
	}
	file := &verbatim.ItemFile{Name: publishedName, SHA256: "x", N: len(items)}
	for _, c := range []struct {
		q    Request
		want []string
	}{
		{Request{Tasks: []string{"sort-int"}, Items: 2}, []string{"sort-int/2/0", "sort-int/2/1", "sort-int/4/0", "sort-int/4/1"}},
		{Request{Lengths: []verbatim.Lengths{fixedLength(4)}, Items: 1}, []string{"sort-int/4/0", "sort-ascii/4/0"}},
		{Request{Suite: "sortbench-advanced", Items: 1}, []string{"sort-ascii/2/0", "sort-ascii/4/0"}},
	} {
		f, part, err := PartOfLists(file, items, c.q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, it := range part {
			got = append(got, it.ID)
		}
		if !slices.Equal(got, c.want) || f.N != len(got) || f.SHA256 == file.SHA256 {
			t.Errorf("%+v: %v, %+v", c.q, got, f)
		}
		p := must(Plan(Request{Suite: c.q.Suite, Lists: f}))
		if p.Suite != "sortbench"+partOfSuite || p.Count != int64(len(got)) {
			t.Errorf("the plan is %+v", p)
		}
	}
	if f, part, err := PartOfLists(file, items, Request{}); err != nil || f != file || len(part) != len(items) {
		t.Errorf("all of them are %d, %v", len(part), err)
	}
	if _, _, err := PartOfLists(file, items, Request{Tasks: []string{"copy"}}); err == nil {
		t.Error("the published lists have a task copy")
	}
}
