package verification

import "slices"

// Result returns the verdict on the records so far.
func (t *Test) Result() *Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	o := t.outcome
	r := &Result{
		Word: Undecided, Alpha: t.Alpha, Tests: t.Tests, Level: t.Level(), Share: t.Share, Probes: t.probes(), NoLogprobs: t.NoLogprobs,
		Planned: len(t.prompts),
		Tools:   t.tools, NoTools: t.NoTools,
		Finished: t.decided() || o.read == len(t.prompts) && !t.awaitsTools(),
	}
	for k := range t.prompts {
		r.Calls += t.prompts[k].count(replied)
	}
	for side := range t.sides {
		r.Unanswered[side] = countMissing(t.prompts, side)
	}
	if t.Logprobs != nil {
		r.Logprobs = t.Logprobs.At(t.Level())
		r.addCalls(t.Logprobs.Calls, t.Logprobs.Unanswered)
	}
	if t.tools != nil {
		r.addCalls(t.tools.Calls, t.tools.Unanswered)
	} else if t.awaitsTools() && !t.decided() && o.read == len(t.prompts) {
		r.Tools = &toolResult{Planned: ToolItems}
	}
	r.addTexts(t.prompts[:o.read])
	t.addUpstreams(r)
	r.TooMany = t.tooManyMissing()
	switch {
	case r.TooMany:
	case o.differ:
		r.Word, r.Finished = Differ, r.Finished || !t.All
	case r.Finished && r.Prompts > 0 && !r.TooFew:
		r.Word = NoDifference
	}
	r.TooFew = r.TooFew && r.Finished && r.Word == Undecided && !r.TooMany
	return r
}

// addCalls adds the calls of a probe with requests of its own.
func (r *Result) addCalls(calls int, unanswered [2]int) {
	r.Calls += calls
	for side, n := range unanswered {
		r.Unanswered[side] += n
	}
}

// probes returns the probes with their p values.
func (t *Test) probes() []Probe {
	var list []Probe
	for _, s := range t.outcome.strata {
		texts, exact := Probe{Name: Texts, P: min(1, 1/s.highest)}, Probe{Name: Exact, P: 1}
		if s.exact != nil {
			exact.P = *s.exact
		}
		if texts.parts, exact.parts = len(t.outcome.strata), len(t.outcome.strata); texts.parts > 1 {
			texts.Upstreams, exact.Upstreams = &s.upstreams, &s.upstreams
		}
		list = append(list, texts, exact)
	}
	if t.Logprobs != nil {
		list = append(list, Probe{Name: Logprobs, P: t.Logprobs.P})
	}
	adjust(list, t.Tests)
	for i := range list {
		list[i].fixRounding(t.Level(), t.Alpha)
	}
	return list
}

// addTexts counts what differs at the prompts with every reply.
func (r *Result) addTexts(prompts []prompt) {
	var firsts, tokens []int64
	for k := range prompts {
		p := &prompts[k]
		if !p.usable() {
			continue
		}
		r.Usable++
		if at, ok := p.firstDifference(); ok {
			r.Across++
			firsts = append(firsts, int64(at))
		}
		for side := range p {
			if p.varies(side) {
				r.Own[side]++
			}
			if p[side][0].exact {
				r.Exact[side]++
			}
		}
		if a, b := p[0][0].promptTokens, p[1][0].promptTokens; a != nil && b != nil {
			tokens = append(tokens, *b-*a)
		}
	}
	if n := len(firsts); n > 0 {
		slices.Sort(firsts)
		median := float64(firsts[(n-1)/2]+firsts[n/2]) / 2
		r.FirstByte = &median
	}
	r.Tokens = comparedTokens(tokens)
}

// comparedTokens summarises the differences of prompt tokens.
func comparedTokens(differences []int64) PromptTokens {
	t := PromptTokens{Compared: len(differences)}
	for _, d := range differences {
		if d != 0 {
			t.Differ++
		}
	}
	if t.Differ > 0 && slices.Min(differences) == slices.Max(differences) {
		t.Constant = &differences[0]
	}
	return t
}

// mostLate is the largest share of prompts with a reply of an upstream that was not seen in the first
// block, at which there is still a verdict.
const mostLate = 0.1

// addUpstreams adds the result of each pair of upstreams, and their sums.
func (t *Test) addUpstreams(r *Result) {
	o := &t.outcome
	r.Late = o.late
	level := t.Level() / float64(len(o.strata))
	enough := float64(o.late) <= mostLate*float64(len(t.prompts))
	for i, s := range o.strata {
		one := s.result(t.Share, level)
		r.Prompts, r.Beyond = r.Prompts+s.used, r.Beyond+s.beyond
		r.ExactAlone[0], r.ExactAlone[1] = r.ExactAlone[0]+s.alone[0], r.ExactAlone[1]+s.alone[1]
		if i == 0 {
			r.Detectable, r.DetectableAlone = one.Detectable, one.DetectableAlone
		}
		if len(o.strata) == 1 {
			break
		}
		r.Upstreams = append(r.Upstreams, one)
		if one.Detectable == nil {
			enough, r.Detectable = false, nil
		} else if r.Detectable != nil && *one.Detectable > *r.Detectable {
			r.Detectable = one.Detectable
		}
		if one.DetectableAlone == nil {
			r.DetectableAlone = nil
		} else if r.DetectableAlone != nil {
			r.DetectableAlone = new(max(*r.DetectableAlone, *one.DetectableAlone))
		}
	}
	r.TooFew = !enough
}
