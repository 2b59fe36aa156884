package grade

import (
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
	"verbatim/internal/oracle"
	"verbatim/internal/pylit"
)

// listItem returns an item that wants a list made from the source.
func listItem(source, want []any) *verbatim.Item {
	s := verbatim.ListAnswer(source)
	return &verbatim.Item{ID: "test", Want: verbatim.ListAnswer(want), Source: &s}
}

var (
	intsItem  = listItem([]any{int64(30), int64(-4), int64(200), int64(1), int64(5)}, []any{int64(-4), int64(1), int64(5), int64(30), int64(200)})
	wordsItem = listItem([]any{"pear", "Fig", "apple", "kiwi", "date"}, []any{"Fig", "apple", "date", "kiwi", "pear"})
	fruitItem = listItem([]any{"watermelon", "fig", "apple", "kiwi"}, []any{"apple", "fig", "kiwi", "watermelon"})
	spellItem = listItem([]any{"two", "ninety-nine", "four hundred and one", "seven"}, []any{"four hundred and one", "ninety-nine", "seven", "two"})
	twinsItem = listItem([]any{int64(7), int64(3), int64(7), int64(3)}, []any{int64(3), int64(3), int64(7), int64(7)})
	rowsItem  = listItem([]any{[]any{"b", int64(2)}, []any{"a", int64(10)}}, []any{[]any{"a", int64(10)}, []any{"b", int64(2)}})
	mixedItem = listItem([]any{"b", int64(2), nil, 1.5, true}, []any{nil, true, 1.5, int64(2), "b"})
	noneItem  = listItem([]any{}, []any{})
	oneItem   = listItem([]any{int64(5)}, []any{int64(5)})
)

// A listCase is a reply and the label that it should get.
type listCase struct {
	item          *verbatim.Item
	reply         string
	label, detail string
}

// listCases reach every label, by the simplest reply and by odd ones. They are graded so by SortBench's graders, and by "list" but for foundCases.
var listCases = []listCase{
	{intsItem, "[-4, 1, 5, 30, 200]", "pass", ""},
	{intsItem, "\u00a0\n[-4,\n  1_0 - 9]\n", "cut_short", "1 of 5 items"},
	{intsItem, " \n [-0x4,1,5,3_0,200,]\x1c\n  ", "pass", ""},
	{mixedItem, "[None, True, 1.5, 2, 'b']", "pass", ""},
	{rowsItem, "[['a', 10], ['b', 2]]", "pass", ""},
	{noneItem, "[]", "pass", ""},
	{oneItem, "[5]", "pass", ""},

	{intsItem, "<think>[30]</think>\n[-4, 1, 5, 30, 200]", "pass", ""},
	{intsItem, "hm</think>Sure:\n[-4, 1, 5, 30, 200]", "reasoning_leak", "explained: Content after last closing bracket"},
	{intsItem, "<think>hm</think>", "empty", ""},
	{intsItem, "<think>hm</think>\n[30, -4, 200, 1, 5]", "unchanged", ""},
	{intsItem, "<think>a</think>[200]<think>b</think>[-4, 1, 5, 30, 200]", "reasoning_leak", "pass"},

	{intsItem, " \n\t", "empty", ""},

	{intsItem, "The list:\n[-4, 1, 5, 30, 200]", "explained", "Content after last closing bracket"},
	{intsItem, "```python\n[-4, 1, 5, 30, 200]\n```", "explained", "Content after last closing bracket"},
	{intsItem, "[-4, 1, 5, 30, 200]\nThe list is sorted.", "explained", "talk around the list"},
	{intsItem, "Sorted: `[-4, 1, 5, 30, 200]`, in ascending order [as asked].", "explained", "talk around the list"},
	{intsItem, "[-4, 1, 5, 30, 200]\r\nDone,\r\nall of it", "explained", "Content after last closing bracket"},
	{intsItem, "[-4, 1, 5, 30, 200]\r\nDone.", "explained", "talk around the list"},
	{intsItem, "[-4, '1', 5.0, 30, 200]", "coerced", "items cast"},
	{intsItem, "[-4, 1, 5, 30, 200] # sorted", "explained", "comments"},
	{intsItem, "[-4, 1, # so far]\n5, 30, 200]", "explained", "comments"},
	{intsItem, "([-4, 1, 5, 30, 200])", "explained", "talk around the list"},
	{intsItem, "[-4, 1, 5, 30, 200],", "reformatted", "a tuple"},
	{intsItem, "[-4, 1, ..., 5, 30, 200]", "reformatted", "ellipsis dropped"},
	{intsItem, "1. -4\n2. 1\n3. 5\n4. 30\n5. 200", "coerced", "Numbered, line-wise list, items cast"},
	{wordsItem, "['Fig', 'apple', 'date',\n'kiwi\n', 'pear']", "altered", "lost 'kiwi'; got 'kiwi '; @3: 'kiwi ' for 'kiwi'"},
	{intsItem, "[-4, 1, 5, 30, 200], 7", "explained", "talk around the list"},
	{oneItem, "The sorted list is: [5]", "explained", "Content after last closing bracket"},

	{intsItem, "I'm sorry, but I can't sort this.", "refusal", ""},
	{intsItem, "As an AI I sorted only [1]", "refusal", ""},
	{intsItem, "I am unable to say more than [-4, 1, 5, 30]", "cut_short", "4 of 5 items"},

	{fourItem, "I'm sorry, only half: [1, 2]", "cut_short", "2 of 4 items"},
	{fourItem, "I'm sorry, only a quarter: [1]", "refusal", ""},

	{intsItem, "Sorted!", "unparsed", "not a Python literal: a name at byte 6"},
	{intsItem, "[1, 'x', 3]", "unparsed", "@1: 'x' is no int"},
	{intsItem, "{1, 2}", "unparsed", "not a Python literal: no list at byte 0"},
	{intsItem, "17", "unparsed", "not a Python literal: no list at byte 0"},

	{intsItem, "[30, -4, 200, 1, 5]", "unchanged", ""},
	{intsItem, "[30, -4, 200, 1, 5]\nThe list is sorted.", "unchanged", ""},
	{intsItem, "[200, 30, 5, 1, -4]", "reversed_order", ""},

	{intsItem, "[-4, 1, 200, 30, 5]", "other_key", "by the digits as text"},
	{intsItem, "[1, -4, 5, 30, 200]", "other_key", "by absolute value"},
	{wordsItem, "['apple', 'date', 'Fig', 'kiwi', 'pear']", "other_key", "by casefold"},
	{fruitItem, "['fig', 'kiwi', 'apple', 'watermelon']", "other_key", "by length"},
	{spellItem, "['two', 'seven', 'ninety-nine', 'four hundred and one']", "reversed_order", ""},
	{listItem([]any{"two", "one", "ten"}, []any{"one", "ten", "two"}), "['one', 'two', 'ten']", "other_key", "by value"},
	{listItem([]any{"bb", "aa", "a"}, []any{"a", "aa", "bb"}), "['a', 'bb', 'aa']", "other_key", "by length"},
	{listItem([]any{"cc", "aa", "bb"}, []any{"aa", "bb", "cc"}), "['bb', 'cc', 'aa']", "misordered", "2 pairs out of order; @0: 'bb' for 'aa'"},
	{listItem([]any{int64(1), int64(2), int64(3)}, []any{int64(3), int64(1), int64(2)}), "[1, 3, 2]", "misordered", "1 pairs out of order; @0: 1 for 3"},

	{spellItem, "[2, 7, 99, 401]", "converted", "4 items in digits, first @0: '2' for 'two'"},
	{spellItem, "['401', 'ninety-nine', '7', '2']", "converted", "3 items in digits, first @0: '401' for 'four hundred and one'"},

	{intsItem, "[1, 4, 5, 30, 200]", "sign_lost", "lost -4; got 4; @0: 1 for -4"},
	{listItem([]any{1.5, -2.5}, []any{-2.5, 1.5}), "[-1.5, 2.5]", "sign_lost", "lost -2.5, 1.5; got -1.5, 2.5; @0: -1.5 for -2.5"},

	{intsItem, "[-4, 1" + strings.Repeat(", 5", 9) + "]", "looped", "9 items at the end repeat 5"},
	{intsItem, "[-4" + strings.Repeat(", 1, 5", 6), "looped", "11 items at the end repeat 5, 1"},

	{intsItem, "[-4, 1, 5, 30, 200, 5, 30, 200, 5, 30, 200]", "added", "got 5, 30, 200 and 3 more; @5: 5 for the end"},

	{intsItem, "[-4, 1, 5]", "cut_short", "3 of 5 items"},
	{intsItem, "[-4, 1, 5, 30, 200", "cut_short", "4 of 5 items"},
	{intsItem, "[]", "missing", "lost -4, 1, 5 and 2 more; @0: the end for -4"},
	{intsItem, "[-4, 5, 30, 200]", "missing", "lost 1; @1: 5 for 1"},
	{twinsItem, "[3, 7, 7]", "missing", "lost 3; @1: 7 for 3"},
	{intsItem, "[-4, 1, 2, 5, 30, 200]", "added", "got 2; @2: 2 for 5"},
	{twinsItem, "[3, 3, 7, 7, 7]", "added", "got 7; @4: 7 for the end"},
	{twinsItem, "[7, 3, 3, 7, 7]", "added", "got 7; @0: 7 for 3"},
	{noneItem, "[1]", "added", "got 1; @0: 1 for the end"},
	{intsItem, "[-4, 1, 5, 31, 200]", "altered", "lost 30; got 31; @3: 31 for 30"},
	{listItem([]any{int64(9), int64(7), int64(3)}, []any{int64(3), int64(7), int64(9)}), "[7, 3, 7, 8]", "altered", "lost 9; got 7, 8; @0: 7 for 3"},
	{intsItem, "[-4, 1.7, 5.2, 30, 200]\nas floats", "altered", "lost 1, 5; got 1.7, 5.2; @1: 1.7 for 1"},
	{intsItem, "[-4, 1.7, 5.2, 30, 200]", "altered", "lost 1, 5; got 1.7, 5.2; @1: 1.7 for 1"},
	{intsItem, "[-4, 1, 5, 0x" + strings.Repeat("f", 80) + ", 200]", "altered", "lost 30; got an int of 320 bits; @3: an int of 320 bits for 30"},
	{fruitItem, "['apple', 'fig', 'kiwi', '" + strings.Repeat("water", 20) + "']", "altered", "lost 'watermelon'; got '" + strings.Repeat("water", 9) + "wat'…; @3: '" + strings.Repeat("water", 9) + "wat'… for 'watermelon'"},
	{wordsItem, "['Fig', 'apple', 'kiwi', 'date', 'pear']", "misordered", "1 pairs out of order; @2: 'kiwi' for 'date'"},
	{rowsItem, "[['b', 2], ['a', 10.0]]", "unchanged", ""},
	{rowsItem, "[['a', 2], ['b', 10]]", "altered", "lost a list of 2, a list of 2; got a list of 2, a list of 2; @0: a list of 2 for a list of 2"},
	{mixedItem, "[None, True, 1.5, 2, 'c']", "altered", "lost 'b'; got 'c'; @4: 'c' for 'b'"},
	{intsItem, "[1, -4, 6, 30, 200]", "mixed", "lost 5; got 6; 1 pairs out of order; @0: 1 for -4"},
}

