package recordview

import (
	"bytes"
	"flag"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

// stepText writes a script with the elements it takes: =abc -d +e ~fg.
func stepText(want, got string, steps []step) string {
	var parts []string
	i, j := 0, 0
	for _, s := range steps {
		text := want[i:min(i+s.n, len(want))]
		if s.op == extra {
			text = got[j : j+s.n]
		}
		if s.op != extra {
			i += s.n
		}
		if s.op != missed {
			j += s.n
		}
		parts = append(parts, string(s.op)+text)
	}
	return strings.Join(parts, " ")
}

func TestScript(t *testing.T) {
	for _, c := range []struct{ want, got, text string }{
		{"", "", ""},
		{"abc", "abc", "=abc"},
		{"abc", "", "-abc"},
		{"", "abc", "+abc"},
		{"abcdef", "abdef", "=ab -c =def"},
		{"abdef", "abcdef", "=ab +c =def"},
		{"abcdef", "abXdef", "=ab ~c =def"},
		{"abcdef", "abXYdef", "=ab ~c +Y =def"},
		{"abcdef", "abXf", "=ab ~c -de =f"},
	} {
		steps, ok := editScript([]byte(c.want), []byte(c.got))
		if s := stepText(c.want, c.got, steps); !ok || s != c.text {
			t.Errorf("%q to %q: %q, want %q", c.want, c.got, s, c.text)
		}
	}
}

// Every script must lead from one text to the other, and be as short as the
// longest common subsequence allows.
func TestScriptProperties(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 0, 40, -1)
	rapid.Check(t, func(t *rapid.T) {
		want, got := text.Draw(t, "want"), text.Draw(t, "got")
		steps, ok := editScript([]byte(want), []byte(got))
		if !ok {
			t.Fatal("gave up")
		}
		i, j, edits := 0, 0, 0
		for _, s := range steps {
			switch s.op {
			case same:
				if want[i:i+s.n] != got[j:j+s.n] {
					t.Fatalf("%q is not %q", want[i:i+s.n], got[j:j+s.n])
				}
				i, j = i+s.n, j+s.n
			case missed:
				i, edits = i+s.n, edits+s.n
			case extra:
				j, edits = j+s.n, edits+s.n
			case changed:
				i, j, edits = i+s.n, j+s.n, edits+2*s.n
			}
		}
		if i != len(want) || j != len(got) {
			t.Fatalf("the script takes %d of %d and %d of %d", i, len(want), j, len(got))
		}
		if least := len(want) + len(got) - 2*common(want, got); edits != least {
			t.Fatalf("%d edits, %d would do", edits, least)
		}
	})
}

// common returns the length of the longest common subsequence.
func common(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		last := 0
		for j := range b {
			up := row[j+1]
			if a[i] == b[j] {
				row[j+1] = last + 1
			} else {
				row[j+1] = max(row[j], up)
			}
			last = up
		}
	}
	return row[len(b)]
}

func TestScriptGivesUp(t *testing.T) {
	a, b := strings.Repeat("a", maxEdits), strings.Repeat("b", maxEdits)
	if _, ok := editScript([]byte(a), []byte(b)); ok {
		t.Error("there is a script of twice as many edits as are allowed")
	}
	if _, ok := editScript([]byte(a[:maxEdits/2]), []byte(b[:maxEdits/2])); !ok {
		t.Error("there is no script of exactly as many edits as are allowed")
	}
	if _, ok := editScript([]byte(a+a), []byte("")); ok {
		t.Error("there is a script that misses more than is allowed")
	}
}

