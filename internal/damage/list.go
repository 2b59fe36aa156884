package damage

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/pylit"
)

// A list is the expected answer of an item as the spoilers of lists see it.
type list struct {
	want     []any
	source   []any // the list to sort; nil if unknown
	printed  string
	mistakes []verbatim.Mistake
}

func listOf(it *verbatim.Item) list {
	l := list{want: it.Want.List, printed: Right(it), mistakes: it.Mistakes}
	if it.Source != nil && it.Source.IsList() {
		l.source = it.Source.List
	}
	return l
}

// same reports whether two lists are printed alike, and so have the same values of the same types.
func same(a, b []any) bool { return pylit.Format(a) == pylit.Format(b) }

// print prints a spoilt list; ok is false if it is the right one, its reverse, or the list to sort.
func (l list) print(items []any) (reply string, ok bool) {
	return pylit.Format(items), !same(items, l.want) && !same(items, l.source) && !same(items, reversed(l.want))
}

// redraw draws a list until it fits and print accepts it; ok is false if none of the attempts does.
func (l list) redraw(draw func() []any, fits func([]any) bool) (reply string, ok bool) {
	for range attempts {
		items := draw()
		if reply, ok := l.print(items); ok && fits(items) {
			return reply, true
		}
	}
	return "", false
}

// startsLike reports whether items are the beginning of the expected list.
func (l list) startsLike(items []any) bool {
	return len(items) <= len(l.want) && same(items, l.want[:len(items)])
}

func reversed(items []any) []any {
	out := slices.Clone(items)
	slices.Reverse(out)
	return out
}

// changed returns an item of the type of v that is not in the list, even without its sign. It returns v
// if it finds none.
func (l list) changed(r *rand.Rand, v any) any {
	held := func(x any) bool {
		return slices.ContainsFunc(l.want, func(w any) bool {
			s, t := pylit.Format(w), pylit.Format(x)
			return s == t || strings.TrimPrefix(s, "-") == strings.TrimPrefix(t, "-")
		})
	}
	for range 100 {
		if x := misprint(r, v); !held(x) {
			return x
		}
	}
	return v
}

// misprint returns a value of the type of v, with an error such as one wrong character or digit.
func misprint(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case int64:
		return v + int64(1+r.IntN(9))*int64(math.Pow10(r.IntN(4)))
	case *big.Int:
		return new(big.Int).Add(v, big.NewInt(1+r.Int64N(1000)))
	case float64:
		return v + float64(1+r.IntN(99))/100*max(math.Min(math.Abs(v), 1e300), 1e-3)
	case string:
		letter := string(letters[r.IntN(26)])
		if v == "" {
			return letter
		}
		_, n := utf8.DecodeLastRuneInString(v)
		if r.IntN(2) == 0 {
			return v[:len(v)-n] + letter
		}
		return v + letter
	case []any:
		if len(v) == 0 {
			return []any{int64(r.IntN(1000))}
		}
		x := slices.Clone(v)
		i := r.IntN(len(x))
		x[i] = misprint(r, x[i])
		return x
	case bool, nil:
		return int64(r.IntN(1 << 30)) // the type has too few values
	}
	return "?" + strconv.Itoa(r.IntN(1<<30))
}

// otherKey sorts the items by another key than the one of the question.
func otherKey(r *rand.Rand, l list) (string, bool) {
	if reply, ok := labelled(r, l.mistakes, "other_key"); ok {
		return reply, true
	}
	if len(l.want) < 3 {
		return "", false
	}
	start := r.IntN(len(orders))
	for i := range orders {
		items := slices.Clone(l.want)
		if sortBy(items, orders[(start+i)%len(orders)]) {
			if reply, ok := l.print(items); ok {
				return reply, true
			}
		}
	}
	return "", false
}

// An order compares two items; ok is false for items that it does not apply to.
type order func(a, b any) (c int, ok bool)

