package task

import (
	"math/rand/v2"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"verbatim"
	"verbatim/internal/draw"
)

// realNames asks for real words of a real language by code point: names of countries and of languages. The
// fact "language" names the language, and "script" says whether it is written in Latin letters.
func realNames() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-names", Doc: "sort names of countries and languages, as one of 45 languages has them, by code point",
		About: "The fact language names the language, as in swedish, and script is latin or other. The order is by code point, which is not that of dictionaries. Without regard to case, or to accents too, is other_key.",
		Knobs: []verbatim.Knob{{Fact: "script", Values: []string{"latin", "other"}}},
		Task:  "Names", Max: 256, Few: 2,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		list := draw.Names()[r.IntN(len(draw.Names()))]
		var given []string
		for _, i := range draw.Sample(r, len(list.Words), n) {
			given = append(given, list.Words[i])
		}
		want := sortedBy(given, strings.Compare) // the byte order of UTF-8 is that of code points
		it := ask("hard-names", k, rule{words: "by the Unicode code points of their characters, ascending, not by the alphabet of their language", given: boxed(given), want: boxed(want)})
		by := func(key func(string) string) verbatim.Answer {
			return listAnswer(sortedBy(want, func(a, b string) int { return strings.Compare(key(a), key(b)) }))
		}
		foresee(&it, "other_key", "without regard to case", by(strings.ToLower))
		foresee(&it, "other_key", "without regard to case and accents", by(folded))
		foreseeReverse(&it)
		language, _, _ := strings.Cut(strings.ToLower(list.Language), " ")
		it.Facts["language"], it.Facts["script"] = language, "other"
		if strings.ContainsFunc(given[0], func(c rune) bool { return unicode.Is(unicode.Latin, c) }) {
			it.Facts["script"] = "latin"
		}
		return it
	})
}

// folded returns a word in lower case, without the marks on its letters.
func folded(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(word))
}
