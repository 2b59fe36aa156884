package extract

import (
	"strings"
	"unicode/utf8"
)

// withdrawal returns the place before which answers are taken back; 0 if none are. The words that do so
// must call the answer wrong, or a candidate must be behind them.
func (s *scan) withdrawal() int {
	if !s.on("withdrawn") || s.q.Code || len(s.found) == 0 {
		return 0
	}
	at := 0
	for _, p := range s.parts {
		if p.fence || !s.near(p.start) {
			continue
		}
		text := Head(s.text[p.start:p.end], 1<<14)
		for from := 0; from < len(text); from = nextSentence(text, from) {
			here := p.start + from
			if startsWithPhrase(s.normal(here, here+len(Head(text[from:], 40))), withdrawals) && (s.wrongBehind(here) || s.answerBehind(here)) {
				at = here
			}
		}
		if here := s.correction(p.start, p.start+len(text)); here > at && s.answerBehind(here) {
			at = here
		}
	}
	return at
}

// correction returns the last place in text[from:to] where words within a sentence take back what is before
// them; 0 without one.
func (s *scan) correction(from, to int) int {
	if len(s.found) < 2 || s.q.Kind == List {
		return 0 // there is nothing to take back
	}
	t := s.text[from:to]
	for i := len(t) - 2; i > 0; i-- {
		if t[i] != ' ' || strings.IndexByte(",;.-?", t[i-1]) < 0 && t[i-1] < utf8.RuneSelf || t[i+1] < utf8.RuneSelf && !beginnings().Known[t[i+1]|0x20] {
			continue
		}
		if startsWithPhrase(strings.ToLower(Head(t[i+1:], maxMark)), corrections) {
			return from + i + 1
		}
	}
	return 0
}

// wrongBehind reports whether the words behind a place call an answer wrong.
func (s *scan) wrongBehind(at int) bool {
	return HasPhrase(NormalText(Head(s.text[at:s.to], 200)), wrongs)
}

// answerBehind reports whether there is a candidate behind a place that is not the input.
func (s *scan) answerBehind(at int) bool {
	for i := len(s.found) - 1; i >= 0; i-- { // the last ones are most often behind it
		if c := &s.found[i]; c.Start >= at && (!c.echo || s.q.Kind != Integer && c.strength >= marked) {
			return true
		}
	}
	return false
}
