package task

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/pylit"
)

// family sets the fields that all families of the package share. Draw makes an item of n elements.
func family(f verbatim.Family, draw func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item) verbatim.Family {
	f.Version, f.Mode = max(1, f.Version), hardMode
	if f.Unit == "" {
		f.Unit = "items"
	}
	if f.DefaultLengths == nil {
		f.DefaultLengths = []int{2, 4, 8, 16, 32, 64}
	}
	f.Min = max(f.Min, 2)
	if f.Wordings == nil {
		f.Wordings = ruleWordings()
	}
	f.Item = func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
		return draw(r, k, drawLength(r, k.Length)), nil
	}
	return f
}

// A rule is the order that a question asks for.
type rule struct {
	words       string // in the prompt: "in descending order"
	given, want []any  // the list in the question, and in order
	data        string // a text after the list that the rule needs, such as the edges of a graph
}

// ask makes an item that asks for a list in an order.
func ask(family string, k verbatim.Parameters, q rule) verbatim.Item {
	input := q.words + ": " + pylit.Format(q.given)
	if q.data != "" {
		input += "\n\n" + q.data
	}
	it := newItem(family, k, len(q.given), ruleWordings()[0], verbatim.Inputs{"rule": input}, verbatim.ListAnswer(q.want), verbatim.ListAnswer(q.given))
	it.Facts[verbatim.FactMode] = hardMode
	return it
}

// sortedBy returns a list in an order. Elements that compare equal keep their order.
func sortedBy[T any](list []T, compare func(a, b T) int) []T {
	out := slices.Clone(list)
	slices.SortStableFunc(out, compare)
	return out
}

// reversed returns a list in the opposite order.
func reversed[T any](list []T) []T {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

// listAnswer returns a list as an Answer.
func listAnswer[T any](list []T) verbatim.Answer { return verbatim.ListAnswer(boxed(list)) }

// shuffled returns a list in random order.
func shuffled[T any](r *rand.Rand, list []T) []T {
	out := slices.Clone(list)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// foreseeText adds the mistake of sorting as plain text, by code point.
func foreseeText(it *verbatim.Item, list []string) {
	foresee(it, "other_key", "as plain text", listAnswer(sortedBy(list, strings.Compare)))
}

// foreseeReverse adds the mistake of the opposite order.
func foreseeReverse(it *verbatim.Item) {
	foresee(it, "wrong_direction", "the opposite order", verbatim.ListAnswer(reversed(it.Want.List)))
}

// byNumber compares strings by a number of each, and equal numbers by code point.
func byNumber(number func(string) int) func(a, b string) int {
	return func(a, b string) int { return cmp.Or(cmp.Compare(number(a), number(b)), strings.Compare(a, b)) }
}

// foreseeByNumber adds the mistakes of an order of byNumber. Tied and largest are the details of equal
// numbers in the order of the question, and of the largest number first.
func foreseeByNumber(it *verbatim.Item, given []string, number func(string) int, tied, largest string) {
	foresee(it, "tie_broken", tied, listAnswer(sortedBy(given, func(a, b string) int { return cmp.Compare(number(a), number(b)) })))
	foresee(it, "wrong_direction", largest, listAnswer(sortedBy(given, byNumber(func(s string) int { return -number(s) }))))
	foreseeText(it, given)
	foreseeReverse(it)
}

// word draws a word of letters with a length within bounds.
func word(r *rand.Rand, shortest, longest int) string {
	words := draw.MildWords()
	for {
		if w := words.Draw(r); len(w) >= shortest && len(w) <= longest {
			return w
		}
	}
}

// A labelled is an item such as "M-4821": a label with a place in an order, and a number.
type labelled struct {
	label  string
	place  int
	number int
}

func (l labelled) String() string { return l.label + "-" + strconv.Itoa(l.number) }

// compareLabelled orders by place, and equal places by number.
func compareLabelled(a, b labelled) int {
	return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.number, b.number))
}

// drawLabelled draws different items. Labels are their possible labels in order.
func drawLabelled(r *rand.Rand, n int, labels []string) []labelled {
	return draw.Distinct(n, func() labelled {
		position := r.IntN(len(labels))
		return labelled{labels[position], position, 100 + r.IntN(9900)}
	})
}

// printed returns the texts of items.
func printed[T interface{ String() string }](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.String()
	}
	return out
}

