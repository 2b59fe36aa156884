package program

import (
	"strings"

	"verbatim/internal/grade/phrases"
)

// EndsInName reports whether a name or a call ends before a bracket: what the bracket holds is a
// subscript.
func EndsInName(before string) bool {
	name := before[len(strings.TrimRightFunc(before, func(r rune) bool { return phrases.IsWordRune(r) || r == '_' })):]
	return name != "" && (name[0] < '0' || name[0] > '9') || strings.HasSuffix(before, ")")
}

// IsAssigned reports whether a line before a bracket is a name and an equals sign.
func IsAssigned(before string) bool {
	name, ok := strings.CutSuffix(strings.TrimSpace(before), "=")
	name = strings.TrimSpace(name)
	return ok && name != "" && strings.TrimRightFunc(name, func(r rune) bool { return phrases.IsWordRune(r) || r == '_' }) == ""
}

// longestCall is the number of bytes in which the start of a call is looked for.
const longestCall = 400

// InCall reports whether the arguments of a call are open at the end of a text.
func InCall(before string) bool {
	depth := 0
	for i := len(before) - 1; i >= max(0, len(before)-longestCall); i-- {
		switch before[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth < 0 {
				return i > 0 && EndsInName(before[:i])
			}
		}
	}
	return false
}
