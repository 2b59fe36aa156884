package traits

import "verbatim/internal/grade/runes"

// Loops reports whether the end of a reply repeats the same piece.
func Loops(reply string) bool { return Loop(reply) > 0 }

// Loop returns the period of the loop that a text ends in; 0 without one.
func Loop(s string) int {
	if last := s[max(0, len(s)-looked):]; runes.IsASCII(last) {
		var room [looked]byte // so that it needs no memory of its own
		return loopTail(room[:copy(room[:], last)])
	}
	return LoopTail(LastPart(s))
}

// looked is the number of code points at the end of a text that can tell a loop.
const looked = 320

// LoopTail returns the period, of at most 64 code points, that the end of s
// repeats at least four times over at least 24 code points; 0 without a loop.
// The shortest period wins. It looks at the last 320 code points only.
func LoopTail(s []rune) int { return loopTail(s) }

func loopTail[T byte | rune](s []T) int {
	const longest, times, least = 64, 4, 24
	for period := 1; period <= min(longest, len(s)/times); period++ {
		enough := max(times*period, least)
		if len(s) < enough {
			continue
		}
		n := period // code points at the end that have the period
		for n < enough && s[len(s)-n-1] == s[len(s)-n-1+period] {
			n++
		}
		if n >= enough {
			return period
		}
	}
	return 0
}