// TestDeparture finds the token at which a reply departs from the expected answer.
func TestDeparture(t *testing.T) {
	one := func(texts ...string) []verbatim.Token {
		var tokens []verbatim.Token
		for _, text := range texts {
			tokens = append(tokens, verbatim.Token{Text: text, Logprob: -0.5, Top: []verbatim.Token{{Text: text, Logprob: -0.5}, {Text: "cd", Logprob: -1}, {Text: "x", Logprob: -2}}})
		}
		return tokens
	}
	for _, c := range []struct {
		name, want, reply string
		tokens            []verbatim.Token
		at                int // -1: no departure is shown
		token             string
		right             string // the alternative that is right
	}{
		{"inside", "abcd", "abxy", one("ab", "xy"), 2, "xy", "cd"},
		{"inside a token", "abcd", "abxd", one("a", "bxd"), 2, "bxd", ""},
		{"behind reasoning", "abcd", "abxy", one("hm", "ab", "xy"), 2, "xy", "cd"},
		{"quoted", "cd", `"cd"`, one(`"`, "cd", `"`), 0, `"`, "cd"},
		{"an end that came too early", "abcd", "ab", one("ab"), -1, "", ""},
		{"tokens of another text", "abcd", "abxy", one("zz"), -1, "", ""},
		{"no tokens", "abcd", "abxy", nil, -1, "", ""},
		{"nothing expected is left", "ab", "abcd", one("ab", "cd"), 2, "cd", ""},
	} {
		g := &verbatim.Grade{Outcome: verbatim.Wrong}
		d := departure(verbatim.TextAnswer(c.want), g, &verbatim.Reply{Text: c.reply, Tokens: c.tokens})
		if (d == nil) != (c.at < 0) {
			t.Errorf("%s: %+v", c.name, d)
			continue
		}
		if d == nil {
			continue
		}
		right := ""
		for _, a := range d.Alternatives {
			if a.Right {
				right = a.Text
			}
		}
		if d.At != c.at || d.Token.Text != c.token || right != c.right {
			t.Errorf("%s: %+v, want %q at %d, and %q right", c.name, d, c.token, c.at, c.right)
		}
	}
	if d := departure(verbatim.ListAnswer([]any{"a", "b"}), &verbatim.Grade{}, &verbatim.Reply{Text: `["a", "x"]`, Tokens: one(`["a", "`, `x`, `"]`)}); d == nil || d.At != 7 {
		t.Errorf("a list in double quotation marks: %+v", d)
	}
	if d := departure(verbatim.TextAnswer("ab"), &verbatim.Grade{Exact: true}, &verbatim.Reply{Text: "ab", Tokens: one("ab")}); d != nil {
		t.Errorf("an exact answer departs: %+v", d)
	}
	d := &Departure{Token: Alternative{Text: terminal.Visible("\x1b[31m"), Probability: 0.5}, Alternatives: []Alternative{{Text: "a", Probability: 0.25, Right: true}}}
	if text := showDeparture(d, terminal.Style{}); strings.ContainsRune(text, '\x1b') || !strings.Contains(text, "25.0 %") || !strings.Contains(text, "right") {
		t.Errorf("%s", text)
	}
}

// A grade of an imported file may have any span.
func TestDepartureOfAnySpan(t *testing.T) {
	for _, span := range []verbatim.Span{{Start: -1, End: 2}, {Start: 1 << 40, End: 2}, {Start: 1, End: -5}} {
		d := departure(verbatim.TextAnswer("abcd"), &verbatim.Grade{Span: &span}, &verbatim.Reply{Text: "abxy", Tokens: []verbatim.Token{{Text: "ab"}, {Text: "xy"}}})
		if span.Start != 1 && (d == nil || d.At != 2) {
			t.Errorf("%v: %+v", span, d)
		}
	}
}

var update = flag.Bool("update", false, "rewrite the golden files; read the difference before you commit it")

func TestGoldenShow(t *testing.T) {
	run := recordtest.Quick().Run(3)
	for _, width := range []int{80, 120} {
		var out bytes.Buffer
		for _, n := range recordtest.Records() {
			out.WriteString("===== " + n.Name + "\n")
			if err := WriteText(&out, New(run, n.Rec), terminal.Style{Width: width}); err != nil {
				t.Fatal(err)
			}
		}
		if bad := terminaltest.Unsafe(out.String()); bad != "" {
			t.Errorf("show lets %s through", bad)
		}
		terminaltest.Golden(t, *update, map[int]string{80: "show-80.txt", 120: "show-120.txt"}[width], out.Bytes())
	}
	var out bytes.Buffer
	for _, n := range recordtest.Records() {
		if n.Name == "hostile" || n.Name == "list" || n.Name == "outage" {
			if err := terminal.WriteJSON(&out, New(run, n.Rec)); err != nil {
				t.Fatal(err)
			}
		}
	}
	terminaltest.Golden(t, *update, "show.json", out.Bytes())
}
