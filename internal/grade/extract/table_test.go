package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// plainSets is what In, phrasesAtStart and phrasesAtEnd find, phrase by phrase.
func plainSets(t string) (inside, start, end phraseSet) {
	bounded := func(t string, i int, p string, before, behind bool) bool {
		first, _ := utf8.DecodeRuneInString(p)
		last, _ := utf8.DecodeLastRuneInString(p)
		l, _ := utf8.DecodeLastRuneInString(t[:i])
		r, _ := utf8.DecodeRuneInString(t[i+len(p):])
		return !(before && i > 0 && isWordRune(first) && isWordRune(l)) && !(behind && i+len(p) < len(t) && isWordRune(last) && isWordRune(r))
	}
	left := strings.TrimLeft(t, " ,.:;)]}—–'")
	right := strings.TrimRight(t, " ([{:,'«„‘\\$")
	for _, l := range lists {
		for _, p := range l.phrases {
			for at := 0; ; {
				i := strings.Index(t[at:], p)
				if i < 0 {
					break
				}
				if i += at; bounded(t, i, p, true, true) {
					inside |= l.set & insideSets
					break
				}
				at = i + len(p)
			}
			if strings.HasPrefix(left, p) && bounded(left, 0, p, false, true) {
				start |= l.set & startSets
			}
			if strings.HasSuffix(right, p) && bounded(right, len(right)-len(p), p, true, false) {
				end |= l.set & endSets
			}
		}
	}
	return inside, start, end
}

// randomWords are phrases, pieces of them and marks, in lower case.
func randomWords(r *rand.Rand) string {
	marks := []string{" ", "", "s", ",", ". ", ": ", "-", "’", "é", "不", "3", "\"", "*", "? ", "。", " 1 "}
	var b strings.Builder
	for range 1 + r.IntN(12) {
		l := lists[r.IntN(len(lists))]
		p := l.phrases[r.IntN(len(l.phrases))]
		if r.IntN(4) == 0 {
			p = Head(p, r.IntN(len(p)+1))
		}
		b.WriteString(p + marks[r.IntN(len(marks))] + marks[r.IntN(len(marks))])
	}
	return b.String()
}

// TestPhraseTables: the tables find what a search for each phrase finds.
func TestPhraseTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		text := NormalText(randomWords(r))
		inside, start, end := plainSets(text)
		if got := phrasesIn(text); got != inside {
			t.Fatalf("%q: inside %b, want %b", text, got, inside)
		}
		if got := phrasesAtStart(text); got != start {
			t.Fatalf("%q: start %b, want %b", text, got, start)
		}
		if got := phrasesAtEnd(text); got != end {
			t.Fatalf("%q: end %b, want %b", text, got, end)
		}
	}
}
