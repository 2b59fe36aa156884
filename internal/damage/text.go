package damage

import (
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"verbatim"
	"verbatim/internal/pylit"
)

// A text is the expected answer of an item as the spoilers of texts see it.
type text struct {
	want     string
	runes    []rune   // the code points of want
	source   []rune   // the text that want was made from, such as its reversal; nil if unknown
	sum      bool     // want is the digits of a number
	addend   []string // the two numbers whose sum want is; nil if unknown
	counted  bool     // want was counted in a text or computed from one number
	mistakes []verbatim.Mistake
}

func textOf(it *verbatim.Item) text {
	t := text{want: Right(it), mistakes: it.Mistakes}
	t.runes = []rune(t.want)
	t.sum = it.Grader == "integer" || it.Grader == "integer-reference"
	switch {
	case it.Source == nil:
	case t.sum:
		t.addend, t.counted = addends(*it.Source), len(it.Source.List) == 1
	case !it.Source.IsList() && it.Source.Text != t.want:
		t.source = []rune(it.Source.Text)
	}
	return t
}

// number finds the runs of digits in a text.
var number = regexp.MustCompile(`[0-9]+`)

// addends returns the two numbers of a source, which is a list or a text; nil if it does
// not have two.
func addends(source verbatim.Answer) []string {
	var out []string
	for _, v := range source.List {
		switch v := v.(type) {
		case int64, *big.Int:
			out = append(out, pylit.Format(v))
		case string:
			out = append(out, v)
		}
	}
	if !source.IsList() {
		out = number.FindAllString(source.Text, 3)
	}
	if len(out) != 2 || strings.Trim(out[0], digits)+strings.Trim(out[1], digits) != "" {
		return nil
	}
	return out
}

// attempts is how often a spoiler draws a reply until its label alone describes it.
const attempts = 12

// redraw draws a text until it fits; ok is false if none of the attempts does.
func redraw(draw func() []rune, fits func([]rune) bool) (string, bool) {
	for range attempts {
		if g := draw(); fits(g) {
			return string(g), true
		}
	}
	return "", false
}

// keepsEnds reports whether stripping white space from a reply g leaves it unchanged, and it
// is not empty.
func keepsEnds(g []rune) bool {
	return len(g) > 0 && !space(g[0]) && !space(g[len(g)-1])
}

func space(r rune) bool { return pylit.Strip(string(r)) == "" }

func alnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// lookalikes are sets of characters that are taken for each other.
var lookalikes = []string{"0Oo", "1lI|i", "5Ss", "8B", "2Zz", "6bG", "9gq", "VvUu"}

// alike reports whether a and b are easily taken for each other, case included.
func alike(a, b rune) bool {
	if a == b || unicode.ToLower(a) == unicode.ToLower(b) {
		return true
	}
	for _, set := range lookalikes {
		if strings.ContainsRune(set, a) && strings.ContainsRune(set, b) {
			return true
		}
	}
	return false
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
const digits = "0123456789"

// other draws a letter or digit that is not taken for old: a digit for a digit. In a number it
// draws a letter, because another digit is a failure with a label of its own.
func (t text) other(r *rand.Rand, old rune) rune {
	alphabet := letters + digits
	switch {
	case t.sum:
		alphabet = letters
	case unicode.IsDigit(old):
		alphabet = digits
	}
	for {
		if c := rune(alphabet[r.IntN(len(alphabet))]); !alike(c, old) {
			return c
		}
	}
}

// more draws n letters and digits for a text, or n digits for a number.
func (t text) more(r *rand.Rand, n int) []rune {
	alphabet := letters + digits
	if t.sum {
		alphabet = digits
	}
	out := make([]rune, n)
	for i := range out {
		out[i] = rune(alphabet[r.IntN(len(alphabet))])
	}
	return out
}

// position draws a position that ok accepts; -1: there is no such position.
func (t text) position(r *rand.Rand, ok func(i int) bool) int {
	n := len(t.runes)
	if n == 0 {
		return -1
	}
	start := r.IntN(n)
	for k := range n {
		if i := (start + k) % n; ok(i) {
			return i
		}
	}
	return -1
}

// span draws the ends of a stretch of least to most code points between from and to; ok is false
// if there is no room.
func span(r *rand.Rand, from, to, least, most int) (i, j int, ok bool) {
	most = min(most, to-from)
	if most < least {
		return 0, 0, false
	}
	n := least + r.IntN(most-least+1)
	i = from + r.IntN(to-from-n+1)
	return i, i + n, true
}

// Right returns the right reply to the item: the expected text, or the expected list as
// Python prints it.
func Right(it *verbatim.Item) string { return pylit.Answer(it.Want) }

// Grader returns the name of the grader of the item: the one that it names, or the default one of
// its answer.
func Grader(it *verbatim.Item) string {
	switch {
	case it.Grader != "":
		return it.Grader
	case it.Want.IsList():
		return "list"
	}
	return "text"
}

// isRight reports whether a reply is right by the rule of the item's grader. integer-reference
// ignores leading zeros, as Python's int() does.
func isRight(it *verbatim.Item, reply, want string) bool {
	reply = pylit.Strip(reply)
	return reply == want || it.Grader == "integer-reference" && strings.TrimLeft(reply, "0") == strings.TrimLeft(want, "0")
}

// isOther reports whether a reply that was spoilt into a label is another answer that the item
// knows: one that it accepts, or the answer of a mistake with another label.
func isOther(it *verbatim.Item, label, reply string) bool {
	if len(it.Accept)+len(it.Mistakes) == 0 {
		return false
	}
	reply = pylit.Strip(reply)
	if slices.ContainsFunc(it.Accept, func(a verbatim.Answer) bool { return pylit.Answer(a) == reply }) {
		return true
	}
	for _, m := range it.Mistakes { // the first that fits is the one that graders see
		if pylit.Answer(m.Answer) == reply {
			return m.Label != label
		}
	}
	return false
}
