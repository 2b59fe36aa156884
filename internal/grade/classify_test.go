package grade

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
)

// A classified case is a wanted text, a reply, and what classify.py says of it.
type classified struct {
	Kind   string  `json:"kind,omitempty"`
	E      string  `json:"e"`
	G      string  `json:"g"`
	Source *string `json:"src"`
	Label  string  `json:"label,omitempty"`
	Detail string  `json:"detail,omitempty"`
}

func (c classified) item() *verbatim.Item {
	it := &verbatim.Item{Want: verbatim.TextAnswer(c.E)}
	if c.Source != nil {
		source := verbatim.TextAnswer(*c.Source)
		it.Source = &source
	}
	return it
}

// grade grades the case by the rules for whole replies, which integer-reference has and classify.py
// describes. The grader text describes the answer in a reply.
func (c classified) grade() verbatim.Grade {
	return textGrader{rules: textRules[:], exact: same}.grade(c.item(), c.G, verbatim.FinishStop, "text")
}

// disagreement says in which way the rules and the oracle differ about the case, "" when
// they agree.
func (c classified) disagreement() string {
	got := c.grade()
	detail := c.Detail
	switch c.Label {
	case traits.LabelEmpty:
		detail = "" // the oracle gives the finish reason
	case "explained":
		detail = strings.TrimSpace(detail)
	}
	if Older(got.Label) == c.Label && (got.Detail == detail || nearly(got.Detail, detail)) {
		return ""
	}
	return fmt.Sprintf("want %q, source %q, reply %q:\n\toracle %s (%s), ours %s (%s)", c.E, deref(c.Source), c.G, c.Label, detail, got.Label, got.Detail)
}

// nearly reports whether two details name the same distance: the oracle rounds
// 1 - (1 - d), which can differ from d in the last place.
func nearly(a, b string) bool {
	const form = "ned %f first error @%d"
	var x, y float64
	var i, j int
	if n, _ := fmt.Sscanf(a, form, &x, &i); n != 2 {
		return false
	}
	if n, _ := fmt.Sscanf(b, form, &y, &j); n != 2 {
		return false
	}
	return i == j && math.Abs(x-y) < 0.0101
}

func deref(s *string) string {
	if s == nil {
		return "none"
	}
	return *s
}

// The 17 spoilers of mutate.py, drawn by itself: label and detail agree on every
// one, and so the rates at which they reach their own label are its rates.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it computes for seconds, and nothing in it runs concurrently")
	}
	count := "250" // of each kind
	if os.Getenv("VERBATIM_EXHAUSTIVE") != "" {
		count = "1000"
	}
	program := strings.ReplaceAll(`
import json, sys
sys.path.insert(0, sys.argv[1])
import mutate
from mutate import rnd, AL
for k in mutate.KINDS:
    for _ in range(COUNT):
        n = rnd.randint(12, 60)
        s = "".join(rnd.choice(AL) for _ in range(n))
        rev = k in ("chunk_reversed", "not_reversed") or rnd.random() < 0.5
        e = s[::-1] if rev else s
        g = mutate.mut(e, s, k)
        if g != e:
            label, detail = mutate.classify(e, g, s if rev else None)
            print(json.dumps(dict(kind=k, e=e, g=g, src=s if rev else None, label=label, detail=str(detail))))
`, "COUNT", count)
	own, all := map[string]int{}, map[string]int{}
	for _, c := range python[classified](t, program, nil) {
		if d := c.disagreement(); d != "" {
			t.Errorf("%s: %s", c.Kind, d)
		}
		all[c.Kind]++
		if c.Label == c.Kind {
			own[c.Kind]++
		}
	}
	if len(all) != 17 {
		t.Errorf("%d kinds of spoilers, want 17", len(all))
	}
	for kind, n := range all {
		t.Logf("%-16s %5.1f %% of %d", kind, 100*float64(own[kind])/float64(n), n)
	}
}

