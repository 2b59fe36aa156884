package model

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// A batched is a model behind a wire that takes batches too.
type batched struct {
	*asked
	api *wire.BatchAPI
}

// model returns the model behind an endpoint; it also is a verbatim.Batcher where
// the protocol has batches. Whether the server has them shows when it is asked.
func (p protocol) model(e wire.Endpoint, redactor redact.Redactor) verbatim.Model {
	a := &asked{p, e, redactor}
	if p.batches == nil {
		return a
	}
	return batched{a, p.batches()}
}

// asks names requests by their places: that is how their answers are told apart.
func asks(requests []verbatim.Request) []wire.BatchAsk {
	out := make([]wire.BatchAsk, len(requests))
	for i, r := range requests {
		out[i] = wire.BatchAsk{ID: "s" + strconv.FormatInt(r.Seq, 10), Prompt: r.Prompt, MaxTokens: r.MaxTokens, Params: r.Params}
	}
	return out
}

// Fits implements verbatim.Batcher.
func (b batched) Fits(requests []verbatim.Request) (int, error) {
	return b.api.Fits(b.e, asks(requests))
}

// Submit implements verbatim.Batcher.
func (b batched) Submit(ctx context.Context, key string, requests []verbatim.Request) (string, error) {
	id, err := b.api.Submit(ctx, b.e, key, asks(requests))
	if err != nil {
		return id, b.redactor.Error(err)
	}
	return b.redactor.ID("id of the batch", id, b.e.Who())
}

// Find implements verbatim.Batcher.
func (b batched) Find(ctx context.Context, key string) (string, error) {
	id, err := b.api.Find(ctx, b.e, key)
	if err != nil {
		return id, b.redactor.Error(err)
	}
	return b.redactor.ID("id of the batch", id, b.e.Who())
}

// Collect implements verbatim.Batcher. What a provider says of a request that is
// not one of ours is an error: it is then not our batch.
func (b batched) Collect(ctx context.Context, id string, answer func(int64, verbatim.Reply, error) error) (verbatim.BatchState, error) {
	state, err := b.api.Collect(ctx, b.e, id, func(name string, reply verbatim.Reply, err error) error {
		digits, ours := strings.CutPrefix(name, "s")
		seq, bad := strconv.ParseInt(digits, 10, 64)
		if !ours || bad != nil {
			return &verbatim.Failure{Class: verbatim.Content, Who: b.e.Who(), Err: fmt.Errorf("batch %s holds an answer to %q, which was not asked", wire.Clean(id, 80), wire.Clean(name, 80)),
				Hint: "look at the batch in the provider's console"}
		}
		b.redactor.Reply(&reply)
		return answer(seq, reply, b.redactor.Error(err))
	})
	state.Raw = b.redactor.Text(state.Raw)
	return state, b.redactor.Error(err)
}
