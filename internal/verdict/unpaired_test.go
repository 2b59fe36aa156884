package verdict_test

import (
	"math"
	"slices"
	"testing"

	"verbatim"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

// TestLeadApart ranks runs of two seeds on their own items, and distinguishes fewer
// runs than on the same items.
func TestLeadApart(t *testing.T) {
	own := func(name string, from, right int) verdict.Side {
		var records []verbatim.Record
		for i := range 100 {
			s := 0.0
			if i < right {
				s = 1
			}
			records = append(records, verdicttest.MakeRecord(i, verdicttest.MakeItem("copy", 8, from+i), 0, s))
		}
		return verdicttest.MakeSide(name, records...)
	}
	a, b := own("a", 0, 90), own("bb", 1000, 75)
	b.Run.Plan.Seed, b.Run.Plan.Hash = 2, "another"
	board := lead(t, a, b)
	if board.Paired || board.Items != 0 || board.LeftOut != 200 || !verdicttest.HasNote(board.Notes, "unpaired") {
		t.Errorf("%+v", board)
	}
	first, second := place(t, board, "a"), place(t, board, "bb")
	if first.Rank != 1 || second.Rank != 2 || first.Items != 100 || math.Abs(first.Mean-0.9) > 1e-12 || first.RankProbabilities[0] < 0.99 || len(first.Indistinguishable) != 0 {
		t.Errorf("%+v", board.Places)
	}
	if turned := lead(t, b, a); place(t, turned, "a").RankProbabilities[0] < 0.99 || place(t, turned, "a").RankHigh != 1 {
		t.Errorf("in the other order: %+v", turned.Places)
	}
	if p := board.Ahead[0][1]; math.Abs(p-0.9977) > 0.001 || math.Abs(p-first.RankProbabilities[0]) > 0.005 {
		t.Errorf("ahead with %v, first with %v", p, first.RankProbabilities[0])
	}
	if verdicttest.HasNote(board.Notes, "weights") {
		t.Errorf("notes %v", board.Notes)
	}
	shares := func(name string, seed uint64, short int) verdict.Side {
		var records []verbatim.Record
		for i := range 40 {
			length := 16
			if i < short {
				length = 8
			}
			records = append(records, verdicttest.MakeRecord(i, verdicttest.MakeItem("copy", length, int(seed)*1000+i), 0, float64(i%2)))
		}
		s := verdicttest.MakeSide(name, records...)
		s.Run.Plan.Seed, s.Run.Plan.Hash = seed, name
		return s
	}
	if even, odd := lead(t, shares("a", 1, 20), shares("bb", 2, 20)), lead(t, shares("a", 1, 20), shares("bb", 2, 30)); verdicttest.HasNote(even.Notes, "weights") || !verdicttest.HasNote(odd.Notes, "weights") || string(even.Stratified) != "cells" {
		t.Errorf("notes %v and %v, by %s", even.Notes, odd.Notes, even.Stratified)
	}
	// Two of three seeds alike: still nothing is common to all.
	board = lead(t, a, b, own("ccc", 0, 80))
	if board.Paired || place(t, board, "ccc").Rank != 2 {
		t.Errorf("%+v", board)
	}
}

// TestLeadApartAlike: runs that were wrong in as many items of their own have the same
// probabilities of their ranks, and more items are not as many.
func TestLeadApartAlike(t *testing.T) {
	wrong := func(name string, from, items, right int) verdict.Side {
		var records []verbatim.Record
		for i := range items {
			s := 0.0
			if i < right {
				s = 1
			}
			records = append(records, verdicttest.MakeRecord(i, verdicttest.MakeItem("copy", 8, from+i), 0, s))
		}
		s := verdicttest.MakeSide(name, records...)
		s.Run.Plan.Hash = name
		return s
	}
	sides := []verdict.Side{wrong("a", 0, 5, 0), wrong("bb", 100, 5, 3), wrong("ccc", 200, 5, 0), wrong("dddd", 300, 9, 0)}
	board := lead(t, sides...)
	if a, c, d := place(t, board, "a"), place(t, board, "ccc"), place(t, board, "dddd"); !slices.Equal(a.RankProbabilities, c.RankProbabilities) || slices.Equal(a.RankProbabilities, d.RankProbabilities) {
		t.Errorf("%v, %v and %v", a.RankProbabilities, c.RankProbabilities, d.RankProbabilities)
	}
	slices.Reverse(sides)
	turned := lead(t, sides...)
	for _, name := range []string{"a", "bb", "ccc", "dddd"} {
		if p, q := place(t, board, name).RankProbabilities, place(t, turned, name).RankProbabilities; !slices.Equal(p, q) {
			t.Errorf("%s: %v, in the other order %v", name, p, q)
		}
	}
}

// TestLeadByItem: several trials count as their mean, and the order of records of
// another plan does not matter.
func TestLeadByItem(t *testing.T) {
	var records []verbatim.Record
	for trial := range 2 {
		for i := range 4 {
			records = append(records, verdicttest.MakeRecord(len(records), verdicttest.MakeItem("copy", 8, 3-i), trial, float64((i+trial)%2)))
		}
	}
	b := verdicttest.MakeSide("bb", records...)
	b.Run.Plan.Trials, b.Run.Plan.Hash = 2, "twice"
	board := lead(t, verdicttest.SideOfScores("a", 1, 1, 1, 0), b)
	if p := place(t, board, "bb"); board.Items != 4 || p.Mean != 0.5 || !verdicttest.HasNote(board.Notes, "trials") || !verdicttest.HasNote(board.Notes, "plans") {
		t.Errorf("%+v, notes %v", p, board.Notes)
	}
}