// Thousands of drawn cases, with Unicode and with several slips at once.
func TestClassify(t *testing.T) {
	n := 5_000
	if os.Getenv("VERBATIM_EXHAUSTIVE") != "" {
		n = 30_000
	}
	var input bytes.Buffer
	enc := json.NewEncoder(&input)
	r := rand.New(rand.NewPCG(11, 12))
	for _, c := range edgeCases() {
		if err := enc.Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	for range n {
		if err := enc.Encode(drawCase(r)); err != nil {
			t.Fatal(err)
		}
	}
	const program = `
import json, sys
sys.path.insert(0, sys.argv[1])
from classify import classify
for line in sys.stdin:
    c = json.loads(line)
    label, detail = classify(c["e"], c["g"], c["src"])
    print(json.dumps(dict(e=c["e"], g=c["g"], src=c["src"], label=label, detail=str(detail))))
`
	seen := map[string]int{}
	justified := map[string]int{}
	for _, c := range python[classified](t, program, input.Bytes()) {
		seen[c.Label]++
		d := c.disagreement()
		if d == "" {
			continue
		}
		if why := c.justification(); why != "" {
			justified[why]++
			continue
		}
		t.Error(d)
	}
	for _, label := range append(ruleNames(textRules[:]), "reasoning_leak", "empty") {
		if seen[label] == 0 && Older(label) == label {
			t.Errorf("no drawn case was %s: the cases vary too little", label)
		}
	}
	t.Log(seen)
	t.Log("differences:", justified)
}

// justification names the reason for which we may differ from the oracle.
func (c classified) justification() string {
	g := c.grade()
	ours := g.Label + " " + g.Detail
	if g.Label == traits.LabelLeak {
		ours = g.Detail + " json" // the detail is the label of the rest
	}
	switch {
	case (ours == "escaped json" || c.Label == "escaped" && c.Detail == "json") && !(runes.IsASCII(c.E) && runes.IsASCII(c.G)):
		return "the oracle reads escapes beside other UTF-8 as Latin-1"
	case c.Label == traits.LabelRefusal && strings.ContainsAny(c.G, "İıſ"):
		return "Python takes İ, ı and ſ for i and s when it ignores case"
	case strings.HasPrefix(ours, "mojibake") && strings.ContainsAny(c.G, "\u0081\u008d\u008f\u0090\u009d"):
		return "Python's cp1252 has no characters for five bytes; that of browsers has"
	}
	return ""
}

// edgeCases are written by hand: what once differed, and what the rules say at
// their borders.
func edgeCases() []classified {
	source := "aB7Xm9K"
	cases := []classified{
		{E: "K9mX7Ba", G: "aB7KmX9", Source: &source},
		{E: "K9mX7Ba", G: "K9mXBa7", Source: &source},
		{E: "K9mX7Ba", G: "The reversed string is: K9mX7Ba", Source: &source},
		{E: "straße", G: "STRASSE"}, {E: "ﬃx", G: "FFIX"}, {E: "ΐa", G: "ΐA"}, {E: "İx", G: "i̇X"},
		{E: "qe\u0301\u0323", G: "qe\u0323\u0301"}, {E: "각나", G: "\u1100\u1161\u11a8나"}, {E: "x가\u11a8", G: "x각"}, {E: "ｶﾞ", G: "ガ"}, {E: "⁰1", G: "₀1"},
	}
	for _, period := range []int{1, 2, 3, 5, 6, 7, 63, 64, 65} {
		unit := "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-*/"[:period]
		for n := 3 * period; n <= 5*period+25; n += max(1, period-1) {
			cases = append(cases, classified{E: "QQ", G: "=" + strings.Repeat(unit, 30)[:n]})
		}
	}
	// Reversed in pieces, with little or much in pieces; palindromes; texts that
	// were not made by reversing.
	for _, c := range [][3]string{
		{"abcdeedcba", "abcdeedcba", "cbadeedabc"},
		{"abcdefghijklmnopqrst", "tsrqponmlkjihgfedcba", "tsrpqonmlkjihgfdecba"},
		{"abcdefghijklmnopqrst", "tsrqponmlkjihgfedcba", "rsptqonmlkjihgfdecab"},
		{"abcdefghij", "jihgfedcba", "ijghfedcba"},
		{"abcdefghij", "jihgfedcba", "ijghefdcba"},
		{"abcdefghij", "jihgfedcba", "hijegfdcba"},
		{"abcdefghij", "abcdefghjk", "jihgfedcba"},
		{"abcdefghij", "ABCDEFGHIJ", "cbafedihgj"},
		{"abcdefgh", "hgfedcba", "abcdefgh"},
	} {
		cases = append(cases, classified{E: c[1], G: c[2], Source: &c[0]})
	}
	for _, e := range []string{"", "a", "ab", "abc", "abcd", "aaaa", "12", "straße", "ŒUVRE", "ΣΊΣΥΦΟΣ", "naïve café", "日本語", "😀😀😀", "a\u0301b", "ﬁx", "K\u212a"} {
		for _, g := range []string{
			"", " ", "\u200b", "\x1c" + e + "\x1f", e + e, e + "\n", `"` + e + `"`, `'` + e + `"`, "`" + e + "`", "“" + e + "”", "‘" + e + "’", "«" + e + "»",
			"„" + e + "“", `"`, `""`, "```", "``````", "```" + e + "```", "```\n" + e + "```", "```py\n" + e + "\n```", "```py " + e + " ```", "```\n\n" + e + "\n\n```",
			"```c++\n" + e + "\n```", "```" + "\n" + e + "\n````", "````\n" + e + "\n````",
			"Answer: " + e, e + ".", e + " is it", "x" + e, e + "x", "x " + e + " y", "It is:\n" + e + "\nDone", "a:" + e + ":b", "* " + e, "**" + e + "**",
			strings.ToUpper(e), strings.ToLower(e), strings.ToTitle(e), "&amp;" + e, `\` + e, e + `\`, "<think>hm</think>" + e, "</think>", e + "</think>", "<think></think>\"" + e + "\"",
			"I'm sorry, I can't do that.", "I’m sorry", "im sorry", "As an AI", "asan ai", "xunable to", "unable to", "unable tom", "I cannot: " + e, "I can not", "cannot help", "İ cannot",
			"I can't", "I can’t", "I cant", "I'm unable", "I am unable", "Im unable", "I won’t", "I wont", "cannot assist.", "Cannot help", "cannot comply", "cannot compl", "i'M  sorry",
			strings.Repeat(e, 30), strings.Repeat("ab", 12), strings.Repeat("ab", 11), e + strings.Repeat("xyz", 8), e + strings.Repeat("xyz", 7),
			"\ufffd", e + "\ufffd", "&#x41;", "&lt;", "&notit;", `\x41`, `\u0041`, `\101`, `\n`, `\q`, "\\\n",
		} {
			cases = append(cases, classified{E: e, G: g})
			backwards := encoded(reversedRunes(runes.Decode(e)))
			cases = append(cases, classified{E: e, G: g, Source: &backwards})
		}
	}
	return cases
}

func reversedRunes(s []rune) []rune {
	out := make([]rune, len(s))
	for i, r := range s {
		out[len(s)-1-i] = r
	}
	return out
}
