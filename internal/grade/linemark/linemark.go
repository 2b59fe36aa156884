// Package linemark takes off lines what they are marked with: bullets, numbers, quotation marks.
package linemark

import (
	"strings"

	"verbatim/internal/grade/numeral"
)

// bullets are the marks that lines of a list begin with.
var bullets = [...]string{"- ", "* ", "• ", "– ", "+ ", "> "}

// Bullet takes the bullet off a line; ok: there is one.
func Bullet(line string) (rest string, ok bool) {
	for _, m := range bullets {
		if rest, ok := strings.CutPrefix(line, m); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return line, false
}

// Number takes the number and its mark off a line; ok: there is one.
func Number(line string) (rest string, ok bool) {
	n := numeral.DigitsEnd(line, 0)
	if n == 0 || n > 4 || n+1 >= len(line) || strings.IndexByte(".):", line[n]) < 0 || line[n+1] != ' ' {
		return line, false
	}
	return strings.TrimSpace(line[n+2:]), true
}

// Item takes the bullet or the number of an item of a list off a line; ok: there is one.
func Item(line string) (rest string, ok bool) {
	n := numeral.DigitsEnd(line, 0)
	if n > 0 && n < 6 && n+1 < len(line) && (line[n] == '.' || line[n] == ')') && line[n+1] == ' ' {
		return strings.TrimSpace(line[n+2:]), true
	}
	return Bullet(line)
}

// Around takes off a line the marks that are around it, and the comma behind them; ok: there are some.
func Around(line string) (rest string, ok bool) {
	line = strings.TrimSuffix(line, ",")
	for _, m := range [...]string{"**", "`", `"`, "'"} {
		if len(line) > 2*len(m) && strings.HasPrefix(line, m) && strings.HasSuffix(line, m) {
			return line[len(m) : len(line)-len(m)], true
		}
	}
	return line, false
}

// OffAll takes a mark off all lines, if every one of them has it.
func OffAll(lines []string, off func(string) (string, bool)) bool {
	out := make([]string, len(lines))
	for i, line := range lines {
		rest, ok := off(line)
		if !ok || rest == "" {
			return false
		}
		out[i] = rest
	}
	copy(lines, out)
	return len(lines) > 0
}
