package grade

import (
	"slices"
	"strconv"
	"strings"
)

// separators: all lines, words or characters of the expected text are there, with one other separator
// between them. The detail is that separator.
func (p *pair) separators() (string, bool) {
	if !p.sameBut(separates) {
		return "", false
	}
	if lines := strings.Split(p.want, "\n"); len(lines) > 1 {
		between, ok := p.between(lines)
		return strconv.Quote(between), ok
	}
	const enough = 3
	isSeparator := separates
	if !slices.ContainsFunc(p.e, separates) {
		isSeparator = nil
	}
	want, _, ok := pieces(p.e, isSeparator)
	if !ok || len(want) < enough {
		return "", false
	}
	got, other, ok := pieces(p.g, separates)
	if !ok || !slices.EqualFunc(want, got, slices.Equal[[]rune]) {
		return "", false
	}
	return strconv.Quote(string(other)), true
}

// between returns the separator that the reply has between the lines of the expected text. ok says that it
// has the same one everywhere and that it is not a line break.
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

// separates reports whether r can be between pieces of a text.
func separates(r rune) bool {
	switch r {
	case ',', ';', '|', '-', '/', '.', '、', '，', '·', '•':
		return true
	}
	return blank(r)
}

// pieces cuts t at runs of separators, which must all be the same. Without isSeparator, each character is a
// piece.
func pieces(t []rune, isSeparator func(rune) bool) (out [][]rune, between []rune, ok bool) {
	for i := 0; i < len(t); {
		end := i + 1
		for isSeparator != nil && end < len(t) && !isSeparator(t[end]) {
			end++
		}
		next := end
		for isSeparator != nil && next < len(t) && isSeparator(t[next]) {
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