// orders are the wrong ways to sort that graders know by name.
var orders = []order{
	byText(func(a, b string) int { return cmp.Compare(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) }),
	byText(func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) }),
	byNumber(func(a, b any) int { return cmp.Compare(pylit.Format(a), pylit.Format(b)) }),
	byNumber(func(a, b any) int { return cmp.Compare(math.Abs(toFloat(a)), math.Abs(toFloat(b))) }),
}

func byText(compare func(a, b string) int) order {
	return func(a, b any) (int, bool) {
		x, ok := a.(string)
		y, ok2 := b.(string)
		return compare(x, y), ok && ok2
	}
}

func byNumber(compare func(a, b any) int) order {
	return func(a, b any) (int, bool) {
		if !isNumber(a) || !isNumber(b) {
			return 0, false
		}
		return compare(a, b), true
	}
}

func toFloat(v any) float64 {
	if n, ok := v.(int64); ok {
		return float64(n)
	}
	return v.(float64)
}

// sortBy sorts the items, and keeps the order of equal ones. It returns false if the order does not
// apply to them.
func sortBy(items []any, by order) bool {
	for _, v := range items {
		if _, ok := by(v, v); !ok {
			return false
		}
	}
	slices.SortStableFunc(items, func(a, b any) int { c, _ := by(a, b); return c })
	return true
}

// sortedAnyhow reports whether the items are sorted in one of the wrong orders, with equal ones in
// rising order or in the order of the question.
func (l list) sortedAnyhow(items []any) bool {
	for _, by := range orders {
		for _, from := range [][]any{l.want, l.source} {
			sorted := slices.Clone(from)
			if sortBy(sorted, by) && same(sorted, items) {
				return true
			}
		}
	}
	return false
}

