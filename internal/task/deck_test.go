package task

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

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
