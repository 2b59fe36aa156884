package extract

import (
	"strings"
	"testing"
)

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
			if times := float64(s.words.Total()) / float64(len(text)); times > most {
				t.Errorf("%q, kind %d: each character is read %.0f times", unit, q.Kind, times)
			}
		}
	}
}
