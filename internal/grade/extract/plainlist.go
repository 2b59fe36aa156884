package extract

import (
	"strings"

	"verbatim/internal/pylit"
)

// plainLists offers lists without brackets: items in lines, with or without bullets or
// numbers, and items between commas.
func (s *scan) plainLists() {
	if !s.on("plain list") {
		return
	}
	for i := 0; i < len(s.parts); {
		if s.parts[i].fence {
			s.plainFence(i)
			i++
			continue
		}
		var items []pylit.Value
		j := i
		for ; j < len(s.parts) && !s.parts[j].fence; j++ {
			v, ok := s.itemOf(withoutBullet(s.text[s.parts[j].start:s.parts[j].end]))
			if !ok || v.Kind() == pylit.Str && strings.HasSuffix(v.Text(), ".") {
				break
			}
			items = append(items, v)
		}
		if len(items) >= 2 {
			s.plainItems(s.parts[i].start, s.parts[j-1].end, items, s.roleAbove(i))
			i = j
			continue
		}
		s.commaLine(i)
		i++
	}
}

// plainItems offers items that have no brackets.
func (s *scan) plainItems(a, b int, items []pylit.Value, r role) {
	strength := s.strengthOf(r, false)
	if r == unnamed {
		strength = weak
	}
	if !s.known(items) {
		return
	}
	s.add(candidate{Answer: Answer{Start: a, End: b, Rule: "plain list", Items: items, Loose: true}, strength: strength, echo: s.given(items)})
}

// known reports whether words without brackets are items: half of them were given.
func (s *scan) known(items []pylit.Value) bool {
	if s.q.Item != pylit.Str || len(s.q.Given) == 0 {
		return true
	}
	given := map[string]bool{}
	for i := range s.q.Given {
		given[strings.ToLower(s.q.Given[i].Text())] = true
	}
	n := 0
	for i := range items {
		if given[strings.ToLower(items[i].Text())] {
			n++
		}
	}
	return 2*n >= len(items)
}

// plainFence: a fence with items in lines or between commas.
func (s *scan) plainFence(i int) {
	p := s.parts[i]
	a, b := trim(s.text, p.start, p.end)
	if a == b || !p.closed {
		return
	}
	texts := strings.Split(s.text[a:b], "\n")
	if len(texts) == 1 {
		texts = strings.Split(texts[0], ",")
	}
	for k := range texts {
		texts[k] = withoutBullet(strings.TrimSpace(texts[k]))
	}
	if items, ok := s.itemsOf(texts); ok && len(items) >= 2 {
		s.plainItems(a, b, items, s.roleAbove(i))
	}
}

// commaLine: "3, 5, 8", on its own or after a colon.
func (s *scan) commaLine(i int) {
	p := s.parts[i]
	line := s.text[p.start:p.end]
	if strings.IndexByte(line, ',') < 0 || strings.IndexByte(line, '[') >= 0 {
		return
	}
	start := 0
	for _, link := range [...]string{": ", " is ", " = ", ":** "} {
		if at := strings.LastIndex(line, link); at >= 0 {
			start = max(start, at+len(link))
		}
	}
	lead := line[:start]
	a, b := trim(s.text, p.start+start, p.end)
	if rest, ok := strings.CutSuffix(s.text[a:b], "."); ok {
		b = a + len(rest)
	}
	for _, m := range [...]string{"**", "`", "$", `"`, "("} {
		t := s.text[a:b]
		end := strings.Replace(m, "(", ")", 1)
		if len(t) > 2*len(m) && strings.HasPrefix(t, m) && strings.HasSuffix(t, end) && (m == "(" || strings.Count(t, m) == 2) && m != "(" {
			a, b = a+len(m), b-len(end)
		}
	}
	if strings.HasPrefix(s.text[a:b], `\boxed{`) {
		lead = "final answer:"
		a, b = a+len(`\boxed{`), a+len(strings.TrimRight(s.text[a:b], "}"))
	}
	t := strings.TrimRight(s.text[a:b], "., ")
	b = a + len(t)
	t = strings.Replace(strings.Replace(t, ", and ", ", ", 1), " and ", ", ", 1)
	items, ok := s.itemsOf(strings.Split(t, ","))
	switch {
	case !ok || len(items) < 2:
	case lead == "":
		s.plainItems(a, b, items, s.roleAbove(i))
	default:
		if r := s.roleOf(lead, lead, ""); r != unnamed {
			s.plainItems(a, b, items, r)
		}
	}
}

// withoutBullet takes a bullet or a number off a line, and a comma at its end.
func withoutBullet(t string) string {
	n := digitsEnd(t, 0)
	switch {
	case n > 0 && n < 5 && n+1 < len(t) && (t[n] == '.' || t[n] == ')') && t[n+1] == ' ':
		t = strings.TrimSpace(t[n+2:])
	default:
		for _, m := range [...]string{"- ", "* ", "• ", "– ", "+ "} {
			if rest, ok := strings.CutPrefix(t, m); ok {
				t = strings.TrimSpace(rest)
				break
			}
		}
	}
	return strings.TrimRight(t, ",")
}
