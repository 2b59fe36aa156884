package extract

import (
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade/phrases"
)

// Find returns the answer that the reply commits to; false if it commits to none. Of a
// reply that the token limit ended, only an answer that was complete counts.
func Find(reply string, finish verbatim.Finish, q *Question) (Answer, bool) {
	return new(Finder).Find(reply, finish, q)
}

// A Finder finds answers and keeps its memory between replies. The zero Finder is ready; it
// is for one goroutine.
type Finder struct{ scan scan }

// maxKept is the length of replies up to which a Finder keeps its memory.
const maxKept = 1 << 20

// Find does what the function Find does. The items of the answer hold until the next call.
func (f *Finder) Find(reply string, finish verbatim.Finish, q *Question) (Answer, bool) {
	f.scan.start(reply, finish == verbatim.FinishLength, q, rules{})
	a, ok := f.scan.find()
	if len(reply) > maxKept {
		f.scan = scan{}
	}
	return a, ok
}

func (r rules) find(reply string, finish verbatim.Finish, q *Question) (Answer, bool) {
	return newScan(reply, finish == verbatim.FinishLength, q, r).find()
}

func (s *scan) find() (Answer, bool) {
	if s.from >= s.to {
		return Answer{}, false
	}
	if a, ok := s.wholeReply(); ok {
		return a, true
	}
	s.split()
	s.candidates()
	return s.choose()
}

// candidates collects the candidates of the kind that is asked for.
func (s *scan) candidates() {
	switch s.q.Kind {
	case Integer:
		s.integers()
	case List:
		s.lists()
	default:
		s.texts()
	}
}

// choose returns the strongest candidate, of equal ones the last. The input counts only
// where nothing else does.
func (s *scan) choose() (Answer, bool) {
	withdrawn := max(s.withdrawal(), s.unread)
	best := -1
	sentences := s.echoApart(withdrawn)
	ownEcho := s.echoAlone(withdrawn)
	for _, echo := range [...]bool{false, true} {
		for i := range s.found {
			c := &s.found[i]
			switch {
			case c.echo != echo && (c.echo || best >= 0) && s.on("echo"):
			case c.Start < withdrawn, s.unread > 0 && c.Start > s.unread, c.Start < s.cutAt && c.strength < named:
			case ownEcho && c.strength <= alone && !c.echo && ordinary(strings.Trim(s.text[c.Start:c.End], "'’-"), linked):
			case sentences && c.strength == weak && !c.echo && (s.q.Spaces && !s.q.Signs || phrases.IsSentence(strings.Trim(s.text[c.Start:c.End], "()"))):
			case c.echo && s.q.Kind != Text && c.strength != alone && c.strength < named && !s.atEnd(c, withdrawn) && s.on("echo"):
			case s.cut && !s.complete(c):
			case best < 0 || !s.found[best].beats(c):
				best = i
			}
		}
		if best >= 0 {
			a := s.found[best].Answer
			a.End = s.goesOnBelow(a)
			return a, true
		}
	}
	return Answer{}, false
}

// goesOnBelow returns the end of an answer that may hold spaces, with the lines below that go on with
// the input: a long text may be broken into lines.
func (s *scan) goesOnBelow(a Answer) int {
	const least = 16 // bytes of a line that tell
	for s.q.Kind == Text && s.q.Spaces && !s.q.Lines && a.End < s.to && s.text[a.End] == '\n' && s.on("broken lines") {
		line, _, _ := strings.Cut(strings.TrimLeft(s.text[a.End:s.to], "\n"), "\n")
		if len(line) < least || !strings.Contains(s.q.Source, phrases.Head(line, least)) {
			break
		}
		a.End = strings.Index(s.text[a.End:s.to], line) + a.End + len(line)
	}
	return a.End
}

// atEnd reports whether a reply ends with the only list that it gives and does not take back, or is nothing but one
// without brackets, or ends with its only number, after a colon: that is its answer, even where it is the input.
func (s *scan) atEnd(c *candidate, withdrawn int) bool {
	if s.q.Kind == Integer {
		return phrases.EndsInColon(s.text[s.from:c.Start]) && !strings.ContainsAny(s.text[s.from:c.Start], "0123456789") && strings.Trim(s.text[c.End:s.to], " .!*`") == ""
	}
	return s.q.Kind == List && (!c.Loose || c.Start == s.from) && strings.Trim(s.text[c.End:s.to], " .!*`_\"'$)}\n") == "" && s.isOnly(c, withdrawn)
}

// isOnly reports whether there is no other candidate, but those that are taken back.
func (s *scan) isOnly(c *candidate, withdrawn int) bool {
	return !slices.ContainsFunc(s.found, func(other candidate) bool { return other.Start >= withdrawn && other.Start != c.Start })
}

// echoApart reports whether the input is given apart from talk, or in a line of its own, where
// a text may hold spaces: sentences are no better answers then.
func (s *scan) echoApart(withdrawn int) bool {
	if s.q.Kind != Text || !s.q.Spaces {
		return false
	}
	for i := range s.found {
		if c := &s.found[i]; c.echo && (c.strength > weak || s.q.Signs) && c.Start >= withdrawn {
			return true
		}
	}
	return false
}

// echoAlone reports whether the input, which is no ordinary word, is alone in a line: a word alone in
// another is no better answer.
func (s *scan) echoAlone(withdrawn int) bool {
	return s.q.Kind == Text && !s.q.Spaces && !ordinary(s.q.Source, linked) && slices.ContainsFunc(s.found, func(c candidate) bool {
		return c.echo && c.strength >= alone && c.Start >= withdrawn
	})
}

// goesOn reports whether numbers, or lists, follow a candidate in the lines below it: it is one of several steps.
func (s *scan) goesOn(c *candidate) bool {
	_, below, _ := strings.Cut(s.text[c.End:s.to], "\n")
	if s.q.Kind == List {
		return strings.Contains(below, "[")
	}
	return strings.ContainsAny(below, "0123456789")
}

// complete reports whether a candidate of a reply that was cut is there in full.
func (s *scan) complete(c *candidate) bool {
	if !s.on("truncated") {
		return true
	}
	const farIn = 150 // bytes
	after := c.End < s.to
	switch {
	case c.strength == marked && c.Rule == ruleOf(linked, "") && (c.Start-s.from > farIn && (s.q.Kind != List || s.goesOn(c)) || s.q.Kind == Integer && s.goesOn(c)):
		return false // a step, of which there would have been more
	case s.q.Kind == Integer && c.strength < final && c.Start-s.from > farIn && strings.ContainsAny(s.text[c.End:s.to], "0123456789"):
		return false // a step of a calculation
	case c.strength >= marked:
		return c.closed || after
	case c.strength == alone: // an answer, then talk
		return (c.Start-s.from < 8 || c.closed) && after
	}
	return false
}
