package extract

import (
	"slices"
	"sort"
	"strings"

	"verbatim/internal/pylit"
)

// listAt reads the list at the start of text[from:to] and returns its items and its end.
// A loose list is not a Python literal: words without quotes, or broken quotes.
func (s *scan) listAt(from, to int) (items []pylit.Value, end int, loose, ok bool) {
	t := s.text[from:to]
	if t == "" || t[0] != '[' {
		return nil, 0, false, false
	}
	if v, n, ok := s.literalAt(from, to); ok {
		if items, ok := s.asWritten(t[:n], v.Items()); ok {
			return items, from + n, true, true
		}
		return s.values.Keep(v).Items(), from + n, false, true
	}
	inner := 1 + strings.IndexByte(t[1:], '[')
	if inner > 0 {
		t = t[:inner]
	}
	n := strings.IndexByte(t, ']')
	if n < 0 && inner == 0 {
		return s.unclosed(from, to)
	}
	if n < 0 || !s.on("loose list") {
		return nil, 0, false, false
	}
	if !s.splitItems(strings.TrimRight(strings.TrimSpace(t[1:n]), `,\ `), ",", false) {
		return nil, 0, false, false
	}
	return slices.Clone(s.run), from + n + 1, true, true
}

// literalAt reads the literal at the start of text[from:to] and returns its length; false if it is not a list.
func (s *scan) literalAt(from, to int) (v pylit.Value, n int, ok bool) {
	if s.broken[from] {
		return v, 0, false
	}
	v, n, ok = s.values.Prefix(s.text[from:to])
	s.seen += s.values.Seen()
	if !ok {
		s.noteBroken(from, to)
	}
	return v, n, ok && v.Kind() == pylit.List
}

// noteBroken notes which of the lists inside the one at text[from], which cannot be read, cannot be read either. So each
// is read a few times, and not once for each list around it.
func (s *scan) noteBroken(from, to int) {
	places, tooDeep := s.values.Unclosed(s.text[from:to])
	n := len(places)
	readable := func(i int) bool {
		_, _, ok := s.values.Prefix(s.text[from+places[i] : to])
		s.seen += s.values.Seen()
		return ok
	}
	if tooDeep && readable(n-1) { // then all lists inside a readable one are readable
		n = sort.Search(n-1, readable)
	}
	if s.broken == nil {
		s.broken = map[int]bool{}
	}
	for _, at := range places[:n] {
		s.broken[from+at] = true
	}
}

// unclosed reads the last list of a reply, which ends without a bracket. The token limit must not have ended it.
func (s *scan) unclosed(from, to int) (items []pylit.Value, end int, loose, ok bool) {
	t := s.text[from:to]
	if s.cut || to != s.to || !s.on("unclosed list") || strings.Contains(t, "\n\n") {
		return nil, 0, false, false
	}
	if !s.splitItems(strings.TrimRight(t[1:], ", \n"), ",", false) || len(s.run) < 2 {
		return nil, 0, false, false
	}
	return slices.Clone(s.run), to, true, true
}

// asWritten reads a list of numbers as the texts of the prompt: 1e2 for '1e2'.
func (s *scan) asWritten(t string, items []pylit.Value) ([]pylit.Value, bool) {
	if s.q.Item != pylit.Str || len(items) == 0 || items[0].Kind() != pylit.Int && items[0].Kind() != pylit.Float || !s.on("loose list") {
		return nil, false
	}
	if !s.splitItems(strings.Trim(t, "[] \n"), ",", false) || s.q.Shown.known(s.run) < len(s.run) {
		return nil, false
	}
	return slices.Clone(s.run), true
}

// maxLists is the number of brackets that are read at the start of a reply, and at its end.
const maxLists = 500

// A bracket is a place where a list may begin, and the index of its part.
type bracket struct{ at, part int }

// lists collects the candidates for a list.
func (s *scan) lists() {
	end := s.from
	clear(s.broken) // wholeReply read with other ends
	for _, b := range s.brackets() {
		if b.at >= end {
			if e, ok := s.bracketed(b, end); ok {
				end = e
			}
		}
	}
	s.plainLists()
}

