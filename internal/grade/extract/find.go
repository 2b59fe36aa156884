package extract

import (
	"slices"
	"strings"

	"verbatim"
)

// A Finder finds answers and keeps its buffers between replies. The zero Finder is ready. It
// is for one goroutine.
type Finder struct{ scan scan }

// maxKept is the length of replies up to which a Finder keeps its buffers.
const maxKept = 1 << 20

// Find returns the answer that the reply commits to; false without one. In a reply that the token limit
// ended, only a complete answer counts. The items of the answer are valid until the next call.
func (f *Finder) Find(reply string, finish verbatim.Finish, q *Question) (Answer, bool) {
	f.scan.start(reply, finish == verbatim.FinishLength, q, rules{})
	a, ok := f.scan.find()
	if len(reply) > maxKept {
		f.scan = scan{}
	}
	return a, ok
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

// candidates collects the candidates of the kind that the question asks for.
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
// if nothing else does.
func (s *scan) choose() (Answer, bool) {
	p := preference{withdrawn: max(s.withdrawal(), s.unread)}
	p.noSentences, p.noWords = s.echoApart(p.withdrawn), s.echoAlone(p.withdrawn)
	best := -1
	for _, echo := range [...]bool{false, true} {
		for i := range s.found {
			c := &s.found[i]
			switch {
			case c.echo != echo && (c.echo || best >= 0) && s.on("echo"):
			case s.rejects(c, p):
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

// A preference says which candidates of a reply cannot be its answer.
type preference struct {
	withdrawn   int  // the place before which answers are taken back
	noSentences bool // the input is a better answer than a sentence
	noWords     bool // the input is a better answer than an ordinary word
}

// rejections are the reasons for which a candidate is not the answer. One of them is enough.
var rejections = [...]func(s *scan, c *candidate, p preference) bool{
	(*scan).takenBack, (*scan).ordinaryWord, (*scan).weakSentence, (*scan).mentionedInput, (*scan).unfinished,
}

func (s *scan) rejects(c *candidate, p preference) bool {
	return slices.ContainsFunc(rejections[:], func(holds func(*scan, *candidate, preference) bool) bool { return holds(s, c, p) })
}

// takenBack: words take it back, or the answer is a list that cannot be read or that the token limit ended.
func (s *scan) takenBack(c *candidate, p preference) bool {
	return c.Start < p.withdrawn || s.unread > 0 && c.Start > s.unread || c.Start < s.cutAt && c.strength < named
}

func (s *scan) ordinaryWord(c *candidate, p preference) bool {
	return p.noWords && c.strength <= alone && !c.echo && ordinary(strings.Trim(s.text[c.Start:c.End], "'’-"), linked)
}

func (s *scan) weakSentence(c *candidate, p preference) bool {
	return p.noSentences && c.strength == weak && !c.echo && (s.q.Spaces && !s.q.Signs || isSentence(strings.Trim(s.text[c.Start:c.End], "()")))
}

// mentionedInput: the input numbers or list, which neither words nor its place make the answer.
func (s *scan) mentionedInput(c *candidate, p preference) bool {
	return c.echo && s.q.Kind != AskedText && c.strength != alone && c.strength < named && !s.atEnd(c, p.withdrawn) && s.on("echo")
}

func (s *scan) unfinished(c *candidate, _ preference) bool { return s.cut && !s.complete(c) }

// goesOnBelow returns the end of an answer with the lines below it that continue the input: a long text with
// spaces may be broken into lines.
func (s *scan) goesOnBelow(a Answer) int {
	const least = 16 // bytes of a line that show it
	for s.q.Kind == AskedText && s.q.Spaces && !s.q.Lines && a.End < s.to && s.text[a.End] == '\n' && s.on("broken lines") {
		line, _, _ := strings.Cut(strings.TrimLeft(s.text[a.End:s.to], "\n"), "\n")
		if len(line) < least || !strings.Contains(s.q.Source, Head(line, least)) {
			break
		}
		a.End = strings.Index(s.text[a.End:s.to], line) + a.End + len(line)
	}
	return a.End
}

// atEnd reports whether a candidate is the answer by its place, even if it is the input: the reply ends with it, and it
// is the only number, after a colon, or the only list that is not taken back. A list without brackets must be the
// whole reply.
func (s *scan) atEnd(c *candidate, withdrawn int) bool {
	if s.q.Kind == Integer {
		return endsInColon(s.text[s.from:c.Start]) && !strings.ContainsAny(s.text[s.from:c.Start], "0123456789") && strings.Trim(s.text[c.End:s.to], " .!*`") == ""
	}
	return s.q.Kind == List && (!c.Loose || c.Start == s.from) && strings.Trim(s.text[c.End:s.to], " .!*`_\"'$)}\n") == "" && s.isOnly(c, withdrawn)
}

// isOnly reports whether all other candidates are taken back.
func (s *scan) isOnly(c *candidate, withdrawn int) bool {
	return !slices.ContainsFunc(s.found, func(other candidate) bool { return other.Start >= withdrawn && other.Start != c.Start })
}

// echoApart reports whether the input, a text with spaces, is apart from talk or in a line of its own: then
// a sentence is not a better answer.
func (s *scan) echoApart(withdrawn int) bool {
	return s.q.Kind == AskedText && s.q.Spaces && slices.ContainsFunc(s.found, func(c candidate) bool {
		return c.echo && (c.strength > weak || s.q.Signs) && c.Start >= withdrawn
	})
}

// echoAlone reports whether the input, which is not an ordinary word, is alone in a line: then a word alone in
// another line is not a better answer.
func (s *scan) echoAlone(withdrawn int) bool {
	return s.q.Kind == AskedText && !s.q.Spaces && !ordinary(s.q.Source, linked) && slices.ContainsFunc(s.found, func(c candidate) bool {
		return c.echo && c.strength >= alone && c.Start >= withdrawn
	})
}

// goesOn reports whether numbers, or lists, are in the lines below a candidate: then it is one of several steps.
func (s *scan) goesOn(c *candidate) bool {
	_, below, _ := strings.Cut(s.text[c.End:s.to], "\n")
	if s.q.Kind == List {
		return strings.Contains(below, "[")
	}
	return strings.ContainsAny(below, "0123456789")
}

// complete reports whether a candidate of a reply that the token limit ended is complete, and not a step before the
// answer.
func (s *scan) complete(c *candidate) bool {
	if !s.on("truncated") {
		return true
	}
	const farIn = 150 // bytes
	isFar, after := c.Start-s.from > farIn, c.End < s.to
	switch {
	case c.strength == marked && c.Rule == RuleColon && s.isStep(c, isFar):
		return false
	case s.q.Kind == Integer && c.strength < final && isFar && strings.ContainsAny(s.text[c.End:s.to], "0123456789"):
		return false // a step of a calculation
	case c.strength >= marked:
		return c.closed || after
	case c.strength == alone: // an answer, then talk
		return (c.Start-s.from < 8 || c.closed) && after
	}
	return false
}

// isStep reports whether a value behind a colon is probably one of several steps of a cut reply. isFar: much text
// is before it.
func (s *scan) isStep(c *candidate, isFar bool) bool {
	switch s.q.Kind {
	case Integer:
		return isFar || s.goesOn(c)
	case List:
		return isFar && s.goesOn(c)
	}
	return isFar
}
