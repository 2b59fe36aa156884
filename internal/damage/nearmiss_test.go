package damage

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"verbatim"
	"verbatim/internal/pylit"
)

// A NearMiss is a reply that is almost right.
type NearMiss struct {
	Name  string // what is wrong with it: "the last character is missing"
	Reply string
}

// NearMisses returns replies to the item that are as close to the right one as wrong replies can be.
// None of them is right by the rule of the item's grader. Items whose answer is short or of one letter
// have fewer.
func NearMisses(r *rand.Rand, it *verbatim.Item) []NearMiss {
	right := Right(it)
	var all []NearMiss
	if it.Want.IsList() && Grader(it) != "text" {
		all = nearLists(r, listOf(it))
	} else {
		all = nearTexts(r, textOf(it))
	}
	all = append(all,
		NearMiss{"nothing", ""},
		NearMiss{"in quotation marks", `"` + right + `"`},
		NearMiss{"in a code fence", "```\n" + right + "\n```"},
		NearMiss{"with a word before it", "Answer: " + right},
	)
	return slices.DeleteFunc(all, func(m NearMiss) bool { return isRight(it, m.Reply, right) })
}

func nearTexts(r *rand.Rand, t text) []NearMiss {
	n := len(t.runes)
	if n == 0 {
		return nil
	}
	out := []NearMiss{
		{"the last character is missing", string(t.runes[:n-1])},
		{"the first character is missing", string(t.runes[1:])},
		{"the last character is doubled", string(slices.Concat(t.runes, t.runes[n-1:]))},
		{"twice", t.want + t.want},
		{"a full stop after it", t.want + "."},
	}
	i := r.IntN(n)
	out = append(out,
		NearMiss{"a character is missing", string(slices.Concat(t.runes[:i], t.runes[i+1:]))},
		NearMiss{"a character is doubled", string(slices.Concat(t.runes[:i], t.runes[i:i+1], t.runes[i:]))},
		NearMiss{"a character is another one", string(slices.Concat(t.runes[:i], []rune{t.other(r, t.runes[i])}, t.runes[i+1:]))},
	)
	if i > 0 {
		out = append(out,
			NearMiss{"a blank within", string(t.runes[:i]) + " " + string(t.runes[i:])},
			NearMiss{"two neighbours exchanged", string(slices.Concat(t.runes[:i-1], t.runes[i:i+1], t.runes[i-1:i], t.runes[i+1:]))},
		)
	}
	if j := t.position(r, func(i int) bool { return swapCase(t.runes[i]) != t.runes[i] }); j >= 0 {
		out = append(out, NearMiss{"a letter in the other case", string(slices.Concat(t.runes[:j], []rune{swapCase(t.runes[j])}, t.runes[j+1:]))})
	}
	if t.source != nil {
		out = append(out, NearMiss{"the source as it was", string(t.source)})
	}
	return out
}

func swapCase(c rune) rune {
	if u := unicode.ToUpper(c); u != c {
		return u
	}
	return unicode.ToLower(c)
}

func nearLists(r *rand.Rand, l list) []NearMiss {
	n := len(l.want)
	if n == 0 {
		return []NearMiss{{"an item too many", "[0]"}}
	}
	i := r.IntN(n)
	change := func(name string, items []any) NearMiss { return NearMiss{name, pylit.Format(items)} }
	changed := slices.Clone(l.want)
	changed[i] = l.changed(r, changed[i])
	retyped := slices.Clone(l.want)
	retyped[i] = otherType(retyped[i])
	out := []NearMiss{
		change("the last item is missing", l.want[:n-1]),
		change("the first item is missing", l.want[1:]),
		change("an item is missing", slices.Delete(slices.Clone(l.want), i, i+1)),
		change("an item is doubled", slices.Insert(slices.Clone(l.want), i, l.want[i])),
		change("an item is another one", changed),
		change("an item is of another type", retyped),
		change("backwards", reversed(l.want)),
		{"the closing bracket is missing", strings.TrimSuffix(l.printed, "]")},
		{"twice", l.printed + "\n" + l.printed},
		{"a list in a list", "[" + l.printed + "]"},
	}
	if i > 0 {
		swapped := slices.Clone(l.want)
		swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
		out = append(out, change("two neighbours exchanged", swapped))
	}
	if l.source != nil {
		out = append(out, change("the source as it was", l.source))
	}
	return out
}

// otherType returns v as a value of another type.
func otherType(v any) any {
	switch v := v.(type) {
	case string:
		return []any{v}
	case int64:
		if -(1<<53) < v && v < 1<<53 {
			return float64(v) // 12.0 for 12
		}
	}
	return pylit.Format(v)
}
