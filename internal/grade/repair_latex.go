package grade

import (
	"strings"

	"verbatim/internal/pylit"
)

// latexSecondLine reads the second line of a reply that ends in \]. It refuses a value with
// at most one item or without a length. (On a reply of one line, the published code
// crashes. Here the repair fails.)
func (r *listReader) latexSecondLine(s string) (pylit.Value, bool) {
	if !strings.HasSuffix(s, `\]`) {
		return pylit.Value{}, false
	}
	lines := strings.SplitN(s, "\n", 3)
	if len(lines) < 2 {
		return pylit.Value{}, false
	}
	v, ok := r.try(latexLine(lines[1]))
	if n, sized := v.Len(); !ok || !sized || n <= 1 {
		return pylit.Value{}, false
	}
	return v, true
}

// latexFirstLines reads the second of at least three lines. The reply begins with [, and the third line ends
// in \].
func (r *listReader) latexFirstLines(s string) (pylit.Value, bool) {
	if !strings.HasPrefix(s, "[") {
		return pylit.Value{}, false
	}
	lines := strings.SplitN(s, "\n", 4)
	if len(lines) < 3 || !strings.HasSuffix(lines[2], `\]`) {
		return pylit.Value{}, false
	}
	return r.try(latexLine(lines[1]))
}

// latexLastLines reads the second-to-last line, between lines with \[ and \].
func (r *listReader) latexLastLines(s string) (pylit.Value, bool) {
	third, second, last, ok := lastThree(s)
	if !ok || !strings.HasPrefix(third, `\[`) || !strings.HasSuffix(last, `\]`) {
		return pylit.Value{}, false
	}
	return r.try(latexLine(second))
}

// latexLastLine reads a last line in \[ and \], of three or more.
func (r *listReader) latexLastLine(s string) (pylit.Value, bool) {
	_, _, last, ok := lastThree(s)
	if !ok || !strings.HasPrefix(last, `\[`) || !strings.HasSuffix(last, `\]`) {
		return pylit.Value{}, false
	}
	return r.try(strings.ReplaceAll(strings.ReplaceAll(last, `\[`, "["), `\]`, "]"))
}

// latexLine unpacks \boxed{…} and adds the brackets that are missing.
func latexLine(s string) string {
	if strings.HasPrefix(s, `\boxed{`) {
		s = strings.ReplaceAll(strings.ReplaceAll(s, `\boxed{`, ""), "}", "")
	}
	if !strings.HasPrefix(s, "[") {
		s = "[" + s
	}
	if !strings.HasSuffix(s, "]") {
		s += "]"
	}
	return s
}

// lastThree returns the last three lines; false if there are fewer.
func lastThree(s string) (third, second, last string, ok bool) {
	last = lastLine(s)
	if len(last) == len(s) {
		return "", "", "", false
	}
	s = s[:len(s)-len(last)-1]
	second = lastLine(s)
	if len(second) == len(s) {
		return "", "", "", false
	}
	return lastLine(s[:len(s)-len(second)-1]), second, last, true
}