// brackets returns the opening brackets outside programs; of very many, the first and the last ones.
func (s *scan) brackets() (out []bracket) {
	for i, p := range s.parts {
		if p.fence && (s.on("code") && s.isCodeBlock(s.text[p.start:p.end]) || !p.closed && s.on("truncated")) {
			continue
		}
		for at := p.start; at < p.end; at++ {
			n := strings.IndexByte(s.text[at:p.end], '[')
			if n < 0 {
				break
			}
			at += n
			if len(out) == 2*maxLists {
				out = append(out[:maxLists], out[maxLists+maxLists/2:]...)
			}
			out = append(out, bracket{at, i})
		}
	}
	return out
}

// isCodeBlock reports whether a block is a program, not a literal or an assignment.
func (s *scan) isCodeBlock(t string) bool {
	t = strings.TrimSpace(t)
	if i := strings.IndexByte(t, '['); i >= 0 && !strings.ContainsAny(t[:i], "\n()") {
		if _, n, ok := s.literals.Prefix(t[i:]); ok && strings.TrimSpace(t[i+n:]) == "" {
			return false
		}
	}
	return isCode(t) || strings.Contains(t, "=")
}

// bracketed offers the list at a bracket and returns its end; false if it cannot be read. last is the end of the list
// before it.
func (s *scan) bracketed(b bracket, last int) (end int, ok bool) {
	to := s.to
	if s.parts[b.part].fence {
		to = s.parts[b.part].end
	}
	items, end, loose, ok := s.listAt(b.at, to)
	if !ok {
		s.noteUnread(b, last, to)
		return 0, false
	}
	if s.cut && s.on("truncated") && strings.HasSuffix(strings.TrimRight(s.text[:b.at], " \n"), "[") {
		return end, true // a row of a list that the token limit ended
	}
	if s.q.Item == pylit.List && len(items) > 0 && items[0].Kind() != pylit.List {
		row := items
		if items, end = s.rowsAt(b.at, to); len(items) < 2 && !(s.isRow(row) && !strings.HasSuffix(s.text[:b.at], "[") && s.roleOfList(b, last, end, to) >= asAnswer) {
			return end, true // a row is not a list of rows
		}
		loose = true
	}
	r := s.roleOfList(b, last, end, to)
	if r == asInput && (s.reordered(items) || !s.q.Shown.isOne(items) && s.hasPurpose()) {
		r = linked
	}
	if r == denied || len(items) == 0 && r < asAnswer {
		return end, true
	}
	echo := s.q.Shown.isOne(items)
	if echo && r == linked && s.on("produced") && s.produces(b.at, end, to) {
		r = asAnswer // an input that is in the right order
	}
	s.add(candidate{Answer: Answer{Start: b.at, End: end, Rule: ruleOf(r, "list in the text"), Items: items, Loose: loose}, strength: s.strengthOfList(r, b.at, end), closed: true, echo: echo})
	return end, true
}

// produces reports whether words around the list text[at:end] call it a result.
func (s *scan) produces(at, end, to int) bool {
	before, after := tail(s.text[s.lineStart(at):at], maxLead), Head(s.text[end:to], maxLead)
	return endsInPhrase(NormalText(before), producing) || startsWithPhrase(NormalText(after), answerAfter)
}

// strengthOfList returns the strength of the list text[at:end] with the role.
func (s *scan) strengthOfList(r role, at, end int) int {
	switch {
	case r != unnamed:
		return s.strengthOf(r, true)
	case !s.begins(at):
		return weak
	case end == s.to: // the last line
		return marked
	}
	return alone
}

// isRow reports whether items are a row: they have the kinds of the columns.
func (s *scan) isRow(items []pylit.Value) bool {
	return len(items) > 0 && slices.EqualFunc(items, s.q.Shown.Columns(), func(v pylit.Value, kind pylit.Kind) bool { return v.Kind() == kind })
}