// foundCases are the replies that "list" grades otherwise than SortBench's graders, because
// it finds the answer first.
var foundCases = []listCase{
	{intsItem, "<think>[30]</think>\n[-4, 1, 5, 30, 200]", "reasoning_leak", "pass"},
	{intsItem, "<think>hm</think>", "reasoning_leak", "empty"},
	{intsItem, "<think>hm</think>\n[30, -4, 200, 1, 5]", "reasoning_leak", "unchanged"},
	{rowsItem, "[['a', 2], ['b', 10]]", "altered", "lost ['a', 10], ['b', 2]; got ['a', 2], ['b', 10]; @0: ['a', 2] for ['a', 10]"},
	{intsItem, "hm</think>Sure:\n[-4, 1, 5, 30, 200]", "reasoning_leak", "explained: talk around the list"},
	{intsItem, "([-4, 1, 5, 30, 200])", "marked_up", "no words around"},
	{intsItem, "The list:\n[-4, 1, 5, 30, 200]", "explained", "talk around the list"},
	{intsItem, "```python\n[-4, 1, 5, 30, 200]\n```", "fenced", ""},
	{intsItem, "[-4, 1, 5, 30, 200]\r\nDone,\r\nall of it", "explained", "talk around the list"},
	{intsItem, "[-4, 1, 5, 30, 200] # sorted", "explained", "talk around the list"},
	{intsItem, "1. -4\n2. 1\n3. 5\n4. 30\n5. 200", "reformatted", "plain list"},
	{intsItem, "[-4, 1, 5, 30, 200", "reformatted", "whole reply"},
	{intsItem, "[-4, 1, 5, 30", "cut_short", "4 of 5 items"},
	{intsItem, "[-4" + strings.Repeat(", 1, 5", 6), "looped", "12 items at the end repeat 1, 5"},
	{oneItem, "The sorted list is: [5]", "explained", "talk around the list"},
	{intsItem, "As an AI I sorted only [1]", "missing", "lost -4, 5, 30 and 1 more; @0: 1 for -4"},
	{intsItem, "I am unable to say more than [-4, 1, 5, 30]", "refusal", ""},
	{fourItem, "I'm sorry, only a quarter: [1]", "cut_short", "1 of 4 items"},
	{intsItem, "Sorted!", "unparsed", ""},
	{intsItem, "[1, 'x', 3]", "altered", "lost -4, 5, 30 and 1 more; got 'x', 3; @0: 1 for -4"},
	{intsItem, "{1, 2}", "unparsed", ""},
	{intsItem, "17", "unparsed", ""},

	{intsItem, "`[-4, 1, 5, 30, 200]`", "quoted", ""},
	{intsItem, "**[-4, 1, 5, 30, 200]**", "marked_up", "bold"},
	{intsItem, "You can use sorted():\n\n```python\nprint(sorted(x))\n```", "code", ""},
	{intsItem, "The original list is [30, -4, 200, 1, 5].", "echo", ""},
	{intsItem, "I look at the first item, then at the second.", "talk", ""},
	{intsItem, "The list: " + strings.Repeat("one is before five; ", 9), "looped", ""},
	{intsItem, "['one" + strings.Repeat(" five", 20), "looped", ""},

	{downItem, "[1, 5, 30]", "wrong_direction", ""},
	{downItem, "Upwards: [1, 5, 30]", "wrong_direction", ""},
	{downItem, "[5, 30, 1]", "tie_broken", "5 first"},
	{downItem, "[5, 1, 30]", "twin_taken", ""},
	{downItem, "[30, 5]", "step_missing", "merge"},
	{downItem, "[30, 5, 2]", "off_by_one", ""},
	{downItem, "[2, 2]", "other_operation", "all twice"},
	{downItem, "[1, 30, 5]", "other_key", "by name"},
	{downItem, "[30, 1, 5]", "misordered", "1 pairs out of order; @1: 1 for 5"},
	{downItem, "[30, 5, 1, 7]", "added", "got 7; @3: 7 for the end"},

	{tiesItem, "['a-2', 'a-1', 'b-4', 'b-3', 'c-5']", "tie_broken", "by descending number"},
	{tiesItem, "['a-2', 'a-1', 'b-3', 'b-4', 'c-5']", "tie_broken", "equal items in another order"},
	{tiesItem, "['a-1', 'b-3', 'a-2', 'b-4', 'c-5']", "misordered", "1 pairs out of order; @1: 'b-3' for 'a-2'"},
	{tiesItem, "['a-2', 'a-1', 'b-3', 'b-4']", "mixed", "lost 'c-5'; 1 pairs out of order; @0: 'a-2' for 'a-1'"},

	{intsItem, "xs = [-4, 1, [5, 30]", "missing", "lost -4, 1, 200; @0: 5 for -4"},
	{intsItem, "def up(xs):\n    xs.sort()\n    return [xs, 1]", "code", ""},
}

