package damage

import (
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The spoilers of this file put the answer into other text, write it in another form, or reply without
// an answer.

// leak puts reasoning before the answer.
func leak(r *rand.Rand, t text) (string, bool) {
	reasoning := pick(r, "I go through it character by character.", "Okay, so I need to be careful here. Let me see.", "The user wants the exact text.")
	return leaked(reasoning, t.want), true
}

// leaked is an answer after reasoning that a server has left in the text. Its opening tag is missing, as
// if a chat template had written that tag: reasoning between two tags is removed before a reply is
// graded.
func leaked(reasoning, answer string) string { return reasoning + "\n</think>\n\n" + answer }

func empty(_ *rand.Rand, t text) (string, bool) { return "", t.want != "" }

func quoted(r *rand.Rand, t text) (string, bool) {
	q := pick(r, `""`, "''", "``", "“”", "‘’", "«»")
	_, n := utf8.DecodeRuneInString(q)
	return q[:n] + t.want + q[n:], t.want != ""
}

func fenced(r *rand.Rand, t text) (string, bool) {
	return "```" + pick(r, "", "text", "plaintext") + "\n" + t.want + "\n```", t.want != ""
}

func markedUp(r *rand.Rand, t text) (string, bool) {
	if t.want == "" || strings.ContainsAny(t.want, "*{}<>$\n") || strings.HasSuffix(t.want, ".") {
		return "", false
	}
	return strings.ReplaceAll(pick(r, "**\x00**", `\boxed{`+"\x00}", "<answer>\x00</answer>"), "\x00", t.want), true
}

// program writes code instead of the answer.
func program(r *rand.Rand, t text) (string, bool) {
	return pick(r, "```python\ntext = input()\nprint(text[::-1])\n```", "You can use this:\n\n```python\ndef solve(a, b):\n    return a + b\n```"), true
}

// echo gives the input back in a sentence.
func echo(r *rand.Rand, t text) (string, bool) {
	if len(t.addend) == 2 {
		return "You gave me the numbers " + t.addend[0] + " and " + t.addend[1] + ".", true
	}
	if len(t.source) == 0 || string(t.source) == t.want || strings.ContainsAny(string(t.source), "\n\"`") {
		return "", false
	}
	return pick(r, "You gave me the text ", "I was asked to work with the text ") + `"` + string(t.source) + `".`, true
}

// talk gives no answer.
func talk(r *rand.Rand, _ text) (string, bool) {
	return pick(r, "Let me look at it step by step, and go through every character.", "What a nice task. Tell me whether I may begin.", "That depends on what exactly is meant here"), true
}

func explained(r *rand.Rand, t text) (string, bool) {
	if t.want == "" {
		return "", false
	}
	reply := pick(r, "Here is the answer: \x00", "Sure! The result is:\n\n\x00", "\x00\n\nLet me know if you need anything else.", "**Answer:** \x00")
	if len(t.runes) < 4 {
		reply = "The answer is:\n\x00"
	}
	// If the text around the answer contains it too, the answer cannot be located.
	if strings.Contains(reply, t.want) {
		return "", false
	}
	return strings.ReplaceAll(reply, "\x00", t.want), true
}

func changedWhitespace(r *rand.Rand, t text) (string, bool) {
	i := t.position(r, func(i int) bool {
		// A blank between groups of three digits would group a number.
		return i > 0 && !(t.sum && (len(t.runes)-i)%3 == 0)
	})
	if i < 0 {
		return "", false
	}
	blank := pick(r, " ", " ", "\n", "\u200b", "\u00a0")
	if unicode.Is(unicode.Mn, t.runes[i]) {
		blank = "\n" // would not change how the mark combines in print
	}
	if t.sum {
		blank = " "
	}
	return string(t.runes[:i]) + blank + string(t.runes[i:]), true
}

// otherSeparators puts hyphens or commas between the characters, or commas between the words.
func otherSeparators(r *rand.Rand, t text) (string, bool) {
	words := strings.Fields(t.want)
	switch {
	case len(t.runes) >= 3 && !slices.ContainsFunc(t.runes, func(r rune) bool { return !alnum(r) }):
		words = strings.Split(t.want, "")
		return strings.Join(words, pick(r, "-", " - ", ", ")), true
	case len(words) < 3 || strings.Join(words, " ") != t.want || strings.ContainsAny(t.want, ",;|-/.、，·•"):
		return "", false
	}
	return strings.Join(words, ", "), true
}

func escaped(r *rand.Rand, t text) (string, bool) {
	if s := html.EscapeString(t.want); s != t.want && r.IntN(2) == 0 {
		return s, true
	}
	if s := strings.NewReplacer("_", `\_`, "*", `\*`, `"`, `\"`, "#", `\#`).Replace(t.want); s != t.want && !strings.Contains(t.want, `\`) {
		return s, true
	}
	// A single reference remains of a text that went through a web page. To be undone, it needs
	// all ampersands as references too.
	i := t.position(r, func(i int) bool { return t.runes[i] < utf8.RuneSelf && alnum(t.runes[i]) })
	if i < 0 {
		return "", false
	}
	const hex = "0123456789ABCDEF"
	c := t.runes[i]
	return html.EscapeString(string(t.runes[:i])) + "&#x" + string(hex[c>>4]) + string(hex[c&15]) + ";" + html.EscapeString(string(t.runes[i+1:])), true
}

func changedCase(r *rand.Rand, t text) (string, bool) {
	mode := r.IntN(3)
	turned := func(c rune) rune {
		u, l := unicode.ToUpper(c), unicode.ToLower(c)
		switch {
		case mode != 0 && u != c && unicode.ToLower(u) == c:
			return u
		case mode != 1 && l != c && unicode.ToUpper(l) == c:
			return l
		}
		return c
	}
	g := []rune(t.want)
	if mode == 2 { // one letter
		i := t.position(r, func(i int) bool { return turned(t.runes[i]) != t.runes[i] })
		if i < 0 {
			return "", false
		}
		g[i] = turned(g[i])
		return string(g), true
	}
	for i := range g {
		g[i] = turned(g[i])
	}
	if string(g) == t.want { // all letters were in that case
		mode = 1 - mode
		for i := range g {
			g[i] = turned(g[i])
		}
	}
	return string(g), string(g) != t.want
}

func changedNormalization(r *rand.Rand, t text) (string, bool) {
	if s := norm.NFD.String(t.want); s != t.want {
		return s, true
	}
	if s := strings.NewReplacer("-", "‐", "'", "’", `"`, "”").Replace(t.want); s != t.want {
		return s, true
	}
	i := t.position(r, func(i int) bool { return '!' <= t.runes[i] && t.runes[i] <= '~' })
	if i < 0 {
		return "", false
	}
	g := []rune(t.want)
	if c := g[i]; '0' <= c && c <= '9' {
		g[i] = []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[c-'0'] // Python's int() would read a wide digit
	} else {
		g[i] = c - '!' + '！'
	}
	return string(g), true
}

func mojibake(r *rand.Rand, t text) (string, bool) {
	if strings.ContainsRune(t.want, '\ufffd') {
		return "", false
	}
	if len(t.want) > len(t.runes) && r.IntN(2) == 0 {
		var b strings.Builder
		for i := range len(t.want) {
			b.WriteRune(cp1252(t.want[i]))
		}
		return b.String(), true
	}
	i := t.position(r, func(i int) bool { return !space(t.runes[i]) })
	if i < 0 {
		return "", false
	}
	g := []rune(t.want)
	g[i] = '\ufffd'
	return string(g), true
}

// cp1252 returns the character that the byte c is in Windows-1252.
func cp1252(c byte) rune {
	if c < 0x80 || c >= 0xa0 {
		return rune(c)
	}
	return []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")[c-0x80]
}

func confusable(r *rand.Rand, t text) (string, bool) {
	// twins are the lookalikes of a character that differ in more than case.
	twins := func(c rune) (out []rune) {
		for _, set := range lookalikes {
			if !strings.ContainsRune(set, c) {
				continue
			}
			for _, x := range set {
				if unicode.ToLower(x) != unicode.ToLower(c) {
					out = append(out, x)
				}
			}
		}
		return out
	}
	i := t.position(r, func(i int) bool { return len(twins(t.runes[i])) > 0 })
	if i < 0 {
		return "", false
	}
	g := []rune(t.want)
	set := twins(g[i])
	g[i] = set[r.IntN(len(set))]
	return string(g), true
}

func refusal(r *rand.Rand, t text) (string, bool) {
	reply := pick(r, "I'm sorry, but I can't help with that.", "I cannot assist with this request.", "As an AI, I am unable to do that.", "I’m sorry, I won’t do that.")
	return reply, t.want != "" && (len(t.runes) < 4 || !strings.Contains(reply, t.want))
}

// pick draws one of its arguments.
func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }
