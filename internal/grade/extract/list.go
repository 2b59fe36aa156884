package extract

import (
	"strings"
	"unicode/utf8"

	"verbatim/internal/pylit"
)

// listAt reads the list that text[from:to] starts with and returns its items and its end.
// A loose one is no literal of Python: words without quotes, broken quotes.
func (s *scan) listAt(from, to int) (items []pylit.Value, end int, loose, ok bool) {
	t := s.text[from:to]
	if t == "" || t[0] != '[' {
		return nil, 0, false, false
	}
	if v, n, ok := new(pylit.Parser).Prefix(t); ok && v.Kind() == pylit.List {
		return v.Items(), from + n, false, true
	}
	n := strings.IndexByte(t, ']')
	if n < 0 || strings.LastIndexByte(t[:n], '[') > 0 || !s.on("loose list") {
		return nil, 0, false, false
	}
	items, ok = s.itemsOf(strings.Split(strings.TrimRight(strings.TrimSpace(t[1:n]), `,\ `), ","))
	return items, from + n + 1, true, ok
}

// itemsOf reads items written without brackets. All must have the type of the question.
func (s *scan) itemsOf(texts []string) ([]pylit.Value, bool) {
	items := make([]pylit.Value, 0, len(texts))
	for _, t := range texts {
		v, ok := s.itemOf(strings.TrimSpace(t))
		if !ok {
			return nil, false
		}
		items = append(items, v)
	}
	return items, true
}

// itemOf reads an item written without brackets around the list.
func (s *scan) itemOf(t string) (pylit.Value, bool) {
	for _, m := range [...]string{"**", "`", "'", `"`} {
		if len(t) > 2*len(m) && strings.HasPrefix(t, m) && strings.HasSuffix(t, m) {
			t = t[len(m) : len(t)-len(m)]
		}
	}
	if s.q.Item != pylit.Str {
		v, err := pylit.Parse(t)
		return v, t != "" && err == nil && (v.Kind() == pylit.Int || v.Kind() == pylit.Float || v.Kind() == pylit.Bool)
	}
	t = strings.Trim(t, "'")
	if t == "" || len(t) > 200 || strings.ContainsAny(t, "[]{}()=:\n\"`") || !s.q.Spaces && strings.ContainsAny(t, " \t") ||
		strings.Trim(t, "0123456789.-") == "" {
		return pylit.Value{}, false
	}
	return pylit.MakeStr(t), true
}

// maxLists is the number of brackets that are read at the start of a reply, and at its end.
const maxLists = 500

// A bracket is where a list may begin, and the part that it is in.
type bracket struct{ at, part int }

// lists collects the candidates for a list.
func (s *scan) lists() {
	end := s.from
	for _, b := range s.brackets() {
		if b.at >= end {
			if e, ok := s.bracketed(b, end); ok {
				end = e
			}
		}
	}
	s.plainLists()
}

// brackets returns the places of opening brackets outside programs.
func (s *scan) brackets() (out []bracket) {
	for i, p := range s.parts {
		if p.fence && (s.on("code") && isCodeBlock(s.text[p.start:p.end]) || !p.closed && s.on("truncated")) {
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
func isCodeBlock(t string) bool {
	t = strings.TrimSpace(t)
	if i := strings.IndexByte(t, '['); i >= 0 && !strings.ContainsAny(t[:i], "\n()") {
		if _, n, ok := new(pylit.Parser).Prefix(t[i:]); ok && strings.TrimSpace(t[i+n:]) == "" {
			return false
		}
	}
	return isCode(t) || strings.Contains(t, "=")
}

// bracketed offers the list at a bracket; last is the end of the list before it.
func (s *scan) bracketed(b bracket, last int) (end int, ok bool) {
	to := s.to
	if s.parts[b.part].fence {
		to = s.parts[b.part].end
	}
	items, end, loose, ok := s.listAt(b.at, to)
	if !ok {
		return 0, false
	}
	r := s.roleOfList(b, last, end, to)
	if r == denied || len(items) == 0 && r < asAnswer {
		return end, true
	}
	strength := s.strengthOf(r, true)
	if r == unnamed {
		strength = weak
		if s.begins(b.at) {
			strength = alone
		}
	}
	s.add(candidate{Answer: Answer{Start: b.at, End: end, Rule: ruleOf(r, "list in the text"), Items: items, Loose: loose}, strength: strength, closed: true, echo: s.given(items)})
	return end, true
}

// given reports whether items are the input.
func (s *scan) given(items []pylit.Value) bool {
	if s.q.Given == nil || len(items) != len(s.q.Given) {
		return false
	}
	for i := range items {
		if !pylit.Equal(items[i], s.q.Given[i]) {
			return false
		}
	}
	return true
}

// roleOfList judges a list by its line, or by the line above where it begins one.
func (s *scan) roleOfList(b bracket, last, end, to int) role {
	start := max(strings.LastIndexByte(s.text[:b.at], '\n')+1, s.from)
	before := s.text[max(start, b.at-4*maxLead):b.at]
	if call := strings.TrimRight(before, " "); strings.HasSuffix(call, "(") {
		if r, n := utf8.DecodeLastRuneInString(call[:len(call)-1]); n > 0 && (isWordRune(r) || r == '_') && s.on("code") {
			return denied // sorted([…])
		}
	}
	after := head(s.text[end:to], maxLead)
	if n := strings.IndexByte(after, '\n'); n >= 0 {
		after = after[:n]
	}
	if s.begins(b.at) || s.parts[b.part].fence {
		if r := s.roleOf("", "", after); r == denied || r == asInput {
			return r
		}
		return s.roleAbove(b.part)
	}
	sentence := before[sentenceStart(before):]
	lead := sentence
	if last > start {
		lead = s.text[max(last, b.at-len(sentence)):b.at]
	}
	r := s.roleOf(sentence, lead, after)
	if strings.HasSuffix(strings.TrimRight(before, " "), `\boxed{`) && r != denied {
		return asFinal
	}
	return r
}

// begins reports whether a list begins its line.
func (s *scan) begins(at int) bool {
	line := s.text[strings.LastIndexByte(s.text[:at], '\n')+1 : at]
	return strings.Trim(line, " *`\"'$\\(->•\t") == ""
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
