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
	// Logprobs, Texts and Fresh are the parts that were sent so far. Screened says that all
	// calls of Texts have ended, so that Fresh is nil if no text differs.
	Logprobs, Texts, Fresh *Repeats
	Screened               bool
	MaxMissing             float64
}

// A StrictResult is what a strict test shows.
type StrictResult struct {
	// Apart is the summed distance of the mean log probabilities of the words, in nats; nil
	// without them.
	Apart *float64 `json:"apart_nats"`
	// Screened is the number of texts that were compared once, and Differing those that differ.
	Screened  int `json:"screened_texts"`
	Differing int `json:"differing_texts"`
	// Fresh is the number of fresh calls of each side that confirm, and Variation the summed
	// total variation distance of their texts; nil if no text differs.
	Fresh     int      `json:"fresh_calls"`
	Variation *float64 `json:"total_variation"`
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
	if s.Fresh != nil && s.Fresh.Ended() {
		r.Strict.Fresh = len(s.Fresh.items)
	}
	if s.probes() == 2 {
		p, apart, err := pOf(s.Logprobs)
		if err != nil {
			return nil, err
		}
		r.Probes, r.Strict.Apart = append(r.Probes, Probe{Name: Logprobs, P: p}), apart
	}
	p, variation, err := pOf(s.Fresh)
	if err != nil {
		return nil, err
	}
	r.Probes, r.Strict.Variation = append(r.Probes, Probe{Name: Texts, P: p}), variation
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

// count counts the calls, and reports whether all of the parts have ended.
func (s *Strict) count(r *Result) (complete bool) {
	sent := 0
	complete = true
	for _, part := range []*Repeats{s.Logprobs, s.Texts, s.Fresh} {
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
