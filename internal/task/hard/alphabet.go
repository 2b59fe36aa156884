package hard

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/question"
)

// alphabet asks for words by an alphabet that the prompt states: that of a language, or the
// English one in another order. The facts "alphabet" and "share" say which, and how many tenths
// of the letters are not English ones or out of their usual place.
func alphabet() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-languages", Doc: "sort made-up words by an alphabet that the prompt states",
		About: "The fact alphabet is swedish, danish, estonian, polish, turkish, spanish or shuffled, share how many tenths of the letters are not English. The order by code point is other_key.",
		Task:  "Languages", Max: 2000,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		a := alphabets[r.IntN(len(alphabets))]
		letters := strings.Fields(a.letters)
		if a.name == "shuffled" {
			letters = shuffled(r, letters)
		}
		share := 1 + r.IntN(5)
		given := draw.Distinct(n, func() string { return madeUp(r, letters, share) })
		compare := func(a, b string) int { return slices.Compare(places(a, letters), places(b, letters)) }
		want := sorted(given, compare)
		it := ask("hard-languages", k, rule{
			words: "by this alphabetical order of letters: " + strings.Join(letters, " ") + " (a word comes before longer words that begin with it)",
			given: boxed(given), want: boxed(want),
		})
		question.Foresee(&it, "other_key", "by code point", listAnswer(sorted(given, strings.Compare)))
		foreseeReverse(&it, want)
		it.Facts["alphabet"], it.Facts["share"] = a.name, strconv.Itoa(share)
		return it
	})
}

// alphabets are single letters in the order of dictionaries of the language; letters that are
// no letters of their own there are left out.
var alphabets = []struct{ name, letters string }{
	{"swedish", "a b c d e f g h i j k l m n o p q r s t u v w x y z å ä ö"},
	{"danish", "a b c d e f g h i j k l m n o p q r s t u v w x y z æ ø å"},
	{"estonian", "a b c d e f g h i j k l m n o p q r s š z ž t u v w õ ä ö ü x y"},
	{"polish", "a ą b c ć d e ę f g h i j k l ł m n ń o ó p q r s ś t u v w x y z ź ż"},
	{"turkish", "a b c ç d e f g ğ h ı i j k l m n o ö p r s ş t u ü v y z"},
	{"spanish", "a b c d e f g h i j k l m n ñ o p q r s t u v w x y z"},
	{"shuffled", "a b c d e f g h i j k l m n o p q r s t u v w x y z"},
}

// madeUp draws a word of four to eight letters, of which share tenths are taken from those that
// are not ASCII, where there are some. Words share their first letters often.
func madeUp(r *rand.Rand, letters []string, share int) string {
	var other []string
	for _, l := range letters {
		if l[0] >= 0x80 {
			other = append(other, l)
		}
	}
	var b strings.Builder
	for i := range 4 + r.IntN(5) {
		from := letters
		if len(other) > 0 && r.IntN(10) < share {
			from = other
		}
		if i == 0 && len(from) > 6 {
			from = from[:6]
		}
		b.WriteString(from[r.IntN(len(from))])
	}
	return b.String()
}

// places are the places of a word's letters in the alphabet.
func places(word string, letters []string) []int {
	var out []int
	for _, c := range word {
		out = append(out, slices.Index(letters, string(c)))
	}
	return out
}
