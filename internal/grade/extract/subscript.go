package extract

import (
	"strings"
)

// endsInName reports whether the text before a bracket ends in a name or a call, so that the bracket is a
// subscript.
func endsInName(before string) bool {
	name := before[len(strings.TrimRightFunc(before, func(r rune) bool { return isWordRune(r) || r == '_' })):]
	return name != "" && (name[0] < '0' || name[0] > '9') || strings.HasSuffix(before, ")")
}

// isAssigned reports whether the text before a bracket is a name and an equals sign.
func isAssigned(before string) bool {
	name, ok := strings.CutSuffix(strings.TrimSpace(before), "=")
	name = strings.TrimSpace(name)
	return ok && name != "" && strings.TrimRightFunc(name, func(r rune) bool { return isWordRune(r) || r == '_' }) == ""
}

// longestCall is the number of bytes that inCall searches for the start of a call.
const longestCall = 400

// inCall reports whether the text before a bracket ends in the open arguments of a call.
func inCall(before string) bool {
	depth := 0
	for i := len(before) - 1; i >= max(0, len(before)-longestCall); i-- {
		switch before[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth < 0 {
				return i > 0 && endsInName(before[:i])
			}
		}
	}
	return false
}
