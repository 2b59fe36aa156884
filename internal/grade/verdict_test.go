package grade

import (
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"verbatim/internal/pylit"

	"verbatim"

	"pgregory.net/rapid"
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
