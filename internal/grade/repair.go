package grade

import (
	"strings"

	"verbatim/internal/pylit"
)

// A repair changes a reply that is not a literal in one way and reads the result. A
// value of any type ends the search, even if it is not a list.
type repair struct {
	name string // SortBench's, as its result files spell it
	// crops: it closes a list at the last comma. A complete list
	// with talk behind it loses its last item.
	crops bool
	try   func(r *listReader, s string) (pylit.Value, bool)
}

// repairs returns the repairs of texts with brackets and of texts without, in
// the order in which SortBench tries them.
//
// Its repair "List in latex" is left out: the published code deletes every } before
// it looks for a pair of braces, so that it never finds one.
func repairs(brackets bool) []repair {
	if !brackets {
		return []repair{
			{"Numbered, line-wise list", false, (*listReader).numberedLines},
			{"List in backticks", false, (*listReader).inBackticks},
			{"Line-wise list with content berfore list", false, (*listReader).lineByLine},
			{"Multi-line output with comma-separated list in last line", false, (*listReader).lastLineCSV},
		}
	}
	return []repair{
		{"Missing closing bracket", true, (*listReader).missingBracket},
		{"Incomplete list items at the end", false, (*listReader).withoutDots},
		{"Missing closing bracket and broken quotes", true, (*listReader).missingBracketAndQuotes},
		{"String list without quotes", false, (*listReader).withoutQuotes},
		{"Invalid newlines in list", false, (*listReader).brokenLines},
		{"Broken quotes", false, (*listReader).brokenQuotes},
		{"Broken quotes and invalid newlines", false, (*listReader).brokenQuotesAndLines},
		{"Content after last closing bracket", false, (*listReader).lastBrackets},
		{"Multiple closing brackets, valid list before first closing bracket", false, (*listReader).firstBrackets},
		{"List as latex", false, (*listReader).latexSecondLine},
		{"List as latex with additional content after list", false, (*listReader).latexFirstLines},
		{"List as latex with additional content before list", false, (*listReader).latexLastLines},
		{"List as latex with additional content before list", false, (*listReader).latexLastLine},
		{"Content before list", false, (*listReader).lastLineList},
		{"Content before list without closing bracket", true, (*listReader).lastLineOpen},
	}
}

// repair tries the repairs of s and returns what the first one that helps reads,
// and that repair.
func (r *listReader) repair(s string) (pylit.Value, repair) {
	brackets := strings.IndexByte(s, '[') >= 0 || strings.IndexByte(s, ']') >= 0
	for _, repair := range repairs(brackets) {
		if v, ok := repair.try(r, s); ok {
			return v, repair
		}
	}
	return pylit.Value{}, repair{}
}

// cropped returns s up to its last comma, with a closing bracket; false without a comma. A complete
// list loses its last item, as in the published code.
func cropped(s string) (string, bool) {
	i := strings.LastIndexByte(s, ',')
	if i < 0 {
		return "", false
	}
	return s[:i] + "]", true
}

func (r *listReader) missingBracket(s string) (pylit.Value, bool) {
	s, ok := cropped(s)
	if !ok {
		return pylit.Value{}, false
	}
	return r.try(s)
}

func (r *listReader) withoutDots(s string) (pylit.Value, bool) {
	if !strings.HasPrefix(s, "[") || !strings.HasSuffix(s, "]") {
		return pylit.Value{}, false
	}
	return r.try(strings.ReplaceAll(s, "...", ""))
}

func (r *listReader) missingBracketAndQuotes(s string) (pylit.Value, bool) {
	s, ok := cropped(s)
	if !ok {
		return pylit.Value{}, false
	}
	return r.brokenQuotes(s)
}

func (r *listReader) withoutQuotes(s string) (pylit.Value, bool) {
	return r.tryQuoted(s, func(s string) string { return s })
}

func (r *listReader) brokenLines(s string) (pylit.Value, bool) { return r.try(joinLines(s)) }

func (r *listReader) brokenQuotes(s string) (pylit.Value, bool) {
	return r.tryQuoted(s, dropQuotes)
}

// brokenQuotesAndLines refuses a value with exactly one item. It accepts a value without a
// length: in the published code, len raises an exception that is ignored
// after the value is stored.
func (r *listReader) brokenQuotesAndLines(s string) (pylit.Value, bool) {
	v, ok := r.tryQuoted(s, func(s string) string { return dropQuotes(joinLines(s)) })
	if n, sized := v.Len(); !ok || sized && n == 1 {
		return pylit.Value{}, false
	}
	return v, true
}

func (r *listReader) lastBrackets(s string) (pylit.Value, bool) {
	s = s[:strings.LastIndexByte(s, ']')+1]
	start := strings.LastIndexByte(s, '[')
	if start < 0 {
		// Python's index -1 leaves the last character: a bracket, or nothing.
		return pylit.Value{}, false
	}
	return r.try(s[start:])
}

// firstBrackets refuses a value with at most one item or with an empty string. It accepts a value
// without a length, as brokenQuotesAndLines does.
func (r *listReader) firstBrackets(s string) (pylit.Value, bool) {
	v, ok := r.try(s[:strings.IndexByte(s, ']')+1])
	n, sized := v.Len()
	if !ok || sized && n <= 1 {
		return pylit.Value{}, false
	}
	for i, item := range v.Items() {
		isValue := v.Kind() == pylit.Dict && i%2 == 1
		if item.Kind() == pylit.Str && item.Text() == "" && !isValue {
			return pylit.Value{}, false
		}
	}
	return v, true
}

func (r *listReader) lastLineList(s string) (pylit.Value, bool) {
	line := lastLine(s)
	if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
		return pylit.Value{}, false
	}
	return r.try(line)
}

// lastLineOpen crops like missingBracket, but without a comma it drops the last
// character: Python's index -1 again.
func (r *listReader) lastLineOpen(s string) (pylit.Value, bool) {
	line := lastLine(s)
	if !strings.HasPrefix(line, "[") {
		return pylit.Value{}, false
	}
	if i := strings.LastIndexByte(line, ','); i >= 0 {
		line = line[:i]
	} else {
		line = pylit.DropLast(line)
	}
	return r.try(line + "]")
}

func dropQuotes(s string) string { return strings.ReplaceAll(s, "'", "") }

func joinLines(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// tryQuoted returns try(quoteItems(change(s))). change must turn a start of s into a start of change(s):
// most texts already fail at their start, which is tried first.
func (r *listReader) tryQuoted(s string, change func(string) string) (pylit.Value, bool) {
	const head = 256
	if len(s) > 2*head {
		// Together with what follows, a comma at the end may be a separator.
		start := strings.TrimSuffix(quoteItems(change(s[:head])), ",")
		if _, err := r.parser.Parse(start); err != nil && err.Seen <= len(start) {
			return pylit.Value{}, false
		}
	}
	return r.try(quoteItems(change(s)))
}

// quoteItems puts quotes where items seem to start and end: around ", " and inside
// brackets.
func quoteItems(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2*(strings.Count(s, ", ")+strings.Count(s, "[")+strings.Count(s, "]")))
	from := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ',':
			if i+1 < len(s) && s[i+1] == ' ' {
				b.WriteString(s[from:i])
				b.WriteString("', '")
				i++
				from = i + 1
			}
		case '[':
			b.WriteString(s[from : i+1])
			b.WriteByte('\'')
			from = i + 1
		case ']':
			b.WriteString(s[from:i])
			b.WriteByte('\'')
			from = i
		}
	}
	b.WriteString(s[from:])
	return b.String()
}