// signLost drops the signs of some negative numbers.
func signLost(r *rand.Rand, l list) (string, bool) {
	items := slices.Clone(l.want)
	var negative []int
	for i, v := range items {
		if isNumber(v) && toFloat(v) < 0 {
			negative = append(negative, i)
		}
	}
	if len(negative) == 0 {
		return "", false
	}
	r.Shuffle(len(negative), func(i, j int) { negative[i], negative[j] = negative[j], negative[i] })
	for _, i := range negative[:1+r.IntN(len(negative))] {
		switch v := items[i].(type) {
		case int64:
			items[i] = -v
		case float64:
			items[i] = -v
		}
	}
	return l.print(items)
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

// converted writes number words in digits.
func converted(_ *rand.Rand, l list) (string, bool) {
	items := make([]any, len(l.want))
	for i, v := range l.want {
		s, _ := v.(string)
		n, ok := spelled(s)
		if !ok {
			return "", false
		}
		items[i] = n
	}
	return pylit.Format(items), len(items) > 0
}

// spelled reads number words below a thousand, such as "four hundred and
// twenty-seven".
func spelled(s string) (n int64, ok bool) {
	small := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens := strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety")
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' })
	for _, word := range words {
		if i := slices.Index(small, word); i >= 0 {
			n += int64(i)
		} else if i := slices.Index(tens, word); i >= 0 {
			n += int64(20 + 10*i)
		} else if word == "hundred" {
			n *= 100
		} else if word != "and" {
			return 0, false
		}
	}
	return n, len(words) > 0
}

// A listSpoiler spoils a list into one label.
type listSpoiler struct {
	label  string
	weight float64 // as Spoiler.Weight
	spoil  func(r *rand.Rand, l list) (string, bool)
}

// listFailures are the spoilers of all graders of lists: a new label is one line.
var listFailures = []listSpoiler{
	{"reasoning_leak", 0.5, listLeak},
	{"empty", 0.5, func(*rand.Rand, list) (string, bool) { return "", true }},
	{"coerced", 0, coerced},
	{"explained", 0, listExplained},
	{"reformatted", 0, reformatted},
	{"refusal", 0, listRefusal},
	{"unparsed", 1, unparsed},
	{"unchanged", 1, unchanged},
	{"reversed_order", 1, reversedOrder},
	{"other_key", 4, otherKey},
	{"converted", 2, converted},
	{"sign_lost", 2, signLost},
	{"looped", 2, listLooped},
	{"cut_short", 8, listCutShort},
	{"missing", 30, missing},
	{"added", 8, added},
	{"altered", 10, altered},
	{"misordered", 15, misordered},
	{"mixed", 12, mixed},
}

var (
	listWrappings = []listSpoiler{
		{"quoted", 0, func(_ *rand.Rand, l list) (string, bool) { return "`" + l.printed + "`", true }},
		{"fenced", 0, func(_ *rand.Rand, l list) (string, bool) { return "```python\n" + l.printed + "\n```", true }},
		{"marked_up", 0, func(_ *rand.Rand, l list) (string, bool) { return "**" + l.printed + "**", true }},
	}
	listUnparsed   = listSpoiler{"unparsed", 1, func(*rand.Rand, list) (string, bool) { return "Sorted!", true }}
	listNonAnswers = []listSpoiler{
		{"code", 0, func(*rand.Rand, list) (string, bool) {
			return "```python\nitems = input()\nprint(sorted(items))\n```", true
		}},
		{"echo", 0, func(_ *rand.Rand, l list) (string, bool) {
			return "The original list is " + pylit.Format(l.source) + ".", len(l.source) > 1 && !same(l.source, l.want)
		}},
		{"talk", 0.5, func(*rand.Rand, list) (string, bool) { return "The list is sorted.", true }},
	}
)

func listSpoilers(grader string) []Spoiler {
	failures := listFailures
	if grader == "list" { // it has more labels than SortBench's graders
		before := slices.IndexFunc(listFailures, func(w listSpoiler) bool { return w.label == "unchanged" })
		failures = slices.Concat(listFailures[:2], listWrappings, listFailures[2:before], listForeseen(), listFailures[before:], listNonAnswers)
		for i := range failures {
			if failures[i].label == "unparsed" {
				failures[i] = listUnparsed
			}
		}
	}
	out := make([]Spoiler, 0, len(failures))
	for _, w := range failures {
		out = append(out, Spoiler{w.label, grader, w.weight, func(r *rand.Rand, it *verbatim.Item) (string, bool) {
			if !it.Want.IsList() {
				return "", false
			}
			l := listOf(it)
			reply, ok := w.spoil(r, l)
			return reply, ok && pylit.Strip(reply) != l.printed && !isOther(it, w.label, reply)
		}})
	}
	return out
}

// listForeseen returns a spoiler of lists for each label that an item may foresee.
func listForeseen() []listSpoiler {
	var out []listSpoiler
	for _, label := range foreseenLabels {
		out = append(out, listSpoiler{label, 0, func(r *rand.Rand, l list) (string, bool) { return labelled(r, l.mistakes, label) }})
	}
	return out
}

func listLeak(r *rand.Rand, l list) (string, bool) {
	reasoning := pick(r, "Okay, so I have to sort this list. First I look for the smallest item.", "Let me compare the items one by one.")
	return leaked(reasoning, l.printed), true
}

// coerced puts whole numbers into quotation marks, which makes them texts.
func coerced(r *rand.Rand, l list) (string, bool) {
	quoted := make([]any, len(l.want))
	for i, v := range l.want {
		n, ok := v.(int64)
		if !ok {
			return "", false
		}
		quoted[i] = strconv.FormatInt(n, 10)
	}
	return pylit.Format(quoted), len(quoted) > 0
}

// reformatted adds a comma, which makes the list an item of a tuple.
func reformatted(r *rand.Rand, l list) (string, bool) { return l.printed + ",", len(l.want) > 0 }

func listExplained(r *rand.Rand, l list) (string, bool) {
	// SortBench's published repairs take text around a list of one item for that item, and do not
	// find the beginning of a list of lists.
	if len(l.want) < 2 || slices.ContainsFunc(l.want, func(v any) bool { _, ok := v.([]any); return ok }) {
		return "", false
	}
	return pick(r, "Here is the sorted list:\n\n", "The sorted list is:\n") + l.printed, true
}

func listRefusal(r *rand.Rand, _ list) (string, bool) {
	return pick(r, "I'm sorry, but I can't help with that.", "I am unable to sort this list.", "As an AI I cannot sort lists of this length."), true
}

func unparsed(r *rand.Rand, _ list) (string, bool) {
	return pick(r, "The list is sorted now.", "Sorting is done by comparing all items with each other.", "Please send me the list."), true
}

func unchanged(_ *rand.Rand, l list) (string, bool) {
	return pylit.Format(l.source), l.source != nil && !same(l.source, l.want)
}

func reversedOrder(_ *rand.Rand, l list) (string, bool) {
	items := reversed(l.want)
	return pylit.Format(items), !same(items, l.want) && !same(items, l.source)
}

// listLooped begins right, and then repeats a few items.
func listLooped(r *rand.Rand, l list) (string, bool) {
	if len(l.want) < 2 {
		return "", false
	}
	period := 1 + r.IntN(min(3, len(l.want)-1))
	keep := period + r.IntN(len(l.want)-period)
	items := slices.Clone(l.want[:keep])
	unit := items[keep-period:]
	for rounds := 0; rounds*period < 12 || rounds < 5 || len(items) <= len(l.want); rounds++ {
		items = append(items, unit...)
	}
	return l.print(items)
}

func listCutShort(r *rand.Rand, l list) (string, bool) {
	if len(l.want) < 2 {
		return "", false
	}
	return l.print(l.want[:1+r.IntN(len(l.want)-1)])
}

func missing(r *rand.Rand, l list) (string, bool) {
	if len(l.want) < 3 {
		return "", false
	}
	return l.redraw(func() []any {
		items := slices.Clone(l.want)
		for range 1 + r.IntN(max(1, len(items)/8)) {
			i := r.IntN(len(items) - 1)
			items = slices.Delete(items, i, i+1)
		}
		return items
	}, func(items []any) bool { return !l.startsLike(items) })
}

func added(r *rand.Rand, l list) (string, bool) {
	if len(l.want) == 0 {
		return "", false
	}
	i := r.IntN(len(l.want))
	extra := l.want[i]
	if r.IntN(2) == 0 {
		extra = l.changed(r, extra)
	}
	return l.print(slices.Insert(slices.Clone(l.want), i, extra))
}

func altered(r *rand.Rand, l list) (string, bool) {
	if len(l.want) == 0 {
		return "", false
	}
	return l.redraw(func() []any {
		items := slices.Clone(l.want)
		i := r.IntN(len(items))
		items[i] = l.changed(r, items[i])
		return items
	}, func([]any) bool { return true })
}

func misordered(r *rand.Rand, l list) (string, bool) {
	n := len(l.want)
	if n < 3 {
		return "", false
	}
	return l.redraw(func() []any {
		items := slices.Clone(l.want)
		for range 1 + r.IntN(2) {
			i, j := r.IntN(n), r.IntN(n)
			items[i], items[j] = items[j], items[i]
		}
		return items
	}, func(items []any) bool { return !l.sortedAnyhow(items) })
}

// mixed replaces an item, and exchanges two.
func mixed(r *rand.Rand, l list) (string, bool) {
	n := len(l.want)
	if n < 5 {
		return "", false
	}
	return l.redraw(func() []any {
		items := slices.Clone(l.want)
		i := r.IntN(n)
		items[i] = l.changed(r, items[i])
		j, k := (i+1+r.IntN(n-1))%n, (i+1+r.IntN(n-1))%n
		if pylit.Format(items[j]) == pylit.Format(items[k]) {
			return l.want
		}
		items[j], items[k] = items[k], items[j]
		return items
	}, func([]any) bool { return true })
}
