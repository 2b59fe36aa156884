package extract

// withdrawal returns the position before which answers are taken back: there is a
// candidate behind the words that do so, or they call the answer wrong.
func (s *scan) withdrawal() int {
	if !s.on("withdrawn") || s.q.Code {
		return 0
	}
	at := 0
	for _, p := range s.parts {
		if p.fence || !s.near(p.start) {
			continue
		}
		text := head(s.text[p.start:p.end], 1<<14)
		for from := 0; from < len(text); from = nextSentence(text, from) {
			here := p.start + from
			if !startsPhrase(s.normal(here, here+len(head(text[from:], 40))), withdrawals) {
				continue
			}
			behind := hasPhrase(normal(head(s.text[here:s.to], 200)), wrongs)
			for j := len(s.found) - 1; j >= 0 && !behind; j-- {
				behind = s.found[j].Start >= here && (!s.found[j].echo || s.q.Kind == Text && s.found[j].strength >= marked)
			}
			if behind {
				at = here
			}
		}
	}
	return at
}
