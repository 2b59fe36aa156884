package task

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

func deal(t *testing.T, q Request) (verbatim.Plan, []Place, *Deck) {
	t.Helper()
	p, err := Plan(q)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	var places []Place
	for place, ok := d.Next(); ok; place, ok = d.Next() {
		if place.Seq != int64(len(places)) {
			t.Fatalf("place %d has number %d", len(places), place.Seq)
		}
		places = append(places, place)
	}
	if int64(len(places)) != p.Count {
		t.Fatalf("%d places of a plan of %d", len(places), p.Count)
	}
	return p, places, d
}

// TestBlocks wants every block of an even plan to hold one item of each cell, in
// an order that changes from block to block.
func TestBlocks(t *testing.T) {
	p, places, _ := deal(t, Request{Tasks: []string{"reverse"}, Lengths: must(ParseLengths("8..128")), Items: 20, Trials: 2, Seed: 1})
	cells := len(p.Cells)
	orders := map[string]bool{}
	for b := 0; b < len(places); b += cells {
		seen := map[int]bool{}
		order := ""
		for _, place := range places[b : b+cells] {
			seen[place.Cell] = true
			order += fmt.Sprint(place.Cell, " ")
			if place.Index != b/cells%20 || place.Trial != b/cells/20 {
				t.Fatalf("block %d holds %+v", b/cells, place)
			}
		}
		if len(seen) != cells {
			t.Fatalf("block %d holds %d of %d cells", b/cells, len(seen), cells)
		}
		orders[order] = true
	}
	if len(orders) < 20 {
		t.Errorf("40 blocks come in only %d orders", len(orders))
	}
}

// TestUneven wants every item of an uneven plan once a trial, and early places to
// hold the cells in proportion.
func TestUneven(t *testing.T) {
	p, err := Plan(Request{Suite: "simpe", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.Cells[0].N, p.Trials, p.Count = 1000, 2, 2400
	d, err := Open(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[Place]bool{}
	early := 0
	for place, ok := d.Next(); ok; place, ok = d.Next() {
		if place.Seq < 600 && place.Cell == 0 {
			early++
		}
		place.Seq = 0
		if seen[place] {
			t.Fatalf("%+v twice", place)
		}
		seen[place] = true
	}
	if len(seen) != 2400 {
		t.Errorf("%d places", len(seen))
	}
	if early < 460 || early > 540 { // 500 are expected; four standard deviations are 41
		t.Errorf("%d of the first 600 are of the cell that has five sixths", early)
	}
}

func TestSuites(t *testing.T) {
	for name, count := range map[string]int64{"quick": 84, "simpe": 300, "sortbench": 1440, "": 84} {
		for _, e := range []verbatim.Edition{verbatim.Standard, verbatim.Paper} {
			p, err := Plan(Request{Suite: name, Seed: 1, Edition: e})
			if err != nil || p.Count != count {
				t.Errorf("%q in %s: %d requests, %v", name, e, p.Count, err)
			}
		}
	}
	_, places, d := deal(t, Request{Suite: "quick", Seed: 1})
	tokens := 0
	for _, place := range places {
		it, err := d.Item(place)
		if err != nil {
			t.Fatal(err)
		}
		n := MaxTokens(it, 0)
		if n > 1000 {
			t.Errorf("%s may take %d tokens", it.ID, n)
		}
		tokens += n
	}
	if tokens > 12_000 {
		t.Errorf("the quick suite may take %d tokens", tokens)
	}
	t.Logf("the quick suite takes at most %d tokens", tokens)
}

// TestHash wants every part of a request to change the plan's hash, and nothing
// else to.
func TestHash(t *testing.T) {
	base := Request{Tasks: []string{"reverse"}, Lengths: must(ParseLengths("8")), Items: 5, Seed: 1}
	variants := []func(*Request){
		func(q *Request) {},
		func(q *Request) { q.Seed = 2 },
		func(q *Request) { q.Items = 6 },
		func(q *Request) { q.Trials = 2 },
		func(q *Request) { q.Lengths = must(ParseLengths("9")) },
		func(q *Request) { q.Tasks = []string{"copy"} },
		func(q *Request) { q.Edition = verbatim.Paper },
	}
	seen := map[string]int{}
	for i, change := range variants {
		q := base
		change(&q)
		p, err := Plan(q)
		if err != nil {
			t.Fatal(err)
		}
		if j, ok := seen[p.Hash]; ok {
			t.Errorf("variants %d and %d have one hash", i, j)
		}
		seen[p.Hash] = i
		again, err := Plan(q)
		if err != nil || again.Hash != p.Hash {
			t.Errorf("variant %d has two hashes", i)
		}
	}
	// The name of the plan of the base request must never change.
	p, err := Plan(base)
	if want := "e9d37285927f"; err != nil || p.Hash[:12] != want {
		t.Errorf("the plan is %s, want %s: plans that are kept would not be found again", p.Hash[:12], want)
	}
}

func TestPlanErrors(t *testing.T) {
	tests := []struct {
		q    Request
		want string
	}{
		{Request{Suite: "quik"}, `"quik"`},
		{Request{Tasks: []string{"sort-int"}, Lengths: must(ParseLengths("1002"))}, "1002"},
		{Request{Tasks: []string{"sort-int"}, Lengths: must(ParseLengths("1001")), Edition: verbatim.Reference}, "1001 different integers"},
		{Request{Tasks: []string{"sort-int-duplicate"}, Lengths: must(ParseLengths("7"))}, "7 items"},
		{Request{Tasks: []string{"reverse"}, Lengths: must(ParseLengths("0"))}, "not 0"},
		{Request{Tasks: []string{"zzz-*"}}, `"zzz-*"`},
		{Request{Tasks: []string{"[x"}}, `"[x"`},
		{Request{Suite: "quick", Tasks: []string{"copy"}}, "together"},
		{Request{Suite: "quick", Items: 3}, "--task"},
		{Request{Suite: "sortbench", Edition: verbatim.Reference}, "--lists"},
		{Request{Edition: "new"}, `"new"`},
		{Request{Trials: -1}, "negative"},
		{Request{Tasks: []string{"copy"}, Items: 1 << 40}, "more than a plan"},
		{Request{File: &verbatim.ItemFile{Name: "x.jsonl"}}, "no items"},
	}
	for _, test := range tests {
		_, err := Plan(test.q)
		if err == nil {
			t.Errorf("%+v is a plan", test.q)
			continue
		}
		hint := ""
		for e := err; e != nil; {
			if h, ok := e.(interface{ Hint() string }); ok {
				hint = h.Hint()
				break
			}
			u, ok := e.(interface{ Unwrap() error })
			if !ok {
				break
			}
			e = u.Unwrap()
		}
		if text := err.Error() + " | " + hint; !strings.Contains(text, test.want) {
			t.Errorf("%+v: %s: it does not say %q", test.q, text, test.want)
		}
	}
}

func TestParseLengths(t *testing.T) {
	for s, want := range map[string][]int{"16": {16}, "8..256": {8, 16, 32, 64, 128, 256}, "3..20": {3, 6, 12, 20}, "4, 8,4": {4, 8}, "2..8,5": {2, 4, 8, 5}} {
		got, err := ParseLengths(s)
		var ns []int
		for _, l := range got {
			ns = append(ns, l.Min)
		}
		if err != nil || !slices.Equal(ns, want) {
			t.Errorf("%q is %v, %v", s, ns, err)
		}
	}
	for _, s := range []string{"", "x", "8..", "..8", "9..8", "-1", "8...16", "0..4", "1e3", "99999999999"} {
		if got, err := ParseLengths(s); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
}
