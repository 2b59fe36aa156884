package grade

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/pylit"
)

// A worstCase is a reply of some ten megabytes that is hard in one way.
type worstCase struct {
	name  string
	want  func() []any
	reply func() string
}

// worstCases returns replies of about the size that try to make a grader slow.
func worstCases(size int) []worstCase {
	var cases []worstCase
	add := func(name, before, s, after string, want ...any) {
		cases = append(cases, worstCase{name, func() []any { return want },
			func() string { return before + strings.Repeat(s, size/len(s)) + after }})
	}
	for _, s := range []string{
		"[", "]", "[]", "[],", "(", "{", "{1:", "'", "''", "'a'", "' '", "\"", "'''", "\\", "\\\n", "\n", "\r", "\r\n", " ", "\t", "\f",
		",", ", ", "1,", "1, ", "1", "1_", "0", "0x", "-", "+ ", ".", "...", "... ", "#", "#\n", "`", "```", "```\n", "1. a\n", "1. \n", "1.\n",
		"</think>", "<think>", "**", "input()", "inp", "\\boxed{", "\\[", "\\]", "\n\\]", "[\n", "\n[", "]\n", "\n]", "],", "('", "([", "['",
		"The sorted list\n", "a", "é", "\u00a0", "\u2028", "\U0001f600", "\xff", "\xed\xa0\x80", "\x00", "漢", "\u0378", "unable to", "i'm sorryx ",
		"\x1c", "[1, 2, 3]", "[1, 2, 3]\n", "1, 2, 3\n", "'a', ", "b'a' ", "True, ", "None,", "zero ", "\\'", "\\x41", "\\N", "1e5,", "5e-324,",
		"{1},", "(1,),", "9007199254740993.00000000001e200,", "0x7fffffffffffffffffff,", "1_0.5,", "'a' 'b',", "'\\n',",
		"[1, 2], ", "1\n", "- 1\n", "1, 2\n", "1 < 2\n", "| 1 | 2 |\n", "x[1] ", "f([1]) ", "[1, 2]\n", "a b\n",
	} {
		add(fmt.Sprintf("%q", s), "", s, "", int64(1), int64(2), int64(3))
		add(fmt.Sprintf("[%q", s), "[", s, "", "a", "b", "c")
		add(fmt.Sprintf("[%q]", s), "[", s, "]", 0.5, 1.5, 2.5)
		add(fmt.Sprintf("['%q']", s), "['", s, "']", "a", "b", "c")
		add(fmt.Sprintf("[1, 2]%q[3]", s), "[1, 2]", s, "[3]", int64(1), int64(2), int64(3))
		add(fmt.Sprintf("%q[x, 'y", s), "", s, "[x, 'y", "a", "b", "c")
		add(fmt.Sprintf("<think>%q</think>[1]", s), "<think>", s, "</think>[1]", int64(1))
	}
	return append(cases, longLists(size)...)
}

// longLists returns long lists against long lists, a million items in ten megabytes.
func longLists(size int) []worstCase {
	var cases []worstCase
	n := size / 9
	for _, kind := range []struct {
		name  string
		bytes int // of an item
		item  func(n int) any
	}{
		{"ints", 9, func(n int) any { return int64(1_000_000 + n) }},
		{"words", 9, func(n int) any {
			return string([]byte{'a' + byte(n/456976%26), 'a' + byte(n/17576%26), 'a' + byte(n/676%26), 'a' + byte(n/26%26), 'a' + byte(n%26)})
		}},
		{"floats", 20, func(n int) any { return float64(n)/7 - 160_000 }},
		{"lists", 14, func(n int) any { return []any{int64(n / 10_000), int64(n)} }},
	} {
		n := n * 9 / kind.bytes
		want := func() []any { return items(n, func(i int) any { return kind.item(i) }) }
		add := func(name string, of func(r *rand.Rand, i int) int, after string) {
			cases = append(cases, worstCase{name + " " + kind.name, want, func() string {
				r := rand.New(rand.NewPCG(1, 1))
				return pylit.Format(items(n, func(i int) any { return kind.item(of(r, i)) })) + after
			}})
		}
		add("right", func(_ *rand.Rand, i int) int { return i }, "")
		add("reversed", func(_ *rand.Rand, i int) int { return n - 1 - i }, "")
		add("equal", func(_ *rand.Rand, i int) int { return 7 }, "")
		add("scattered", func(_ *rand.Rand, i int) int { return i * 1_000_003 % n }, "")
		add("random", func(r *rand.Rand, i int) int { return r.IntN(2 * n) }, "")
		add("altered", func(r *rand.Rand, i int) int { return i + max(0, r.IntN(10*n)-9*n) }, "")
		add("swapped", func(_ *rand.Rand, i int) int { return i ^ 1 }, "")
		add("open scattered", func(_ *rand.Rand, i int) int { return i * 1_000_003 % n }, ", ")
		add("talk after", func(r *rand.Rand, i int) int { return r.IntN(n) }, " is the list")
	}
	return cases
}

