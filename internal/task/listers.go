package task

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/draw"
)

// ints draws different integers: of min to max as the names and the paper say,
// of refMin to refMax as the published code does, all inclusive.
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

// floats draws different floats, uniform from min up to max.
type floats struct{ min, max, refMin, refMax float64 }

func (l floats) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	low, high := l.min, l.max
	if edition == verbatim.Reference {
		low, high = l.refMin, l.refMax
	}
	values := draw.Distinct(n, func() float64 {
		// The conversion keeps the product from being fused with the sum, which
		// would give other bytes on other processors.
		x := low + float64(r.Float64()*(high-low))
		if edition == verbatim.Paper {
			x = short(float32(x))
		}
		return x
	})
	if values == nil {
		return nil, misuse("ask for shorter lists or another edition", "there are not %d different 32-bit floats of %v to %v", n, low, high)
	}
	return boxed(values), nil
}

// short returns the float64 that prints as the 32-bit x does: the paper's lists
// hold 32-bit floats in full decimal notation.
func short(x float32) float64 {
	v, err := strconv.ParseFloat(plainDecimal(float64(x), 32), 64)
	if err != nil {
		panic("a float that does not parse: " + err.Error())
	}
	return v
}

// words draws different lemmas of WordNet; in the paper's edition only those of
// letters alone.
type words struct{}

func (words) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	list, err := lemmas(r, n, edition)
	return boxed(list), err
}

func lemmas(r *rand.Rand, n int, edition verbatim.Edition) ([]string, error) {
	all := draw.Words()
	if edition == verbatim.Paper {
		all = draw.LetterWords()
	}
	if n > len(all) {
		return nil, tooMany(n, len(all), "words")
	}
	out := make([]string, n)
	for i, v := range draw.Sample(r, len(all), n) {
		out[i] = all[v]
	}
	return out, nil
}

// letters draws different strings of five letters of the alphabet.
type letters string

func (l letters) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	return boxed(draw.Distinct(n, func() string { return draw.String(r, string(l), 5) })), nil
}

// prefixed draws words that all begin with the same letter three times.
type prefixed struct{}

func (prefixed) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	letter := draw.String(r, draw.Letters, 1)
	list, err := lemmas(r, n, edition)
	for i := range list {
		list[i] = letter + letter + letter + list[i]
	}
	return boxed(list), err
}

// numberWords draws different numbers, written as English words: 0 to 999, or 1
// to 1,000 as the paper says.
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

// sorted is a list that needs no sorting any more.
type sorted struct{ of lister }

func (l sorted) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	list, err := l.of.list(r, n, edition)
	slices.SortFunc(list, compare)
	return list, err
}

// doubled holds every item twice, one after the other.
type doubled struct{ of lister }

func (l doubled) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	if n%2 != 0 {
		return nil, misuse("ask for an even length", "a list in which each item stands twice cannot have %d items", n)
	}
	list, err := l.of.list(r, n/2, edition)
	out := make([]any, 0, n)
	for _, v := range list {
		out = append(out, v, v)
	}
	return out, err
}

func boxed[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

func tooMany(n, most int, what string, args ...any) error {
	args = append([]any{n}, args...)
	return misuse("ask for at most "+strconv.Itoa(most), "there are not %d "+what, args...)
}