// tiesItem wants labels in order and equal labels by their numbers, and foresees these from last to first.
var tiesItem = func() *verbatim.Item {
	it := listItem([]any{"b-4", "a-1", "c-5", "b-3", "a-2"}, []any{"a-1", "a-2", "b-3", "b-4", "c-5"})
	it.Mistakes = []verbatim.Mistake{{Label: "tie_broken", Detail: "by descending number", Answer: verbatim.ListAnswer([]any{"a-2", "a-1", "b-4", "b-3", "c-5"})}}
	return it
}()

// downItem wants a descending list and foresees a mistake of each label.
var downItem = func() *verbatim.Item {
	it := listItem([]any{int64(5), int64(30), int64(1)}, []any{int64(30), int64(5), int64(1)})
	foresee := func(label, detail string, items ...any) {
		it.Mistakes = append(it.Mistakes, verbatim.Mistake{Label: label, Detail: detail, Answer: verbatim.ListAnswer(items)})
	}
	foresee("wrong_direction", "", int64(1), int64(5), int64(30))
	foresee("tie_broken", "5 first", int64(5), int64(30), int64(1))
	foresee("twin_taken", "", int64(5), int64(1), int64(30))
	foresee("step_missing", "merge", int64(30), int64(5))
	foresee("off_by_one", "", int64(30), int64(5), int64(2))
	foresee("other_operation", "all twice", int64(2), int64(2))
	foresee("other_key", "by name", int64(1), int64(30), int64(5))
	return it
}()

// TestOwnOrder: what is out of order in a list that was to be sorted downwards is counted by
// the places of the expected list; the published scorer counts by the values.
func TestOwnOrder(t *testing.T) {
	for _, c := range []struct {
		reply            string
		pairs, neighbors float64
		missing, added   float64
	}{
		{"[30, 5, 1]", 0, 0, 0, 0},
		{"[1, 5, 30]", 3, 2, 0, 0},
		{"[30, 1, 5]", 1, 1, 0, 0},
		{"[30, 99, 1, 98, 5]", 1, 1, 0, 2},
		{"[5, 30]", 1, 1, 1, 0},
		{"[30, 30, 5, 1]", 0, 0, 0, 1},
		{"[]", 0, 0, 3, 0},
	} {
		m := gradeOf(downItem, c.reply, verbatim.FinishStop).Measures
		if m["unordered_pairs"] != c.pairs || m["unordered_neighbors"] != c.neighbors || m["missing"] != c.missing || m["additional"] != c.added {
			t.Errorf("%s: %v", c.reply, m)
		}
	}
	published := *downItem
	published.Grader = "sortbench"
	if m := gradeOf(&published, "[1, 5, 30]", verbatim.FinishStop).Measures; m["unordered_pairs"] != 0 {
		t.Errorf("sortbench: %v", m)
	}
}

// TestOwnOrderOfSorted: an expected list that ascends is counted as before.
func TestOwnOrderOfSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Int64Range(0, 20), 1, 12).Draw(t, "want")
		reply := rapid.SliceOfN(rapid.Int64Range(0, 22), 0, 12).Draw(t, "reply")
		slices.Sort(want)
		judge, err := newListJudge(listItem(boxed(want), boxed(want)))
		if err != nil {
			t.Fatal(err)
		}
		if judge.scale.ownOrder {
			t.Fatal("an ascending list has an order of its own")
		}
		items, err := pylit.FromList(boxed(reply))
		if err != nil {
			t.Fatal(err)
		}
		// Where every item is wanted, the two ways to count agree.
		known := !slices.ContainsFunc(reply, func(n int64) bool { return !slices.Contains(want, n) })
		a, _ := new(tally).count(&judge.scale, items)
		b, _ := new(tally).countPlaces(&judge.scale, items)
		if known && a != b || a.missing != b.missing || a.added != b.added {
			t.Errorf("%v in %v: %+v by value, %+v by place", reply, want, a, b)
		}
	})
}

func boxed(list []int64) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// TestAcceptedLists: another right list is as right as the expected one.
func TestAcceptedLists(t *testing.T) {
	it := listItem([]any{"a", "b"}, []any{"a", "b"})
	it.Accept = []verbatim.Answer{verbatim.ListAnswer([]any{"b", "a"})}
	for reply, exact := range map[string]bool{"['a', 'b']": true, "['b', 'a']": true, "['b']": false} {
		if g := gradeOf(it, reply, verbatim.FinishStop); g.Exact != exact {
			t.Errorf("%s: exact %v", reply, g.Exact)
		}
	}
	if g := gradeOf(it, "Sure: ['b', 'a']", verbatim.FinishStop); !g.Extracted || g.Exact {
		t.Errorf("inside talk: %+v", g)
	}
}