func items(n int, item func(i int) any) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = item(i)
	}
	return list
}

// grade returns the grade of a worst case by a grader and how long it took, preparing the
// wanted list included.
func (c *worstCase) grade(grader string) (verbatim.Grade, time.Duration) {
	want, reply := c.want(), c.reply()
	source := verbatim.ListAnswer(slices.Clone(want))
	slices.Reverse(source.List)
	item := &verbatim.Item{Want: verbatim.ListAnswer(want), Source: &source}
	start := time.Now()
	g := gradeList(item, reply, verbatim.FinishLength, grader)
	return g, time.Since(start)
}

// TestListWorstCases grades smaller forms of the worst cases: it must not crash.
func TestListWorstCases(t *testing.T) {
	for _, c := range worstCases(2000) {
		for _, grader := range []string{"sortbench", "list"} {
			if g, _ := c.grade(grader); g.Label == "" || g.Score == nil {
				t.Errorf("%s, %s: %+v", grader, c.name, g)
			}
		}
	}
}

// TestListMemory: a long reply takes memory for its literals, which SortBench's scorer reads,
// and little for the lists that an answer is sought in.
func TestListMemory(t *testing.T) {
	source := verbatim.ListAnswer([]any{int64(3), int64(1), int64(2)})
	item := &verbatim.Item{Want: verbatim.ListAnswer([]any{int64(1), int64(2), int64(3)}), Source: &source}
	for _, s := range []string{"[1, 2], ", "1\n", "123456\n", "- 1\n", "1, ", "1, 2\n", "[1, 2]\n", "x[1] ", "| 1 | 2 |\n"} {
		const size = 1 << 20
		reply := strings.Repeat(s, size/len(s))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		gradeList(item, reply, verbatim.FinishStop, "list")
		runtime.ReadMemStats(&after)
		if n := (after.TotalAlloc - before.TotalAlloc) / size; n > 50 {
			t.Errorf("%q: %d bytes of memory for a byte of the reply, at most 50", s, n)
		}
	}
}

// TestForeseenMistakesTakeNoMemory: an item with long foreseen mistakes, which a reply is compared
// with and which are not copied.
func TestForeseenMistakesTakeNoMemory(t *testing.T) {
	list := items(10_000, func(i int) any { return fmt.Sprintf("%05d", i) })
	memory := func(n int) (bytes uint64) {
		item := &verbatim.Item{Want: verbatim.ListAnswer(list)}
		for range n {
			item.Mistakes = append(item.Mistakes, verbatim.Mistake{Label: "step_missing", Answer: verbatim.ListAnswer(list[:len(list)-1])})
			item.Accept = append(item.Accept, verbatim.ListAnswer(list[1:]))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if g := gradeList(item, pylit.Format(list[:len(list)-2]), verbatim.FinishStop, "list"); g.Label != "cut_short" {
			t.Errorf("%d mistakes: %s", n, g.Label)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	memory(0)
	if none, eight := memory(0), memory(8); eight > none+200_000 {
		t.Errorf("without foreseen mistakes %d bytes, with eight of 10,000 items %d", none, eight)
	}
}
