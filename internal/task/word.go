package task

import (
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/draw"
)

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