// TestReasoningBeforeList: SortBench's graders score the whole reply, as the published scorer
// does, and judge what is behind the reasoning. The grader "list" has it in another field.
func TestReasoningBeforeList(t *testing.T) {
	for _, c := range []struct {
		reply string
		exact bool
		label string
	}{
		{"<think>[30]</think>\n\n[-4, 1, 5, 30, 200]", true, "pass"},
		{"<thinking>hm</thinking>[-4, 1, 5, 30, 200]", true, "pass"},
		{"<think>hm</think>\nHere: [-4, 1, 5, 30, 200]", false, "explained"},
		{"<think>hm</think>[-4, 1, 5, 30]", false, "cut_short"},
		{"<think>[-4, 1, 5, 30, 200]", false, ""},
		{"hm</think>[-4, 1, 5, 30, 200]", false, "reasoning_leak"},
	} {
		for _, grader := range []string{"sortbench", "sortbench-reference"} {
			g := gradeList(intsItem, c.reply, verbatim.FinishStop, grader)
			if g.Exact != c.exact || c.label != "" && older(g.Label) != c.label || g.Extracted != (c.exact || formatted(g.Label) || g.Label == "reasoning_leak" && g.Detail == "pass") {
				t.Errorf("%s: %q: exact %v, extracted %v, label %s (%s); want exact %v, label %s", grader, c.reply, g.Exact, g.Extracted, g.Label, g.Detail, c.exact, c.label)
			}
		}
		if g := gradeList(intsItem, c.reply, verbatim.FinishStop, "list"); g.Exact {
			t.Errorf("list: %q is exact", c.reply)
		}
	}
}

// older returns the label that a label of lists splits, or the label itself.
func older(name string) string {
	for _, l := range listLabels("list") {
		if l.Name == name && l.Splits != "" {
			return l.Splits
		}
	}
	return name
}

func TestListLabels(t *testing.T) {
	reached := map[string]bool{}
	cases := slices.Clone(foundCases)
	for _, c := range listCases {
		if g := gradeList(c.item, c.reply, verbatim.FinishStop, "sortbench"); older(g.Label) != c.label || g.Detail != c.detail {
			t.Errorf("sortbench: %q: %s (%s), want %s (%s)", c.reply, g.Label, g.Detail, c.label, c.detail)
		}
		if !slices.ContainsFunc(foundCases, func(f listCase) bool { return f.item == c.item && f.reply == c.reply }) {
			cases = append(cases, c)
		}
	}
	for _, c := range cases {
		g := gradeOf(c.item, c.reply, verbatim.FinishStop)
		reached[older(g.Label)] = true
		if older(g.Label) != c.label || g.Detail != c.detail {
			t.Errorf("%q: %s (%s), want %s (%s)", c.reply, g.Label, g.Detail, c.label, c.detail)
		}
		right := g.Label == "pass" || formatted(g.Label) || g.Label == "reasoning_leak" && (g.Detail == "pass" || formatted(strings.SplitN(g.Detail, ":", 2)[0]))
		if g.Exact != (g.Label == "pass") || g.Extracted != right || (*g.Score == 1) != g.Exact {
			t.Errorf("%q: strict %v, extracted %v, score %v", c.reply, g.Exact, g.Extracted, *g.Score)
		}
		want := verbatim.Wrong
		switch {
		case g.Exact:
			want = verbatim.Pass
		case g.Label == "refusal":
			want = verbatim.Refused
		case right:
			want = verbatim.Wrapped
		}
		if g.Outcome != want {
			t.Errorf("%q: outcome %s, want %s", c.reply, g.Outcome, want)
		}
	}
	for _, l := range listLabels("list") {
		if !reached[l.Name] && l.Splits == "" {
			t.Errorf("no reply is %s", l.Name)
		}
	}
}

// TestListBigInts sorts ints on both sides of the range of int64.
func TestListBigInts(t *testing.T) {
	large := new(big.Int).Lsh(big.NewInt(1), 70)
	less := new(big.Int).Neg(large)
	item := listItem([]any{int64(3), large, less}, []any{less, int64(3), large})
	for reply, label := range map[string]string{
		"[-1180591620717411303424, 3, 1180591620717411303424]": "pass",
		"[-1180591620717411303424, 3, 1180591620717411303425]": "altered",
		"[3, -1180591620717411303424, 1180591620717411303424]": "other_key",
		"[1180591620717411303424, 3, -1180591620717411303424]": "reversed_order",
	} {
		if g := gradeOf(item, reply, verbatim.FinishStop); older(g.Label) != label {
			t.Errorf("%s: %s (%s), want %s", reply, g.Label, g.Detail, label)
		}
	}
}

// TestListJudgeShared lets several goroutines share judges, each with its scratch.
func TestListJudgeShared(t *testing.T) {
	judges := make([]*listJudge, len(listCases))
	for i, c := range listCases {
		var err error
		if judges[i], err = newListJudge(c.item); err != nil {
			t.Fatal(err)
		}
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			scratch := new(Scratch)
			for range 3 {
				for i, c := range listCases {
					g := judges[i].Grade(c.reply, verbatim.FinishStop, "sortbench", scratch)
					if older(g.Label) != c.label || g.Detail != c.detail {
						t.Errorf("%q: %s (%s), want %s (%s)", c.reply, g.Label, g.Detail, c.label, c.detail)
					}
				}
			}
		})
	}
	wait.Wait()
}

// TestListScratch: the memory for a large reply is given back.
func TestListScratch(t *testing.T) {
	j, err := newListJudge(intsItem)
	if err != nil {
		t.Fatal(err)
	}
	s := new(Scratch)
	if got := j.SortBench("["+strings.Repeat("1, ", largeReply/3+1)+"]", s); got.OutputItems != largeReply/3+1 {
		t.Errorf("%+v", got)
	}
	j.SortBench("[1, 2]", s)
	if n := cap(s.tally.ints.out); n > 1000 {
		t.Errorf("memory for %d ints is not released", n)
	}
}

// TestListRefused: an item that no list can answer is an error, and no reply to it
// is right.
func TestListRefused(t *testing.T) {
	for _, item := range []*verbatim.Item{
		{ID: "a", Want: verbatim.TextAnswer("[1]")},
		{ID: "b", Want: verbatim.ListAnswer([]any{struct{}{}})},
	} {
		if _, err := newListJudge(item); err == nil || !strings.Contains(err.Error(), item.ID) {
			t.Errorf("%s: %v", item.ID, err)
		}
		if g := gradeList(item, "[1]", verbatim.FinishStop, "list"); g.Outcome != verbatim.Wrong || g.Detail == "" {
			t.Errorf("%s: %+v", item.ID, g)
		}
	}
}

// formatted reports whether a label is one of a right list that is not exact.
func formatted(label string) bool {
	return slices.Contains([]string{labelCoerced, labelExplained, labelReformatted, "quoted", "fenced", "marked_up"}, label)
}

