package verification

// A Strict is the parts of a strict test. Its null hypothesis is that the replies of both sides to
// one prompt are exchangeable: no bit has moved. An unchanged server under load breaks it.
type Strict struct {
	Alpha float64
	Tests int
	All   bool
	// NoLogprobs says why log probabilities are no probe, and LeftOut that the caller left them out.
	NoLogprobs string
	LeftOut    bool
	// Logprobs, Texts and Fresh are the parts that were sent so far; Fresh are the confirmations.
	// Screened says that all calls have ended that are needed, so that there is no Fresh if no
	// text differs.
	Logprobs, Texts *Repeats
	Fresh           []*Repeats
	Screened        bool
	MaxMissing      float64
}

// A StrictResult is what a strict test shows.
type StrictResult struct {
	// Apart is the summed distance of the mean log probabilities of the words, in nats; nil
	// without them.
	Apart *float64 `json:"apart_nats"`
	// Screened is the number of texts that were compared once, and Differing those that differ.
	Screened  int `json:"screened_texts"`
	Differing int `json:"differing_texts"`
	// Confirmations is the number of confirmations, Fresh that of their calls of each side, and
	// Variation the summed total variation distance of the texts of the last one; nil if no text
	// differs.
	Confirmations int      `json:"confirmations"`
	Fresh         int      `json:"fresh_calls"`
	Variation     *float64 `json:"total_variation"`
}

func (s *Strict) probes() int {
	if s.LeftOut || s.NoLogprobs != "" {
		return 1
	}
	return 2
}

// Level is the level of each probe.
func (s *Strict) Level() float64 { return s.Alpha / float64(max(1, s.Tests)*s.probes()) }

// Result returns the verdict on the calls so far.
func (s *Strict) Result() (*Result, error) {
	r := &Result{Word: Undecided, Alpha: s.Alpha, Tests: max(1, s.Tests), Level: s.Level(), NoLogprobs: s.NoLogprobs, Strict: &StrictResult{}}
	complete := s.count(r)
	if s.Texts != nil {
		r.Planned = len(s.Texts.items)
		r.Strict.Differing, r.Strict.Screened = s.Texts.differing()
		r.Prompts, r.Usable, r.Across = r.Strict.Screened, r.Strict.Screened, r.Strict.Differing
	}
	if s.probes() == 2 {
		p, apart, err := pOf(s.Logprobs)
		if err != nil {
			return nil, err
		}
		r.Probes, r.Strict.Apart = append(r.Probes, Probe{Name: Logprobs, P: p}), apart
	}
	p, err := s.confirmed(r.Strict)
	if err != nil {
		return nil, err
	}
	r.Probes = append(r.Probes, Probe{Name: Texts, P: p})
	share(r.Probes, r.Tests)
	differ := false
	for i := range r.Probes {
		r.Probes[i].round(r.Level, r.Alpha)
		differ = differ || r.Probes[i].P <= r.Level
	}
	r.Finished = complete && (s.Screened || differ && !s.All)
	switch {
	case r.TooMany:
	case differ && r.Finished:
		r.Word = Differ
	case r.Finished && r.Prompts > 0:
		r.Word = NoDifference
	}
	return r, nil
}

// confirmed returns the p value of all confirmations that have ended, and adds what they show. Each
// has its part of the level: it is as if there were no others.
func (s *Strict) confirmed(r *StrictResult) (p float64, err error) {
	p = 1
	for i, part := range s.Fresh {
		if !part.Ended() {
			break
		}
		one, variation, err := pOf(part)
		if err != nil {
			return 1, err
		}
		p = min(p, confirmationWeight(i)*one)
		r.Confirmations, r.Fresh, r.Variation = i+1, r.Fresh+len(part.items), variation
	}
	return p, nil
}

// NeedsConfirmation reports whether the verdict depends on a further confirmation: the first one if
// texts differ, and others if the texts of the last one do and it has not decided. Such texts vary
// by themselves, and more calls may tell them apart.
func (s *Strict) NeedsConfirmation() (bool, error) {
	if len(s.Fresh) == 0 {
		differing, _ := s.Texts.differing()
		return differing > 0, nil
	}
	var r StrictResult
	p, err := s.confirmed(&r)
	return err == nil && r.Confirmations == len(s.Fresh) && len(s.Fresh) < MostConfirmations && r.Variation != nil && *r.Variation > 0 && p > s.Level(), err
}

// count counts the calls, and reports whether all of the parts have ended.
func (s *Strict) count(r *Result) (complete bool) {
	sent := 0
	complete = true
	for _, part := range append([]*Repeats{s.Logprobs, s.Texts}, s.Fresh...) {
		if part == nil || part == s.Logprobs && s.probes() == 1 {
			continue
		}
		sent += len(part.items)
		ended, all := part.Progress()
		complete = complete && ended == all
		r.Calls += ended
		for side := range r.Unanswered {
			n := part.unanswered(side)
			r.Unanswered[side] += n
			r.Calls -= n
		}
	}
	r.TooMany = sent > 0 && float64(max(r.Unanswered[0], r.Unanswered[1])) > s.MaxMissing*float64(sent)
	return complete
}

// pOf returns the p value of a part and its statistic; 1 and nil before its end.
func pOf(part *Repeats) (p float64, statistic *float64, err error) {
	if part == nil || !part.Ended() {
		return 1, nil, nil
	}
	test, ok, err := part.labels()
	if err != nil || !ok {
		return 1, nil, err
	}
	return test.P, &test.Statistic, nil
}
