package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// plainSets is what setsIn, setsAtStart and setsAtEnd find, phrase by phrase.
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
	for _, l := range phraseLists {
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
		l := phraseLists[r.IntN(len(phraseLists))]
		p := l.phrases[r.IntN(len(l.phrases))]
		if r.IntN(4) == 0 {
			p = head(p, r.IntN(len(p)+1))
		}
		b.WriteString(p + marks[r.IntN(len(marks))] + marks[r.IntN(len(marks))])
	}
	return b.String()
}

// TestPhraseTables: the tables find what a search for each phrase finds.
func TestPhraseTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		text := normal(randomWords(r))
		inside, start, end := plainSets(text)
		if got := setsIn(text); got != inside {
			t.Fatalf("%q: inside %b, want %b", text, got, inside)
		}
		if got := setsAtStart(text); got != start {
			t.Fatalf("%q: start %b, want %b", text, got, start)
		}
		if got := setsAtEnd(text); got != end {
			t.Fatalf("%q: end %b, want %b", text, got, end)
		}
	}
}

// TestWords: a stretch of the reply that was read for several values has for each of them the
// words and the phrases that reading them alone gives.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		var b strings.Builder
		for range 1 + r.IntN(30) {
			b.WriteString(randomWords(r) + []string{"\n", " ", "İ", "\xff", "“”", "\u00a0"}[r.IntN(6)])
		}
		text := b.String()
		var w words
		at := 0
		for range 20 {
			at += r.IntN(40)
			if r.IntN(8) == 0 {
				at = r.IntN(len(text))
			}
			end := at + r.IntN(maxLead)
			for at < len(text) && !utf8.RuneStart(text[at]) {
				at++
			}
			for end < len(text) && !utf8.RuneStart(text[end]) {
				end++
			}
			if end >= len(text) {
				at = 0
				continue
			}
			w.cover(text, at, end, len(text))
			x, y := w.span(at, end)
			want := normal(text[at:end])
			if got := w.text[x:y]; got != want {
				t.Fatalf("%q from %d to %d is %q, want %q", text, at, end, got, want)
			}
			if got, _ := w.setsBefore(x, x, y); got != setsIn(want) {
				t.Fatalf("%q: sets %b, want %b", want, got, setsIn(want))
			}
		}
	}
}

// TestWordsAreReadOnce: however many values a reply has, what is around them is read a few times
// and not again for each of them, which would be a hundred times.
func TestWordsAreReadOnce(t *testing.T) {
	const most = 20
	units := append(repeatedUnits(), "3 ", "7, ", "3 = ", "not 3 ", "(3 + 4) = 7; ", "\"x\" ", "**x** ", "The answer is 42. ", "[1, 2], ", "1\n", "x: 3\n", "`a` or 'b', ")
	for _, unit := range units {
		text := strings.Repeat(unit, 1<<14/len(unit))
		for _, q := range []*Question{textQuestion, sumQuestion, listQuestion} {
			s := newScan(text, false, q, rules{})
			s.split()
			s.candidates()
			s.choose()
			if times := float64(s.words.total) / float64(len(text)); times > most {
				t.Errorf("%q, kind %d: each character is read %.0f times", unit, q.Kind, times)
			}
		}
	}
}
