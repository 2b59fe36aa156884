package task

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim"
)

func deal(t testing.TB, p verbatim.Plan, items []verbatim.Item) []Position {
	t.Helper()
	d, err := Open(p, items)
	if err != nil {
		t.Fatal(err)
	}
	var positions []Position
	for position, ok := d.Next(); ok; position, ok = d.Next() {
		if position.Seq != int64(len(positions)) {
			t.Fatalf("position %d has number %d", len(positions), position.Seq)
		}
		positions = append(positions, position)
	}
	if _, ok := d.Next(); ok {
		t.Fatal("there is a position after the last one")
	}
	if int64(len(positions)) != p.Count {
		t.Fatalf("%d positions of a plan of %d", len(positions), p.Count)
	}
	return positions
}

// order writes the cells and indexes of positions, without their numbers.
func order(positions []Position) string {
	var b strings.Builder
	for _, p := range positions {
		fmt.Fprintf(&b, "%d/%d ", p.Cell, p.Index)
	}
	return b.String()
}

// TestBlocks wants every block of an even plan to hold one item of each cell, in
// an order that changes from block to block.
func TestBlocks(t *testing.T) {
	p := must(Plan(Request{Tasks: []string{"reverse"}, Lengths: must(ParseLengths("8..128")), Items: 20, Trials: 2, Seed: 1}))
	positions := deal(t, p, nil)
	cells := len(p.Cells)
	orders := map[string]bool{}
	for b := 0; b < len(positions); b += cells {
		seen := map[int]bool{}
		for _, position := range positions[b : b+cells] {
			seen[position.Cell] = true
			if position.Index != b/cells%20 || position.Trial != b/cells/20 {
				t.Fatalf("block %d holds %+v", b/cells, position)
			}
		}
		if len(seen) != cells {
			t.Fatalf("block %d holds %d of %d cells", b/cells, len(seen), cells)
		}
		orders[strings.ReplaceAll(order(positions[b:b+cells]), fmt.Sprintf("/%d ", b/cells%20), " ")] = true
	}
	if len(orders) < 20 {
		t.Errorf("40 blocks come in only %d orders", len(orders))
	}
}

// uneven is a plan of cells of 1000, 100 and 10 items.
func uneven() verbatim.Plan {
	p := must(Plan(Request{Suite: "simpe", Seed: 1}))
	p.Cells[0].N, p.Cells[2].N, p.Trials, p.Count = 1000, 10, 2, 2220
	return p
}

// TestUneven wants every item of an uneven plan once a trial, and every stretch of
// positions to hold the cells in proportion.
func TestUneven(t *testing.T) {
	positions := deal(t, uneven(), nil)
	seen := map[Position]bool{}
	for _, position := range positions {
		position.Seq = 0
		if seen[position] {
			t.Fatalf("%+v twice", position)
		}
		seen[position] = true
	}
	for from := 0; from < 1110; from += 222 {
		counts := [3]int{}
		for _, position := range positions[from : from+222] {
			counts[position.Cell]++
		}
		if counts[0] < 180 || counts[0] > 220 || counts[1] < 3 || counts[2] > 12 { // 200, 20 and 2 are expected
			t.Errorf("%v of the cells of 1000, 100 and 10 at position %d", counts, from)
		}
	}
}

// TestTrials wants all items in every trial, and trials in orders of their own.
func TestTrials(t *testing.T) {
	file := &verbatim.ItemFile{Name: "mine.jsonl", SHA256: "00", N: 50}
	for name, p := range map[string]verbatim.Plan{
		"even":   must(Plan(Request{Suite: "quick", Seed: 1, Trials: 3})),
		"uneven": uneven(),
		"file":   must(Plan(Request{File: file, Trials: 3})),
	} {
		var items []verbatim.Item
		if p.Items != nil {
			items = make([]verbatim.Item, p.Items.N)
		}
		positions := deal(t, p, items)
		n := len(positions) / p.Trials
		orders, contents := map[string]bool{}, map[string]bool{}
		for trial := range p.Trials {
			part := positions[trial*n : (trial+1)*n]
			orders[order(part)] = true
			seen := map[[2]int]bool{}
			for _, position := range part {
				if position.Trial != trial {
					t.Fatalf("%s: %+v in trial %d", name, position, trial)
				}
				seen[[2]int{position.Cell, position.Index}] = true
			}
			contents[fmt.Sprint(seen)] = true
			if len(seen) != n {
				t.Errorf("%s: %d of %d items in trial %d", name, len(seen), n, trial)
			}
		}
		if len(orders) != p.Trials || len(contents) != 1 {
			t.Errorf("%s: %d trials in %d orders with %d contents", name, p.Trials, len(orders), len(contents))
		}
		if strings.HasPrefix(order(positions), "0/0 0/1 0/2 ") && name != "uneven" { // its first cell has nearly all items
			t.Errorf("%s: the items are not shuffled", name)
		}
	}
}

