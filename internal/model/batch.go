package model

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/batch"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
	"verbatim/internal/wire/clean"
)

// A batchModel is a model behind a wire that takes batches too.
type batchModel struct {
	*wireModel
	api *batch.API
}

// newWireModel returns the model behind an endpoint. It is a verbatim.Batcher too if the protocol has
// batches. A server without them returns an error to the first one.
func newWireModel(p *wire.Protocol, e wire.Endpoint, redactor redact.Redactor, log io.Writer) verbatim.Model {
	m := &wireModel{wire: p, endpoint: e, redactor: redactor, log: log}
	if api := batch.For(p.Name); api != nil {
		return batchModel{m, api}
	}
	return m
}

// batchRequests returns the requests of a batch, each with its position in the plan as its id.
func batchRequests(requests []verbatim.Request) []batch.Request {
	out := make([]batch.Request, len(requests))
	for i, r := range requests {
		prompt := r.Prompt
		if r.Params.SystemAs == SystemAsUser {
			prompt, _ = SystemInUser(prompt)
		}
		out[i] = batch.Request{ID: "s" + strconv.FormatInt(r.Seq, 10), Prompt: prompt, MaxTokens: r.MaxTokens, Params: r.Params}
	}
	return out
}

// Fits implements verbatim.Batcher.
func (b batchModel) Fits(requests []verbatim.Request) (int, error) {
	return b.api.Fits(b.endpoint, batchRequests(requests))
}

// Submit implements verbatim.Batcher.
func (b batchModel) Submit(ctx context.Context, key string, requests []verbatim.Request) (string, error) {
	id, err := b.api.Submit(ctx, b.endpoint, key, batchRequests(requests))
	if err != nil {
		return id, b.redactor.Error(err)
	}
	return b.redactor.ID("id of the batch", id, b.endpoint.Who())
}

// Find implements verbatim.Batcher.
func (b batchModel) Find(ctx context.Context, key string) (string, error) {
	id, err := b.api.Find(ctx, b.endpoint, key)
	if err != nil {
		return id, b.redactor.Error(err)
	}
	return b.redactor.ID("id of the batch", id, b.endpoint.Who())
}

// Collect implements verbatim.Batcher. A result with an id that batchRequests does not make is an
// error: then the batch is another one.
func (b batchModel) Collect(ctx context.Context, id string, answer func(int64, verbatim.Reply, error) error) (verbatim.BatchState, error) {
	state, err := b.api.Collect(ctx, b.endpoint, id, func(name string, reply verbatim.Reply, err error) error {
		digits, hasPrefix := strings.CutPrefix(name, "s")
		seq, parseErr := strconv.ParseInt(digits, 10, 64)
		if !hasPrefix || parseErr != nil {
			return &verbatim.Failure{Class: verbatim.Content, Who: b.endpoint.Who(), Err: fmt.Errorf("batch %s has a result of %q, which was not in it", clean.Line(id, 80), clean.Line(name, 80)),
				Hint: "look at the batch in the provider's console"}
		}
		b.redactor.Reply(&reply)
		return answer(seq, reply, b.redactor.Error(err))
	})
	state.Raw = b.redactor.Text(state.Raw)
	return state, b.redactor.Error(err)
}
