package earlystop

import (
	"fmt"
	"iter"
	"sync"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
)

// A Scope says what a test speaks of.
type Scope string

// The scopes. Endpoint is the model behind the answers, which may answer
// differently tomorrow; Benchmark the mean that asking all the items now would
// give, which is decided for good when all of them were asked.
const (
	Endpoint  Scope = "endpoint"
	Benchmark Scope = "benchmark"
)

// Scopes lists the scopes, the default first.
func Scopes() []Scope { return []Scope{Endpoint, Benchmark} }

// A Test is the Source of a run that asks the items of a Baseline until a
// sequential test has a verdict, or the items are used up. It asks in the
// baseline's order, a little ahead; it looks at answers in that order too, block
// by block, in whatever order they came. So what it says is a function of the
// records alone: a test that was killed and continued says what it would have said.
//
// All its methods but Standing are called from one goroutine.
type Test struct {
	Options
	baseline *Baseline
	end      int // index after the last item that may be asked
	newRule  func(n int) (rule, error)

	rules     []*scopeRule             // the first one decides
	answers   map[int64]verdict.Answer // by place: answers that are not looked at yet
	inFlight  map[int64]struct{}       // places that this call has asked, not looked at yet
	nextItem  int                      // index of the item to ask next
	decided   int                      // index after the last block that was looked at
	available int                      // items of the baseline that can be asked
	allowed   int                      // of them, those that may be
	finished  bool
	counts    counts

	mu       sync.Mutex
	progress Progress
}

// TestOptions say what a Test is about.
type Options struct {
	Scope Scope   // that decides; empty is Endpoint
	Bound float64 // the margin of a gate, or the ROPE
	Alpha float64 // error rate
	Items int     // how many items are asked at most; 0: all of the baseline's
	Jobs  int     // how many requests can be in flight at a time; 0: not known
	// MaxUnanswered and MaxLimitGap bound what a verdict is given with: the share of
	// items without an answer on a side, and by how much the shares of undecided
	// limits may differ.
	MaxUnanswered, MaxTruncatedGap float64
	Score                          verdict.ScoreFunc
	// Record reads the baseline's record of the first trial at a place, with texts.
	Record func(seq int64) (verbatim.Record, error)
	Params verbatim.Params
	// MaxTokens is the token limit for an item of the baseline.
	MaxTokens func(rec *verbatim.Record) int
}

// A rule is a sequential test of differences in one scope.
type rule interface {
	SetBaseline(baseline []float64) error
	Add(block []float64) (sequential.Decision, error)
	Shrink(items int) error
	Decision() sequential.Decision
	Interval() stats.Interval
	FinalLook(p sequential.Posterior) sequential.Decision
}

// A scoped is the rule of one scope, and how far the test was when it decided.
type scopeRule struct {
	scope Scope
	rule
	at int // pairs
}

// A Standing is how far a test is, for who watches it.
type Progress struct {
	Pairs, Allowed int64 // items with an answer on both sides, and how many there may be
	Difference     *float64
	Word           verdict.Word
}

// NewGate returns the test that asks whether a model is worse than the baseline by
// more than a margin. Its verdicts are Pass and Worse.
func NewGate(b *Baseline, o Options) (*Test, error) {
	return newTest(b, o, []Scope{o.Scope}, func(n int) (rule, error) { return sequential.NewGate(o.Bound, o.Alpha, n) })
}

// NewUntilVerdict returns the test that asks how a model compares with the
// baseline. Its verdicts are Worse, Equivalent and Better. It follows both scopes;
// the Scope of o decides when it stops.
func NewROPETest(b *Baseline, o Options) (*Test, error) {
	scopes := []Scope{Endpoint, Benchmark}
	if o.Scope == Benchmark {
		scopes = []Scope{Benchmark, Endpoint}
	}
	return newTest(b, o, scopes, func(n int) (rule, error) { return sequential.NewROPETest(o.Bound, o.Alpha, n) })
}

func newTest(b *Baseline, o Options, scopes []Scope, made func(n int) (rule, error)) (*Test, error) {
	t := &Test{Options: o, baseline: b, newRule: made, answers: map[int64]verdict.Answer{}, inFlight: map[int64]struct{}{}}
	if t.Scope == "" {
		t.Scope, scopes[0] = Endpoint, Endpoint
	}
	if share := b.Unanswered(); share > o.MaxUnanswered {
		return nil, &verdict.Refusal{
			Why: fmt.Sprintf("%d of %d items of the baseline %s have no answer, which is more than %.3g %%", b.Items()-b.Answered(), b.Items(), b.Run.Name, 100*o.MaxUnanswered),
			Do:  "continue the baseline with the command that started it, or allow more with --max-unanswered",
		}
	}
	if t.end = t.limitItems(); t.end == 0 {
		return nil, &verdict.Refusal{
			Why: fmt.Sprintf("%d items are less than one block of %d, one of each length", o.Items, b.block),
			Do:  fmt.Sprintf("ask at least %d", b.block),
		}
	}
	for _, scope := range scopes {
		if err := t.addRule(scope); err != nil {
			return nil, err
		}
	}
	t.updateProgress()
	return t, nil
}

