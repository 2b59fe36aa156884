package earlystop

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"sync"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
)

// A Scope says what the verdict of a test is about.
type Scope string

// The scopes. Endpoint is the model behind the answers, which may answer differently
// tomorrow. Benchmark is the mean score of all items now, which is final when all items
// were sent.
const (
	Endpoint  Scope = "endpoint"
	Benchmark Scope = "benchmark"
)

// Scopes lists the scopes, the default first.
func Scopes() []Scope { return []Scope{Endpoint, Benchmark} }

// A Test is the verbatim.Source of a run that sends the items of a Baseline until a
// sequential test has a verdict, or the items are used up. It sends items in the order of
// the baseline, somewhat ahead. It adds answers to the sequential test in that order too,
// block by block, in whatever order they arrive. So the result depends on the records
// only, and an interrupted test that is continued gives the same result.
//
// All methods except Progress are called from one goroutine.
type Test struct {
	Options
	baseline *Baseline
	end      int                       // index after the last item that may be sent
	newRule  func(n int) (rule, error) // n is the number of items of the benchmark; 0: the endpoint
	isGate   bool                      // made by NewGate

	rules     []*scopeRule             // the first rule decides
	answers   map[int64]verdict.Answer // by position: answers not yet added to the rules
	inFlight  map[int64]struct{}       // positions sent by this call, not yet added to the rules
	nextItem  int                      // index of the next item to send
	decided   int                      // index after the last block added to the rules
	available int                      // items of the baseline that can be sent
	allowed   int                      // of available, those that this test may send
	finished  bool
	counts    counts

	mu       sync.Mutex
	progress progress
}

// Options are the settings of a Test.
type Options struct {
	Scope Scope   // scope of the verdict; empty is Endpoint
	Bound float64 // the margin of a gate, or the ROPE
	Alpha float64 // error rate
	Items int     // maximum number of items; 0 is all items of the baseline
	Jobs  int     // maximum number of requests in flight; 0 if unknown
	// There is no verdict if the share of items without an answer on a side is above
	// MaxUnanswered, or if the shares of answers truncated before they could be judged
	// differ by more than MaxTruncatedGap.
	MaxUnanswered, MaxTruncatedGap float64
	Score                          verdict.ScoreFunc
	// Record reads the record at a position of the baseline, first trial, with texts.
	Record func(seq int64) (verbatim.Record, error)
	Params verbatim.Params
	// Limits are the token limits for an item of the baseline: of the reply, and of its
	// content.
	Limits func(rec *verbatim.Record) (reply, content int)
}

// A rule is a sequential test of differences in one scope.
type rule interface {
	SetBaseline(baseline []float64) error
	Add(block []float64) (sequential.Decision, error)
	Shrink(items int) error
	Decision() sequential.Decision
	IntervalAt(alpha float64) stats.Interval
	FinalLook(b sequential.Bounds) sequential.Decision
}

// A scopeRule is the rule of one scope, with the number of pairs when it decided.
type scopeRule struct {
	scope Scope
	rule
	at int // pairs
}

// A Progress is the state of a running test.
type progress struct {
	Pairs, Allowed int64 // items with an answer of both sides, and their maximum
	Difference     *float64
	Word           verdict.Word
}

// NewGate returns the test for non-inferiority: is the model worse than the baseline by
// more than a margin? Its verdicts are Pass and Worse.
func NewGate(b *Baseline, o Options) (*Test, error) {
	o.Scope = cmp.Or(o.Scope, Endpoint)
	t, err := newTest(b, o, []Scope{o.Scope}, func(n int) (rule, error) { return sequential.NewGate(o.Bound, o.Alpha, n) })
	if err != nil {
		return nil, err
	}
	t.isGate = true
	return t, nil
}

// NewROPETest returns the test that compares a model with the baseline. Its verdicts are
// Worse, Equivalent and Better. It computes both scopes; the Scope of o decides when it
// stops.
func NewROPETest(b *Baseline, o Options) (*Test, error) {
	o.Scope = cmp.Or(o.Scope, Endpoint)
	scopes := []Scope{Endpoint, Benchmark}
	if o.Scope == Benchmark {
		scopes = []Scope{Benchmark, Endpoint}
	}
	return newTest(b, o, scopes, func(n int) (rule, error) { return sequential.NewROPETest(o.Bound, o.Alpha, n) })
}

