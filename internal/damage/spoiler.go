package damage

import (
	"math/rand/v2"
	"slices"
	"strings"

	"verbatim"
)

// A Spoiler makes wrong replies of one kind.
type Spoiler struct {
	Label  string // the failure that the grader should see
	Grader string // the grader's name, as in Item.Grader
	// Weight says how frequent the failure is among wrong answers, roughly as in replies of
	// small models; 0: it is no mistake in the answer itself.
	Weight float64
	// Spoil returns a wrong reply to the item, drawn from r alone. ok is false if the item
	// leaves no room for the failure; numbers may have been drawn from r even then.
	Spoil func(r *rand.Rand, it *verbatim.Item) (reply string, ok bool)
}

// A textSpoiler spoils a text into one label.
type textSpoiler struct {
	label                     string
	weight, weightForIntegers float64 // as Spoiler.Weight
	spoil                     func(r *rand.Rand, t text) (string, bool)
}

// textSpoilers returns the spoilers of a grader of texts or integers.
func textSpoilers(grader string, parts ...[]textSpoiler) []Spoiler {
	var out []Spoiler
	for _, part := range parts {
		for _, w := range part {
			weight := w.weight
			if strings.HasPrefix(grader, "integer") {
				weight = w.weightForIntegers
			}
			out = append(out, Spoiler{w.label, grader, weight, func(r *rand.Rand, it *verbatim.Item) (string, bool) {
				t := textOf(it)
				reply, ok := w.spoil(r, t)
				return reply, ok && !isRight(it, reply, t.want) && !isOther(it, w.label, reply) && (w.label == "other_number" || !t.isCount(reply))
			}})
		}
	}
	return out
}

// textForeseen returns a spoiler of texts for each label that an item may foresee. Their
// weight is 0: an item that foresees mistakes says by itself how common they are.
func textForeseen() []textSpoiler {
	var out []textSpoiler
	for _, label := range foreseenLabels {
		out = append(out, textSpoiler{label, 0, 0, func(r *rand.Rand, t text) (string, bool) { return labelled(r, t.mistakes, label) }})
	}
	return out
}

// The spoilers of texts and whole numbers: a new label is one line.
var (
	wrappings = []textSpoiler{
		{"reasoning_leak", 0.5, 0.5, leak},
		{"empty", 0.5, 0.5, empty},
		{"quoted", 0, 0, quoted},
		{"fenced", 0, 0, fenced},
	}
	arithmetic = []textSpoiler{
		{"grouped", 0, 3, grouped},
		{"decimal", 0, 1, decimal},
		{"equation", 0, 2, equation},
		{"carry", 0, 25, carry},
	}
	countedNumber = []textSpoiler{{"other_number", 0, 30, otherNumber}}
	digitSlip     = []textSpoiler{{"off_by_digit", 0, 30, offByDigit}}
	markup        = []textSpoiler{{"marked_up", 0, 0, markedUp}}
	explanation   = []textSpoiler{{"explained", 0, 0, explained}}
	declined      = []textSpoiler{{"refusal", 0, 0, refusal}}
	nonAnswers    = []textSpoiler{{"code", 0, 0, program}, {"echo", 0, 0, echo}, {"talk", 0.5, 0.5, talk}}
	forms         = []textSpoiler{
		{"whitespace", 1, 0, changedWhitespace},
		{"escaped", 0.5, 0, escaped},
		{"case", 3, 0, changedCase},
		{"unicode_norm", 0.5, 0, changedNormalization},
		{"mojibake", 0.2, 0, mojibake},
		{"confusable", 5, 0, confusable},
	}
	separated    = []textSpoiler{{"separators", 0, 0, otherSeparators}}
	textMistakes = []textSpoiler{
		{"not_reversed", 3, 0, notReversed},
		{"transposed", 9, 7, transposed},
		{"chunk_reversed", 7, 0, chunkReversed},
		{"dropped_char", 18, 10, droppedChar},
		{"cut_short", 7, 3, cutShort},
		{"head_missing", 1, 0, headMissing},
		{"dropped_run", 8, 0, droppedRun},
		{"looped", 2, 0, looped},
		{"inserted_char", 8, 5, insertedChar},
		{"duplicated_run", 5, 0, duplicatedRun},
		{"inserted_run", 2, 0, insertedRun},
		{"substituted_char", 13, 0, substitutedChar},
		{"segment_moved", 4, 0, segmentMoved},
		{"permuted", 4, 0, permuted},
		{"substitutions", 3, 5, substitutions},
		{"corrupted", 6, 7, corrupted},
		{"unrelated", 1, 0, unrelated},
	}
)

// Spoilers returns a spoiler for every failure label of the named grader; nil for a grader that does not exist.
func Spoilers(grader string) []Spoiler {
	switch grader {
	case "text", "text-raw":
		return textSpoilers(grader, wrappings, markup, explanation, textForeseen(), forms, separated, textMistakes, declined, nonAnswers)
	case "json":
		return jsonSpoilers()
	case "integer":
		return textSpoilers(grader, wrappings, markup, explanation, textForeseen(), arithmetic, countedNumber, digitSlip, forms, textMistakes, declined, nonAnswers)
	case "integer-reference":
		return textSpoilers(grader, wrappings, arithmetic, digitSlip, explanation, forms, declined, textMistakes)
	case "list", "sortbench", "sortbench-reference":
		return listSpoilers(grader)
	}
	return nil
}

// Graders returns the names of the graders that have spoilers.
func Graders() []string {
	return []string{"text", "list", "sortbench", "sortbench-reference", "integer", "integer-reference", "text-raw", "json"}
}

// IsWrapping reports whether a label is that of a reply whose answer is right, with
// text around it.
func IsWrapping(label string) bool {
	return slices.Contains([]string{"quoted", "fenced", "marked_up", "explained"}, label)
}
