package task

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// alphabet asks for words by an alphabet that the prompt states: that of a language, or the English one
// in another order. The fact "alphabet" is its name, and "share" the tenths of letters that are not
// English: 0 if the alphabet is shuffled.
func alphabet() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-languages", Version: 2, Doc: "sort made-up words by an alphabet that the prompt states",
		About: "The fact alphabet is swedish, danish, estonian, polish, turkish, spanish or shuffled. The fact share is how many tenths of the letters are not English: 1 to 5, and 0 where the alphabet is shuffled. The order by code point, or without accents, is other_key.",
		Knobs: []verbatim.Knob{{Fact: "share", Values: []string{"0", "1", "2", "3", "4", "5"}}},
		Task:  "Languages", Max: 2000,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		a := alphabets[r.IntN(len(alphabets))]
		letters := strings.Fields(a.letters)
		if a.name == "shuffled" {
			letters = shuffled(r, letters)
		}
		given, share := madeUp(r, n, letters, 1+r.IntN(5))
		compare := func(a, b string) int { return slices.Compare(places(a, letters), places(b, letters)) }
		want := sortedBy(given, compare)
		it := ask("hard-languages", k, rule{
			words: "by this alphabetical order of letters: " + strings.Join(letters, " ") + " (a word comes before longer words that begin with it)",
			given: boxed(given), want: boxed(want),
		})
		foresee(&it, "other_key", "by code point", listAnswer(sortedBy(given, strings.Compare)))
		folded := func(a, b string) int { return strings.Compare(withoutAccents(a), withoutAccents(b)) }
		foresee(&it, "other_key", "without accents", listAnswer(sortedBy(given, folded)))
		foresee(&it, "other_key", "without accents, equal words by code point", listAnswer(sortedBy(sortedBy(given, strings.Compare), folded)))
		foreseeReverse(&it)
		it.Facts["alphabet"], it.Facts["share"] = a.name, strconv.Itoa(share)
		return it
	})
}

// alphabets are single letters in the order of dictionaries of the language. Variants of letters that
// the dictionaries do not order separately are left out.
var alphabets = []struct{ name, letters string }{
	{"swedish", "a b c d e f g h i j k l m n o p q r s t u v w x y z å ä ö"},
	{"danish", "a b c d e f g h i j k l m n o p q r s t u v w x y z æ ø å"},
	{"estonian", "a b c d e f g h i j k l m n o p q r s š z ž t u v w õ ä ö ü x y"},
	{"polish", "a ą b c ć d e ę f g h i j k l ł m n ń o ó p q r s ś t u v w x y z ź ż"},
	{"turkish", "a b c ç d e f g ğ h ı i j k l m n o ö p r s ş t u ü v y z"},
	{"spanish", "a b c d e f g h i j k l m n ñ o p q r s t u v w x y z"},
	{"shuffled", "a b c d e f g h i j k l m n o p q r s t u v w x y z"},
}

// madeUp draws different words of four to eight letters, many of which have the same first letters.
// Share is the tenths of all letters that are not English, if the alphabet has such letters. Tenths is
// the share in the words.
func madeUp(r *rand.Rand, n int, letters []string, share int) (words []string, tenths int) {
	var foreign []string
	for _, l := range letters {
		if l[0] >= 0x80 {
			foreign = append(foreign, l)
		}
	}
	if len(foreign) == 0 {
		share = 0
	}
	all := 0
	lengths := make([]int, n)
	for i := range lengths {
		lengths[i] = 4 + r.IntN(5)
		all += lengths[i]
	}
	isForeign := make([]bool, all)
	for _, i := range draw.Sample(r, all, (all*share+5)/10) {
		isForeign[i] = true
	}
	seen := map[string]bool{}
	for _, length := range lengths {
		word := wordLike(r, isForeign[:length], letters, foreign)
		for attempts := 0; seen[word]; attempts++ {
			word = wordLike(r, isForeign[:length], letters, foreign)
			for range attempts / 20 { // few words are possible: make it longer
				word += letters[r.IntN(len(letters))]
			}
		}
		seen[word] = true
		words, isForeign = append(words, word), isForeign[length:]
	}
	return words, foreignTenths(words)
}

// wordLike draws a word with a letter for each element of isForeign, foreign if that is true.
func wordLike(r *rand.Rand, isForeign []bool, letters, foreign []string) string {
	english := slices.DeleteFunc(slices.Clone(letters), func(l string) bool { return l[0] >= 0x80 })
	var b strings.Builder
	for i, foreignHere := range isForeign {
		from := english
		if foreignHere {
			from = foreign
		}
		if i == 0 && len(from) > 6 {
			from = from[:6]
		}
		b.WriteString(from[r.IntN(len(from))])
	}
	return b.String()
}

// foreignTenths returns the tenths of letters that are not English, rounded.
func foreignTenths(words []string) int {
	all, foreign := 0, 0
	for _, word := range words {
		for _, c := range word {
			if all++; c >= 0x80 {
				foreign++
			}
		}
	}
	return (20*foreign + all) / (2 * all)
}

// withoutAccents returns a word with the English letter that each letter looks like.
func withoutAccents(word string) string {
	return strings.NewReplacer("å", "a", "ä", "a", "æ", "a", "ą", "a", "ç", "c", "ć", "c", "ę", "e", "ğ", "g", "ı", "i", "ł", "l", "ń", "n", "ñ", "n",
		"ö", "o", "ø", "o", "õ", "o", "ó", "o", "š", "s", "ś", "s", "ş", "s", "ü", "u", "ž", "z", "ź", "z", "ż", "z").Replace(word)
}

// places returns the indexes of a word's letters in the alphabet.
func places(word string, letters []string) []int {
	var out []int
	for _, c := range word {
		out = append(out, slices.Index(letters, string(c)))
	}
	return out
}
