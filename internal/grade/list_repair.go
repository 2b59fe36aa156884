package grade

import (
	"strings"

	"verbatim/internal/pylit"
)

// A listRepair reads a reply that is not a literal after changing it in one way. A
// value of any type ends the search, a list or not.
type listRepair struct {
	name string // SortBench's, as its result files spell it
	try  func(r *listReader, s string) (pylit.Value, bool)
}

// listRepairs returns the repairs of texts with brackets and of texts without, in
// the order in which SortBench tries them.
//
// Its repair "List in latex" is left out: the published code deletes every } before
// it looks for a pair of braces, so that it never finds one.
func listRepairs(brackets bool) []listRepair {
	if !brackets {
		return []listRepair{
			{"Numbered, line-wise list", numberedLines},
			{"List in backticks", inBackticks},
			{"Line-wise list with content berfore list", lineByLine},
			{"Multi-line output with comma-separated list in last line", lastLineCSV},
		}
	}
	return []listRepair{
		{"Missing closing bracket", missingBracket},
		{"Incomplete list items at the end", withoutDots},
		{"Missing closing bracket and broken quotes", missingBracketAndQuotes},
		{"String list without quotes", withoutQuotes},
		{"Invalid newlines in list", brokenLines},
		{"Broken quotes", brokenQuotes},
		{"Broken quotes and invalid newlines", brokenQuotesAndLines},
		{"Content after last closing bracket", lastBrackets},
		{"Multiple closing brackets, valid list before first closing bracket", firstBrackets},
		{"List as latex", latexSecondLine},
		{"List as latex with additional content after list", latexFirstLines},
		{"List as latex with additional content before list", latexLastLines},
		{"List as latex with additional content before list", latexLastLine},
		{"Content before list", lastLineList},
		{"Content before list without closing bracket", lastLineOpen},
	}
}

// repair tries the repairs of s and returns what the first one that helps reads,
// and its name.
func (r *listReader) repair(s string) (pylit.Value, string) {
	brackets := strings.IndexByte(s, '[') >= 0 || strings.IndexByte(s, ']') >= 0
	for _, repair := range listRepairs(brackets) {
		if v, ok := repair.try(r, s); ok {
			return v, repair.name
		}
	}
	return pylit.Value{}, ""
}

// cropped returns s up to its last comma, closed; false without a comma. Of a list
// that was complete it loses the last item, as the published code does.
func cropped(s string) (string, bool) {
	i := strings.LastIndexByte(s, ',')
	if i < 0 {
		return "", false
	}
	return s[:i] + "]", true
}

func missingBracket(r *listReader, s string) (pylit.Value, bool) {
	s, ok := cropped(s)
	if !ok {
		return pylit.Value{}, false
	}
	return r.try(s)
}

func withoutDots(r *listReader, s string) (pylit.Value, bool) {
	if !strings.HasPrefix(s, "[") || !strings.HasSuffix(s, "]") {
		return pylit.Value{}, false
	}
	return r.try(strings.ReplaceAll(s, "...", ""))
}

func missingBracketAndQuotes(r *listReader, s string) (pylit.Value, bool) {
	s, ok := cropped(s)
	if !ok {
		return pylit.Value{}, false
	}
	return brokenQuotes(r, s)
}

func withoutQuotes(r *listReader, s string) (pylit.Value, bool) {
	return r.tryQuoted(s, func(s string) string { return s })
}

func brokenLines(r *listReader, s string) (pylit.Value, bool) { return r.try(joinLines(s)) }

func brokenQuotes(r *listReader, s string) (pylit.Value, bool) {
	return r.tryQuoted(s, dropQuotes)
}

// brokenQuotesAndLines refuses what has exactly one item. What has no length at
// all is not refused: asking for the length raises an exception that the published
// code swallows, after it has kept the value.
func brokenQuotesAndLines(r *listReader, s string) (pylit.Value, bool) {
	v, ok := r.tryQuoted(s, func(s string) string { return dropQuotes(joinLines(s)) })
	if n, sized := v.Len(); !ok || sized && n == 1 {
		return pylit.Value{}, false
	}
	return v, true
}

func lastBrackets(r *listReader, s string) (pylit.Value, bool) {
	s = s[:strings.LastIndexByte(s, ']')+1]
	start := strings.LastIndexByte(s, '[')
	if start < 0 {
		// Python's index -1 leaves the last character: a bracket, or nothing.
		return pylit.Value{}, false
	}
	return r.try(s[start:])
}

// firstBrackets refuses what has at most one item, and what has an empty string;
// what has no length is kept, as in brokenQuotesAndLines.
func firstBrackets(r *listReader, s string) (pylit.Value, bool) {
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

func lastLineList(r *listReader, s string) (pylit.Value, bool) {
	line := lastLine(s)
	if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
		return pylit.Value{}, false
	}
	return r.try(line)
}

// lastLineOpen crops like missingBracket, but without a comma it drops the last
// character: Python's index -1 again.
func lastLineOpen(r *listReader, s string) (pylit.Value, bool) {
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

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

func dropQuotes(s string) string { return strings.ReplaceAll(s, "'", "") }

func joinLines(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// tryQuoted is try of quoteItems(change(s)), where the change of a start of s is a
// start of the change of s. Most texts are hopeless from their start on, so that is
// tried first.
func (r *listReader) tryQuoted(s string, change func(string) string) (pylit.Value, bool) {
	const head = 256
	if len(s) > 2*head {
		// A comma at the end might become more.
		start := strings.TrimSuffix(quoteItems(change(s[:head])), ",")
		if _, err := r.parser.Parse(start); err != nil && err.Seen <= len(start) {
			return pylit.Value{}, false
		}
	}
	return r.try(quoteItems(change(s)))
}

// quoteItems puts quotes where items seem to start and end: around ", " and inside
// of brackets.
func quoteItems(s string) string {
	b := make([]byte, 0, len(s)+len(s)/4+16)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ',' && i+1 < len(s) && s[i+1] == ' ':
			b = append(b, "', '"...)
			i++
		case c == '[':
			b = append(b, "['"...)
		case c == ']':
			b = append(b, "']"...)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}