// follow adds the rule of a scope. That of the benchmark needs a block to speak of;
// where it does not decide, it is left out without one.
func (t *Test) addRule(scope Scope) error {
	n := 0
	if scope == Benchmark {
		n = t.completeBlocks(0) * t.baseline.block
		switch {
		case n == 0 && scope == t.Scope:
			return &verdict.Refusal{Why: "no block of the baseline is answered whole", Do: "use --scope endpoint"}
		case n == 0:
			return nil
		}
	}
	r, err := t.newRule(n)
	if err == nil && scope == Benchmark {
		err = t.setBaseline(r)
	}
	t.rules = append(t.rules, &scopeRule{scope: scope, rule: r})
	return err
}

// tell lets a rule of the benchmark know what the baseline got for its items, which
// spares it calls.
func (t *Test) setBaseline(r rule) error {
	var scores []float64
	for i := range t.baseline.items {
		it := &t.baseline.items[i]
		if !t.complete(i / t.baseline.block) {
			continue
		}
		if !(it.score >= 0 && it.score <= 1) {
			return &verdict.Refusal{
				Why: fmt.Sprintf("item %s: its score is %v in the baseline, and scores of a test lie between 0 and 1", it.id, it.score),
				Do:  "choose another score with --metric",
			}
		}
		scores = append(scores, it.score)
	}
	return r.SetBaseline(scores)
}

// Resume takes the records that earlier calls of the same test have kept. It is
// called before the first Next. Those without an answer are asked again.
func (t *Test) Resume(records iter.Seq2[verbatim.Record, error]) error {
	for rec, err := range records {
		if err != nil {
			return err
		}
		j, err := verdict.ReadAnswer(&rec, t.Score)
		if err != nil {
			return err
		}
		if j.Answered() {
			t.answers[rec.Seq] = j
		}
	}
	return t.decide()
}

// drawn is how many requests Next makes at a time.
const batchSize = 16

// Next implements verbatim.Source.
func (t *Test) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	for i := range done {
		j, err := verdict.ReadAnswer(&done[i], t.Score)
		if err != nil {
			return nil, err
		}
		t.answers[done[i].Seq] = j
	}
	if err := t.decide(); err != nil || t.finished {
		return nil, err
	}
	requests := []verbatim.Request{}
	for ; t.nextItem < t.end && len(t.inFlight) < t.window() && len(requests) < batchSize; t.nextItem++ {
		it := &t.baseline.items[t.nextItem]
		if _, kept := t.answers[it.seq]; kept || !t.sendable(t.nextItem) {
			continue
		}
		r, err := t.request(it)
		if err != nil {
			return nil, err
		}
		t.inFlight[it.seq] = struct{}{}
		requests = append(requests, r)
	}
	if len(requests) == 0 && len(t.inFlight) == 0 {
		return nil, nil
	}
	return requests, nil
}

// window is how many items may be asked and not yet looked at. Each may be a call
// in vain when the verdict comes; but as long as one answer is slow, nothing after
// it is looked at, and the endpoint is not to wait for that.
func (t *Test) window() int {
	const ahead = 32
	if t.Jobs == 0 {
		return max(t.baseline.block, ahead)
	}
	return max(t.baseline.block, t.Jobs, min(t.Jobs+t.baseline.block, ahead))
}

// request asks what the baseline was asked.
func (t *Test) request(it *baselineItem) (verbatim.Request, error) {
	rec, err := t.Record(it.seq)
	if err != nil {
		return verbatim.Request{}, err
	}
	if len(rec.Prompt) == 0 {
		return verbatim.Request{}, noPrompts(t.baseline.Run)
	}
	return verbatim.Request{Seq: rec.Seq, Attempt: 1, Item: rec.Item, Prompt: rec.Prompt, MaxTokens: t.MaxTokens(&rec), Params: t.Params}, nil
}

func noPrompts(run verbatim.Run) error {
	return &verdict.Refusal{
		Why: fmt.Sprintf("it is not known what run %s was asked: it holds no prompts, as imported scores do", run.Name),
		Do:  "name a run that was asked here, or one that was imported with its items",
	}
}

// Standing returns how far the test is. It may be called at any time.
func (t *Test) Progress() Progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.progress
}
