package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// randomTalk are words with marks, some of them
func randomTalk(r *rand.Rand) string {
	words := strings.Fields("the final answer is Answer: not İs sum of é 不是 答案是 3 ``x`` **b** ? no, wait. z.B. 1 result — “q” it's reversed")
	marks := []string{" ", "", ", ", ". ", ": ", "’", "\"", "* ", "。"}
	var b strings.Builder
	for range 1 + r.IntN(12) {
		b.WriteString(words[r.IntN(len(words))] + marks[r.IntN(len(marks))])
	}
	return b.String()
}

// TestStretch: a stretch of the reply that was read for several values has for each of them the
// words and the phrases that reading them alone gives.
func TestStretch(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		var b strings.Builder
		for range 1 + r.IntN(30) {
			b.WriteString(randomTalk(r) + []string{"\n", " ", "İ", "\xff", "“”", "\u00a0"}[r.IntN(6)])
		}
		text := b.String()
		var w stretch
		at := 0
		for range 20 {
			at += r.IntN(40)
			if r.IntN(8) == 0 {
				at = r.IntN(len(text))
			}
			end := at + r.IntN(minStretch)
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
			x, y := w.Span(at, end)
			want := NormalText(text[at:end])
			if got := w.Text[x:y]; got != want {
				t.Fatalf("%q from %d to %d is %q, want %q", text, at, end, got, want)
			}
			if got, _ := w.setsBefore(x, x, y); got != phrasesIn(want) {
				t.Fatalf("%q: sets %b, want %b", want, got, phrasesIn(want))
			}
		}
	}
}
