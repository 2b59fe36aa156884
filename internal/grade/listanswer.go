package grade

import (
	"regexp"
	"slices"
	"strings"

	"verbatim"

	"verbatim/internal/grade/extract"

	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
	"verbatim/internal/reasoning"
)

// judgeAnswer labels a reply by the list that package extract finds in it. got is the
// stripped reply, and reference SortBench's reading of it.
func (j *listJudge) judgeAnswer(reply, got string, finish verbatim.Finish, reference reading, s *Scratch) listVerdict {
	if j.isExact(got, j.literal(got, reference, s)) {
		return listVerdict{label: traits.LabelPass, extracted: true}
	}
	start, state := reasoning.Cut(reply)
	if state == reasoning.Open {
		return listVerdict{label: traits.LabelLeak, detail: "not closed"}
	}
	text := reply[start:]
	got = pylit.Strip(text)
	var v listVerdict
	switch {
	case got == "":
		v = listVerdict{label: traits.LabelEmpty}
	case start > 0 && j.isExact(got, j.literal(got, reference, s)):
		at := strings.Index(text, got)
		v = listVerdict{label: traits.LabelPass, extracted: true, rule: extract.RuleWhole, span: &verbatim.Span{Start: at, End: at + len(got)}}
	default:
		v = j.found(text, got, finish, s)
	}
	if v.span != nil {
		v.span.Start, v.span.End = v.span.Start+start, v.span.End+start
	}
	if state == reasoning.Closed {
		v.label, v.detail = traits.LabelLeak, joined(": ", v.label, v.detail)
	}
	return v
}

// literal returns the reading of a stripped reply that could be exact; an empty one if none could.
func (j *listJudge) literal(got string, reference reading, s *Scratch) reading {
	switch {
	case j.canUse(reference, got):
		return reference
	case strings.HasPrefix(got, "[") && strings.HasSuffix(got, "]"):
		return j.ownReading(got, s)
	}
	return reading{}
}

// found describes the list that is in a text, or says what the text is instead.
func (j *listJudge) found(text, got string, finish verbatim.Finish, s *Scratch) listVerdict {
	a, ok := s.finder.Find(text, finish, j.question)
	if !ok {
		return j.noAnswer(text, got, finish, s)
	}
	r := reading{items: a.Items, parsed: true, isList: true, text: text[a.Start:a.End]}
	if j.isRow(r.items) {
		r.items = []pylit.Value{pylit.MakeList(r.items)}
	}
	if !allOf(j.kind, r.items) && !j.mixed {
		cast := r
		cast.items = slices.Clone(r.items)
		cast.dropEllipses()
		if cast.castItems(j.kind); cast.parsed && !cast.lossy {
			r = cast
		}
	}
	v := listVerdict{}
	if j.right(r) {
		v = listWrapping(text, a, r, finish)
	} else {
		r.count(j, s)
		v = j.mistake(r, true)
		if r.counts.missing == len(j.want) && extract.IsProgram(got) { // the list is the output that it expects of the program
			v = listVerdict{label: traits.LabelCode}
		}
		if !a.Whole && (strings.Contains(j.asked, got) || v.label == "unchanged" && a.Rule != extract.RuleNamed && extract.MostlyEcho(text[:a.Start]+text[a.End:], j.asked)) {
			v = listVerdict{label: traits.LabelEcho}
		}
	}
	v.span, v.rule = &verbatim.Span{Start: a.Start, End: a.End}, a.Rule
	return v
}

// isRow reports whether items are one row of the expected rows: they have as many columns, of the same kinds.
func (j *listJudge) isRow(items []pylit.Value) bool {
	if j.kind != pylit.List || len(j.source) == 0 {
		return false
	}
	return slices.EqualFunc(items, j.source[0].Items(), func(a, b pylit.Value) bool { return a.Kind() == b.Kind() })
}

// holdsNumbers reports whether the literal of a list holds numbers.
func holdsNumbers(literal string) bool {
	v, err := pylit.Parse(literal)
	if err != nil || v.Kind() != pylit.List {
		return false
	}
	return slices.ContainsFunc(v.Items(), func(v pylit.Value) bool { return v.Kind() == pylit.Int || v.Kind() == pylit.Float })
}

