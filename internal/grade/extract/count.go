package extract

import (
	"slices"
	"strings"

	"verbatim/internal/grade/numeral"
	"verbatim/internal/grade/phrases"
)

// counted reports whether the number text[a:b] is part of a count and no words call it the answer. It
// offers the last number of the count.
func (n *numbers) counted(a, b int, r role) bool {
	if r.named() || r == denied {
		return false
	}
	i := slices.IndexFunc(n.counts, func(c numeral.Count) bool { return c.Start <= a && a <= c.Last })
	if i < 0 {
		return false
	}
	if c := n.counts[i]; a == c.Last && !countsThings(phrases.Tail(n.text[n.from:c.Start], maxLead)) {
		n.other(a, b)
		n.offer(a, b, marked, "last of a count", false)
	}
	return true
}

// countsThings reports whether the words before a count say what its numbers are, such as positions: then the last
// one is not an answer.
func countsThings(before string) bool {
	last := strings.TrimRight(before, " \r\n[]()") // no phrase ends in a digit
	if phrases.EndsInColon(before) || last != "" && numeral.IsDigit(last[len(last)-1]) {
		return false
	}
	return phrases.Ends(phrases.Normal(before), phrases.InputEnds|phrases.NumberNouns|phrases.NumberLabels)
}
