package extract

import (
	"strings"
)

// bullets are the marks that lines of a list begin with.
var bullets = [...]string{"- ", "* ", "• ", "– ", "+ ", "> "}

// trimBullet removes the bullet of a line.
func trimBullet(line string) (rest string, ok bool) {
	for _, m := range bullets {
		if rest, ok := strings.CutPrefix(line, m); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return line, false
}

// trimNumber removes the number of a line with its ".", ")" or ":".
func trimNumber(line string) (rest string, ok bool) {
	n := DigitsEnd(line, 0)
	if n == 0 || n > 4 || n+1 >= len(line) || strings.IndexByte(".):", line[n]) < 0 || line[n+1] != ' ' {
		return line, false
	}
	return strings.TrimSpace(line[n+2:]), true
}

// trimItem removes the bullet of an item of a list, or its number with a "." or ")".
func trimItem(line string) (rest string, ok bool) {
	n := DigitsEnd(line, 0)
	if n > 0 && n < 6 && n+1 < len(line) && (line[n] == '.' || line[n] == ')') && line[n+1] == ' ' {
		return strings.TrimSpace(line[n+2:]), true
	}
	return trimBullet(line)
}

// trimAround removes the marks around a line, and a comma behind them.
func trimAround(line string) (rest string, ok bool) {
	line = strings.TrimSuffix(line, ",")
	for _, m := range [...]string{"**", "`", `"`, "'"} {
		if len(line) > 2*len(m) && strings.HasPrefix(line, m) && strings.HasSuffix(line, m) {
			return line[len(m) : len(line)-len(m)], true
		}
	}
	return line, false
}

// trimAll removes a mark of all lines, in place, if every one of them has it and has more than it.
func trimAll(lines []string, off func(string) (string, bool)) bool {
	rests := make([]string, len(lines))
	for i, line := range lines {
		var ok bool
		if rests[i], ok = off(line); !ok || rests[i] == "" {
			return false
		}
	}
	copy(lines, rests)
	return len(lines) > 0
}