// TestTuples wants a tuple counted as the paper says: a valid list in another notation. The
// published scorer reads tuples of texts alone, and its edition stays as it is.
func TestTuples(t *testing.T) {
	row := func(name string, n int64) []any { return []any{name, n} }
	for _, c := range []struct {
		reply               string
		want                []any
		validity, reference float64
	}{
		{"(1, 2, 3)", []any{int64(1), int64(2), int64(3)}, 0.75, 0},
		{"1, 2, 3", []any{int64(1), int64(2), int64(3)}, 0.75, 0},
		{"(1.5, 2.5)", []any{1.5, 2.5}, 0.75, 0},
		{"('a', 'b')", []any{"a", "b"}, 0.75, 0.75},
		{"(['a', 1], ['b', 2])", []any{row("a", 1), row("b", 2)}, 0.75, 0},
		{"([1, 2, 3], 4)", []any{int64(1), int64(2), int64(3)}, 0.75, 0.75},
		{"()", []any{}, 0.75, 0},
		{"(1)", []any{int64(1)}, 0, 0}, // a number, not a tuple
	} {
		it := &verbatim.Item{ID: "i", Want: verbatim.ListAnswer(c.want)}
		for name, want := range map[string]float64{"sortbench": c.validity, "sortbench-reference": c.reference} {
			g := gradeList(it, c.reply, verbatim.FinishStop, name)
			if g.Measures["validity"] != want {
				t.Errorf("%s, %s: validity %v, want %v (%s, %s)", name, c.reply, g.Measures["validity"], want, g.Label, g.Detail)
			}
			if name == "sortbench" && want > 0 && (!g.Extracted || g.Exact || g.Detail != "a tuple") {
				t.Errorf("%s, %s: %+v", name, c.reply, g)
			}
		}
	}
}

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

var fourItem = listItem([]any{int64(4), int64(2), int64(1), int64(3)}, []any{int64(1), int64(2), int64(3), int64(4)})

func TestListScores(t *testing.T) {
	nan := math.NaN() // not defined
	cases := []struct {
		item                *verbatim.Item
		reply               string
		validity            float64
		faithfulness        float64
		reference, input    float64 // sorting, by the length of the reply's and of the given list
		standard            float64
		score, scoreByInput float64
		scoreStandard       float64
	}{
		{fourItem, "[1, 2, 3, 4]", 1, 1, 1, 1, 1, 1, 1, 1},
		{fourItem, "[2, 1, 3, 4]", 1, 1, 1 - (1.0/6+1.0/4)/2, 1 - (1.0/6+1.0/4)/2, 1 - (1.0/6+1.0/3)/2, (2 - (1.0/6+1.0/4)/2) / 2, (2 - (1.0/6+1.0/4)/2) / 2, (2 - (1.0/6+1.0/3)/2) / 2},
		{fourItem, "[4, 3, 2, 1]", 1, 1, 1 - (1+3.0/4)/2, 1 - (1+3.0/4)/2, 0, (2 - (1+3.0/4)/2) / 2, (2 - (1+3.0/4)/2) / 2, 0.5},
		{fourItem, "[2, 1]", 1, 0.75, 1 - (1+1.0/2)/2, 1 - (1.0/6+1.0/4)/2, 0, (1.75 - (1+1.0/2)/2) / 2, (1.75 - (1.0/6+1.0/4)/2) / 2, 0.375},
		{fourItem, "[1, 2, 3, 4, 5, 6, 7, 8, 9]", 1, 0.5, 1, 1, 1, 0.75, 0.75, 0.75},
		{fourItem, "[1, 2, 3, 4, 5", 0.75, 1, 1, 1, 1, 0.75, 0.75, 0.75},
		{fourItem, "It is [1, 2, 3, 4]", 0.5, 1, 1, 1, 1, 0.5, 0.5, 0.5},
		{fourItem, "[1, 2, 3, '4']", 0.75, 1, 1, 1, 1, 0.75, 0.75, 0.75},
		{fourItem, "nothing", 0, nan, nan, nan, nan, 0, 0, 0},
		{fourItem, "[1]", 1, 1 - 3.0/8, nan, 1, 0, nan, (2 - 3.0/8) / 2, (1 - 3.0/8) / 2},
		{fourItem, "[]", 1, 0.5, nan, 1, 0, nan, 0.75, 0.25},
		{oneItem, "[5]", 1, 1, nan, nan, 1, nan, nan, 1},
		{oneItem, "[6]", 1, 0, nan, nan, 1, nan, nan, 0.5},
		{oneItem, "[]", 1, 0.5, nan, nan, 0, nan, nan, 0.25},
		{oneItem, "[5, 5]", 1, 0.5, 1, nan, 1, 0.75, nan, 0.75},
		{noneItem, "[]", 1, nan, nan, nan, 1, nan, nan, 1},
		{noneItem, "[1]", 1, nan, nan, nan, 1, nan, nan, 0.75},
	}
	for _, c := range cases {
		basic, advanced := *c.item, *c.item
		basic.Facts = map[string]string{verbatim.FactMode: "basic"}
		advanced.Facts = map[string]string{verbatim.FactMode: "advanced"}
		m := gradeList(&basic, c.reply, verbatim.FinishStop, "sortbench").Measures
		for key, want := range map[string]float64{
			"validity": c.validity, "faithfulness": c.faithfulness, "sorting": c.reference, "sortbench": c.score,
			"sorting_published": c.input, "sortbench_published": c.scoreByInput, "sorting_standard": c.standard, "sortbench_standard": c.scoreStandard,
		} {
			sameMeasure(t, c.reply, key, m, want)
		}
		m = gradeList(&advanced, c.reply, verbatim.FinishStop, "sortbench").Measures
		sameMeasure(t, c.reply, "sorting_published", m, c.reference)
		sameMeasure(t, c.reply, "sortbench_published", m, c.score)
		m = gradeList(c.item, c.reply, verbatim.FinishStop, "sortbench").Measures
		sameMeasure(t, c.reply, "sortbench_published", m, nan)

		sameScore(t, c.reply, gradeOf(withGrader(c.item, "sortbench"), c.reply, verbatim.FinishStop), c.scoreStandard)
		sameScore(t, c.reply, gradeOf(withGrader(c.item, "sortbench-reference"), c.reply, verbatim.FinishStop), c.score)
	}
}

func withGrader(it *verbatim.Item, name string) *verbatim.Item {
	item := *it
	item.Grader = name
	return &item
}

func sameMeasure(t *testing.T, reply, key string, m map[string]float64, want float64) {
	t.Helper()
	if got, ok := m[key]; ok == math.IsNaN(want) || ok && math.Abs(got-want) > 1e-12 {
		t.Errorf("%s: %s is %v (%v), want %v", reply, key, got, ok, want)
	}
}

func sameScore(t *testing.T, reply string, g verbatim.Grade, want float64) {
	t.Helper()
	if (g.Score == nil) != math.IsNaN(want) || g.Score != nil && math.Abs(*g.Score-want) > 1e-12 {
		t.Errorf("%s: the score of %s is %v, want %v", reply, g.Grader, g.Score, want)
	}
	if name, _, _ := strings.Cut(g.Grader, "/"); listVersion(name) != g.Grader {
		t.Errorf("%s: grader %q", reply, g.Grader)
	}
}

