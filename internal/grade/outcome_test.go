package grade

import (
	"slices"
	"strings"
	"testing"

	"verbatim"
)

func TestListOutcome(t *testing.T) {
	const right = "[-4, 1, 5, 30, 200]"
	cases := []struct {
		reply         string
		finish        verbatim.Finish
		outcome       verbatim.Outcome
		label, detail string
	}{
		{right, verbatim.FinishLength, verbatim.Pass, "pass", ""},
		{right, verbatim.FinishFilter, verbatim.Pass, "pass", ""},
		{"Sorted: " + right, verbatim.FinishFilter, verbatim.Refused, "explained", "talk around the list"},
		{"no", verbatim.FinishRefusal, verbatim.Refused, "unparsed", ""},
		{"I'm sorry.", verbatim.FinishLength, verbatim.Refused, "refusal", ""},
		{"Sorted: " + right, verbatim.FinishLength, verbatim.Truncated, "explained", "talk around the list"},
		{"", verbatim.FinishLength, verbatim.Truncated, "empty", "prefix"},
		{"<think>so [", verbatim.FinishLength, verbatim.Truncated, "reasoning_leak", "prefix"},
		{"<think>so many", verbatim.FinishLength, verbatim.Truncated, "reasoning_leak", "prefix"},
		{"[-4, 1, 5, 30, 200,", verbatim.FinishLength, verbatim.Truncated, "reformatted", "prefix"},
		{"<think>so</think>", verbatim.FinishLength, verbatim.Truncated, "reasoning_leak", "prefix"},
		{"<think>so</think>[-4, 1,", verbatim.FinishLength, verbatim.Truncated, "reasoning_leak", "prefix"},
		{"[", verbatim.FinishLength, verbatim.Truncated, "unparsed", "prefix"},
		{"[-4, 1, 5, 3", verbatim.FinishLength, verbatim.Truncated, "cut_short", "prefix"},
		{"[\n  -4,\n  1,\n  5,\n", verbatim.FinishLength, verbatim.Truncated, "cut_short", "prefix"},
		{"Sure!\n[-4, 1, 5", verbatim.FinishLength, verbatim.Truncated, "cut_short", "prefix"},
		{right[:len(right)-1], verbatim.FinishLength, verbatim.Truncated, "cut_short", "prefix"},
		{right + "\n" + right + "\n" + right + "\n" + right + "\n[-4, 1", verbatim.FinishLength, verbatim.Truncated, "looped", "copies of the answer"},
		{right + ", 7", verbatim.FinishLength, verbatim.Truncated, "explained", "talk around the list"},
		{"[-4, 1, 6", verbatim.FinishLength, verbatim.Truncated, "cut_short", "diverged"},
		{"[1, 5, 3", verbatim.FinishLength, verbatim.Truncated, "missing", "diverged"},
		{"Let me think. First", verbatim.FinishLength, verbatim.Truncated, "talk", "diverged"},
		{"[-4, 1, 5, 30, 200, 7", "", verbatim.Wrong, "added", "got 7; @5: 7 for the end"},
		{"[-4, 1, 5, 30, 200", "", verbatim.Wrapped, "reformatted", "whole reply"},
	}
	for _, c := range cases {
		g := gradeOf(intsItem, c.reply, c.finish)
		if g.Outcome != c.outcome || older(g.Label) != c.label || g.Detail != c.detail {
			t.Errorf("%q, %s: %s %s (%s), want %s %s (%s)", c.reply, c.finish, g.Outcome, g.Label, g.Detail, c.outcome, c.label, c.detail)
		}
	}
	if g := gradeOf(wordsItem, `["Fig", "apple", "da`, verbatim.FinishLength); g.Detail != "prefix" {
		t.Errorf("double quotes: %s", g.Detail)
	}
}

func TestListFlags(t *testing.T) {
	cases := []struct {
		item  *verbatim.Item
		reply string
		flags string
	}{
		{intsItem, "[-4, 1, 5, 30, 200]", ""},
		{intsItem, "Here you are: [-4, 1, 5, 30, 200]", ""},
		{intsItem, "Here is the list that you wanted: [-4, 1, 5, 30, 200]", "critical"},
		{intsItem, "[-4, 1, 5, 30, 200] готово", "foreign_script"},
		{intsItem, "[-4, 1" + strings.Repeat(", 5", 19) + "]", "critical loop"},
		{intsItem, "[-4, 1" + strings.Repeat(", 5", 9), "loop"},
		{intsItem, "ha" + strings.Repeat(" ha", 20), "critical loop"},
		{intsItem, "[1, 5] \xff", "invalid_utf8"},
		{intsItem, "[1, 5] \ufffd", "replacement_char"},
		{intsItem, "<think>", "open_reasoning"},
	}
	for _, c := range cases {
		g := gradeOf(c.item, c.reply, verbatim.FinishStop)
		if got := strings.Join(g.Flags, " "); got != c.flags {
			t.Errorf("%q: flags %q, want %q", c.reply, got, c.flags)
		}
	}
	paper := *intsItem
	paper.Facts = map[string]string{verbatim.FactEdition: "paper"}
	if g := gradeOf(&paper, "Here you are: [-4, 1, 5, 30, 200]", verbatim.FinishStop); !slices.Contains(g.Flags, "critical") {
		t.Errorf("paper edition: flags %v", g.Flags)
	}
}

// gradeList grades one reply.
func gradeList(it *verbatim.Item, reply string, finish verbatim.Finish, name string) verbatim.Grade {
	return new(Scratch).Grade(it, reply, finish, name)
}

// SortBench returns the verdict and counts of SortBench's scorer on a reply.
func (j *listJudge) SortBench(reply string, s *Scratch) SortBench {
	score, _ := j.sortBench(reply, s, false)
	return score
}

// gradeOf grades a reply by the grader that the item names, or by "list".
func gradeOf(it *verbatim.Item, reply string, finish verbatim.Finish) verbatim.Grade {
	name := it.Grader
	if name == "" {
		name = "list"
	}
	return gradeList(it, reply, finish, name)
}
