package extract

import (
	"strconv"
	"strings"

	"verbatim/internal/grade/numeral"
	"verbatim/internal/grade/phrases"
)

// A count is numbers of a line each of which is one more than the last, as in "7, 8, 9, 10": the
// answer is the last one, text[a:b].
type count struct{ start, a, b int }

// leastCounted is the number of numbers of a count.
const leastCounted = 3

// countsIn returns the counts of text[from:to].
func (s *scan) countsIn(from, to int) (out []count) {
	if !s.on("count") || to-from > 1<<14 {
		return nil
	}
	var c count
	last, n := 0, 0
	for i := from; i < to; {
		if !numeral.IsDigit(s.text[i]) {
			i++
			continue
		}
		end := numeral.DigitsEnd(s.text[:to], i)
		v, err := strconv.Atoi(s.text[i:end])
		if err != nil || n == 0 || v != last+1 || !phrases.BetweenCounted(s.text[c.b:i]) {
			if n >= leastCounted {
				out = append(out, c)
			}
			c, n = count{start: i}, 0
		}
		last, n = v, n+1
		c.a, c.b = i, end
		i = end
	}
	if n >= leastCounted {
		out = append(out, c)
	}
	return out
}

// counted reports whether the number text[a:b] is one of a count that no words call the answer, and
// offers it where it is the last. Positions, and other numbers of things, are no count.
func (n *numbers) counted(a, b int, r role) bool {
	if r == asAnswer || r == asFinal || r == denied {
		return false
	}
	for _, c := range n.counts {
		if a < c.start || c.a < a {
			continue
		}
		before := phrases.Tail(n.text[n.from:c.start], maxLead)
		last := strings.TrimRight(before, " \r\n[]()") // no phrase ends in a digit
		if a == c.a && (phrases.EndsInColon(before) || last != "" && numeral.IsDigit(last[len(last)-1]) || !phrases.Ends(phrases.Normal(before), phrases.InputEnds|phrases.NumberNouns|phrases.NumberLabels)) {
			n.other(a, b)
			n.offer(a, b, marked, "last of a count", false)
		}
		return true
	}
	return false
}
