package verification

import "slices"

// StrictScreening is the part of a strict test that compares each prompt once.
const StrictScreening ProbeName = "strict-texts"

// A Strict is a strict test, with its parts. Its null hypothesis is that the replies of both sides to
// one prompt are exchangeable: no bit has moved. Even an unchanged server breaks it under load.
type Strict struct {
	StrictConfig
	// NoLogprobs says why log probabilities are no probe; "" if they are, or were left out.
	NoLogprobs string
	Logprobs   *Repeats // nil: not sent yet

	texts   *Repeats // nil: not sent yet
	screens [2]*screen
	ended   bool // nothing is left to send
}

// A StrictConfig is the settings of a strict test.
type StrictConfig struct {
	Seed  uint64
	Alpha float64
	Tests int
	All   bool // all probes are sent to their end
	// LeftOut says that the caller left the log probabilities out.
	LeftOut    bool
	MaxMissing float64
}

// NewStrict returns a strict test that has sent nothing.
func NewStrict(c StrictConfig) *Strict {
	return &Strict{StrictConfig: c, screens: [2]*screen{{probe: Texts, by: byText}, {probe: Exact, by: byGrade}}}
}

// probes returns the number of probes.
func (s *Strict) probes() int {
	if s.LeftOut || s.NoLogprobs != "" {
		return len(s.screens)
	}
	return len(s.screens) + 1
}

// Level is the level of each probe.
func (s *Strict) Level() float64 { return s.Alpha / float64(max(1, s.Tests)*s.probes()) }

// StrictPrompts is the largest number of prompts that a strict test compares, of n: 20, or n if all
// probes are sent to their end.
func StrictPrompts(n int, all bool) int {
	if all {
		return n
	}
	return min(n, screened)
}

// Compare sets the part that compares each prompt once.
func (s *Strict) Compare(texts *Repeats) { s.texts = texts }

// Next returns the next part to send, and its name; nil if nothing is left. All earlier parts must
// have ended. The part StrictScreening comes again with more prompts.
func (s *Strict) Next() (part *Repeats, name ProbeName, err error) {
	r, err := s.Result()
	if err != nil || r.TooMany || s.differs(r.Probes) && !s.All {
		s.ended = err == nil && !r.TooMany
		return nil, "", err
	}
	open := false
	for _, c := range s.screens {
		part, more, err := c.next(s.texts, s.Seed, s.Level())
		if err != nil || part != nil {
			return part, c.name(), err
		}
		open = open || more
	}
	if open && s.texts.extend() {
		return s.texts, StrictScreening, nil
	}
	s.ended = true
	return nil, "", nil
}

// differs reports whether a probe decides.
func (s *Strict) differs(probes []Probe) bool {
	return slices.ContainsFunc(probes, func(p Probe) bool { return p.P <= s.Level() })
}

// Result returns the verdict on the calls so far.
func (s *Strict) Result() (*Result, error) {
	r := &Result{Word: Undecided, Alpha: s.Alpha, Tests: max(1, s.Tests), Level: s.Level(), NoLogprobs: s.NoLogprobs, Strict: &StrictResult{}}
	complete := s.count(r)
	if s.probes() > len(s.screens) {
		p, apart, err := s.Logprobs.p(byText)
		if err != nil {
			return nil, err
		}
		r.Probes, r.Strict.Apart = append(r.Probes, Probe{Name: Logprobs, P: p}), apart
	}
	for _, c := range s.screens {
		found, p, err := c.result(s.texts, s.Level())
		if err != nil {
			return nil, err
		}
		r.Probes = append(r.Probes, Probe{Name: c.probe, P: p})
		if c.by == byGrade {
			r.Strict.Answers = found
			continue
		}
		r.Strict.Screened, r.Strict.Differing, r.Strict.Confirmations, r.Strict.Fresh, r.Strict.Variation = found.Compared, found.Differing, found.Confirmations, found.Fresh, found.Variation
	}
	if s.texts != nil {
		s.texts.describe(r)
	}
	adjust(r.Probes, r.Tests)
	for i := range r.Probes {
		r.Probes[i].fixRounding(r.Level, r.Alpha)
	}
	differ := s.differs(r.Probes)
	r.Finished = complete && (s.ended || differ && !s.All)
	switch {
	case r.TooMany:
	case differ && r.Finished:
		r.Word = Differ
	case r.Finished && r.Prompts > 0:
		r.Word = NoDifference
	}
	return r, nil
}

// describe adds the numbers of prompts that were compared once, and of exactly right replies.
func (t *Repeats) describe(r *Result) {
	r.Planned = len(t.items)
	for i := range t.upto {
		a, b := &t.calls[0][i], &t.calls[1][i]
		if a.state != replied || b.state != replied {
			continue
		}
		r.Prompts++
		if a.text != b.text {
			r.Across++
		}
		for side, c := range []*call{a, b} {
			if c.exact {
				r.Exact[side]++
			}
			if c.exact && a.exact != b.exact {
				r.ExactAlone[side]++
			}
		}
	}
	r.Usable = r.Prompts
}

// count counts the calls of all parts, and reports whether all parts have ended.
func (s *Strict) count(r *Result) (complete bool) {
	parts := []*Repeats{s.texts}
	if s.probes() > len(s.screens) {
		parts = append(parts, s.Logprobs)
	}
	for _, c := range s.screens {
		for _, f := range c.fresh {
			parts = append(parts, f.part)
		}
	}
	sent := 0
	complete = true
	for _, part := range parts {
		if part == nil {
			continue
		}
		ended, all := part.Progress()
		sent += len(part.items)
		complete = complete && ended == all
		r.Calls += ended
		for side := range r.Unanswered {
			n := part.count(side, missing)
			r.Unanswered[side] += n
			r.Calls -= n
		}
	}
	r.TooMany = sent > 0 && float64(max(r.Unanswered[0], r.Unanswered[1])) > s.MaxMissing*float64(sent)
	return complete
}
