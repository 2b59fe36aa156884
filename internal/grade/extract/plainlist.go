package extract

import (
	"slices"
	"strings"

	"verbatim/internal/pylit"
)

// The bounds of lists without brackets.
const (
	maxPlainLine = 1 << 20 // bytes of a line
	plainReach   = 1 << 18 // bytes from the start or the end of a reply to the start of a list
)

// plainLists offers lists without brackets: items in lines, with or without bullets or
// numbers, columns of tables, and items between separators.
func (s *scan) plainLists() {
	if !s.on("plain list") {
		return
	}
	for i := 0; i < len(s.parts); i++ {
		p := s.parts[i]
		switch {
		case p.start-s.from > plainReach && s.to-p.start > plainReach:
		case p.fence:
			s.plainFence(i)
		default:
			if j := s.linesOfItems(i); j > i {
				i = j - 1
			} else if j := s.table(i); j > i {
				i = j - 1
			} else {
				s.itemsInLine(i)
			}
		}
	}
}

// linesOfItems offers the items that begin at part i, one per line, and returns the part
// behind them; i if there are fewer than two.
func (s *scan) linesOfItems(i int) int {
	items := s.run[:0]
	first, last := i, i // the parts of the first and of the last item
	n := 0              // the number of items up to the last one that is sure
	j := i
	for ; j < len(s.parts) && !s.parts[j].fence && len(items) < maxPlainItems; j++ {
		v, sure, ok := s.lineItem(s.text[s.parts[j].start:s.parts[j].end])
		if !ok {
			break
		}
		if !sure && s.q.Spaces {
			if len(items) == 0 { // a line of talk above
				return i
			}
			items = append(items, v)
			continue
		}
		if len(items) == 0 {
			first = j
		}
		items = append(items, v)
		last, n = j, len(items)
	}
	s.run = items // its memory, for the next lines
	switch {
	case n >= maxPlainItems:
		return j
	case n < 2:
		return i
	}
	r := s.roleAbove(first)
	next := len(s.found)
	s.plainItems(s.parts[first].start, s.parts[last].end, slices.Clone(items[:n]), r)
	if r == unnamed && first == 0 && len(s.found) > next && s.found[next].echo {
		s.found[next].strength = alone // the reply begins with the items
	}
	return last + 1
}

// lineItem reads a line as an item. sure: the prompt shows the item, or the line has a bullet or a number.
func (s *scan) lineItem(line string) (v pylit.Value, sure, ok bool) {
	if len(line) > 1<<12 {
		return v, false, false
	}
	t, bullet := trimItem(line)
	tried := -1
	for _, t := range [...]string{line, t, strings.TrimRight(t, ","), beforeNote(t)} {
		if len(t) == tried {
			continue // the same as the last one, of which it is a part
		}
		tried = len(t)
		if v, ok := s.knownItem(t); ok {
			return v, true, true
		}
	}
	t = strings.TrimRight(t, ",")
	v, ok = s.itemOf(t)
	if short := beforeNote(t); !ok && len(short) < len(t) {
		v, ok = s.itemOf(short)
		ok = ok && s.q.Shown.has(&v)
	}
	return v, bullet, ok && !(v.Kind() == pylit.Str && strings.HasSuffix(v.Text(), "."))
}

// beforeNote removes a note in parentheses at the end of a line.
func beforeNote(t string) string {
	if at := strings.Index(t, " ("); at > 0 && strings.HasSuffix(t, ")") {
		return t[:at]
	}
	return t
}

// plainItems offers the items of text[a:b], which have no brackets around them, with the role.
func (s *scan) plainItems(a, b int, items []pylit.Value, r role) {
	if r == asInput && s.reordered(items) {
		r = linked
	}
	strength := s.strengthOf(r, false)
	if r == unnamed {
		strength = weak
	}
	texts := s.q.Item == pylit.Str || s.q.Item == pylit.List
	if texts && s.q.Shown.hasItems() && 2*s.q.Shown.known(items) < len(items) {
		return
	}
	s.add(candidate{Answer: Answer{Start: a, End: b, Rule: "plain list", Items: items, Loose: true}, strength: strength, echo: s.q.Shown.isOne(items)})
}

// plainFence offers the items of a fence, in lines or between separators.
func (s *scan) plainFence(i int) {
	p := s.parts[i]
	a, b := trim(s.text, p.start, p.end)
	if a == b || !p.closed || b-a > maxPlainLine {
		return
	}
	if strings.IndexByte(s.text[a:b], '\n') < 0 {
		if items, ok := s.separated(s.text[a:b], true); ok {
			s.plainItems(a, b, items, s.roleAbove(i))
		}
		return
	}
	var items []pylit.Value
	for line := range strings.SplitSeq(s.text[a:b], "\n") {
		v, _, ok := s.lineItem(strings.TrimSpace(line))
		if !ok {
			return
		}
		items = append(items, v)
	}
	s.plainItems(a, b, items, s.roleAbove(i))
}