func TestListMeasures(t *testing.T) {
	g := gradeOf(fourItem, "Sorted: (2, 9, [4, 1, ..., 1, 5])", verbatim.FinishStop)
	want := map[string]float64{
		"parsed": 1, "is_list": 1, "has_ellipsis": 1, "required_cast": 0, "unordered_pairs": 2, "unordered_neighbors": 1,
		"missing": 2, "additional": 2, "output_items": 4, "validity": 0.5,
	}
	for key, x := range want {
		sameMeasure(t, "measures", key, g.Measures, x)
	}
	if g.Repair != "Content after last closing bracket" {
		t.Errorf("repair %q", g.Repair)
	}
	g = gradeOf(fourItem, "nothing", verbatim.FinishStop)
	for _, key := range []string{"unordered_pairs", "unordered_neighbors", "missing", "additional", "output_items", "sorting", "faithfulness", "sorting_standard"} {
		sameMeasure(t, "nothing", key, g.Measures, math.NaN())
	}
}

func TestWordNumber(t *testing.T) {
	for s, want := range map[string]int64{
		"zero": 0, "seven": 7, "nineteen": 19, "forty": 40, "forty-two": 42, "ninety‐nine": 99, "one hundred": 100, "four hundred and twenty-seven": 427,
		"nine hundred ninety nine": 999, "five hundred and five": 505, "two thousand and one": 2001, "twelve thousand three hundred": 12300, "one thousand": 1000,
		"": -1, "and": -1, "hundred": -1, "one two": -1, "twenty twelve": -1, "twenty zero": -1, "zero one": -1, "five and": -1, "onehundred": -1, "apple": -1, "one apple": -1, "forty-": 40,
		"ten hundred": -1, "one thousand two thousand": -1, "seventeen one": -1,
	} {
		n, ok := wordNumber(s)
		if ok != (want >= 0) || ok && n != want {
			t.Errorf("%q is %d, %v, want %d", s, n, ok, want)
		}
	}
}

// TestListTricky compares the reading of odd published outputs with the reference
// scorer's verdict.
func TestListTricky(t *testing.T) {
	dir := oracle.Path(t, "sortbench-v1.0")
	var cases []struct {
		Config, Model, List, Output string
		Verdict                     struct {
			Err           string
			Parsed        bool
			Isl, Ell, Rtp bool
			N             int
			Up            int64
			Un, Miss, Add int
		}
	}
	readJSONFile(t, filepath.Join(dir, "tricky_outputs.json"), &cases)
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		var lists map[string]verbatim.Answer
		readJSON(t, filepath.Join(dir, "lists", c.Config), &lists)
		j, err := newListJudge(sortItem(t, "", lists[c.List]))
		if err != nil {
			t.Fatal(err)
		}
		score := j.SortBench(c.Output, new(Scratch))
		v := c.Verdict
		want := SortBench{v.Parsed, v.Err, v.Isl, v.Ell, v.Rtp, v.Up, v.Un, v.Miss, v.Add, v.N, len(lists[c.List].List)}
		if score != want {
			t.Errorf("%s %s %s:\n got %+v\nwant %+v", c.Config, c.Model, c.List, score, want)
		}
	}
}

// TestListCounts compares the counts with those of the definitions, on lists of
// every type and of types mixed, long enough for every way of counting.
func TestListCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it computes for seconds, and nothing in it runs concurrently")
	}
	r := rand.New(rand.NewPCG(1, 2))
	draws := map[string]func(n int) pylit.Value{
		"ints":   func(n int) pylit.Value { return pylit.MakeInt(int64(n - 5)) },
		"floats": func(n int) pylit.Value { return pylit.MakeFloat(float64(n) / 8) },
		"nans": func(n int) pylit.Value {
			return pylit.MakeFloat([]float64{math.NaN(), math.Inf(1), math.Copysign(0, -1), 0, 1, math.Inf(-1)}[n%6])
		},
		"texts": func(n int) pylit.Value {
			return pylit.MakeStr(string([]rune{rune('a' + n%26), rune('é' + n/26), '\U0001f600'}[:1+n%3]))
		},
		"lists": func(n int) pylit.Value {
			return pylit.MakeList([]pylit.Value{pylit.MakeInt(int64(n % 3)), pylit.MakeStr(string(rune('a' + n)))}[:n%3])
		},
		"bools": func(n int) pylit.Value { return pylit.MakeBool(n%2 == 0) },
		"large": func(n int) pylit.Value {
			v, _ := pylit.Cast(pylit.MakeFloat(math.Ldexp(float64(n-20), 60)), pylit.Int)
			return v
		},
	}
	tally := new(tally)
	for name, draw := range draws {
		for round := range exhaustive.Of(100, 400) {
			n, most := r.IntN(12), 1+r.IntN(40)
			if name == "nans" { // which only a cast to the type of what was given can make
				n++
			}
			if round == 0 {
				n, most = 50, 5
			}
			list := func(n int) []pylit.Value {
				items := make([]pylit.Value, n)
				for i := range items {
					items[i] = draw(r.IntN(most))
				}
				return items
			}
			want, items := list(n), list(max(0, n+r.IntN(5)-2))
			if r.IntN(2) == 0 { // nearly right
				items = sorted(want)
				if len(items) > 1 {
					i, j := r.IntN(len(items)), r.IntN(len(items))
					items[i], items[j] = items[j], items[i]
				}
			}
			scale := newScale(want)
			got, _ := tally.count(&scale, items)
			if expected := countSlowly(want, items); got != expected {
				t.Fatalf("%s: %v against %v: %+v, want %+v", name, items, want, got, expected)
			}
		}
	}
	many := make([]pylit.Value, manyTexts+10)
	for i := range many {
		many[i] = pylit.MakeStr(string(rune('a'+i%26)) + string(rune('a'+i/26%26)))
	}
	scale := newScale(many[:100])
	got, ranks := tally.count(&scale, many)
	if expected := countSlowly(many[:100], many[:3000]); ranks == nil || got.missing != 0 || got.added != len(many)-100 || got.pairs <= expected.pairs {
		t.Errorf("many texts: %+v", got)
	}
	if direct := countSlowly(many[:100], many[:manyTexts/8]); direct != must(tally.count(&scale, many[:manyTexts/8])) {
		t.Errorf("some texts: %+v", direct)
	}
	byRank := newRanks(many[:100], many[:2000])
	byRank.sort()
	tally.ints.out = append(tally.ints.out[:0], byRank.items...)
	if c := tally.ints.count(byRank.want); c.pairs != countSlowly(nil, many[:2000]).pairs {
		t.Errorf("by rank: %+v", c)
	}
}

func must(c counts, _ *ranks) counts { return c }

// countSlowly counts by the definitions, in quadratic time.
func countSlowly(want, items []pylit.Value) (c counts) {
	for i, a := range items {
		for j, b := range items[i+1:] {
			if greater(a, b) {
				c.pairs++
				if j == 0 {
					c.neighbors++
				}
			}
		}
	}
	used := make([]bool, len(items))
	for _, w := range want {
		found := false
		for i, item := range items {
			if !used[i] && pylit.Equal(w, item) {
				used[i], found = true, true
				break
			}
		}
		if !found {
			c.missing++
		}
	}
	c.added = len(items) - (len(want) - c.missing)
	return c
}

func greater(a, b pylit.Value) bool {
	if a.Kind() == pylit.Float {
		return a.Float64() > b.Float64()
	}
	return !pylit.Equal(a, b) && descend(a, b)
}

