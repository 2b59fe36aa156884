package grade

import (
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
	"verbatim/internal/pylit"
)

// The rungs that find the wanted text whole inside a wrapper.

// quotes are the pairs of marks that a reply may stand in.
var quotes = [...][2]string{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“"},
}

func (p *pair) quoted() (string, bool) {
	for _, q := range quotes {
		if len(p.got) >= len(q[0])+len(q[1]) && strings.HasPrefix(p.got, q[0]) && strings.HasSuffix(p.got, q[1]) &&
			pylit.Strip(p.got[len(q[0]):len(p.got)-len(q[1])]) == p.want {
			return q[0], true
		}
	}
	return "", false
}

// fenced: a Markdown code fence, with or without a language, around the text. A
// text on the line of the opening fence is taken for the language.
func (p *pair) fenced() (string, bool) {
	const fence = "```"
	if len(p.got) < 2*len(fence) || !strings.HasPrefix(p.got, fence) || !strings.HasSuffix(p.got, fence) {
		return "", false
	}
	inside := strings.TrimLeftFunc(p.got[len(fence):len(p.got)-len(fence)], func(r rune) bool {
		return runes.IsWord(r) || r == '+' || r == '-'
	})
	return "", pylit.Strip(inside) == p.want
}

// explained: the text stands inside talk, set apart from it. Texts of less than
// four characters occur in talk by chance, so they must stand alone on a line or
// after a colon.
func (p *pair) explained() (string, bool) {
	if len(p.e) < 4 {
		for rest, more := p.got, true; more; {
			line := rest
			if i := strings.IndexAny(rest, "\n:"); i >= 0 {
				line, rest = rest[:i], rest[i+1:]
			} else {
				more = false
			}
			if strings.Trim(line, " \"'`*.") == p.want {
				return "line", true
			}
		}
		return "", false
	}
	i := strings.Index(p.got, p.want)
	if i < 0 {
		return "", false
	}
	before, after := p.got[:i], p.got[i+len(p.want):]
	if r, size := utf8.DecodeLastRuneInString(before); size > 0 && runes.IsAlnum(r) {
		return "", false
	}
	if r, size := utf8.DecodeRuneInString(after); size > 0 && runes.IsAlnum(r) {
		return "", false
	}
	switch {
	case before == "":
		return "trailer", true
	case after == "":
		return "preamble", true
	}
	return "preamble trailer", true
}