// itemsInLine offers the items of a line such as "3, 5, 8" or "3 < 5 < 8", alone in it or behind words.
func (s *scan) itemsInLine(i int) {
	p := s.parts[i]
	line := s.text[p.start:p.end]
	if len(line) > maxPlainLine {
		return
	}
	if strings.IndexByte(line, '[') < 0 {
		if items, ok := s.separated(line, true); ok {
			s.plainItems(p.start, p.end, items, s.roleAbove(i))
			return
		}
	}
	start := s.itemsAfterWords(line, behindLink(line))
	lead := line[:start]
	a, b := trim(s.text, p.start+start, p.end)
	if strings.IndexByte(s.text[a:b], '[') >= 0 {
		return
	}
	var items []pylit.Value
	ok, set := false, false       // set: braces were around the items
	if a > p.start || b < p.end { // otherwise it was tried above
		items, ok = s.separated(s.text[a:b], true)
	}
	for layers := 0; !ok && layers < 4; layers++ {
		from, to, was := a, b, set
		if strings.HasPrefix(s.text[a:b], `\boxed{`) {
			lead, a = "final answer:", a+len(`\boxed{`)
		}
		var braces bool
		a, b, braces = s.withoutMarks(a, b)
		set = set || braces
		if layers > 0 && a == from && b == to && set == was {
			break // nothing came off
		}
		items, ok = s.separated(s.text[a:b], set)
	}
	switch {
	case !ok:
	case lead == "":
		s.plainItems(a, b, items, s.roleAbove(i))
	default:
		if r := s.roleOfLead(lead); r != unnamed {
			s.plainItems(a, b, items, r)
		}
	}
}

// table offers the column of a table whose cells are items, and returns the part behind the
// table; i without a table. It offers neither of two such columns.
func (s *scan) table(i int) int {
	if s.q.Item == pylit.List {
		return i // its lines are items
	}
	j := i
	var lines [][]string
	for ; j < len(s.parts) && !s.parts[j].fence && len(lines) < maxPlainItems; j++ {
		line := s.text[s.parts[j].start:s.parts[j].end]
		if len(line) > 1<<12 || !strings.HasPrefix(line, "|") {
			break
		}
		cells := strings.Split(strings.Trim(line, "| "), "|")
		switch {
		case strings.Trim(line, "|-: ") == "":
			lines = lines[:0] // the heading
		case len(lines) > 0 && len(cells) != len(lines[0]):
			return i
		default:
			lines = append(lines, cells)
		}
	}
	if len(lines) < 2 {
		return i
	}
	var found []pylit.Value
	for column := range lines[0] {
		items := make([]pylit.Value, 0, len(lines))
		for _, cells := range lines {
			v, ok := s.itemOf(strings.TrimSpace(cells[column]))
			if !ok {
				break
			}
			items = append(items, v)
		}
		if len(items) < len(lines) || 2*s.q.Shown.known(items) < len(items) {
			continue
		}
		if found != nil && !sameValues(found, items) {
			return j
		}
		found = items
	}
	if found != nil {
		s.plainItems(s.parts[i].start, s.parts[j-1].end, found, s.roleAbove(i))
	}
	return j
}

// linkAfterSpace are the second bytes of the links that begin with a space.
var linkAfterSpace = func() (table [256]bool) {
	for _, link := range itemLinks {
		if link[0] == ' ' {
			table[link[1]] = true
		}
	}
	return table
}()

// behindLink returns where the last link of a line ends; 0 without a link.
func behindLink(line string) int {
	for at := len(line) - 1; at >= 0; at-- {
		switch line[at] {
		case ' ':
			if at+1 == len(line) || !linkAfterSpace[line[at+1]] {
				continue
			}
			fallthrough
		case ':', "："[0]:
			start := 0
			for _, link := range itemLinks {
				if strings.HasPrefix(line[at:], link) {
					start = max(start, at+len(link))
				}
			}
			if start > 0 {
				return start
			}
		}
	}
	return 0
}

// itemsAfterWords returns where the items of line[start:] begin, behind words that offer them; start without such
// words.
func (s *scan) itemsAfterWords(line string, start int) int {
	for comma := start; !s.q.Spaces && strings.IndexByte(line, '[') < 0 && comma < min(len(line), start+maxLead); comma++ {
		n := strings.Index(line[comma:], ", ")
		if n < 0 {
			break
		}
		comma += n
		at := strings.LastIndexByte(line[:comma], ' ')
		if _, ok := s.itemOf(line[at+1 : comma]); !ok {
			continue
		}
		if at > start && endsInLink(NormalText(tail(line[:at], maxLead))) {
			return at + 1
		}
		break
	}
	return start
}

// withoutMarks removes one layer of marks around a list without brackets: marks that set it apart, braces, or the
// end of its sentence with a single bracket. braces: it removed braces. What they hold is a list only if the
// prompt shows its items.
func (s *scan) withoutMarks(a, b int) (from, to int, braces bool) {
	t := s.text[a:b]
	for _, m := range [...]string{"**", "`", "$", `"`} {
		if len(t) > 2*len(m) && strings.HasPrefix(t, m) && strings.HasSuffix(t, m) && strings.Count(t, m) == 2 {
			return a + len(m), b - len(m), false
		}
	}
	if len(t) > 2 && t[0] == '{' && t[len(t)-1] == '}' {
		return a + 1, b - 1, true
	}
	t = strings.TrimRight(t, "., ]}。")
	for _, copula := range copulas {
		t = strings.TrimSuffix(t, " "+copula)
	}
	return a, a + len(t), false
}
