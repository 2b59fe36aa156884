package grade

import (
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// The rules that find the whole expected text inside a wrapper.

// quotes are the pairs of marks that may be around a reply.
var quotes = [...][2]string{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“"},
}

func (p *pair) quoted() (string, bool) {
	for _, q := range quotes {
		inside, opened := strings.CutPrefix(p.got, q[0])
		inside, closed := strings.CutSuffix(inside, q[1])
		if opened && closed && pylit.Strip(inside) == p.want {
			return q[0], true
		}
	}
	return "", false
}

// fenced: a Markdown code fence, with or without a language, is around the text. A
// text on the line of the opening fence is taken for the language.
func (p *pair) fenced() (string, bool) {
	inside, opened := strings.CutPrefix(p.got, "```")
	inside, closed := strings.CutSuffix(inside, "```")
	if !opened || !closed {
		return "", false
	}
	inside = strings.TrimLeftFunc(inside, func(r rune) bool { return runes.IsWord(r) || r == '+' || r == '-' })
	return "", pylit.Strip(inside) == p.want
}

// explained: the text is inside talk, set apart from it. Texts of less than
// four characters occur in talk by chance, so they must be alone on a line or
// after a colon.
func (p *pair) explained() (string, bool) {
	if len(p.e) < 4 {
		for line := range strings.SplitSeq(strings.ReplaceAll(p.got, ":", "\n"), "\n") {
			if strings.Trim(line, " \"'`*.") == p.want {
				return "line", true
			}
		}
		return "", false
	}
	start := strings.Index(p.got, p.want)
	if start < 0 {
		return "", false
	}
	end := start + len(p.want)
	before, _ := utf8.DecodeLastRuneInString(p.got[:start])
	after, _ := utf8.DecodeRuneInString(p.got[end:])
	if runes.IsAlnum(before) || runes.IsAlnum(after) {
		return "", false
	}
	return traits.Around(p.got, start, end), true
}