// listWrapping labels a right list by what is around it and how it is written.
func listWrapping(text string, a extract.Answer, r reading, finish verbatim.Finish) listVerdict {
	v := listVerdict{extracted: true, label: labelExplained, detail: textAround}
	switch {
	case r.cast, a.Loose && holdsNumbers(text[a.Start:a.End]): // the expected items are texts
		v.label, v.detail = labelCoerced, itemsCast
	case a.Loose:
		v.label, v.detail = labelReformatted, a.Rule
	case a.Layer == "quotes":
		v.label, v.detail = traits.LabelQuoted, ""
	case a.Layer == "fence":
		v.label, v.detail = traits.LabelFenced, ""
	case a.Layer == "full stop" && strings.HasSuffix(pylit.Strip(text), ","):
		v.label, v.detail = labelReformatted, "a tuple"
	case a.Layer == "full stop":
	case a.Layer != "":
		v.label, v.detail = traits.LabelMarked, a.Layer
	case a.Whole && r.ellipsis:
		v.label, v.detail = labelReformatted, "ellipsis dropped"
	case a.Whole:
		v.detail = listComments
	case finish == verbatim.FinishLength && traits.LoopsOf(text, text[a.Start:a.End]):
		v.label, v.detail = traits.LabelLooped, "copies of the answer"
	case traits.IsMarkup(text[:a.Start] + text[a.End:]):
		v.label, v.detail = traits.LabelMarked, "no words around"
	}
	return v
}

// noAnswer describes a reply without an answer. A reply that is only a damaged list, or
// that the token limit ended within one, is read with SortBench's repairs.
func (j *listJudge) noAnswer(text, got string, finish verbatim.Finish, s *Scratch) listVerdict {
	if extract.IsProgram(got) && !traits.Declines(got) && !(finish == verbatim.FinishLength && namesOpenList(got)) {
		return listVerdict{label: traits.LabelCode}
	}
	if list := unassigned(got); strings.IndexByte("[(\\", list[0]) >= 0 {
		if v, ok := j.damaged(text, list, finish, s); ok {
			return v
		}
	} else if finish == verbatim.FinishLength {
		if v, ok := j.unfinished(got, s); ok {
			return v
		}
		if listsItems(got) {
			return listVerdict{label: "unparsed", detail: "not closed"}
		}
	}
	if strings.HasSuffix(got, "]") && colonBeforeList.MatchString(got) && !traits.Declines(got) && !j.givesBack(got) {
		return listVerdict{label: "unparsed", detail: "the list cannot be read"}
	}
	if bare := lineNumber.ReplaceAllString(got, ""); extract.IsWordless(bare) && !strings.ContainsAny(bare, "|[ ") {
		return j.lines(bare, s)
	}
	if len(strings.Fields(got)) < 3 && !extract.IsProse(got) && !traits.Declines(got) {
		return listVerdict{label: "unparsed"}
	}
	return listVerdict{label: traits.NonAnswer(got, func() bool { return j.givesBack(got) }, extract.IsProgram(got))}
}

// assignment matches a name and an equals sign before a list.
var assignment = regexp.MustCompile(`^[A-Za-z_]\w* ?= ?\[`)

// colonBeforeList matches a colon before a list.
var colonBeforeList = regexp.MustCompile(`:\s+\[`)

// lineNumber matches a number with its mark, or a bullet, before a line.
var lineNumber = regexp.MustCompile(`(?m)^(\d+[.)]|[-*•]) `)

// unassigned removes the name and the equals sign before the list of a reply of one line.
func unassigned(got string) string {
	if m := assignment.FindString(got); m != "" && !strings.ContainsAny(got[len(m):], "\n=") {
		return got[len(m)-1:]
	}
	return got
}

// namesOpenList reports whether a reply ends in a list that it does not close, with a colon before it and outside
// of a fence.
func namesOpenList(got string) bool {
	open := lastOpen(got)
	return open > 0 && strings.HasSuffix(strings.TrimRight(got[:open], " `*\n"), ":") && strings.Count(got[:open], "```")%2 == 0
}

// lines describes a reply of lines that are neither items of the expected type nor words.
func (j *listJudge) lines(got string, s *Scratch) listVerdict {
	r := reading{parsed: true, isList: true, text: got}
	for line := range strings.SplitSeq(got, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			r.items = append(r.items, pylit.MakeStr(line))
		}
	}
	r.count(j, s)
	return j.mistake(r, true)
}

