package task

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/pylit"
)

// A lister draws the unsorted lists of one SortBench task.
type lister interface {
	// list draws n items, all int64, all float64 or all string. It is an error if there are no
	// such lists.
	list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error)
}

// sortbenchSizes are the sizes of SortBench's lists.
func sortbenchSizes() []int { return []int{2, 4, 8, 16, 32, 64, 128, 256} }

// sortSystem is the paper's system prompt.
const sortSystem = "Your task is to sort a list according to the common sorting of the used data type in Python. The output must only contain the sorted list and nothing else. The format of the list must stay the same."

// A sortTask is a task of SortBench. Task and mode are spelled as in SortBench's published files.
type sortTask struct {
	name, task, mode, doc string
	lists                 lister
	aliases               []string
}

// ofSortBench reports whether a family is one of the published benchmark.
func ofSortBench(f verbatim.Family) bool { return f.Task != "" && f.Mode != hardMode }

// family returns the family of the task.
func (t sortTask) family() verbatim.Family {
	return verbatim.Family{
		Name: t.name, Version: 1, Doc: "sort " + t.doc, Aliases: t.aliases,
		Unit: "items", Min: 0, Max: 100_000, DefaultLengths: sortbenchSizes(),
		Wordings: sortWordings(), Task: t.task, Mode: t.mode,
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			list, err := t.lists.list(r, n, k.Edition)
			if err != nil {
				return verbatim.Item{}, err
			}
			it := sortItem(list, listText(list, k.Edition))
			it.Facts = map[string]string{
				verbatim.FactFamily:  t.name,
				verbatim.FactLength:  strconv.Itoa(n),
				verbatim.FactEdition: string(k.Edition),
				verbatim.FactTask:    t.task,
				verbatim.FactMode:    t.mode,
			}
			return it, nil
		},
	}
}

// sortItem returns the item that asks for a list in Python's order. Text is the list in the prompt.
func sortItem(list []any, text string) verbatim.Item {
	want := slices.Clone(list)
	slices.SortStableFunc(want, compare)
	source := verbatim.ListAnswer(list)
	in := verbatim.Inputs{"list": text}
	return verbatim.Item{
		Prompt: sortWordings()[0].Prompt(in),
		Inputs: in,
		Want:   verbatim.ListAnswer(want),
		Source: &source,
	}
}

// compare orders two items of one list as Python does: numbers by value, strings by code point, which
// is the byte order of UTF-8.
func compare(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	}
	return strings.Compare(a.(string), b.(string))
}

// listText prints a list as Python's str does. In the paper's edition floats have plain decimal
// notation.
func listText(list []any, edition verbatim.Edition) string {
	if len(list) == 0 || edition != verbatim.Paper {
		return pylit.Format(list)
	}
	b := []byte("[")
	for i, v := range list {
		x, ok := v.(float64)
		if !ok {
			return pylit.Format(list)
		}
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, plainDecimal(x, 64)...)
	}
	return string(append(b, ']'))
}

// plainDecimal writes x without an exponent and with a point.
func plainDecimal(x float64, bits int) string {
	s := strconv.FormatFloat(x, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// boxed returns a list as the list of an Answer.
func boxed[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

func sortWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{System: sortSystem, Text: `Sort the following list: {list}`},
		{
			System: `You put lists into order, as Python's sorted() does for the type of their items. Answer with the sorted list alone, and with nothing else. Write the list in the format in which it is given.`,
			Text:   `Put the items of this list into ascending order: {list}`,
		},
		{
			System: `You are given a list. Order its items in the way that is usual in Python for their data type. Give only the ordered list, without any other text, and do not change how the list is written.`,
			Text:   `Here is a list: {list} Sort it.`,
		},
		{
			System: `Bring the items of a list into the order that Python's built-in sorting gives them. Your output is the sorted list and nothing beside it, and its notation is that of the list you were given.`,
			Text:   "What does the list below look like once it is sorted?\n\n{list}",
		},
	}
}

// sorted draws lists that are sorted already.
type sorted struct{ of lister }

func (l sorted) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	list, err := l.of.list(r, n, edition)
	slices.SortFunc(list, compare)
	return list, err
}

// doubled draws lists with every item twice, one after the other.
type doubled struct{ of lister }

func (l doubled) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	if n%2 != 0 {
		return nil, misuse("ask for an even length", "a list that has each item twice cannot have %d items", n)
	}
	list, err := l.of.list(r, n/2, edition)
	out := make([]any, 0, n)
	for _, v := range list {
		out = append(out, v, v)
	}
	return out, err
}

