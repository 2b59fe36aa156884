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

// A hostile case is meant to make grading slow: 10 MB each, made to be tested for as
// many labels as possible, or to make one step slow.
type hostile struct {
	name         string
	e, g, source string
	grader       string
}

func hostiles(size int) []hostile {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(alphabet string, n int) string {
		letters := []rune(alphabet)
		var b strings.Builder
		for b.Len() < n {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
		return b.String()
	}
	fill := func(s string, n int) string { return strings.Repeat(s, n/len(s)+1) }
	const alnum = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	long, other := random(alnum, size), random(alnum, size)
	greek := random("αβγδεζηθικλμνξοπρστυφχψω", size)
	n := len(long)
	var errs strings.Builder // one error in a thousand
	for i, c := range []byte(long) {
		if i%1000 == 500 {
			c = '#'
		}
		errs.WriteByte(c)
	}
	return []hostile{
		{name: "short want, random reply", e: "K9mX7BaqLz0TfR3w", g: other},
		{name: "random, random", e: long, g: other},
		{name: "one substitution", e: long, g: long[:n/2] + "#" + long[n/2+1:]},
		{name: "one character lost", e: long, g: long[:n/2] + long[n/2+1:]},
		{name: "half lost", e: long, g: long[:n/4] + long[3*n/4:]},
		{name: "half repeated", e: long, g: long[:n/2] + long},
		{name: "halves exchanged", e: long, g: long[n/2:] + long[:n/2]},
		{name: "many substitutions", e: long, g: errs.String()},
		{name: "shuffled runs", e: fill("a", size) + "b", g: "b" + fill("a", size)},
		{name: "periodic", e: "x" + fill("ab", size) + "yz", g: "y" + fill("ba", size) + "xx"},
		{name: "periodic, shifted", e: fill("abcabd", size) + "q", g: "q" + fill("abdabc", size)},
		{name: "periodic, many errors", e: fill("ab", size), g: fill(fill("ab", 5000)+"#", size)},
		{name: "nearly one letter", e: fill("a", size/2) + "b" + fill("a", size/2), g: fill("a", size/3) + "b" + fill("a", 2*size/3) + "c"},
		{name: "loop of 64 broken", e: "abcd", g: fill(strings.Repeat("a", 63)+"b", size) + "c"},
		{name: "doubled run", e: fill("a", size/2) + "b", g: fill("a", size/2) + fill("a", size/2) + "b"},
		{name: "Greek in capitals", e: greek + "x", g: strings.ToUpper(greek) + "y"},
		{name: "Greek in capitals, equal", e: greek, g: strings.ToUpper(greek)},
		{name: "Greek in capitals after ß", e: "ß" + greek + "x", g: "SS" + strings.ToUpper(greek) + "y"},
		{name: "letters of another case", e: long + "x", g: strings.ToLower(long) + "y"},
		{name: "decomposed", e: fill("é", size) + "x", g: fill("e\u0301", size) + "y"},
		{name: "decomposed, equal", e: fill("é", size), g: fill("e\u0301", size)},
		{name: "Hangul", e: fill("각", size) + "x", g: fill("\u1100\u1161\u11a8", size) + "y"},
		{name: "combining marks", e: "abcd", g: "e" + fill("\u0301\u0323", size)},
		{name: "combining marks in both", e: "e" + fill("\u0301\u0323", size), g: "e" + fill("\u0323\u0301", size) + "x"},
		{name: "compatibility", e: fill("fi", size) + "x", g: fill("ﬁ", size) + "y"},
		{name: "ligature of 18", e: "abcd", g: fill("\ufdfa", size)},
		{name: "refusal of long words", e: long, g: "I'm sorry. " + fill("abcdefgh_ijkl ", size)},
		{name: "refusal quoting", e: fill("abcdefgh_ijkl ", size), g: "I'm sorry. " + fill("ijkl abcdefgh_ijkl ", size/3) + fill("z", size/2)},
		{name: "almost refusals", e: "abcd", g: fill("i am unabl ", size)},
		{name: "references", e: "abcd", g: fill("&amp;", size)},
		{name: "broken references", e: "abcd", g: fill("&CounterClockwiseContourIntegra", size)},
		{name: "ampersands", e: fill("&", size), g: fill("&#38;", size)},
		{name: "backslashes", e: fill(`\`, size/2) + "x", g: fill(`\`, size) + "y"},
		{name: "quotation marks", e: "abcd", g: fill(`"`, size)},
		{name: "fences", e: "abcd", g: fill("`", size)},
		{name: "lines, short want", e: "ab", g: fill("a\n", size)},
		{name: "colons, empty want", e: "", g: fill("a:", size) + "a"},
		{name: "blanks", e: "abcd", g: "a" + fill(" \u200b", size) + "b"},
		{name: "reasoning, many ends", e: "abcd", g: fill("</think>", size) + "x"},
		{name: "reasoning never closed", e: "abcd", g: "<think>" + other},
		{name: "not UTF-8", e: "abcd", g: fill("\xff\xc3", size)},
		{name: "not UTF-8, both", e: fill("\xff\xc3", size), g: fill("\xc3\xff", size) + "\xfe"},
		{name: "NUL", e: "abcd", g: fill("\x00", size)},
		{name: "emoji of families", e: fill("👨\u200d👩\u200d👧", size), g: fill("👩\u200d👨\u200d👧", size) + "x"},
		{name: "all scripts", e: fill("яあ가", size), g: fill("яあ가", size) + "ა"},
		{name: "mojibake", e: fill("é", size) + "x", g: fill("Ã©", size) + "y"},
		{name: "confusable", e: fill("0O1lI", size) + "x", g: fill("OO1ll", size) + "y"},
		{name: "reversal of one letter", e: fill("a", maxChunked-10) + "b", g: fill("a", maxChunked/2) + "b" + fill("a", maxChunked/2-9), source: "b" + fill("a", maxChunked-10)},
		{name: "reversal in chunks", e: string(reversedRunes([]rune(long[:min(n, maxChunked)]))), g: chunks(long[:min(n, maxChunked)]), source: long[:min(n, maxChunked)]},
		{name: "reversal of Fibonacci", e: string(reversedRunes([]rune(fibonacci(maxChunked)))), g: fibonacci(maxChunked)[1:] + "a", source: fibonacci(maxChunked)},
		{name: "not reversed", e: string(reversedRunes([]rune(long))), g: long, source: long},
		{name: "answers in lines", e: "abc def", g: fill("The answer is \"x\".\n", size)},
		{name: "lines of identifiers", e: "0a1b-9\n77c2-0", g: fill("0a1b-9\n77c2-0\n\nHere again:\n", size)},
		{name: "numbered lines", e: fill("77c2-0\n", size) + "x", g: fill("1. 77c2-0\n", size)},
		{name: "rows of a table", e: "K9mX7Ba", g: fill("| Reversed | K9mX7Bb |\n", size)},
		{name: "characters", e: "V", g: fill("The character is x. ", size)},
		{name: "pieces between hyphens", e: fill("a b ", size), g: fill("a-c-", size)},
		{name: "sums in lines", e: "12345", g: fill("The sum is 1,234 + 5 = 6.\n", size), grader: "integer"},
		{name: "JSON cut", e: bigObject(size), g: bigObject(size)[:size-7], grader: "json"},
		{name: "JSON with another value", e: bigObject(size), g: strings.Replace(bigObject(size), "1", "2", 1), grader: "json"},
		{name: "JSON in another order", e: bigObject(size), g: "{\"last\": 0, " + bigObject(size)[1:], grader: "json"},
		{name: "JSON of brackets", e: "{}", g: fill("[{\"a\":", size), grader: "json"},
		{name: "sum of many digits", e: fill("8", size), g: fill("8", size-1) + "3", grader: "integer"},
		{name: "sum in groups", e: "1" + fill("888", size), g: "1" + fill(",888", size) + "1", grader: "integer"},
		{name: "sum with zeros", e: "7", g: fill("0", size) + "7", grader: "integer"},
	}
}

// bigObject is a JSON object of size bytes or a few more.
func bigObject(size int) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; b.Len() < size-20; i++ {
		fmt.Fprintf(&b, `"k%d": %d, `, i, i)
	}
	b.WriteString(`"end": true}`)
	return b.String()
}

func chunks(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		n := len(s) - min(3, len(s))
		b.WriteString(s[n:])
		s = s[:n]
	}
	return b.String()
}

func fibonacci(n int) string {
	a, b := "a", "ab"
	for len(b) < n {
		a, b = b, b+a
	}
	return b[:n]
}

func (h hostile) item() *verbatim.Item {
	it := &verbatim.Item{Want: verbatim.TextAnswer(h.e), Grader: h.grader}
	if h.source != "" {
		source := verbatim.TextAnswer(h.source)
		it.Source = &source
	}
	return it
}

// BenchmarkWorst shows what 100 kB and 10 MB of each kind cost. None of 10 MB may take 2 s.
func BenchmarkWorst(b *testing.B) {
	for _, size := range []int{100_000, 10 << 20} {
		for _, h := range hostiles(size) {
			b.Run(fmt.Sprint(size, " ", h.name), func(b *testing.B) {
				it := h.item()
				b.ReportAllocs()
				var g verbatim.Grade
				for b.Loop() {
					g = Of(it, h.g, verbatim.FinishStop)
				}
				b.Log(g.Label, g.Detail)
			})
		}
	}
}

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