// askLabelled asks for labelled items in order, and adds the foreseen mistakes.
func askLabelled(family string, k verbatim.Parameters, words string, given []labelled) verbatim.Item {
	want := sortedBy(given, compareLabelled)
	it := ask(family, k, rule{words: words, given: boxed(printed(given)), want: boxed(printed(want))})
	foresee(&it, "tie_broken", "equal labels by descending number", listAnswer(printed(sortedBy(given, func(a, b labelled) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(b.number, a.number))
	}))))
	foresee(&it, "tie_broken", "equal labels as they stood", listAnswer(printed(sortedBy(given, func(a, b labelled) int { return cmp.Compare(a.place, b.place) }))))
	foresee(&it, "wrong_direction", "labels from last to first", listAnswer(printed(sortedBy(given, func(a, b labelled) int {
		return cmp.Or(cmp.Compare(b.place, a.place), cmp.Compare(a.number, b.number))
	}))))
	foreseeText(&it, printed(given))
	foreseeReverse(&it)
	return it
}

// ruleWordings returns the wordings of families without pictures. The second and third sentence of the
// official system prompt are those of the paper.
func ruleWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{
			System: "Your task is to sort a list by the rule that is given with it. The output must only contain the sorted list and nothing else. The format of the list must stay the same.",
			Text:   "Sort the following list {rule}",
		},
		{
			System: "You put lists into the order that you are asked for. Answer with the sorted list alone, and with nothing else. Write the list in the format in which it is given.",
			Text:   "Put the items of this list into order, {rule}",
		},
		{
			System: "You are given a list and a rule. Order its items by that rule. Give only the ordered list, without any other text, and do not change how the list is written.",
			Text:   "Here is what to do with a list. Sort it {rule}\n\nGive the sorted list.",
		},
		{
			System: "Bring the items of a list into the order that the question asks for. Your output is the sorted list and nothing else, and its notation is that of the list you were given.",
			Text:   "What does the list below look like, sorted {rule}",
		},
	}
}

// drawLength draws a length of the range, uniformly. A fixed length draws nothing from r.
func drawLength(r *rand.Rand, l verbatim.Lengths) int {
	if l.Min == l.Max {
		return l.Min
	}
	return l.Min + r.IntN(l.Max-l.Min+1)
}

// newItem returns an item of a family: the official wording with its inputs, the one right answer, and the source
// from which the question was made. length is the length that was drawn, in the unit of the family.
func newItem(family string, k verbatim.Parameters, length int, official verbatim.Wording, in verbatim.Inputs, want, source verbatim.Answer) verbatim.Item {
	return verbatim.Item{
		Prompt: official.Prompt(in),
		Inputs: in,
		Want:   want,
		Source: &source,
		Facts: map[string]string{
			verbatim.FactFamily:  family,
			verbatim.FactLength:  strconv.Itoa(length),
			verbatim.FactEdition: string(k.Edition),
		},
	}
}

// foresee adds a mistake to an item, unless its answer is right or belongs to an earlier mistake.
func foresee(it *verbatim.Item, label, detail string, answer verbatim.Answer) {
	known := append([]verbatim.Answer{it.Want}, it.Accept...)
	for _, m := range it.Mistakes {
		known = append(known, m.Answer)
	}
	if slices.ContainsFunc(known, func(a verbatim.Answer) bool { return same(a, answer) }) {
		return
	}
	it.Mistakes = append(it.Mistakes, verbatim.Mistake{Label: label, Detail: detail, Answer: answer})
}

func same(a, b verbatim.Answer) bool {
	if !a.IsList() && !b.IsList() {
		return a.Text == b.Text
	}
	x, _ := a.MarshalJSON()
	y, _ := b.MarshalJSON()
	return bytes.Equal(x, y)
}

// ID returns the id of an item: family, version, parameters, seed and index. The standard edition is
// left out.
func ID(f verbatim.Family, k verbatim.Parameters, seed uint64, index int) string {
	return fmt.Sprintf("%s@%d/%s/seed=%d/%d", f.Name, f.Version, parameterText(k), seed, index)
}

// parameterText returns the part of an id for the parameters: "len=16/edition=paper".
func parameterText(k verbatim.Parameters) string {
	s := "len=" + k.Length.String()
	if k.Edition != "" && k.Edition != verbatim.Standard {
		s += "/edition=" + string(k.Edition)
	}
	return s
}

// drawItem draws the item that ID names.
func drawItem(f verbatim.Family, k verbatim.Parameters, seed uint64, index int) (verbatim.Item, error) {
	k.Edition = cmp.Or(k.Edition, verbatim.Standard)
	it, err := f.Item(draw.Rand(f.Name, f.Version, parameterText(k), seed, uint64(index)), k)
	it.ID = ID(f, k, seed, index)
	return it, err
}

// MaxTokens returns the token limit of an item: one token for each byte of the expected answer, 64
// for text around it, and those for reasoning. No tokenizer needs more than a token for a byte.
func MaxTokens(it *verbatim.Item, reasoning int) int {
	return 64 + len(pylit.Answer(it.Want)) + reasoning
}

// single returns the range of one length.
func single(n int) verbatim.Lengths { return verbatim.Lengths{Min: n, Max: n} }