// rowsAt reads rows that are literals, one after the other, and returns the end of the last one.
func (s *scan) rowsAt(at, to int) (rows []pylit.Value, end int) {
	kinds := s.q.Shown.Columns()
	end = at + 1
	for len(rows) < maxPlainItems {
		v, n, ok := s.values.Prefix(s.text[at:min(to, at+1<<12)])
		if !ok || v.Kind() != pylit.List || len(v.Items()) != len(kinds) {
			break
		}
		rows = append(rows, s.values.Keep(v))
		end = at + n
		at = end
		for at < to && strings.IndexByte(" ,\n\r\t-*.)0123456789", s.text[at]) >= 0 {
			at++
		}
		if at >= to || s.text[at] != '[' {
			break
		}
	}
	return rows, end
}

// hasPurpose reports whether a reply begins with its purpose, not with the input: "To sort a list by …:".
func (s *scan) hasPurpose() bool {
	return s.on("purpose") && strings.HasPrefix(strings.ToLower(Head(s.text[s.from:s.to], maxMark)), "to sort ")
}

// maxUnread is the number of bytes that an unreadable answer may have.
const maxUnread = 1 << 14

// noteUnread notes a list that cannot be read, is called the answer and ends the reply: then no
// list before it is the answer.
func (s *scan) noteUnread(b bracket, last, to int) {
	if to != s.to {
		return
	}
	list := s.text[b.at:to]
	if s.cut && s.on("truncated") && strings.IndexByte(list, ']') < 0 && s.roleOfList(b, last, to, to) >= asAnswer {
		s.cutAt = b.at
	}
	if !s.on("unread list") || len(list) > maxUnread || !strings.HasSuffix(list, "]") || strings.Contains(list, "\n\n") {
		return
	}
	if (s.begins(b.at) || endsInColon(s.text[s.lineStart(b.at):b.at])) && s.roleOfList(b, last, to, to) >= asAnswer {
		s.unread = b.at
	}
}

// roleOfList returns the role of the list at a bracket, which ends at end, by its line, or by the line above if it begins
// its line. last is the end of the list before it.
func (s *scan) roleOfList(b bracket, last, end, to int) role {
	start := max(s.lineStart(b.at), s.from)
	before := s.text[start:b.at]
	if s.on("code") && s.inProgram(before, start, end, to) {
		return denied
	}
	after, _, _ := strings.Cut(Head(s.text[end:to], maxLead), "\n")
	if s.begins(b.at) || s.parts[b.part].fence {
		if r := s.roleOf(end, end, end, end, end+len(after)); r.excludes() {
			return r
		}
		return s.roleAbove(b.part)
	}
	sentence := before[sentenceStart(before):]
	if s.on("example") && startsWithPhrase(NormalText(Head(sentence, 40)), listExamples) {
		return denied
	}
	from := b.at - len(sentence)
	lead := from
	if last > start {
		lead = max(last, from)
	}
	r := s.roleOf(from, lead, b.at, end, end+len(after))
	if strings.HasSuffix(strings.TrimRight(before, " "), `\boxed{`) && r != denied {
		return asFinal
	}
	return r
}

// inProgram reports whether a list, of which before is in its line and which ends at end, is part of a program. The line
// begins at start.
func (s *scan) inProgram(before string, start, end, to int) bool {
	after := s.text[end:to]
	switch {
	case endsInName(before), inCall(before): // x[1], sorted([…])
		return true
	case strings.HasSuffix(before, "[") && strings.HasPrefix(after, " for "): // [[…] for x in …]
		return true
	case strings.TrimSpace(before) == "return":
		return isCode(s.text[s.from:start])
	}
	return isAssigned(before) && isCode(after) // the program goes on behind x = […]
}

// begins reports whether a list begins its line.
func (s *scan) begins(at int) bool {
	return strings.Trim(s.text[s.lineStart(at):at], " *`\"'$\\(->•\t") == ""
}

// lineStart returns where the line of a place begins, or a place far enough before.
func (s *scan) lineStart(at int) int {
	from := max(0, at-4*maxLead)
	return from + strings.LastIndexByte(s.text[from:at], '\n') + 1
}

// sentenceStart returns where the last sentence of a line begins.
func sentenceStart(t string) int {
	from := 0
	for {
		next := nextSentence(t, from)
		if next >= len(t) {
			return from
		}
		from = next
	}
}
