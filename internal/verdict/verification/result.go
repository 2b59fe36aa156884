package verification

import (
	"math"

	"verbatim/internal/stats"
	"verbatim/internal/stats/change"
)

// A Word is the verdict on two endpoints. The set is closed. No verdict says why, and none says
// that two endpoints run the same model.
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
	// Planned is the number of prompts of the test. Usable is the number of those with every
	// reply. Prompts is the number of those that the verdict is based on: prompts that several
	// upstreams of a side answered are left out. Calls is the number of replies of both sides.
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
	// Detectable is the smallest share of prompts beyond the sides' own spread that this number of
	// prompts finds with probability 0.8; nil if there are too few prompts.
	Detectable *float64 `json:"detectable_share"`
	// DetectableAlone is the smallest ExactAlone of one side that is a difference if that of the
	// other side is 0; nil if there are too few prompts.
	DetectableAlone *int `json:"detectable_exact_alone"`
	// Logprobs is the result of the log probabilities; nil if they are no probe of the test.
	Logprobs *LogprobResult `json:"logprobs"`
	// NoLogprobs says why the log probabilities are no probe; "" if the caller left them out.
	NoLogprobs string `json:"no_logprobs,omitempty"`
	// Tools is the result of the calls of a tool; nil if they are no part of the exact answers, or
	// were not needed for the verdict. NoTools says why they are no part; "" if the caller left
	// them out.
	Tools   *toolResult `json:"tools"`
	NoTools string      `json:"no_tools,omitempty"`
	// Upstreams has the result of each pair of upstreams, if an endpoint has several. Late is the
	// number of prompts that are left out, since an upstream answered that was not seen in the
	// first block. TooFew says that there is no verdict, because Late is too large or a pair has
	// too few prompts.
	Upstreams []UpstreamResult `json:"upstreams,omitempty"`
	Late      int              `json:"late_upstreams"`
	TooFew    bool             `json:"too_few_of_an_upstream"`
	// Sizes is the result of Test.Sizes, which the caller adds.
	Sizes []Size `json:"sizes,omitempty"`
	// Tokens compares the numbers of prompt tokens that the servers report.
	Tokens PromptTokens `json:"prompt_tokens"`
}

// PromptTokens compares the prompt tokens that two servers report for the same prompts.
type PromptTokens struct {
	Compared int `json:"compared"` // number of prompts for which both sides report them
	Differ   int `json:"differ"`
	// Constant is the difference, second side minus first, if it is the same at every
	// prompt and not 0; nil otherwise.
	Constant *int64 `json:"constant_difference"`
}

// Names returns the names of the two sides in documents.
func Names() [2]string { return [2]string{"A", "B"} }

// Unsent returns the result of a test that has not compared anything.
func Unsent(alpha float64, tests int) *Result {
	return &Result{Word: Undecided, Alpha: alpha, Tests: tests, Level: alpha / float64(2*tests), Probes: []Probe{{Name: Texts, P: 1, Adjusted: 1}, {Name: Exact, P: 1, Adjusted: 1}}}
}

// A LogprobResult is what the log probabilities show.
type LogprobResult struct {
	// Offered says that both endpoints give lists. Finished says that nothing is left to send.
	Offered  bool `json:"offered"`
	Finished bool `json:"finished"`
	// Prompts is the number of words for which every call of both sides has a list. Beyond is the
	// number of those words at which the sides lie further apart than each from itself, and Shared
	// the number of those whose nearest lists are equal to five digits.
	Prompts int `json:"prompts"`
	Beyond  int `json:"beyond_own_spread"`
	Shared  int `json:"shared"`
	Calls   int `json:"calls"` // replies of both sides
	// Unanswered is the number of calls without a reply, by side.
	Unanswered [2]int `json:"unanswered"`
	// Upstreams names the upstreams that served the compared words, by side, if an endpoint has
	// several: the pair that answered most words alone. Mixed is the number of the other words.
	// Nil: one each.
	Upstreams *[2]string `json:"upstreams,omitempty"`
	Mixed     int        `json:"mixed_upstreams"`
	// Apart is the mean distance of the sides in nats, and Own the mean of the largest
	// distance within a side, 0 if no repeat differed. They are nil without words.
	Apart *float64 `json:"apart_nats"`
	Own   *float64 `json:"own_nats"`
	// SpreadSeen says that repeats differed at half of the words, or at more.
	SpreadSeen bool `json:"own_spread_seen"`
	// P is the p value of Beyond, under the null hypothesis that a word lies beyond with
	// probability one half at most. It is 1 if repeats rarely differed and Apart is at most 0.2:
	// arithmetic alone makes such a distance.
	P float64 `json:"p"`
	// Least is the smallest Beyond that is a difference at the level of the probe. Detectable is
	// the smallest share of words beyond that is found with probability 0.8. They are nil if there
	// are too few words to decide.
	Least      *int     `json:"least_beyond"`
	Detectable *float64 `json:"detectable_share"`

	distances []float64 // by word
}

// Numerics is the largest distance, in nats, by which other arithmetic with the same weights moved
// the log probabilities of a real model.
const Numerics = 0.09

// At returns the result with its Least and Detectable at a level.
func (r LogprobResult) At(level float64) *LogprobResult {
	if least, ok := change.LeastBeyond(r.Prompts, level); ok {
		r.Least = &least
	}
	if q, ok := change.DetectableBeyond(r.Prompts, level, power); ok {
		r.Detectable = &q
	}
	return &r
}

// Result returns what the calls so far show.
func (t *logprobTest) Result() (*LogprobResult, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &LogprobResult{P: 1, Offered: t.withoutLists() == nil, Finished: t.complete()}
	for side := range t.calls {
		r.Unanswered[side] = t.count(side, missing)
		r.Calls += t.count(side, replied)
	}
	if !r.Offered {
		r.Finished = true
		return r, nil
	}
	r.Finished = r.Finished && !t.tooManyMissing()
	var pairs []change.SidePair
	pairs, r.Upstreams, r.Mixed = t.pairs()
	test, err := change.NewSpreadTest(pairs)
	if err != nil {
		return nil, err
	}
	r.Prompts, r.Beyond, r.Shared, r.SpreadSeen = len(pairs), test.Beyond, test.Shared, test.SpreadSeen
	if len(pairs) > 0 {
		own := 0.0
		for _, p := range test.Prompts {
			own += p.Own / float64(len(test.Prompts))
			r.distances = append(r.distances, p.Nearest)
		}
		r.Apart, r.Own = &test.Mean, &own
	}
	if test.Differ(1) {
		r.P = test.P
	}
	return r, nil
}

// pairs returns the lists of the compared words: every call of a word must have one. If an endpoint
// has several upstreams, the words are those that one pair of upstreams answered alone. Which pair
// that is depends on who served, and not on the lists.
func (t *logprobTest) pairs() (pairs []change.SidePair, upstreams *[2]string, mixed int) {
	by := map[[2]string][]change.SidePair{}
	for k := range logprobPrompts {
		switch pair, who, ok := t.pair(k); {
		case !ok:
		case who == nil:
			mixed++
		default:
			by[*who] = append(by[*who], pair)
		}
	}
	var best [2]string
	words := 0
	for who, list := range by {
		words += len(list)
		if n := len(list) - len(pairs); n > 0 || n == 0 && (who[0] < best[0] || who[0] == best[0] && who[1] < best[1]) {
			best, pairs = who, list
		}
	}
	if mixed += words - len(pairs); mixed > 0 {
		upstreams = &best
	}
	return pairs, upstreams, mixed
}

// pair returns the lists of a word, and the upstreams that served it; nil if several of one side
// did. ok is false if a call has no list.
func (t *logprobTest) pair(k int) (p change.SidePair, who *[2]string, ok bool) {
	calls := []int{k, logprobPrompts + 2*k, 3*logprobPrompts + 2*k}
	who = &[2]string{t.calls[0][k].upstream, t.calls[1][k].upstream}
	for side, to := range []*[]change.LogProbs{&p.A, &p.B} {
		for _, i := range calls {
			c := t.calls[side][i]
			if c.list == nil {
				return p, nil, false
			}
			if who != nil && c.upstream != who[side] {
				who = nil
			}
			*to = append(*to, c.list)
		}
	}
	return p, who, true
}

// Combine adjusts the p values of all tests of a command together, by Holm's method with
// weights: each test has an equal part of alpha, and each of its probes an equal part of that.
// A probe that was rejected in its own test is rejected here too. One that was not may be now, and
// then the word of its test becomes Differ. A test without a verdict counts as one that has found
// nothing, and keeps its word. Every p value holds whenever its probe has stopped, so this is no
// additional look at the data.
func Combine(results []*Result) {
	if len(results) < 2 {
		return
	}
	var p, weights []float64
	for _, r := range results {
		for _, probe := range r.Probes {
			one := probe.P
			if !r.Word.Settled() {
				one = 1
			}
			p, weights = append(p, one), append(weights, probe.weight(r.Probes))
		}
	}
	adjusted := stats.WeightedHolm(p, weights)
	for _, r := range results {
		for i := range r.Probes {
			r.Probes[i].Adjusted, adjusted = adjusted[0], adjusted[1:]
			if r.Word.Settled() {
				r.Probes[i].fixRounding(r.Level, r.Alpha)
			}
			if r.Word == NoDifference && r.Probes[i].Adjusted <= r.Alpha {
				r.Word = Differ
			}
		}
	}
}

// A Size is how large a difference is, with its 95 % interval. Sizes describe, and p values decide:
// the intervals are not adjusted for the number of tests.
type Size struct {
	Name  SizeName `json:"name"`
	Value float64  `json:"value"`
	Low   float64  `json:"low"`
	High  float64  `json:"high"`
}

// A SizeName says what a Size measures. The set is closed.
type SizeName string

// The sizes.
const (
	// TextsBeyond is the share of prompts whose texts differ beyond the sides' own spread. Its
	// interval holds whenever the test has stopped.
	TextsBeyond SizeName = "texts_beyond"
	// WordsBeyond is the share of words whose log probabilities differ beyond the sides' own
	// spread, with the interval of Clopper and Pearson.
	WordsBeyond SizeName = "words_beyond"
	// NatsApart is the mean distance of the log probabilities, with a t interval over the words.
	NatsApart SizeName = "nats_apart"
	// ExactDifference is the share of exactly right first replies of the second side, minus that
	// share of the first side, after the last prompt. Its interval joins exact bounds.
	ExactDifference SizeName = "exact_difference"
)

// sizeConfidence is the confidence of the intervals.
const sizeConfidence = 0.95

// Sizes returns the sizes that the test has measured. Their intervals take longer to compute than
// the verdict. Texts and exact answers of several upstreams have no common size.
func (t *Test) Sizes() (list []Size) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.Logprobs; l != nil && l.Prompts > 0 {
		list = append(list, l.sizes()...)
	}
	if len(t.outcome.strata) != 1 {
		return list
	}
	s := t.outcome.strata[0]
	if n := s.used; n > 0 {
		low, high := change.ShareInterval(s.beyond, n, sizeConfidence)
		list = append(list, Size{TextsBeyond, float64(s.beyond) / float64(n), low, high})
	}
	if n := s.firsts; n > 0 && s.exact != nil {
		low, high := change.PairedInterval(s.alone[0], s.alone[1], n, sizeConfidence)
		list = append(list, Size{ExactDifference, float64(s.alone[1]-s.alone[0]) / float64(n), low, high})
	}
	return list
}

// sizes returns the sizes of the log probabilities.
func (r *LogprobResult) sizes() []Size {
	low, high := change.RateInterval(r.Beyond, r.Prompts, sizeConfidence)
	list := []Size{{WordsBeyond, float64(r.Beyond) / float64(r.Prompts), low, high}}
	n := float64(len(r.distances))
	if n < 2 {
		return list
	}
	mean, squares := 0.0, 0.0
	for _, d := range r.distances {
		mean += d / n
	}
	for _, d := range r.distances {
		squares += (d - mean) * (d - mean)
	}
	room := stats.StudentQuantile((1+sizeConfidence)/2, n-1) * math.Sqrt(squares/(n-1)/n)
	return append(list, Size{NatsApart, mean, max(0, mean-room), mean + room})
}