// newTest returns a test with a rule for each scope, the deciding one first.
func newTest(b *Baseline, o Options, scopes []Scope, made func(n int) (rule, error)) (*Test, error) {
	t := &Test{Options: o, baseline: b, newRule: made, answers: map[int64]verdict.Answer{}, inFlight: map[int64]struct{}{}}
	if share := b.unanswered(); share > o.MaxUnanswered {
		return nil, &verdict.Refusal{
			Why: fmt.Sprintf("%d of %d items of the baseline %s have no answer: more than %.3g %%", b.Items()-b.answered(), b.Items(), b.Run.Name, 100*o.MaxUnanswered),
			Do:  "continue the baseline with the command that started it, or allow more with --max-unanswered",
		}
	}
	if t.end = t.limitItems(); t.end == 0 {
		return nil, &verdict.Refusal{
			Why: fmt.Sprintf("%d items are less than one block of %d (one item of each length)", o.Items, b.block),
			Do:  fmt.Sprintf("set at least %d items", b.block),
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

// addRule adds the rule of a scope. Benchmark needs a complete block. Without one it is left out,
// or refused if it is the scope of the test.
func (t *Test) addRule(scope Scope) error {
	n := 0
	if scope == Benchmark {
		n = t.completeBlocks(0) * t.baseline.block
		switch {
		case n == 0 && scope == t.Scope:
			return &verdict.Refusal{Why: "no block of the baseline is complete", Do: "use --scope endpoint"}
		case n == 0:
			return nil
		}
	}
	r, err := t.newRule(n)
	if err != nil {
		return err
	}
	t.rules = append(t.rules, &scopeRule{scope: scope, rule: r})
	if scope == Benchmark {
		return t.setBaseline(r)
	}
	return nil
}

// setBaseline gives a rule of the benchmark the baseline's scores as control variate,
// which saves requests.
func (t *Test) setBaseline(r rule) error {
	var scores []float64
	for i := range t.baseline.items {
		it := &t.baseline.items[i]
		if !t.complete(i / t.baseline.block) {
			continue
		}
		if !(it.score >= 0 && it.score <= 1) {
			return &verdict.Refusal{
				Why: fmt.Sprintf("item %s: its score is %v in the baseline; scores must be between 0 and 1", it.id, it.score),
				Do:  "choose another score with --metric",
			}
		}
		scores = append(scores, it.score)
	}
	return r.SetBaseline(scores)
}

// Resume adds the records that earlier commands saved of the same test. It must be called
// before the first Next. Items without an answer are sent again.
func (t *Test) Resume(records iter.Seq2[verbatim.Record, error]) error {
	for rec, err := range records {
		if err != nil {
			return err
		}
		a, err := verdict.ReadAnswer(&rec, t.Score)
		if err != nil {
			return err
		}
		if a.Answered() {
			t.answers[rec.Seq] = a
		}
	}
	return t.decide()
}

// batchSize is the maximum number of requests that Next returns.
const batchSize = 16

// Next implements verbatim.Source.
func (t *Test) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	for i := range done {
		a, err := verdict.ReadAnswer(&done[i], t.Score)
		if err != nil {
			return nil, err
		}
		if f := done[i].Failure; f != nil && f.Class.Skips() {
			a.Outcome = verbatim.Errored // it will have no answer, however often the test is continued
		}
		t.answers[done[i].Seq] = a
	}
	if err := t.decide(); err != nil || t.finished {
		return nil, err
	}
	requests := []verbatim.Request{}
	for ; t.nextItem < t.end && len(t.inFlight) < t.window() && len(requests) < batchSize; t.nextItem++ {
		it := &t.baseline.items[t.nextItem]
		if _, saved := t.answers[it.seq]; saved || !t.sendable(t.nextItem) {
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

// window is the maximum number of items that are sent and not yet added to the rules. Those in
// flight are wasted when a verdict comes. But one slow answer holds up all later ones, and must
// not make the endpoint wait.
func (t *Test) window() int {
	const ahead = 32
	if t.Jobs == 0 {
		return max(t.baseline.block, ahead)
	}
	return max(t.baseline.block, t.Jobs, min(t.Jobs+t.baseline.block, ahead))
}

// request makes the request of an item, with the prompt of the baseline.
func (t *Test) request(it *baselineItem) (verbatim.Request, error) {
	rec, err := t.Record(it.seq)
	if err != nil {
		return verbatim.Request{}, err
	}
	if len(rec.Prompt) == 0 {
		return verbatim.Request{}, &verdict.Refusal{
			Why: fmt.Sprintf("run %s has no prompts: it was imported as scores", t.baseline.Run.Name),
			Do:  "name a run of this program, or one imported with its items",
		}
	}
	r := verbatim.Request{Seq: rec.Seq, Attempt: 1, Item: rec.Item, Prompt: rec.Prompt, Params: t.Params}
	r.MaxTokens, r.ContentTokens = t.Limits(&rec)
	return r, nil
}

// progress returns the state of the test. It may be called at any time.
func (t *Test) Progress() progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.progress
}

// limitItems sets the numbers of items that can be sent and that this test may send: whole blocks
// with at most Items items. It returns the index after the last of these blocks.
func (t *Test) limitItems() (end int) {
	for start := 0; start < len(t.baseline.items); start += t.baseline.block {
		for i := start; i < start+t.baseline.block; i++ {
			if t.sendable(i) {
				t.available++
			}
		}
		if t.Items == 0 || t.available <= t.Items {
			end, t.allowed = start+t.baseline.block, t.available
		}
	}
	return end
}

// sendable reports whether an item is sent: it has an answer in the baseline and, in the
// scope of the benchmark, so has its whole block.
func (t *Test) sendable(i int) bool {
	if t.Scope == Benchmark {
		return t.complete(i / t.baseline.block)
	}
	return t.baseline.items[i].answered()
}

// complete reports whether all items of a block have an answer in the baseline.
func (t *Test) complete(block int) bool {
	for i := block * t.baseline.block; i < (block+1)*t.baseline.block; i++ {
		if !t.baseline.items[i].answered() {
			return false
		}
	}
	return true
}

// completeBlocks counts the complete blocks from the block with an index on.
func (t *Test) completeBlocks(from int) (n int) {
	for i := from; i < len(t.baseline.items)/t.baseline.block; i++ {
		if t.complete(i) {
			n++
		}
	}
	return n
}

// maxBlock bounds the size of a block, because a test decides only at the end of one.
const maxBlock = 16

// arrange puts the items into the order in which tests send them. The order is random and
// depends only on the hash of the plan and the ids of the items. So it is the same for
// every model and for any order of the records. Imported files are often sorted by task,
// and a test that stops early would see the first tasks only.
//
// If all lengths have the same number of items, a block has one item of each length. A
// test that stops early has then sent all lengths equally often; the task of an item is
// random. Otherwise every item is a block.
func (b *Baseline) arrange() {
	type keyed struct {
		baselineItem
		key  uint64
		rank int // index among the items of its length
	}
	list := make([]keyed, len(b.items))
	for i, it := range b.items {
		sum := sha256.Sum256([]byte("verbatim order of tests 1\n" + b.Run.Plan.Hash + "\n" + it.id))
		list[i] = keyed{baselineItem: it, key: binary.BigEndian.Uint64(sum[:])}
	}
	slices.SortFunc(list, func(x, y keyed) int {
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.id, y.id), cmp.Compare(x.seq, y.seq))
	})
	count := map[string]int{}
	for i := range list {
		it := &list[i]
		it.rank = count[it.length]
		count[it.length]++
	}
	b.block = evenBlock(count, len(list))
	if b.block > 1 {
		slices.SortStableFunc(list, func(x, y keyed) int { return cmp.Compare(x.rank, y.rank) })
	}
	for i := range list {
		b.items[i] = list[i].baselineItem
	}
}

// evenBlock returns the number of lengths if all have the same number of items. It returns
// 1 if they do not, or if there are more than maxBlock.
func evenBlock(count map[string]int, items int) int {
	if len(count) > maxBlock {
		return 1
	}
	for _, n := range count {
		if n*len(count) != items {
			return 1
		}
	}
	return max(len(count), 1)
}

// maxItemsNeeded bounds the search: no baseline has so many items.
const maxItemsNeeded = 100_000

// itemsNeeded returns the number of further items that would give a verdict if the
// differences seen so far were repeated. It is nil with a verdict, or if maxItemsNeeded
// would not be enough.
func (t *Test) itemsNeeded() (*int, error) {
	s := &t.counts
	if s.verdict != sequential.Undecided || s.pairs == 0 {
		return nil, nil
	}
	if t.Scope == Benchmark { // decided once all items are sent
		n := t.completeBlocks(t.decided/t.baseline.block) * t.baseline.block
		if n == 0 { // no item is left
			return nil, nil
		}
		return &n, nil
	}
	r, err := t.newRule(0)
	if err != nil {
		return nil, err
	}
	for n := range maxItemsNeeded {
		d, err := r.Add(s.diffs[n%s.pairs : n%s.pairs+1])
		if err != nil {
			return nil, err
		}
		if d != sequential.Undecided {
			return new(max(n+1-s.pairs, 1)), nil
		}
	}
	return nil, nil
}
