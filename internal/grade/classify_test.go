package grade

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
	"verbatim/internal/oracle"
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

// alphabets are what texts are drawn from; short ones make runs, repetitions and
// palindromes common.
var alphabets = [][]rune{
	[]rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
	[]rune("ab"),
	[]rune("abAB01Oo"),
	[]rune("0123456789"),
	[]rune("aé ñ-–'’\"“”\u00a0\u2009"),
	[]rune("äöüßẞÄÖÜſsSkK\u212aİıΣσς"),
	[]rune("e\u0301éa\u0308äﬁffiⅨ①²"),
	[]rune("日本語中文кириллицаελληνικά"),
	[]rune("😀👨\u200d👩🏽é\u200b\ufeff\u00ad"),
	[]rune("a b\tc\nd\u2028\x1c\x85e"),
	[]rune(`a\n"'&<>;lt#x41u0`),
	[]rune("Ã©â€™Â\u0081\u00ad"),
}

func drawText(r *rand.Rand, n int) []rune {
	alphabet := alphabets[0]
	if r.IntN(3) > 0 {
		alphabet = alphabets[r.IntN(len(alphabets))]
	}
	out := make([]rune, n)
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	return out
}

func drawCase(r *rand.Rand) classified {
	s := drawText(r, r.IntN(40))
	c := classified{}
	e := s
	if r.IntN(2) == 0 {
		e = reversedRunes(s)
		source := string(s)
		c.Source = &source
	}
	g := append([]rune(nil), e...)
	for range 1 + r.IntN(3) {
		g = spoil(r, e, s, g)
	}
	c.E, c.G = string(e), string(g)
	return c
}