// TestOrderIsThePlans pins the order of three plans: a continued run, and the runs of
// other models, must always have the items in the same order.
func TestOrderIsThePlans(t *testing.T) {
	even := must(Plan(Request{Tasks: []string{"copy", "add"}, Lengths: must(ParseLengths("4,8,16")), Items: 40, Seed: 1}))
	file := must(Plan(Request{File: &verbatim.ItemFile{Name: "a", SHA256: "00", N: 100}}))
	for name, got := range map[string]string{
		"even aa6ee401":   order(deal(t, even, nil)),
		"uneven 1a43ba75": order(deal(t, uneven(), nil)),
		"file f2b92106":   order(deal(t, file, make([]verbatim.Item, 100))),
	} {
		sum := sha256.Sum256([]byte(got))
		name, want, _ := strings.Cut(name, " ")
		if hash := hex.EncodeToString(sum[:4]); hash != want {
			t.Errorf("the order of the %s plan has the hash %s, want %s", name, hash, want)
		}
	}
	other := even
	other.Hash = strings.Repeat("0", 64)
	if order(deal(t, even, nil)) == order(deal(t, other, nil)) {
		t.Error("another plan has the same order")
	}
}

// TestDeckIsSmall deals a plan of millions without holding more than its cells.
func TestDeckIsSmall(t *testing.T) {
	for name, p := range map[string]verbatim.Plan{
		"even":   must(Plan(Request{Tasks: []string{"copy", "reverse", "add", "sort-*"}, Lengths: must(ParseLengths("8")), Items: 1_000_000, Seed: 1})),
		"uneven": func() verbatim.Plan { p := uneven(); p.Cells[0].N, p.Count = 20_000_000, 40_000_220; return p }(),
	} {
		d := must(Open(p, nil))
		d.Next()
		if n := testing.AllocsPerRun(10_000, func() { d.Next() }); n != 0 {
			t.Errorf("%s: Next allocates %v times", name, n)
		}
		runtime.KeepAlive(d)
	}
}

func TestDeckItem(t *testing.T) {
	p := must(Plan(Request{Suite: "sortbench", Seed: 3}))
	d := must(Open(p, nil))
	position, _ := d.Next()
	it, err := d.Item(position)
	c := p.Cells[position.Cell]
	if want := ID(must(Find(c.Family)), verbatim.Parameters{Length: c.Length, Edition: p.Edition}, 3, 0); err != nil || it.ID != want || it.Grader != "sortbench" {
		t.Errorf("%s graded by %q at %+v, want %s: %v", it.ID, it.Grader, position, want, err)
	}
	items := []verbatim.Item{{ID: "a"}, {ID: "b"}}
	file := must(Plan(Request{File: &verbatim.ItemFile{Name: "x", SHA256: "1", N: 2}}))
	d = must(Open(file, items))
	seen := ""
	for position, ok := d.Next(); ok; position, ok = d.Next() {
		it, err := d.Item(position)
		if err != nil {
			t.Fatal(err)
		}
		seen += it.ID
	}
	if seen != "ab" && seen != "ba" {
		t.Errorf("the file's items come as %q", seen)
	}
}

func TestOpenErrors(t *testing.T) {
	p := must(Plan(Request{Suite: "quick", Seed: 1}))
	old := p
	old.Cells = append([]verbatim.Cell(nil), p.Cells...)
	old.Cells[3].Version = 99
	unknown := old
	unknown.Cells = []verbatim.Cell{{Family: "gone", N: 1}}
	file := must(Plan(Request{File: &verbatim.ItemFile{Name: "x.jsonl", SHA256: "1", N: 2}}))
	for want, p := range map[string]verbatim.Plan{"version 99 of copy": old, `"gone"`: unknown, "x.jsonl": file} {
		if _, err := Open(p, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %s", err, want)
		}
	}
}

