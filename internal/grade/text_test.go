package grade

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade/runes"
)

// levenshtein is the textbook's table.
func levenshtein(e, g []rune) int {
	row := make([]int, len(g)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range e {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range g {
			d := diagonal
			if x != y {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(g)]
}

// apply follows a script and returns what it makes of e. A stretch of which only
// the ends are named is copied.
func (s script) apply(t *testing.T, e, g []rune) []rune {
	t.Helper()
	var out []rune
	i := 0
	for n := len(s) - 1; n >= 0; n-- {
		x := s[n]
		for i < int(x.i) {
			out = append(out, e[i])
			i++
		}
		if len(out) != int(x.j) {
			t.Fatalf("step %v at %d of the reply", x, len(out))
		}
		switch x.kind {
		case inserted:
			out = append(out, g[x.j])
		case deleted:
			i++
		case substituted:
			out = append(out, g[x.j])
			i++
		}
	}
	return append(out, e[i:]...)
}

func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	drawn := func(n, letters int) []rune {
		out := make([]rune, n)
		for i := range out {
			out[i] = rune('a' + r.IntN(letters))
			if letters > 20 && r.IntN(2) == 0 {
				out[i] += 0x400
			}
		}
		return out
	}
	for range 4000 {
		letters := []int{1, 2, 3, 26}[r.IntN(4)]
		e := drawn(1+r.IntN(150), letters)
		g := drawn(1+r.IntN(150), letters)
		if r.IntN(2) == 0 { // not far away
			g = slices.Clone(e)
			for range r.IntN(12) {
				i := r.IntN(len(g) + 1)
				switch r.IntN(3) {
				case 0:
					g = slices.Insert(g, i, drawn(1, letters)...)
				case 1:
					if i < len(g) {
						g[i] = 'b'
					}
				case 2:
					if i < len(g) && len(g) > 1 {
						g = slices.Delete(g, i, i+1)
					}
				}
			}
		}
		want := levenshtein(e, g)
		var m matrix
		if d := m.fill(e, g, true); d != want {
			t.Fatalf("%q, %q: matrix %d, want %d", string(e), string(g), d, want)
		}
		if d := new(matrix).fill(e, g, false); d != want {
			t.Fatalf("%q, %q: columns %d, want %d", string(e), string(g), d, want)
		}
		scripts := map[string]script{"matrix": m.script(e, g)}
		s, d, ok := diagonals(e, g)
		if !ok || d != want {
			t.Fatalf("%q, %q: diagonals %d %v, want %d", string(e), string(g), d, ok, want)
		}
		scripts["diagonals"] = s
		for name, s := range scripts {
			if got := s.apply(t, e, g); !slices.Equal(got, g) {
				t.Fatalf("%s: %q, %q: makes %q", name, string(e), string(g), string(got))
			}
			if c := s.count(e, g, want); c.inserted+c.deleted+c.substituted+2*c.swapped != want {
				t.Fatalf("%s: %q, %q: %+v do not add up to %d", name, string(e), string(g), c, want)
			}
		}
		if c := align(e, g); c.distance != want || c.bound || !c.counted {
			t.Fatalf("%q, %q: %+v, want %d", string(e), string(g), c, want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		e, g                                    string
		inserted, deleted, substituted, swapped int
	}{
		{"abc", "abc", 0, 0, 0, 0},
		{"", "abc", 3, 0, 0, 0},
		{"abc", "", 0, 3, 0, 0},
		{"abcd", "acbd", 0, 0, 0, 1},
		{"abcdef", "bacdfe", 0, 0, 0, 2},
		{"abcdef", "badcfe", 1, 1, 2, 0}, // four edits are fewer than three swaps
		{"abcdef", "abxdef", 0, 0, 1, 0},
		{"abcdef", "acdef", 0, 1, 0, 0},
		{"kitten", "sitting", 1, 0, 2, 0},
		{"ab", "ba", 0, 0, 0, 1},
		{"aab", "aba", 0, 0, 0, 1},
		{"xaabx", "xabay", 1, 1, 1, 0},
	} {
		got := align([]rune(c.e), []rune(c.g))
		want := edits{got.distance, false, true, c.inserted, c.deleted, c.substituted, c.swapped}
		if got != want {
			t.Errorf("%s, %s: %+v, want %+v", c.e, c.g, got, want)
		}
	}
}

// What only looks like a swap is not counted as one.
func TestSwap(t *testing.T) {
	for _, c := range []struct {
		e, g  string
		steps script // last first
		width int
	}{
		{"ab", "ba", script{{substituted, 1, 1}, {substituted, 0, 0}}, 2},
		{"ab", "bc", script{{substituted, 1, 1}, {substituted, 0, 0}}, 0},
		{"ab", "ca", script{{substituted, 1, 1}, {substituted, 0, 0}}, 0},
		{"aa", "aa", script{{substituted, 1, 1}, {substituted, 0, 0}}, 0},
		{"ab", "ba", script{{inserted, 2, 1}, {substituted, 1, 0}, {deleted, 0, 0}}, 3},
		{"ab", "bc", script{{inserted, 2, 1}, {substituted, 1, 0}, {deleted, 0, 0}}, 0},
		{"ab", "ca", script{{inserted, 2, 1}, {substituted, 1, 0}, {deleted, 0, 0}}, 0},
		{"ab", "ba", script{{deleted, 1, 2}, {substituted, 0, 1}, {inserted, 0, 0}}, 3},
		{"ac", "ba", script{{deleted, 1, 2}, {substituted, 0, 1}, {inserted, 0, 0}}, 0},
		{"abcd", "bcda", script{{inserted, 4, 3}, {substituted, 3, 2}, {substituted, 1, 0}, {deleted, 0, 0}}, 0},
		{"abca", "bcaa", script{{inserted, 3, 2}, {substituted, 1, 0}, {deleted, 0, 0}}, 0}, // a stretch of two between
		{"ab", "b", script{{substituted, 1, 0}, {deleted, 0, 0}}, 0},
	} {
		if got := c.steps.swap(len(c.steps)-1, []rune(c.e), []rune(c.g)); got != c.width {
			t.Errorf("%s, %s: %d steps, want %d", c.e, c.g, got, c.width)
		}
	}
}

// Long texts: exact where they are near or not too long, a true bound elsewhere.
func TestLongDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	drawn := func(n int) []rune {
		out := make([]rune, n)
		for i := range out {
			out[i] = rune('a' + r.IntN(26))
		}
		return out
	}
	e := drawn(11_000)
	g := slices.Clone(e)
	for i := 100; i < len(g); i += 50 {
		g[i] = '#'
	}
	g[3], g[4] = '1', '2'
	n := 218 + 2
	if got := align(e, g); got != (edits{n, false, true, 0, 0, n, 0}) {
		t.Errorf("%+v, want %d substitutions", got, n)
	}
	for i := 0; i < len(g); i += 7 {
		g[i] = '#'
	}
	if got := align(e, g); got.distance < 1100 || got.distance > 1900 || got.bound || got.counted {
		t.Errorf("more than maxEdits: %+v", got)
	}
	far := align(drawn(1<<17), append(drawn(1<<17), '#', '#'))
	if !far.bound || far.counted || far.distance <= maxEdits || far.distance > 1<<17 {
		t.Errorf("random texts: %+v", far)
	}
	if d := align(make([]rune, 1<<17), append(drawn(1<<17), 1)); d != (edits{distance: 1<<17 + 1, bound: true}) {
		t.Errorf("nothing in common: %+v", d)
	}
	uneven := align(drawn(10), drawn(200_000))
	if uneven.bound || uneven.distance < 199_990 || uneven.distance > 200_000 {
		t.Errorf("a short and a long text: %+v", uneven)
	}
}

// Where only a bound is known, the label and its detail say so.
func TestBoundInGrade(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	a, b := drawAlnum(r, 1<<17), drawAlnum(r, 1<<17)
	g := Of(textItem(a), b, "")
	if _, ok := g.Measures["distance"]; ok || g.Measures["distance_lower_bound"] < 1000 {
		t.Error(g.Measures)
	}
	if Older(g.Label) != "corrupted" || g.Detail[:8] != "ned >= 0" {
		t.Error(g.Label, g.Detail)
	}
}

func sum(a, b string) *verbatim.Item {
	x, _ := new(big.Int).SetString(a, 10)
	y, _ := new(big.Int).SetString(b, 10)
	return &verbatim.Item{
		Want:   verbatim.TextAnswer(new(big.Int).Add(x, y).String()),
		Source: &verbatim.Answer{List: []any{x, y}},
		Grader: "integer",
	}
}

func TestInteger(t *testing.T) {
	it := sum("999999", "235568") // 1235567; a carry enters every place but the last
	for _, c := range []struct {
		reply         string
		outcome       verbatim.Outcome
		label, detail string
		extracted     bool
		reference     bool // right by the rule of the published code
	}{
		{"1235567", verbatim.Pass, "pass", "", true, true},
		{" 1235567\n", verbatim.Pass, "pass", "", true, true},
		{"+1235567", verbatim.Wrapped, "inserted_char", "@0", true, true},
		{"001235567", verbatim.Wrapped, "inserted_run", "@0 len 2", true, true},
		{"1_235_567", verbatim.Wrapped, "grouped", "_", true, true},
		{"12_35_567", verbatim.Wrapped, "corrupted", "ned 0.22 first error @2", true, true},
		{"１２３５５６７", verbatim.Wrapped, "unicode_norm", "normal form", true, true},
		{"¹²³⁵⁵⁶⁷", verbatim.Wrong, "unicode_norm", "normal form", false, false},
		{"1,235,567", verbatim.Wrong, "grouped", ",", false, false},
		{"1.235.567", verbatim.Wrong, "grouped", ".", false, false},
		{"1'235'567", verbatim.Wrong, "grouped", "'", false, false},
		{"1 235 567", verbatim.Wrong, "grouped", " ", false, false},
		{"1\u202f235\u202f567", verbatim.Wrong, "grouped", "\u202f", false, false},
		{"1,235.567", verbatim.Wrong, "corrupted", "ned 0.22 first error @1", false, false},
		{"12,355,67", verbatim.Wrong, "corrupted", "ned 0.22 first error @2", false, false},
		{"1,235,568", verbatim.Wrong, "corrupted", "ned 0.33 first error @1", false, false},
		{"1235567.0", verbatim.Wrong, "decimal", "", false, false},
		{"1235567.000", verbatim.Wrong, "decimal", "", false, false},
		{"1235567.", verbatim.Wrapped, "explained", "trailer", true, false},
		{"1235567.5", verbatim.Wrong, "inserted_run", "@7 len 2", false, false},
		{"999999 + 235568 = 1235567", verbatim.Wrapped, "equation", "", true, false},
		{"x=1235567", verbatim.Wrapped, "marked_up", "assignment", true, false},
		{"The sum is 1235567", verbatim.Wrapped, "explained", "preamble", true, false},
		{`"1235567"`, verbatim.Wrapped, "quoted", `"`, true, false},
		{"```\n1235567\n```", verbatim.Wrapped, "fenced", "", true, false},
		{"1235667", verbatim.Wrong, "carry", "@4", false, false},
		{"1224467", verbatim.Wrong, "carry", "@2", false, false},
		{"1225467", verbatim.Wrong, "carry", "@2", false, false},
		{"1235568", verbatim.Wrong, "off_by_digit", "7>8@6", false, false},
		{"1235537", verbatim.Wrong, "off_by_digit", "6>3@5", false, false},
		{"0235567", verbatim.Wrong, "carry", "@0", false, false},
		{"1325567", verbatim.Wrong, "carry", "@1", false, false},
		{"1253567", verbatim.Wrong, "transposed", "@2", false, false},
		{"235567", verbatim.Wrong, "dropped_char", "start", false, false},
		{"hm</think>1_235_567", verbatim.Wrapped, "reasoning_leak", "grouped", true, false},
		{"hm</think>1235567", verbatim.Wrapped, "reasoning_leak", "pass", true, false},
		{"", verbatim.Wrong, "empty", "", false, false},
		{"I'm sorry", verbatim.Refused, "refusal", "", false, false},
	} {
		g := Of(it, c.reply, "")
		if g.Outcome != c.outcome || Older(g.Label) != c.label || g.Detail != c.detail || g.Extracted != c.extracted || g.Grader != Current("integer") {
			t.Errorf("%q: %s %s (%s) extracted %v, want %s %s (%s) extracted %v", c.reply, g.Outcome, g.Label, g.Detail, g.Extracted, c.outcome, c.label, c.detail, c.extracted)
		}
		reference := *it
		reference.Grader = "integer-reference"
		if g := Of(&reference, c.reply, ""); g.Exact != c.reference || g.Grader != Current("integer-reference") {
			t.Errorf("%q: exact in the reference edition: %v", c.reply, g.Exact)
		}
	}
}

// TestOtherNumber: of a number that was counted or computed from another, digits say nothing.
func TestOtherNumber(t *testing.T) {
	root := &verbatim.Item{Want: verbatim.TextAnswer("3"), Source: &verbatim.Answer{List: []any{"30"}}, Grader: "integer",
		Mistakes: []verbatim.Mistake{{Label: "decimal", Detail: "not rounded", Answer: verbatim.TextAnswer("3.11")}, {Label: "echo", Detail: "the number itself", Answer: verbatim.TextAnswer("30")}}}
	count := &verbatim.Item{Want: verbatim.TextAnswer("7"), Source: &verbatim.Answer{List: []any{"some text"}}, Grader: "integer"}
	long := &verbatim.Item{Want: verbatim.TextAnswer("12345678901234567890"), Source: &verbatim.Answer{List: []any{"1"}}, Grader: "integer"}
	for _, c := range []struct {
		item                 *verbatim.Item
		reply, label, detail string
	}{
		{root, "30", "echo", "the number itself"},
		{root, "The cube root of 30 is 30.", "echo", ""},
		{root, "3.11", "decimal", "not rounded"},
		{root, "3.107232505953859", "decimal", "not rounded"},
		{root, "3.0", "decimal", ""},
		{root, "31", "other_number", "28 too large"},
		{root, "33", "other_number", "30 too large"},
		{root, "-3", "other_number", "6 too small"},
		{root, "2.9", "other_number", "with a fraction"},
		{root, "+3", "inserted_char", "@0"},
		{count, "1", "other_number", "6 too small"},
		{count, "11", "other_number", "4 too large"},
		{count, "7.5", "other_number", "with a fraction"},
		{count, "seven", "unrelated", "ned 1.00 first error @0"},
		{long, "12345678901234567891", "other_number", "the first 19 of 20 digits are right"},
		{long, "1234567890123456789", "other_number", "19 digits, expected 20"},
	} {
		if g := Of(c.item, c.reply, ""); Older(g.Label) != c.label || g.Detail != c.detail || g.Exact {
			t.Errorf("%q for %s: %s (%s), want %s (%s)", c.reply, c.item.Want.Text, g.Label, g.Detail, c.label, c.detail)
		}
	}
	if err := Check(root); err != nil {
		t.Error(err)
	}
	root.Mistakes[0].Label = "off_by_one"
	if Check(root) == nil {
		t.Error("a fraction is one too many")
	}
}

func TestNegativeSum(t *testing.T) {
	it := &verbatim.Item{Want: verbatim.TextAnswer("-12345"), Grader: "integer"}
	for reply, label := range map[string]string{"-12,345": "grouped", "12,345": "corrupted", "-1234,345": "inserted_run", "-12345.0": "decimal", "12345": "dropped_char", "-12346": "substituted_char"} {
		if g := Of(it, reply, ""); Older(g.Label) != label {
			t.Errorf("%s: %s, want %s", reply, g.Label, label)
		}
	}
	long := &verbatim.Item{Want: verbatim.TextAnswer("1234567"), Grader: "integer"}
	if g := Of(long, "1234,567", ""); Older(g.Label) != "inserted_char" {
		t.Error("the first group has at most three digits:", g.Label)
	}
}

// A carry is only known where the addends are.
func TestCarry(t *testing.T) {
	for _, c := range []struct {
		source *verbatim.Answer
		label  string
	}{
		{nil, "off_by_digit"},
		{&verbatim.Answer{Text: `"15" "26"`}, "carry"},
		{&verbatim.Answer{Text: "15"}, "off_by_digit"},
		{&verbatim.Answer{Text: "15 26 0"}, "off_by_digit"},
		{&verbatim.Answer{List: []any{"15", "26"}}, "carry"},
		{&verbatim.Answer{List: []any{int64(15), int64(26)}}, "carry"},
		{&verbatim.Answer{List: []any{int64(15), 26.0}}, "off_by_digit"},
		{&verbatim.Answer{List: []any{int64(-15), int64(56)}}, "off_by_digit"},
		{&verbatim.Answer{List: []any{int64(11), int64(30)}}, "off_by_digit"}, // none enters
	} {
		it := &verbatim.Item{Want: verbatim.TextAnswer("41"), Source: c.source, Grader: "integer"}
		if g := Of(it, "31", ""); Older(g.Label) != c.label {
			t.Errorf("%+v: %s, want %s", c.source, g.Label, c.label)
		}
	}
	// Every digit may be wrong, and places are counted from the end.
	if g := Of(sum("555", "555"), "2220", ""); Older(g.Label) != "carry" { // 1110
		t.Error(g.Label)
	}
	if g := Of(sum("555", "555"), "2221", ""); Older(g.Label) == "carry" {
		t.Error("no carry enters the last place")
	}
	it := sum("4999", "5000") // 9999, no carry
	if g := Of(it, "0999", ""); Older(g.Label) != "off_by_digit" {
		t.Error(g.Label)
	}
	it = sum("4995", "4995") // 9990
	if g := Of(it, "0990", ""); Older(g.Label) != "carry" {
		t.Error("9 and 0 are one apart:", g.Label)
	}
}

// Python's int(), on what its str.strip() leaves.
func TestPythonInt(t *testing.T) {
	type read struct {
		S  string
		OK bool
		V  string
	}
	cases := []string{"", "0", "-0", "+0", "007", "1_000", "1__0", "_1", "1_", "+_1", "+ 1", "--1", "+-1", "1 2", "1.0", "1e3", "0x10", "٣٤", "１２", "𝟏𝟐", "²", "½", "Ⅻ", "一",
		"\u20035\u2003", "\x1c5", "5\x85", "\u200b5", "\ufeff5", "−5", "-٣", "1\x00", "00_0"}
	for _, x := range unicode.Nd.R16 {
		cases = append(cases, string(rune(x.Lo))+"7"+string(rune(x.Hi)))
	}
	for _, x := range unicode.Nd.R32 {
		cases = append(cases, string(rune(x.Lo))+"7"+string(rune(x.Hi)))
	}
	const program = `
import json, sys, unicodedata
for s in json.load(sys.stdin):
    if any(unicodedata.category(c) == "Cn" for c in s): continue  # a later Unicode than Python's
    try: ok, v = True, str(int(s.strip()))
    except ValueError: ok, v = False, ""
    print(json.dumps(dict(S=s, OK=ok, V=v)))
`
	for _, want := range python[read](t, program, mustJSON(t, cases)) {
		if v, ok := pythonInt(want.S); ok != want.OK || ok && v != want.V {
			t.Errorf("int(%q): %q %v, Python says %q %v", want.S, v, ok, want.V, want.OK)
		}
	}
	digits := func(n int) string { return string(make9(n)) }
	if _, ok := pythonInt(digits(4300)); !ok {
		t.Error("4,300 digits are allowed")
	}
	if _, ok := pythonInt(digits(4301)); ok {
		t.Error("4,301 digits are too many")
	}
}

func make9(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = '9'
	}
	return out
}

// What Python counts as white space, and as a letter or number, for all code
// points that its version of Unicode knows.
func TestPredicates(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it computes for seconds, and nothing in it runs concurrently")
	}
	type is struct{ C, Space, Alnum int }
	most := 0x3100 // spaces and letters of many scripts
	if exhaustive.All() {
		most = 0x110000
	}
	program := fmt.Sprintf(`
import sys, unicodedata
for c in range(%d):
    if unicodedata.category(chr(c)) not in ("Cn", "Cs"):
        print('{"C":%%d,"Space":%%d,"Alnum":%%d}' %% (c, chr(c).isspace(), chr(c).isalnum()))
`, most)
	toInt := map[bool]int{true: 1}
	for _, want := range python[is](t, program, nil) {
		r := rune(want.C)
		if got := (is{want.C, toInt[runes.IsSpace(r)], toInt[runes.IsAlnum(r)]}); got != want {
			t.Errorf("%U: %+v, Python says %+v", r, got, want)
		}
	}
}
