package report

import (
	"verbatim"

	"verbatim/internal/stats/stream"
)

// reasoningTokens gathers the reasoning tokens of answers with one outcome.
type reasoningTokens struct {
	total  int64
	tokens *stream.Quantiles // nil: none yet
}

func (t *reasoningTokens) add(n *int64) {
	if n == nil || *n < 0 {
		return
	}
	if t.tokens == nil {
		t.tokens = new(stream.Quantiles)
	}
	t.total += *n
	if *n == 0 {
		t.tokens.AddZero()
	} else {
		t.tokens.Add(stream.BucketOf(float64(*n)))
	}
}

func (t *reasoningTokens) merge(o *reasoningTokens) {
	if o.tokens == nil {
		return
	}
	if t.tokens == nil {
		t.tokens = new(stream.Quantiles)
	}
	t.total += o.total
	t.tokens.Merge(o.tokens)
}

// sealThoughts lists the outcomes of which reasoning tokens are known. Of servers
// that only ever say 0 there is nothing to list.
func finishReasoning(by *[8]reasoningTokens) []Reasoned {
	var list []Reasoned
	var total int64
	for i, o := range verbatim.Outcomes() {
		if t := &by[i]; t.tokens != nil {
			total += t.total
			list = append(list, Reasoned{o, t.tokens.Quantile(0.5), t.tokens.Quantile(0.95), t.total, t.tokens.N})
		}
	}
	if total == 0 {
		return nil
	}
	return list
}

// windows counts the answers that fit context windows, in the order of windowSizes.
type windows struct {
	fit [2]int64
	of  int64
}

// WindowSizes are the context windows, in tokens, that small models commonly have.
var WindowSizes = [2]int64{4096, 8192}

func (w *windows) add(u *verbatim.Usage) {
	if u.Prompt == nil || u.Completion == nil {
		return
	}
	w.of++
	for i, size := range WindowSizes {
		if *u.Prompt <= size && *u.Completion <= size-*u.Prompt {
			w.fit[i]++
		}
	}
}

func (w *windows) merge(o windows) {
	w.of += o.of
	for i, n := range o.fit {
		w.fit[i] += n
	}
}

func (w *windows) finish() []Context {
	if w.of == 0 {
		return nil
	}
	var list []Context
	for i, size := range WindowSizes {
		list = append(list, Context{size, w.fit[i], w.of})
	}
	return list
}
