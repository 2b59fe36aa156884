package grade

import (
	"slices"
	"strings"
	"unicode"

	"verbatim/internal/pylit"
)

// numberedLines reads lines such as "1. item", from the end of the reply backwards. At
// most three other lines may be below them. An item is the text between the first two
// spaces of its line, where spaces of the indent count.
func (*listReader) numberedLines(s string) (pylit.Value, bool) {
	var items []pylit.Value
	for lines, last := 1, false; !last; lines++ {
		line := lastLine(s)
		last = len(line) == len(s)
		if !last {
			s = s[:len(s)-len(line)-1]
		}
		if isNumbered(line) {
			_, item, _ := strings.Cut(line, " ")
			item, _, _ = strings.Cut(item, " ")
			items = append(items, pylit.MakeStr(pylit.Strip(item)))
		} else if len(items) > 0 || lines > 3 {
			break
		}
	}
	slices.Reverse(items)
	return pylit.MakeList(items), len(items) > 0
}

// isNumbered reports whether the line starts with digits of any script, a full
// stop and a space, after its indent.
func isNumbered(line string) bool {
	line = pylit.Strip(line)
	rest := strings.TrimLeftFunc(line, unicode.IsDigit)
	return len(rest) < len(line) && strings.HasPrefix(rest, ". ")
}

// inBackticks reads the lines from the first ```plaintext, or else the first ```, to the last ```.
// Any other word behind the first backticks becomes an item.
func (*listReader) inBackticks(s string) (pylit.Value, bool) {
	const fence = "```"
	end := strings.LastIndex(s, fence)
	for _, open := range []string{fence + "plaintext", fence} {
		start := strings.Index(s, open)
		if start >= 0 && start+len(open) <= end {
			return pylit.MakeList(stripLines(pylit.Strip(s[start+len(open) : end]))), true
		}
	}
	return pylit.Value{}, false
}

func stripLines(s string) []pylit.Value {
	items := make([]pylit.Value, 0, strings.Count(s, "\n")+1)
	for line := range strings.SplitSeq(s, "\n") {
		items = append(items, pylit.MakeStr(pylit.Strip(line)))
	}
	return items
}

// lineByLine reads the lines below one that starts with "The sorted list", without
// their last comma; it needs two.
func (*listReader) lineByLine(s string) (pylit.Value, bool) {
	first, rest, more := strings.Cut(pylit.Strip(s), "\n")
	if !strings.HasPrefix(first, "The sorted list") || !more {
		return pylit.Value{}, false
	}
	var items []pylit.Value
	for line := range strings.SplitSeq(rest, "\n") {
		if line = strings.TrimSuffix(pylit.Strip(line), ","); line != "" {
			items = append(items, pylit.MakeStr(line))
		}
	}
	return pylit.MakeList(items), len(items) > 1
}

// lastLineCSV reads a last line with more than four commas.
func (*listReader) lastLineCSV(s string) (pylit.Value, bool) {
	line := lastLine(s)
	if strings.Count(line, ",") <= 4 {
		return pylit.Value{}, false
	}
	line = strings.ReplaceAll(strings.ReplaceAll(line, `\boxed{`, ""), "}", "")
	items := make([]pylit.Value, 0, strings.Count(line, ",")+1)
	for item := range strings.SplitSeq(line, ",") {
		items = append(items, pylit.MakeStr(pylit.Strip(item)))
	}
	return pylit.MakeList(items), true
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }
