package verification

import "slices"

// A Word is the verdict on two endpoints. The set is closed. None of them says why, and
// none says that two endpoints run the same model.
type Word string

// The words. Undecided is the verdict if prompts are still to be sent, or if too many
// requests have no reply.
const (
	NoDifference Word = "no difference found"
	Differ       Word = "differ"
	Undecided    Word = "undecided"
)

// Settled reports whether the word is a verdict, for which no more requests are needed.
func (w Word) Settled() bool { return w == NoDifference || w == Differ }

// A Result is the verdict with the numbers behind it.
type Result struct {
	Word Word `json:"verdict"`
	// Alpha is the maximum rate of false alarms of all tests of a command, and Tests their
	// number. Level is the p value up to which a probe alone decides.
	Alpha float64 `json:"alpha"`
	Tests int     `json:"tests"`
	Level float64 `json:"level"`
	// Probes lists what was tested, each with its p value.
	Probes []Probe `json:"probes"`
	// Planned is the number of prompts of the test, and Prompts those with every reply that
	// the verdict is based on. Calls is the number of replies of both sides.
	// Usable is the number of prompts with every reply, those of several upstreams included.
	Planned int `json:"planned"`
	Prompts int `json:"prompts"`
	Usable  int `json:"usable_prompts"`
	Calls   int `json:"calls"`
	// Unanswered is the number of requests without a reply, by side.
	Unanswered [2]int `json:"unanswered"`
	// TooMany says that too many are unanswered for a verdict.
	TooMany bool `json:"too_many_unanswered"`
	// Finished says that nothing is left to send.
	Finished bool `json:"finished"`
	// Beyond is the number of prompts at which the sides differ from each other in more
	// trials than they differ from themselves. Share is its bound as a share of the prompts
	// in the null hypothesis.
	Beyond int     `json:"beyond_own_spread"`
	Share  float64 `json:"share"`
	// Across is the number of prompts whose first replies differ between the sides. Own is
	// the number of prompts whose two replies differ within a side.
	Across int    `json:"texts_differ"`
	Own    [2]int `json:"own_texts_differ"`
	// FirstByte is the median index of the first byte that differs between the sides; nil
	// if no text differs.
	FirstByte *float64 `json:"median_first_byte"`
	// Exact is the number of prompts whose first reply is exactly right, by side.
	Exact [2]int `json:"exact"`
	// ExactAlone is the number of prompts that only one side answers exactly right in its
	// first reply, by side. Those with a tool are included.
	ExactAlone [2]int `json:"exact_alone"`
	// Detectable is the smallest share of prompts that differ beyond the sides' own spread
	// that this number of prompts finds with probability 0.8; nil if there are too few.
	Detectable *float64 `json:"detectable_share"`
	// DetectableAlone is the smallest number of prompts that one side alone answers exactly
	// right, and the other side none, that is a difference; nil if there are too few prompts.
	DetectableAlone *int `json:"detectable_exact_alone"`
	// Logprobs is what the log probabilities show; nil if they are no probe of the test.
	Logprobs *LogprobResult `json:"logprobs"`
	// NoLogprobs says why the log probabilities are no probe; "" if the caller left them out.
	NoLogprobs string `json:"no_logprobs,omitempty"`
	// Tools is what calls of a tool show; nil if they are no part of the exact answers, or were
	// not needed for the verdict. NoTools says why they are no part; "" if the caller left them out.
	Tools   *ToolResult `json:"tools"`
	NoTools string      `json:"no_tools,omitempty"`
	// Sampling is what replies at a temperature show; nil if they are no probe of the test, or
	// were not needed for the verdict.
	Sampling *SamplingResult `json:"sampling"`
	// Upstreams is what each pair of upstreams shows, if an endpoint has several. Late is the
	// number of prompts with a reply of one that was not seen at the beginning, which are left
	// out. TooFew says that these or too few prompts of a pair leave no verdict.
	Upstreams []UpstreamResult `json:"upstreams,omitempty"`
	Late      int              `json:"late_upstreams"`
	TooFew    bool             `json:"too_few_of_an_upstream"`
	// Sizes are those of Test.Sizes, which the caller adds.
	Sizes []Size `json:"sizes,omitempty"`
	// Strict is what a strict test shows; nil for the usual test. Then the fields of the usual one
	// are empty, but for the number of prompts.
	Strict *StrictResult `json:"strict,omitempty"`
	// Tokens compares the numbers of prompt tokens that the servers report.
	Tokens PromptTokens `json:"prompt_tokens"`
}

// A Probe is one of the tests that a verdict is made of. The verdict is Differ if the
// smallest Adjusted is at most alpha.
type Probe struct {
	Name ProbeName `json:"name"`
	// Upstreams are the upstreams of the two sides, if several were compared; nil: one each.
	Upstreams *[2]string `json:"upstreams,omitempty"`
	// P is the p value; 1 for a probe that was not needed for the verdict. That of the
	// texts is min(1, 1/E), where E is the highest value of the e-process. It holds at any
	// number of looks. That of the exact answers is McNemar's exact test, two-sided.
	P        float64 `json:"p"`
	Adjusted float64 `json:"p_adjusted"` // for all probes of all tests of a command, by Holm's method

	parts int // of the level of the probe; 0 is 1
}

// A ProbeName is the name of a probe. The set is closed.
type ProbeName string

// The probes.
const (
	Texts ProbeName = "texts"
	Exact ProbeName = "exact"
	// Logprobs is a probe if both endpoints offer log probabilities.
	Logprobs ProbeName = "logprobs"
	// Sampling is a probe unless the caller leaves it out.
	Sampling ProbeName = "sampling"
)

// PromptTokens compares the prompt tokens that two servers report for the same prompts.
type PromptTokens struct {
	Compared int `json:"compared"` // number of prompts for which both sides report them
	Differ   int `json:"differ"`
	// Constant is the difference, second side minus first, if it is the same at every
	// prompt and not 0; nil otherwise.
	Constant *int64 `json:"constant_difference"`
}

// Names returns what documents call the two sides.
func Names() [2]string { return [2]string{"A", "B"} }

// Unsent returns the result of a test that has not compared anything.
func Unsent(alpha float64, tests int) *Result {
	return &Result{Word: Undecided, Alpha: alpha, Tests: tests, Level: alpha / float64(2*tests), Probes: []Probe{{Name: Texts, P: 1, Adjusted: 1}, {Name: Exact, P: 1, Adjusted: 1}}}
}

// power is the power at which Detectable is stated.
const power = 0.8

// Result returns the verdict on the records so far.
func (t *Test) Result() *Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	o := t.outcome
	r := &Result{
		Word: Undecided, Alpha: t.Alpha, Tests: t.Tests, Level: t.level(), Share: t.Share, Probes: t.probes(), NoLogprobs: t.NoLogprobs, Sampling: t.sampling,
		Planned: len(t.prompts),
		Tools:   t.tools, NoTools: t.NoTools,
		Finished: t.decided() || o.read == len(t.prompts) && !t.awaitsTools() && (!t.Sampling || t.sampling != nil && t.sampling.Finished),
	}
	for k := range t.prompts {
		r.Calls += t.prompts[k].count(replied)
	}
	for side := range t.sides {
		r.Unanswered[side] = countMissing(t.prompts, side)
	}
	if t.Logprobs != nil {
		r.Logprobs = t.Logprobs.At(t.level())
		r.Calls += t.Logprobs.Calls
		for side, n := range t.Logprobs.Unanswered {
			r.Unanswered[side] += n
		}
	}
	if t.tools != nil {
		r.Calls += t.tools.Calls
		for side, n := range t.tools.Unanswered {
			r.Unanswered[side] += n
		}
	}
	if t.tools == nil && t.awaitsTools() && !t.decided() && o.read == len(t.prompts) {
		r.Tools = &ToolResult{Planned: ToolItems}
	}
	sampled := 0
	if t.sampling != nil {
		r.Calls += t.sampling.Calls
		for side, n := range t.sampling.Unanswered {
			if t.sampling.Offered {
				r.Unanswered[side] += n
				sampled = max(sampled, n)
			}
		}
	}
	r.addTexts(t.read())
	t.addUpstreams(r)
	r.TooMany = t.tooManyMissing() || float64(sampled) > t.MaxMissing*samplingBlocks
	switch {
	case r.TooMany:
	case o.differ, t.sampling != nil && t.sampling.P <= t.level():
		r.Word, r.Finished = Differ, r.Finished || !t.All
	case r.Finished && r.Prompts > 0 && !r.TooFew:
		r.Word = NoDifference
	}
	r.TooFew = r.TooFew && r.Finished && r.Word == Undecided && !r.TooMany
	return r
}

// probes returns the p values.
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
	if t.Sampling {
		sampling := Probe{Name: Sampling, P: 1}
		if t.sampling != nil {
			sampling.P = t.sampling.P
		}
		list = append(list, sampling)
	}
	share(list, t.Tests)
	for i := range list {
		list[i].round(t.level(), t.Alpha)
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
