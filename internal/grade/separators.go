package grade

import (
	"slices"
	"strconv"
	"strings"
)

// separatorRule finds the right pieces with something else between them.
var separatorRule = [...]rule{
	{label{Name: "separators", Meaning: "The right pieces in the right order, with other separators between them.", Example: "`K-7-m-Q-p-2-Z-x`"}, (*pair).separators, false},
}

// separators: lines, words or single characters, all of them, with one other separator
// between them all. The detail is that one.
func (p *pair) separators() (string, bool) {
	if !p.sameBut(separates) {
		return "", false
	}
	if lines := strings.Split(p.want, "\n"); len(lines) > 1 {
		between, ok := p.between(lines)
		return strconv.Quote(between), ok
	}
	const enough = 3
	of := separates
	if !slices.ContainsFunc(p.e, separates) {
		of = nil // each character is a piece
	}
	want, _, ok := pieces(p.e, of)
	if !ok || len(want) < enough {
		return "", false
	}
	got, other, ok := pieces(p.g, separates)
	if !ok || !slices.EqualFunc(want, got, slices.Equal[[]rune]) {
		return "", false
	}
	return strconv.Quote(string(other)), true
}

// between returns what is between the lines of the expected text where the reply has something other than a line
// break there, the same everywhere.
func (p *pair) between(lines []string) (separator string, ok bool) {
	rest := p.got
	for i, line := range lines {
		after, found := strings.CutPrefix(rest, line)
		if !found {
			return "", false
		}
		rest = strings.TrimLeftFunc(after, separates)
		here := after[:len(after)-len(rest)]
		if last := i == len(lines)-1; last || i > 0 && here != separator {
			return separator, last && after == "" && separator != "\n"
		}
		separator = here
	}
	return "", false
}

// sameBut reports whether both texts are the same without the characters that skip names.
func (p *pair) sameBut(skip func(rune) bool) bool {
	i, j := 0, 0
	for {
		for i < len(p.e) && skip(p.e[i]) {
			i++
		}
		for j < len(p.g) && skip(p.g[j]) {
			j++
		}
		if i == len(p.e) || j == len(p.g) {
			return i == len(p.e) && j == len(p.g)
		}
		if p.e[i] != p.g[j] {
			return false
		}
		i, j = i+1, j+1
	}
}

// separates reports whether r stands between pieces of a text.
func separates(r rune) bool {
	return blank(r) || r < 0x80 && (r == ',' || r == ';' || r == '|' || r == '-' || r == '/' || r == '.') || r == '、' || r == '，' || r == '·' || r == '•'
}

// pieces cuts t at runs of separators, which must all be alike; without of at each
// character.
func pieces(t []rune, of func(rune) bool) (out [][]rune, between []rune, ok bool) {
	for i := 0; i < len(t); {
		end := i + 1
		for of != nil && end < len(t) && !of(t[end]) {
			end++
		}
		next := end
		for of != nil && next < len(t) && of(t[next]) {
			next++
		}
		if end < len(t) {
			switch run := t[end:next]; {
			case len(out) == 0:
				between = run
			case !slices.Equal(run, between):
				return nil, nil, false
			}
		}
		if out == nil {
			out = make([][]rune, 0, min(len(t)/next+1, 1<<16))
		}
		out = append(out, t[i:end])
		i = next
	}
	return out, between, true
}