// damaged describes a reply that begins as a list.
func (j *listJudge) damaged(text, got string, finish verbatim.Finish, s *Scratch) (v listVerdict, ok bool) {
	r := j.repaired(got, s)
	_, loops := traits.LoopsBeyond(got, j.printed)
	switch {
	case loops && (finish == verbatim.FinishLength || !r.parsed) && !traits.Declines(got):
		v = listVerdict{label: traits.LabelLooped}
	case r.parsed && j.right(r):
		start := strings.Index(text, got)
		detail := r.formatting()
		v = listVerdict{label: formattingLabel(detail), detail: detail}
		if finish != verbatim.FinishLength {
			v.extracted, v.rule, v.span = true, "repair: "+r.repair.name, &verbatim.Span{Start: start, End: start + len(got)}
		}
	case r.parsed && finish == verbatim.FinishLength && got[len(got)-1] != ']':
		r.count(j, s)
		v = j.cutMistake(r)
	case r.parsed:
		r.count(j, s)
		v = j.mistake(r, true)
	case !traits.Declines(got):
		v = listVerdict{label: "unparsed", detail: r.trouble}
	default:
		return v, false
	}
	return v, true
}

// unfinished describes a reply that the token limit ended within a list, as far as it goes. A list that begins
// the input is described only if the item foresees it.
func (j *listJudge) unfinished(got string, s *Scratch) (v listVerdict, ok bool) {
	open := lastOpen(got)
	if open < 0 {
		return v, false
	}
	r := j.repaired(got, s)
	if !r.parsed || !j.isForeseen(r.items) || strings.Contains(got[:open], "]") {
		r = j.repaired(got[open:], s)
	}
	_, loops := traits.LoopsBeyond(got, j.printed)
	switch {
	case traits.Declines(got):
		return v, false
	case loops:
		return listVerdict{label: traits.LabelLooped}, true
	case r.parsed && !j.right(r) && (j.isForeseen(r.items) || !j.beginsInput(got[open:])):
		r.count(j, s)
		return j.cutMistake(r), true
	case !r.parsed && !j.givesBack(got):
		return listVerdict{label: "unparsed", detail: r.trouble}, true
	}
	return v, false
}

// cutMistake names what is wrong with a list that the token limit ended. Its other items are unknown.
func (j *listJudge) cutMistake(r reading) listVerdict {
	v := j.mistake(r, true)
	if v.label == "altered" || v.label == "mixed" {
		v = listVerdict{label: "unparsed", detail: "not closed"}
	}
	return v
}

// listsItems reports whether a reply that the token limit ended ends in items between commas, without brackets,
// alone in their line or behind a colon.
func listsItems(got string) bool {
	const least = 4
	got = got[strings.LastIndexByte(got, '\n')+1:]
	if i := strings.LastIndex(got, ": "); i >= 0 {
		got = got[i+len(": "):]
	}
	items := strings.Split(got, ", ")
	return len(items) >= least && !strings.Contains(got, "[") && !slices.ContainsFunc(items, func(item string) bool { return strings.Contains(item, " ") || extract.IsLetters(item) })
}

// repaired reads a text with SortBench's repairs. A row alone is a list of one row.
func (j *listJudge) repaired(text string, s *Scratch) reading {
	r := j.ownReading(text, s)
	if r.parsed && j.isRow(r.items) {
		r.items = []pylit.Value{pylit.MakeList(r.items)}
	}
	return r
}

// beginsInput reports whether the input, as Python or JSON writes it, begins with a text.
func (j *listJudge) beginsInput(text string) bool {
	plain := func(t string) string { return strings.ReplaceAll(t, "\"", "'") }
	return len(j.source) > 0 && strings.HasPrefix(plain(pylit.MakeList(j.source).String()), strings.TrimRight(plain(text), ", "))
}

// isForeseen reports whether items are those of a mistake that the item foresees.
func (j *listJudge) isForeseen(items []pylit.Value) bool {
	return slices.ContainsFunc(j.mistakes, func(m listForeseen) bool { return sameAnswer(items, m.list) })
}

// lastOpen returns where the outermost list begins that the last paragraph of a text does not close; -1 without one.
func lastOpen(text string) int {
	depth, open := 0, -1
	for i := len(text) - 1; i >= 0 && !(open >= 0 && strings.HasPrefix(text[i:], "\n\n")); i-- {
		switch text[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth < 0 {
				depth, open = 0, i
			}
		}
	}
	return open
}

// givesBack reports whether a reply without an answer gives the input or the question back.
func (j *listJudge) givesBack(reply string) bool {
	return extract.IsEcho(j.question, reply) || extract.MostlyEcho(reply, j.asked)
}