// TestIsAscending: what is compared directly is ordered as keys are.
func TestIsAscending(t *testing.T) {
	ints := []int64{math.MinInt64, -1 << 40, -300, -1, 0, 0, 1, 255, 256, 1 << 33, math.MaxInt64}
	texts := []string{"", "A", "a", "a", "a\x00", "ab", "b", "é", "\U0001f600"}
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		var items []pylit.Value
		for range r.IntN(4) {
			if r.IntN(9) == 0 { // now and then a list of both
				items = append(items, pylit.MakeInt(ints[r.IntN(len(ints))]))
			} else {
				items = append(items, pylit.MakeStr(texts[r.IntN(len(texts))]))
			}
		}
		if got, want := isAscending(items), ranksAscend(items); got != want {
			t.Errorf("%s: %v, want %v", pylit.MakeList(items), got, want)
		}
		items = items[:0]
		for range r.IntN(4) {
			items = append(items, pylit.MakeInt(ints[r.IntN(len(ints))]))
		}
		if got, want := isAscending(items), ranksAscend(items); got != want {
			t.Errorf("%s: %v, want %v", pylit.MakeList(items), got, want)
		}
	}
}

func TestMeasures(t *testing.T) {
	copied := textItem("abcdefgh")
	third, ninths := 1.0/3, 2.0/9 // rounded as in the grader, not exact as constants are
	for _, c := range []struct {
		name  string
		it    *verbatim.Item
		reply string
		want  map[string]float64
	}{
		{"right", copied, " abcdefgh\n", map[string]float64{
			"length": 8, "want_length": 8, "lcp": 8, "lcp_share": 1, "distance": 0, "ned": 0, "similarity": 1,
			"insertions": 0, "deletions": 0, "substitutions": 0, "swaps": 0, "hamming": 0, "recall": 1,
		}},
		{"right, not ASCII", textItem("e\u0301👨\u200d👩"), "e\u0301👨\u200d👩", map[string]float64{
			"length": 5, "want_length": 5, "lcp": 5, "lcp_share": 1, "distance": 0, "ned": 0, "similarity": 1,
			"insertions": 0, "deletions": 0, "substitutions": 0, "swaps": 0, "hamming": 0, "recall": 1,
			"graphemes": 2, "want_graphemes": 2,
		}},
		{"wrong", copied, "abdcefXh", map[string]float64{
			"length": 8, "want_length": 8, "lcp": 2, "lcp_share": 0.25, "first_error": 2, "distance": 3, "ned": 0.375, "similarity": 0.625,
			"insertions": 0, "deletions": 0, "substitutions": 1, "swaps": 1, "hamming": 3, "recall": 0.875,
		}},
		{"short, not ASCII", copied, "abcdéf", map[string]float64{
			"length": 6, "want_length": 8, "lcp": 4, "lcp_share": 0.5, "first_error": 4, "distance": 3, "ned": 0.375, "similarity": 0.625,
			"insertions": 0, "deletions": 2, "substitutions": 1, "swaps": 0, "recall": 0.625, "graphemes": 6, "want_graphemes": 8,
		}},
		{"clusters", copied, "abcdefge\u0301", map[string]float64{
			"length": 9, "want_length": 8, "lcp": 7, "lcp_share": 0.875, "first_error": 7, "distance": 2, "ned": ninths, "similarity": 1 - ninths,
			"insertions": 1, "deletions": 0, "substitutions": 1, "swaps": 0, "recall": 0.875, "graphemes": 8, "want_graphemes": 8,
		}},
		{"reversal", reversal("hgfedcba"), "abcde", map[string]float64{
			"length": 5, "want_length": 8, "lcp": 5, "lcp_share": 0.625, "first_error": 5, "source_index": 2, "distance": 3, "ned": 0.375, "similarity": 0.625,
			"insertions": 0, "deletions": 3, "substitutions": 0, "swaps": 0, "recall": 0.625,
		}},
		{"too long", reversal("ba"), "abc", map[string]float64{
			"length": 3, "want_length": 2, "lcp": 2, "lcp_share": 1, "first_error": 2, "distance": 1, "ned": 1.0 / 3, "similarity": 1 - third,
			"insertions": 1, "deletions": 0, "substitutions": 0, "swaps": 0, "recall": 1,
		}},
		{"empty", copied, "", map[string]float64{
			"length": 0, "want_length": 8, "lcp": 0, "lcp_share": 0, "first_error": 0, "distance": 8, "ned": 1, "similarity": 0,
			"insertions": 0, "deletions": 8, "substitutions": 0, "swaps": 0, "recall": 0,
		}},
		{"nothing wanted", textItem(""), "", map[string]float64{
			"length": 0, "want_length": 0, "lcp": 0, "distance": 0, "ned": 0, "similarity": 1,
			"insertions": 0, "deletions": 0, "substitutions": 0, "swaps": 0, "hamming": 0,
		}},
		{"nothing wanted, something came", textItem(""), "ab", map[string]float64{
			"length": 2, "want_length": 0, "lcp": 0, "first_error": 0, "distance": 2, "ned": 1, "similarity": 0,
			"insertions": 2, "deletions": 0, "substitutions": 0, "swaps": 0,
		}},
		{"after reasoning", copied, "<think>hm</think>\nabcdefgX", map[string]float64{
			"length": 8, "want_length": 8, "lcp": 7, "lcp_share": 0.875, "first_error": 7, "distance": 1, "ned": 0.125, "similarity": 0.875,
			"insertions": 0, "deletions": 0, "substitutions": 1, "swaps": 0, "hamming": 1, "recall": 0.875,
		}},
	} {
		if got := Of(c.it, c.reply, "").Measures; !maps.Equal(got, c.want) {
			t.Errorf("%s:\n got %v\nwant %v", c.name, got, c.want)
		}
	}
	huge := strings.Repeat("é", maxClusters)
	if m := Of(textItem(huge), huge, "").Measures; m["length"] != maxClusters || m["graphemes"] != 0 {
		t.Error("clusters of long texts are not counted")
	}
}

func TestCommon(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "cab", 3}, {"aab", "abb", 2}, {"я", "く", 0}, {"яくя", "くяく", 2},
		{"éÿĀ", "Āéé", 2}, {"😀a", "a😀😀", 2}, {"\u0141\u01c1", "\u01c1", 1}, {"\u0141", "\u01c1", 0},
	} {
		if got := runes.Common([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// A listQuestion is a question about lists with its right answer.
type listQuestion struct {
	prompt       string
	source, want []any
	mistakes     []verbatim.Mistake
}

func (q listQuestion) item() *verbatim.Item {
	source := verbatim.ListAnswer(q.source)
	it := &verbatim.Item{ID: "q", Source: &source, Want: verbatim.ListAnswer(q.want), Mistakes: q.mistakes}
	it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: q.prompt}}}}
	return it
}

