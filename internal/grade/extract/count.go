package extract

import "strconv"

// A Count is a series of numbers, each one more than the last, as in "7, 8, 9, 10". Start and Last are
// the places in the text where its first and its last number begin.
type numeralCount struct{ Start, Last int }

// leastCounted is the least number of numbers of a count.
const leastCounted = 3

// numeralCounts returns the counts of text[from:to]. between says whether a text may be between two numbers of a
// count.
func numeralCounts(text string, from, to int, between func(string) bool) (out []numeralCount) {
	var c numeralCount
	last, end, n := 0, 0, 0
	for i := from; i < to; {
		if !isDigit(text[i]) {
			i++
			continue
		}
		start := i
		i = DigitsEnd(text[:to], start)
		v, err := strconv.Atoi(text[start:i])
		if err != nil || n == 0 || v != last+1 || !between(text[end:start]) {
			if n >= leastCounted {
				out = append(out, c)
			}
			c, n = numeralCount{Start: start}, 0
		}
		last, n = v, n+1
		c.Last, end = start, i
	}
	if n >= leastCounted {
		out = append(out, c)
	}
	return out
}