// TestItems: Items draws every item once, whatever the number of trials, and ends with an error.
func TestItems(t *testing.T) {
	p := must(Plan(Request{Tasks: []string{"copy"}, Lengths: []verbatim.Lengths{single(8)}, Items: 3, Trials: 2, Seed: 1}))
	var ids []string
	for it, err := range must(Open(p, nil)).Items() {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, it.ID)
	}
	if slices.Sort(ids); len(ids) != 3 || len(slices.Compact(ids)) != 3 {
		t.Errorf("items %q", ids)
	}
	n := 0
	for it, err := range Draw(Request{Tasks: []string{"nothing"}}) {
		if n++; it != nil || err == nil {
			t.Errorf("%v, %v", it, err)
		}
	}
	if n != 1 {
		t.Errorf("an error comes %d times", n)
	}
}

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

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"reverse": "reverse", "rehearsal": "copy", "addition": "add",
		"Int-0:1000": "sort-int", "Int-0-1000": "sort-int", "English-Sorted": "sort-word-sorted", "NumberWords": "sort-number-words",
		"ascii": "sort-ascii", "ASCII-Lower": "sort-ascii", "AsCiI": "sort-ascii-cased", "ASCII-Cased": "sort-ascii-cased",
		"Float-n1000:1000": "sort-float-negative", "Float-n1000-1000": "sort-float-negative",
		"Int-10000000:10001000": "sort-int-large", "Int-10000000-10001000": "sort-int-large", "Integers-10000000:10001000": "sort-int-large",
	} {
		if f, err := Find(name); err != nil || f.Name != want {
			t.Errorf("%q is %q, %v", name, f.Name, err)
		}
	}
	for name, near := range map[string]string{"revrese": "reverse", "sort-intt": "sort-int", "copie": "copy", "Englisch": "English", "rehersal": "rehearsal", "qqqqqqqq": "", "": ""} {
		_, err := Find(name)
		named, ok := errors.AsType[*NameError](err)
		if !ok || named.Nearest != near || !named.Misuse() || !strings.Contains(err.Error(), name) || !strings.Contains(named.Hint(), near) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, f := range Families() {
		for _, name := range append([]string{f.Name, f.Task, strings.ReplaceAll(f.Task, ":", "-")}, f.Aliases...) {
			if found, err := Find(name); name != "" && (err != nil || found.Name != f.Name) {
				t.Errorf("%q is %q, not %q: %v", name, found.Name, f.Name, err)
			}
		}
	}
}

func TestSelect(t *testing.T) {
	for _, test := range []struct {
		names, want []string
	}{
		{[]string{"add", "copy", "add", "rehearsal"}, []string{"copy", "add"}},
		{[]string{"r?verse"}, []string{"reverse"}},
		{[]string{"sort-int*"}, []string{"sort-int", "sort-int-large", "sort-int-negative", "sort-int-sorted", "sort-int-duplicate"}},
		{[]string{"Float-?:*"}, []string{"sort-float", "sort-float-small"}},
		{[]string{"English*", "sort-word"}, []string{"sort-word", "sort-word-sorted", "sort-word-duplicate"}},
	} {
		families, err := Select(test.names)
		var got []string
		for _, f := range families {
			got = append(got, f.Name)
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q select %q, want %q (%v)", test.names, got, test.want, err)
		}
	}
	all, err := Select([]string{"*"})
	if sorts, err2 := Select([]string{"sort-*"}); err != nil || err2 != nil || len(all) != len(Families()) || len(sorts) != 18 {
		t.Errorf("%d and %d families, %v, %v", len(all), len(sorts), err, err2)
	}
	for _, bad := range []string{"zzz-*", "[x", "nothing", ""} {
		if got, err := Select([]string{"copy", bad}); err == nil {
			t.Errorf("%q selects %d families", bad, len(got))
		}
	}
}

// TestItemsAreReadBack writes items of every family and reads them back.
func TestItemsAreReadBack(t *testing.T) {
	var b bytes.Buffer
	var want []verbatim.Item
	everyLength(func(f verbatim.Family, k verbatim.Parameters) {
		it := mustDraw(t, f, k, 2, 1)
		want = append(want, it)
		if err := WriteItem(&b, &it); err != nil {
			t.Fatal(err)
		}
	})
	file, got, err := ReadItems("x", b.Bytes(), ".", new(Fields), func(*verbatim.Item) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if file.N != len(want) || len(got) != len(want) {
		t.Fatalf("%d of %d items were read, and %d are counted", len(got), len(want), file.N)
	}
	bigs := cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
	for i := range want {
		want[i].Inputs = nil // of families only
		if reflect.DeepEqual(want[i], got[i]) {
			continue // cmp takes seconds for long lists
		}
		if diff := cmp.Diff(want[i], got[i], bigs); diff != "" {
			t.Errorf("%s changed on the way (- written, + read):\n%s", want[i].ID, diff)
		}
	}
}
