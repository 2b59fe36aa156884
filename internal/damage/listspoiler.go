package damage

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/pylit"
)

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