// ints draws different integers: from min to max as in the names and the paper, or from refMin to
// refMax as in the published code, both ends included.
type ints struct{ min, max, refMin, refMax int64 }

func (l ints) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	low, high := l.min, l.max
	if edition == verbatim.Reference {
		low, high = l.refMin, l.refMax
	}
	space := int(high - low + 1)
	if n > space {
		return nil, tooMany(n, space, "different integers of %d to %d", low, high)
	}
	out := make([]any, n)
	for i, v := range draw.Sample(r, space, n) {
		out[i] = low + int64(v)
	}
	return out, nil
}

// floats draws different floats, uniformly from min up to max; in the reference edition from refMin up
// to refMax.
type floats struct{ min, max, refMin, refMax float64 }

func (l floats) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	low, high := l.min, l.max
	if edition == verbatim.Reference {
		low, high = l.refMin, l.refMax
	}
	if space := float32s(float32(low), float32(high)); edition == verbatim.Paper && int64(n) > space {
		return nil, tooMany(n, int(space), "different 32-bit floats of %.0f to %.0f", low, high)
	}
	values := draw.Distinct(n, func() float64 {
		// Without the conversion the product may be fused with the sum, which gives other
		// bytes on other processors.
		x := low + float64(r.Float64()*(high-low))
		if edition == verbatim.Paper {
			x = short(float32(x))
		}
		return x
	})
	return boxed(values), nil
}

// float32s returns the number of 32-bit floats from low to high. High must not be negative. The bits
// of positive floats, read as integers, have the order of their values.
func float32s(low, high float32) int64 {
	if low < 0 {
		return int64(math.Float32bits(-low)) + int64(math.Float32bits(high)) + 1
	}
	return int64(math.Float32bits(high)) - int64(math.Float32bits(low)) + 1
}

// short returns the float64 that prints as the 32-bit x does: the paper's lists have 32-bit floats in
// full decimal notation.
func short(x float32) float64 {
	v, err := strconv.ParseFloat(plainDecimal(float64(x), 32), 64)
	if err != nil {
		panic("a printed float cannot be read: " + err.Error())
	}
	return v
}

// words draws different lemmas of WordNet. In the paper's edition they have letters only.
type words struct{}

func (words) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	list, err := lemmas(r, n, edition)
	return boxed(list), err
}

// lemmas draws n different lemmas of an edition.
func lemmas(r *rand.Rand, n int, edition verbatim.Edition) ([]string, error) {
	all := draw.Words()
	if edition == verbatim.Paper {
		all = draw.LetterWords()
	}
	if n > all.Len() {
		return nil, tooMany(n, all.Len(), "words")
	}
	out := make([]string, n)
	for i, v := range draw.Sample(r, all.Len(), n) {
		out[i] = all.At(v)
	}
	return out, nil
}

// letters draws different strings of five letters of the alphabet.
type letters string

func (l letters) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	return boxed(draw.Distinct(n, func() string { return draw.String(r, string(l), 5) })), nil
}

// prefixed draws words with the same letter three times in front of each.
type prefixed struct{}

func (prefixed) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	letter := draw.String(r, draw.Letters, 1)
	list, err := lemmas(r, n, edition)
	for i := range list {
		list[i] = letter + letter + letter + list[i]
	}
	return boxed(list), err
}

// numberWords draws different numbers, written as English words: 0 to 999, or 1 to 1,000 in the paper's
// edition.
type numberWords struct{}

func (numberWords) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	if n > 1000 {
		return nil, tooMany(n, 1000, "number words")
	}
	first := 0
	if edition == verbatim.Paper {
		first = 1
	}
	out := make([]any, n)
	for i, v := range draw.Sample(r, 1000, n) {
		out[i] = inWords(first + v)
	}
	return out, nil
}

// inWords writes 0 to 1,000 in English: "four hundred and twenty-seven".
func inWords(n int) string {
	small := []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
		"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}
	tens := []string{"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
	switch {
	case n < 20:
		return small[n]
	case n < 100 && n%10 == 0:
		return tens[n/10]
	case n < 100:
		return tens[n/10] + "-" + small[n%10]
	case n == 1000:
		return "one thousand"
	case n%100 == 0:
		return small[n/100] + " hundred"
	}
	return small[n/100] + " hundred and " + inWords(n%100)
}