// TestCommittedList: the list that a reply commits to is found among others, and one without
// brackets by the texts of its items.
func TestCommittedList(t *testing.T) {
	common := listQuestion{prompt: "Keep the items of A that are in B.\nA = [117, 15, 857, 180]\nB = [641, 341, 15]",
		source: []any{int64(117), int64(15), int64(857), int64(180)}, want: []any{int64(15)},
		mistakes: []verbatim.Mistake{{Label: "step_missing", Detail: "A as it was", Answer: verbatim.ListAnswer([]any{int64(117), int64(15), int64(857), int64(180)})}}}
	merge := listQuestion{prompt: "Merge.\nA = [282, 784]\nB = [223, 747]", source: []any{int64(282), int64(784), int64(223), int64(747)},
		want: []any{int64(223), int64(282), int64(747), int64(784)}}
	pair := listQuestion{prompt: "Sort [761, 761]", source: []any{int64(761), int64(761)}, want: []any{int64(761), int64(761)}}
	numbers := listQuestion{prompt: "Sort [9, 3, 40, 12]", source: []any{int64(9), int64(3), int64(40), int64(12)}, want: []any{int64(3), int64(9), int64(12), int64(40)}}
	words := listQuestion{prompt: "Sort ['pear', 'apple', 'fig']", source: []any{"pear", "apple", "fig"}, want: []any{"apple", "fig", "pear"}}
	notations := listQuestion{prompt: "Sort ['0.7', '1/2', '6e-1', '0.4']", source: []any{"0.7", "1/2", "6e-1", "0.4"}, want: []any{"0.4", "1/2", "6e-1", "0.7"}}
	decimals := listQuestion{prompt: "Sort ['0.70', '4e-1']", source: []any{"0.70", "4e-1"}, want: []any{"4e-1", "0.70"}}
	sentences := listQuestion{prompt: "Sort ['He came, saw and left.', 'A dog, a cat.', 'No: it is late.']",
		source: []any{"He came, saw and left.", "A dog, a cat.", "No: it is late."}, want: []any{"A dog, a cat.", "He came, saw and left.", "No: it is late."}}
	rows := listQuestion{prompt: "Sort [['roma', 7], ['bari', 12], ['roma', 3]]", source: []any{[]any{"roma", int64(7)}, []any{"bari", int64(12)}, []any{"roma", int64(3)}},
		want: []any{[]any{"bari", int64(12)}, []any{"roma", int64(3)}, []any{"roma", int64(7)}}}
	for _, c := range []struct {
		q           listQuestion
		reply, want string // the label and the text that was extracted
	}{
		{common, "A = [117, 15, 857, 180]\nB = [641, 341, 15]\nThe output should be:\n[117, 15, 857, 180]", "step_missing [117, 15, 857, 180]"},
		{common, "A=[117, 15, 857, 180] B=[641, 341, 15]\n\n[15]", "explained [15]"},
		{common, "[15]\n\nA was [117, 15, 857, 180], B was [641, 341, 15].", "explained [15]"},
		{common, "A = [117, 15, 857, 180]\nB = [641, 341, 15]", "echo "},
		{merge, "A = [282, 784]\nB = [223, 747]\nMerged: [282, 784, 223, 747]", "unchanged [282, 784, 223, 747]"},
		{merge, "Merged:\n[223, 282, 747, 784]\nA = [282, 784]\nB = [223, 747]", "explained [223, 282, 747, 784]"},
		{pair, "print(sorted(l, key=lambda x: x[1])) This will output: [761, 761]", "explained [761, 761]"},
		{numbers, "nums[0], nums[1] = nums[1], nums[0]\n\n[3, 9, 12, 40]", "explained [3, 9, 12, 40]"},
		{numbers, "f(sorted([3, 9, 12, 40]), 1)", "code "},
		{numbers, "The list (ascending) is [3, 9, 12, 40]", "explained [3, 9, 12, 40]"},
		{numbers, "3 9 12 40", "reformatted 3 9 12 40"},
		{numbers, "3 < 9 < 12 < 40", "reformatted 3 < 9 < 12 < 40"},
		{numbers, "3 → 9 → 12 → 40", "reformatted 3 → 9 → 12 → 40"},
		{numbers, "Compared: 3 < 9", "talk "},
		{numbers, "3, 9, 12, 40]", "reformatted 3, 9, 12, 40"},
		{numbers, "[3, 9, 12, 40]\n\nExample: [5, 1] becomes [1, 5].", "explained [3, 9, 12, 40]"},
		{numbers, "| before | after |\n|---|---|\n| 9 | 3 |\n| 3 | 9 |\n| 40 | 12 |\n| 12 | 40 |", "echo "},
		{numbers, "| n |\n|---|\n| 3 |\n| 9 |\n| 12 |\n| 40 |", "reformatted | n |\n|---|\n| 3 |\n| 9 |\n| 12 |\n| 40 |"},
		{numbers, "First I take 40, later 12, 3 and 9 of them.", "talk "},
		{words, "The sorted list is: apple fig pear", "reformatted apple fig pear"},
		{words, "{apple, fig, pear}", "reformatted apple, fig, pear"},
		{words, "Of fig, apple and pear I can say nothing.", "talk "},
		{notations, "[0.4, 1/2, 6e-1, 0.7]", "reformatted [0.4, 1/2, 6e-1, 0.7]"},
		{notations, "0.4\n1/2\n6e-1\n0.7", "reformatted 0.4\n1/2\n6e-1\n0.7"},
		{notations, "1. 0.4\n2. 1/2 (0.5)\n3. 6e-1\n4. 0.7", "reformatted 1. 0.4\n2. 1/2 (0.5)\n3. 6e-1\n4. 0.7"},
		{decimals, "[4e-1, 0.70]", "coerced [4e-1, 0.70]"},
		{sentences, "A dog, a cat.\nHe came, saw and left.\nNo: it is late.", "reformatted A dog, a cat.\nHe came, saw and left.\nNo: it is late."},
		{sentences, "Sorted:\n- A dog, a cat.\n- He came, saw and left.\n- No: it is late.\nThat is all", "reformatted - A dog, a cat.\n- He came, saw and left.\n- No: it is late."},
		{sentences, "[A dog, a cat., He came, saw and left., No: it is late.]", "reformatted [A dog, a cat., He came, saw and left., No: it is late.]"},
		{rows, "bari,12\nroma,3\nroma,7", "reformatted bari,12\nroma,3\nroma,7"},
		{rows, "['bari', 12]\n['roma', 3]\n['roma', 7]", "reformatted ['bari', 12]\n['roma', 3]\n['roma', 7]"},
		{rows, "| bari | 12 |\n| roma | 3 |\n| roma | 7 |", "reformatted | bari | 12 |\n| roma | 3 |\n| roma | 7 |"},
	} {
		g := gradeList(c.q.item(), c.reply, verbatim.FinishStop, "list")
		got := g.Label + " "
		if g.Span != nil {
			got += c.reply[g.Span.Start:g.Span.End]
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q (%s)", c.reply, got, c.want, g.Rule)
		}
	}
	g := gradeList(rows.item(), "[['bari', 12], ['roma', 3], ['pisa', 7]]", verbatim.FinishStop, "list")
	if want := "lost ['roma', 7]; got ['pisa', 7]; @2: ['pisa', 7] for ['roma', 7]"; g.Detail != want {
		t.Errorf("the detail of rows is %q, want %q", g.Detail, want)
	}
}

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