// spoil does one of many things to g, a reply to the wanted text e made from s.
func spoil(r *rand.Rand, e, s, g []rune) []rune {
	text := string(g)
	n := len(g)
	i := r.IntN(n + 1)
	j := i + r.IntN(n-i+1)
	k := j + r.IntN(n-j+1)
	cat := func(parts ...[]rune) (out []rune) {
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	switch r.IntN(34) {
	case 0, 1:
		return cat(g[:i], g[min(i+1, n):])
	case 2:
		return cat(g[:i], g[j:])
	case 3:
		return cat(g[:i], drawText(r, 1), g[i:])
	case 4:
		return cat(g[:i], drawText(r, r.IntN(6)), g[i:])
	case 5:
		return cat(g[:j], g[i:j], g[j:])
	case 6, 7:
		if i+1 < n {
			return cat(g[:i], g[i+1:i+2], g[i:i+1], g[i+2:])
		}
	case 8, 9:
		if i < n {
			return cat(g[:i], drawText(r, 1), g[i+1:])
		}
	case 10:
		return cat(g[:i], g[j:k], g[i:j], g[k:])
	case 11:
		var pieces []rune
		for rest := s; len(rest) > 0; {
			m := min(len(rest), 1+r.IntN(5))
			pieces = cat(rest[:m], pieces)
			rest = rest[m:]
		}
		return pieces
	case 12:
		var pieces []rune
		for rest := s; len(rest) > 0; {
			m := min(len(rest), 2+r.IntN(4))
			pieces = cat(pieces, reversedRunes(rest[:m]))
			rest = rest[m:]
		}
		return pieces
	case 13:
		return s
	case 14:
		return drawText(r, n)
	case 15:
		r.Shuffle(n, func(a, b int) { g[a], g[b] = g[b], g[a] })
	case 16:
		q := quotes[r.IntN(len(quotes))]
		return []rune(q[0] + text + q[1])
	case 17:
		return []rune([]string{"```\n%s\n```", "```text\n%s```", "```%s```"}[r.IntN(3)])
	case 18:
		return []rune(fmt.Sprintf([]string{"The answer is: %s", "%s\nDone.", "Sure! \"%s\" it is.", "=%s=", "a%s", "%s\n\n%[1]s"}[r.IntN(6)], text))
	case 19:
		return cat(g[:i], [][]rune{{' '}, {'\n'}, {0x200b}, {0xa0}, {0x1c}, {0xad}}[r.IntN(6)], g[i:])
	case 20:
		return []rune(strings.ToUpper(text))
	case 21:
		return []rune(strings.ToLower(text))
	case 22:
		for range 1 + r.IntN(3) {
			if i := r.IntN(n + 1); i < n {
				if u := unicode.ToUpper(g[i]); u != g[i] {
					g[i] = u
				} else {
					g[i] = unicode.ToLower(g[i])
				}
			}
		}
	case 23:
		return []rune(strings.NewReplacer("<", "&lt;", "&", "&amp;", "é", "&eacute;", "a", "&#97;", "'", "&#x27;").Replace(text))
	case 24:
		return []rune(strings.NewReplacer(`"`, `\"`, "'", `\'`, "a", `\a`, "_", `\_`, "\n", `\n`).Replace(text))
	case 25:
		return []rune(strings.NewReplacer("é", `\u00e9`, "a", `\x61`, "b", `\142`, "\n", `\n`, "\t", `\t`, "日", `\u65e5`).Replace(text))
	case 26:
		return []rune(strings.NewReplacer("é", "e\u0301", "ä", "a\u0308", "fi", "ﬁ", "-", "–", "'", "’", "²", "2").Replace(text))
	case 27:
		var b strings.Builder
		for _, c := range []byte(text) {
			b.WriteRune([]rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")[max(0, min(31, int(c)-128))])
			if c < 0x80 || c >= 0xa0 {
				s := b.String()
				_, size := utf8.DecodeLastRuneInString(s)
				b.Reset()
				b.WriteString(s[:len(s)-size])
				b.WriteRune(rune(c))
			}
		}
		return []rune(b.String())
	case 28:
		for a := range g {
			for _, set := range lookalikes {
				if x := []rune(set); r.IntN(4) == 0 && strings.ContainsRune(set, g[a]) {
					g[a] = x[r.IntN(len(x))]
				}
			}
		}
	case 29:
		return []rune("I'm sorry, I can't reverse " + text[:len(text)/2])
	case 30:
		return cat(g, []rune(strings.Repeat(string(g[max(0, n-1-r.IntN(70)):]), 1+r.IntN(30))))
	case 31:
		return []rune("<think>" + string(s) + "</think>" + text)
	case 32:
		return cat(g[:i], []rune{0xfffd}, g[j:])
	case 33:
		return nil
	}
	return g
}

func drawAlnum(r *rand.Rand, n int) string {
	out := make([]rune, n)
	for i := range out {
		out[i] = alphabets[0][r.IntN(len(alphabets[0]))]
	}
	return string(out)
}

// oracleDir returns the folder of the executable specification, ../shared/oracle
// next to the repository. Without it, or without python3, the test is skipped, or
// fails where VERBATIM_ORACLE=require asks for it.
func oracleDir(t testing.TB) string {
	t.Helper()
	dir := filepath.Dir(oracle.Path(t, "classify.py"))
	if _, err := exec.LookPath("python3"); err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatalf("the oracle needs python3: %v", err)
		}
		t.Skipf("the oracle needs python3: %v", err)
	}
	return dir
}

// python runs a program with the oracle's folder as its argument and returns what
// it prints, one JSON value per line.
func python[T any](t testing.TB, program string, stdin []byte) []T {
	t.Helper()
	cmd := exec.Command("python3", "-B", "-c", program, oracleDir(t))
	cmd.Stdin = bytes.NewReader(stdin)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, complaint.String())
	}
	var values []T
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%v in %.200q", err, lines.Bytes())
		}
		values = append(values, v)
	}
	if len(values) == 0 {
		t.Fatal("the oracle printed nothing")
	}
	return values
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
