package traits

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// Loops reports whether the end of a reply repeats the same piece, or the same lines.
func Loops(reply string) bool { return loop(reply) > 0 || lineLoop(reply) > 0 }

// LoopsOf reports whether a reply is only copies of an answer and marks, and ends in a loop of
// them. The last copy may be unfinished.
func LoopsOf(reply, answer string) bool {
	end := strings.LastIndex(reply, answer) + len(answer)
	if answer == "" || end < len(answer) || !Loops(reply) {
		return false
	}
	unfinished := strings.TrimLeft(reply[end:], "<>`*\"' \r\n")
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	return strings.HasPrefix(answer, unfinished) && !strings.ContainsFunc(strings.ReplaceAll(reply[:end], answer, ""), isWord)
}

// LoopsBeyond reports whether a reply ends in a loop that the expected text does not end in, and
// returns the period of the loop in code points or lines.
func LoopsBeyond(got, want string) (period int, ok bool) {
	if period = loop(got); period > 0 {
		return period, loop(want) != period || !turned(lastPart(got), lastPart(want), period)
	}
	period = lineLoop(got)
	return period, period > 0 && lineLoop(want) == 0
}

// turned reports whether the last n code points of a, which repeat, are those of b with another start.
func turned(a, b []rune, n int) bool {
	a, b = a[len(a)-n:], b[len(b)-n:]
	return strings.Contains(string(a)+string(a), string(b))
}

// loop returns the period of the loop that a text ends in; 0 without one. As in a terminal, a
// character outside ASCII has two columns.
func loop(s string) int {
	if last := s[max(0, len(s)-looked):]; runes.IsASCII(last) {
		var room [looked]byte // so that it needs no memory of its own
		return loopTail(room[:copy(room[:], last)], columns)
	}
	text := lastPart(s)
	period := loopTail(text, columns/2)
	if period == 0 {
		return 0
	}
	n, wide := period, 0 // code points at the end that have the period
	for n < min(len(text), columns) && text[len(text)-n-1] == text[len(text)-n-1+period] {
		n++
	}
	for _, r := range text[len(text)-n:] {
		if r >= utf8.RuneSelf {
			wide++
		}
	}
	if n+wide < columns {
		return loopTail(text, columns)
	}
	return period
}

// LoopTail returns the period of the loop that a text ends in; 0 without one. As in the specification in
// Python, each character has one column.
func LoopTail(s []rune) int { return loopTail(s, columns) }

// looked is the number of code points at the end of a text that decide whether it loops.
const looked = 320

// columns is the width of the shortest loop.
const columns = 24

// loopTail returns the period, of at most 64 code points, that the end of s
// repeats at least four times and over at least so many code points; 0 without a loop.
// It returns the shortest one.
func loopTail[T byte | rune](s []T, least int) int {
	const longest, times = 64, 4
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

// lineLoop returns the number of lines that the end of a text repeats, at least three times and over at least
// four lines; 0 without a loop. The numbers that lines begin with do not matter. The last line may be
// unfinished.
func lineLoop(s string) int {
	const longest, rounds, least = 4, 3, 4
	if strings.Count(s, "\n") < least-1 {
		return 0
	}
	var room [longest*rounds + 1]string
	lines := lastLines(s, room[:0:longest+1])
	if !slices.ContainsFunc(lines[min(1, len(lines)):], func(line string) bool { return strings.HasPrefix(line, lines[0]) }) {
		return 0
	}
	lines = lastLines(s, room[:0])
	for period := 1; period <= longest && period < len(lines); period++ {
		if !strings.HasPrefix(lines[period], lines[0]) {
			continue
		}
		n, length := period+1, 0 // of the lines at the end that have the period
		enough := max(period*rounds, least) + 1
		for n < min(enough, len(lines)) && lines[n] == lines[n-period] {
			length += len(lines[n])
			n++
		}
		if n == enough && length >= columns {
			return period
		}
	}
	return 0
}

// lastLines appends the last lines of a text that are not blank, the last one first, without the
// numbers that they begin with, up to the capacity of lines.
func lastLines(s string, lines []string) []string {
	const longest = 400 // bytes of a line
	for s != "" && len(lines) < cap(lines) {
		i := strings.LastIndexByte(s, '\n')
		line := strings.TrimSpace(s[i+1:])
		if len(line) > longest {
			break
		}
		if rest := strings.TrimLeft(line, "0123456789"); len(rest) < len(line) {
			switch {
			case strings.Trim(rest, ".)") == "" && len(lines) == 0:
				line = "" // the number of a line that was not written
			case rest != "" && (rest[0] == '.' || rest[0] == ')'):
				line = strings.TrimSpace(rest[1:])
			}
		}
		if line != "" {
			lines = append(lines, line)
		}
		s = s[:max(i, 0)]
	}
	return lines
}
