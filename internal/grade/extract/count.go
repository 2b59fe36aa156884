package extract

import (
	"strings"

	"verbatim/internal/grade/numeral"
	"verbatim/internal/grade/phrases"
)

// counted reports whether the number text[a:b] is one of a count that no words call the answer, and
// offers it where it is the last. Positions, and other numbers of things, are no count.
func (n *numbers) counted(a, b int, r role) bool {
	if r == asAnswer || r == asFinal || r == denied {
		return false
	}
	for _, c := range n.counts {
		if a < c.Start || c.Last < a {
			continue
		}
		before := phrases.Tail(n.text[n.from:c.Start], maxLead)
		last := strings.TrimRight(before, " \r\n[]()") // no phrase ends in a digit
		if a == c.Last && (phrases.EndsInColon(before) || last != "" && numeral.IsDigit(last[len(last)-1]) || !phrases.Ends(phrases.Normal(before), phrases.InputEnds|phrases.NumberNouns|phrases.NumberLabels)) {
			n.other(a, b)
			n.offer(a, b, marked, "last of a count", false)
		}
		return true
	}
	return false
}
