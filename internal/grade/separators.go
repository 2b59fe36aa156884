package grade

import (
	"slices"
	"strconv"
	"strings"
)

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
