package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim/internal/grade/phrases"
)

// randomTalk are words with marks, some of them phrases.
func randomTalk(r *rand.Rand) string {
	words := strings.Fields("the final answer is Answer: not İs sum of é 不是 答案是 3 ``x`` **b** ? no, wait. z.B. 1 result — “q” it's reversed")
	marks := []string{" ", "", ", ", ". ", ": ", "’", "\"", "* ", "。"}
	var b strings.Builder
	for range 1 + r.IntN(12) {
		b.WriteString(words[r.IntN(len(words))] + marks[r.IntN(len(marks))])
	}
	return b.String()
}

// TestWords: a stretch of the reply that was read for several values has for each of them the
// words and the phrases that reading them alone gives.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		var b strings.Builder
		for range 1 + r.IntN(30) {
			b.WriteString(randomTalk(r) + []string{"\n", " ", "İ", "\xff", "“”", "\u00a0"}[r.IntN(6)])
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
			want := phrases.Normal(text[at:end])
			if got := w.text[x:y]; got != want {
				t.Fatalf("%q from %d to %d is %q, want %q", text, at, end, got, want)
			}
			if got, _ := w.setsBefore(x, x, y); got != phrases.In(want) {
				t.Fatalf("%q: sets %b, want %b", want, got, phrases.In(want))
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
