package grade

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"verbatim/internal/pylit"
)

// A reader reads replies. What it returns is valid until it reads the next one. The
// zero reader is ready. It is for one goroutine.
type listReader struct {
	tuples bool // a tuple of numbers or rows counts as a list, as one of texts does
	parser pylit.Parser
	failed []failedText
}

// A failedText is a text that is not a literal; if it is not whole, no text that begins with it is one.
type failedText struct {
	text  string
	whole bool
}

// note keeps a text that is not a literal, or as much of its start as decides that:
// most repairs do not change the start of a text and fail at the same place.
func (r *listReader) note(s string, err *pylit.SyntaxError) {
	if err.Seen > len(s) {
		r.failed = append(r.failed, failedText{s, true})
	} else {
		r.failed = append(r.failed, failedText{s[:err.Seen], false})
	}
}

// try reads a repaired text as a literal. None counts as a failure: the published code returns it
// if a repair does not help.
func (r *listReader) try(s string) (pylit.Value, bool) {
	for _, f := range r.failed {
		if s == f.text || !f.whole && strings.HasPrefix(s, f.text) {
			return pylit.Value{}, false
		}
	}
	v, err := r.parser.Parse(s)
	if err != nil {
		r.note(s, err)
		return pylit.Value{}, false
	}
	return v, v.Kind() != pylit.None
}

// A reading is what SortBench's rules read in a reply, with their
// repairs and casts.
type reading struct {
	items  []pylit.Value // after the casts; none if not parsed
	parsed bool
	// repair is what made the text readable; the zero value if none was needed or
	// none helped. It is also there if it read something other than a list.
	repair   repair
	isList   bool   // a list, not a tuple that holds one
	ellipsis bool   // an ellipsis was among the items
	cast     bool   // an item was of another type
	lossy    bool   // a cast changed the value of a number
	comments bool   // the text has comments
	text     string // what was read, before any repair
	trouble  string // why it is not parsed

	counted bool // counts and ranks are set
	counts  counts
	ranks   *ranks // nil if counting did not need them
}

// read reads the reply as SortBench does. With cast, it casts items to the kind.
func (r *listReader) read(reply string, kind pylit.Kind, cast bool) reading {
	r.failed = r.failed[:0]
	s := body(reply)
	reading := reading{text: s}
	v, err := r.parser.Parse(s)
	trouble := pylit.SyntaxError{Reason: "no list"}
	if err != nil {
		trouble = *err
		r.note(s, err)
		v, reading.repair = r.repair(s)
	}
	reading.comments = r.parser.Comments()
	reading.isList = v.Kind() == pylit.List
	if v.Kind() == pylit.Tuple {
		v = r.listOfTuple(s, v, kind)
	}
	if v.Kind() != pylit.List {
		reading.trouble = trouble.Error()
		return reading
	}
	reading.parsed = true
	reading.items = v.Items()
	if !allOf(kind, reading.items) {
		reading.dropEllipses()
		if cast {
			reading.castItems(kind)
		}
	}
	return reading
}

// body removes what SortBench removes before it reads: the reasoning of a
// reply that starts with it, then also the talk before the list and bold type;
// and calls of input(), at which eval would wait.
func body(s string) string {
	if strings.HasPrefix(s, "<think>") {
		if end := strings.Index(s, "</think>"); end >= 0 {
			s = s[end+len("</think>"):]
		} else {
			s = s[len("<think>"):]
		}
		if start := strings.IndexByte(s, '['); start >= 0 {
			s = pylit.Strip(s[start:])
		}
		s = strings.ReplaceAll(s, "**", "")
	}
	if strings.IndexByte(s, '(') >= 0 {
		s = strings.ReplaceAll(s, "input()", "")
	}
	return s
}

// listOfTuple returns the list that SortBench makes of a tuple, by the start and the end of the
// text, or the tuple. If tuples count, any other tuple is a list, too, and one of rows
// is a list if rows are expected.
func (r *listReader) listOfTuple(s string, tuple pylit.Value, kind pylit.Kind) pylit.Value {
	items := tuple.Items()
	rows := len(items) > 0 && items[0].Kind() == pylit.List
	switch {
	case strings.HasPrefix(s, "('"), r.tuples && (!rows || kind == pylit.List):
		return pylit.MakeList(items)
	case len(items) > 0 && (strings.HasPrefix(s, "([") || strings.HasSuffix(s, "],")):
		return items[0]
	}
	return tuple
}

func (l *reading) dropEllipses() {
	n := len(l.items)
	l.items = slices.DeleteFunc(l.items, func(v pylit.Value) bool { return v.Kind() == pylit.Ellipsis })
	l.ellipsis = len(l.items) < n
}

// castItems casts the items of other kinds. If one cannot be cast, nothing was read, not even
// with the repair.
func (l *reading) castItems(kind pylit.Kind) {
	for i, item := range l.items {
		if item.Kind() == kind {
			continue
		}
		l.cast = true
		v, ok := pylit.Cast(item, kind)
		if !ok {
			trouble := "@" + strconv.Itoa(i) + ": " + itemName(item) + " is no " + kind.String()
			*l = reading{cast: true, text: l.text, trouble: trouble}
			return
		}
		l.items[i] = v
		l.lossy = l.lossy || numeric(item.Kind()) && numeric(kind) && !pylit.Equal(v, item)
	}
}

func numeric(k pylit.Kind) bool { return k == pylit.Bool || k == pylit.Int || k == pylit.Float }

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
