package fake

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/damage"
)

// unknownPrompt is the answer to a prompt that no item has.
const unknownPrompt = "This server knows no item with this prompt: start it with the same flags as the run, or with --echo."

// answer makes the reply to a request. The error is that of a Model or of an upstream.
func answer(ctx context.Context, c *Config, n *counter, q *request) (*reply, *apiError) {
	r := &reply{request: q, id: q.id, created: time.Now(), finish: verbatim.FinishStop, fingerprint: "fp_fake", prompt: promptTokens(q.prompt),
		chunk: cmp.Or(c.Chunk, 16), field: cmp.Or(c.Reasoning, "reasoning_content")}
	var it *verbatim.Item
	if c.Item != nil && !c.Echo {
		it = c.Item(q.prompt)
	}
	switch {
	case c.Echo:
		r.text = textOf(question(q.prompt))
	case it == nil && (c.Model == nil || c.Item != nil && !c.Any):
		n.Unknown.Add(1)
		r.text = unknownPrompt
	case c.Model != nil:
		if e := askModel(ctx, c.Model, q, it, r); e != nil {
			return nil, e
		}
	default:
		r.text = c.answerItem(q, it)
	}
	if len(c.Upstreams) > 0 {
		if e := r.route(c); e != nil {
			return nil, e
		}
	}
	for _, sequence := range q.stop {
		if i := strings.Index(r.text, sequence); i >= 0 && sequence != "" {
			r.text, r.finish, r.written = r.text[:i], verbatim.FinishStop, nil
		}
	}
	if r.written == nil {
		r.truncate(q.maxTokens)
	}
	return r, nil
}

// truncate cuts the reasoning, and the text after it, to a token limit; 0: no limit.
func (r *reply) truncate(limit int) {
	if limit <= 0 {
		return
	}
	var reasoningCut, textCut bool
	r.reasoning, reasoningCut = cutToTokens(r.reasoning, limit)
	r.text, textCut = cutToTokens(r.text, limit-int(r.reasoningTokens()))
	if reasoningCut || textCut {
		r.finish = verbatim.FinishLength
	}
}

// answerItem returns the right answer to an item, or with the probability c.Wrong a wrong one. An
// item that nothing spoils gets the right one.
func (c *Config) answerItem(q *request, it *verbatim.Item) string {
	rnd := q.rand(c.Seed, drawAnswer)
	if rnd.Float64() >= c.Wrong {
		return damage.Right(it)
	}
	spoilers := damage.Spoilers(damage.Grader(it))
	rnd.Shuffle(len(spoilers), func(i, j int) { spoilers[i], spoilers[j] = spoilers[j], spoilers[i] })
	for _, sp := range spoilers {
		if text, ok := sp.Spoil(rnd, it); ok {
			return text
		}
	}
	return damage.Right(it)
}

// askModel sets the answer of the Model to a request; it is nil if no item has the prompt.
func askModel(ctx context.Context, m verbatim.Model, q *request, it *verbatim.Item, r *reply) *apiError {
	if it == nil {
		it = &verbatim.Item{Prompt: q.prompt}
	}
	var got verbatim.Reply
	if err := m.Ask(ctx, &verbatim.Request{Item: it, Trial: q.repeat, Attempt: 1, Prompt: q.prompt, MaxTokens: q.maxTokens, Params: q.params}, &got); err != nil {
		e := &apiError{status: http.StatusInternalServerError, message: err.Error()}
		var f *verbatim.Failure
		switch {
		case errors.As(err, &f) && f.Status >= 400 && f.Status <= 599:
			e.status, e.after = f.Status, f.After
		case f != nil && f.Class == verbatim.BadAsk:
			e.status = http.StatusBadRequest
		}
		return e
	}
	r.text, r.reasoning, r.finish, r.tokens = got.Text, got.Reasoning, got.Finish, got.Tokens
	if got.Fingerprint != "" {
		r.fingerprint = got.Fingerprint
	}
	if n := got.Usage.Completion; n != nil && (q.maxTokens <= 0 || *n <= int64(q.maxTokens)) {
		r.written = new(max(0, *n-r.reasoningTokens()))
	}
	if got.Usage.Prompt != nil {
		r.prompt = *got.Usage.Prompt
	}
	if r.finish == verbatim.FinishUnknown || r.finish == verbatim.FinishOther {
		r.finish = verbatim.FinishStop
	}
	return nil
}

// An Index finds items by their prompts: by the last message of the user. So a system prompt
// and examples before it do not matter. The zero value is empty. Item is safe for
// concurrent use, Add is not.
type Index struct{ items map[key]*verbatim.Item }

// NewIndex returns an index of items.
func NewIndex(items ...verbatim.Item) *Index {
	x := &Index{}
	for i := range items {
		x.Add(items[i].Prompt, &items[i])
	}
	return x
}

// Add adds an item with the prompt that asks it.
func (x *Index) Add(p verbatim.Prompt, it *verbatim.Item) {
	if x.items == nil {
		x.items = map[key]*verbatim.Item{}
	}
	x.items[keyOf(question(p))] = it
}

// Item returns the item that a prompt asks, nil if no item has it. It is a function for
// Config.Item.
func (x *Index) Item(p verbatim.Prompt) *verbatim.Item { return x.items[keyOf(question(p))] }
