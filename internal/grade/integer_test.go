package grade

import (
	"fmt"
	"math/big"
	"testing"
	"unicode"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade/runes"
)

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
