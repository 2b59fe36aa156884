package damage

import (
	"math/rand/v2"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// Right returns the right reply to the item: the wanted text, or the wanted list
// as Python prints it.
func Right(it *verbatim.Item) string {
	if it.Want.IsList() {
		return pylit.Format(it.Want.List)
	}
	return it.Want.Text
}

// A Spoiler makes wrong replies of one kind.
type Spoiler struct {
	Label  string // the failure that the grader should see
	Grader string // the grader's name, as in Item.Grader
	// Spoil returns a wrong reply to the item, drawn from r alone. ok is false
	// when the item gives no opportunity; r may have been drawn from even so.
	Spoil func(r *rand.Rand, it *verbatim.Item) (reply string, ok bool)
}

// Spoilers returns a spoiler for every failure label of the named grader, in the
// order of its labels; nil for a grader that does not exist.
func Spoilers(grader string) []Spoiler {
	switch grader {
	case "text":
		return textSpoilers(grader, dressing, failures)
	case "integer", "integer-reference":
		return textSpoilers(grader, dressing, arithmetic, failures)
	case "list", "sortbench", "sortbench-reference":
		return listSpoilers(grader)
	}
	return nil
}

// Grader returns the name of the grader that judges the item when it names none.
func Grader(it *verbatim.Item) string {
	switch {
	case it.Grader != "":
		return it.Grader
	case it.Want.IsList():
		return "list"
	}
	return "text"
}

// right reports whether a reply that was to be wrong is right after all, by the
// rule of the item's grader. Python's int() does not mind zeros before a number.
func right(it *verbatim.Item, reply, want string) bool {
	reply = pylit.Strip(reply)
	return reply == want || it.Grader == "integer-reference" && strings.TrimLeft(reply, "0") == strings.TrimLeft(want, "0")
}

// A way is how a text is spoilt into one label.
type way struct {
	label string
	spoil func(r *rand.Rand, t text) (string, bool)
}

// textSpoilers turns ways into spoilers.
func textSpoilers(grader string, parts ...[]way) []Spoiler {
	var out []Spoiler
	for _, part := range parts {
		for _, w := range part {
			out = append(out, Spoiler{w.label, grader, func(r *rand.Rand, it *verbatim.Item) (string, bool) {
				t := textOf(it)
				reply, ok := w.spoil(r, t)
				return reply, ok && !right(it, reply, t.want)
			}})
		}
	}
	return out
}

// The ways in the order of the text grader's labels. They are functions of the
// package rather than closures so that each can be read by itself.
var (
	dressing = []way{
		{"reasoning_leak", leak},
		{"empty", empty},
		{"quoted", quoted},
		{"fenced", fenced},
	}
	arithmetic = []way{
		{"grouped", grouped},
		{"decimal", decimal},
		{"equation", equation},
		{"carry", carry},
		{"off_by_digit", offByDigit},
	}
	failures = []way{
		{"explained", explained},
		{"whitespace", respaced},
		{"escaped", escaped},
		{"case", recased},
		{"unicode_norm", renormed},
		{"mojibake", mojibake},
		{"confusable", confusable},
		{"refusal", refusal},
		{"not_reversed", notReversed},
		{"transposed", transposed},
		{"chunk_reversed", chunkReversed},
		{"dropped_char", droppedChar},
		{"cut_short", cutShort},
		{"head_missing", headMissing},
		{"dropped_run", droppedRun},
		{"looped", looped},
		{"inserted_char", insertedChar},
		{"duplicated_run", duplicatedRun},
		{"inserted_run", insertedRun},
		{"substituted_char", substitutedChar},
		{"segment_moved", segmentMoved},
		{"permuted", permuted},
		{"substitutions", substitutions},
		{"corrupted", corrupted},
		{"unrelated", unrelated},
	}
)
