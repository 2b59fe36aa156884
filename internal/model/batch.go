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

// newWireModel returns the model behind an endpoint; it also is a verbatim.Batcher where
// the protocol has batches. Whether the server has them shows when it is asked.
func newWireModel(p *wire.Protocol, e wire.Endpoint, redactor redact.Redactor, log io.Writer) verbatim.Model {
	a := &wireModel{wire: p, endpoint: e, redactor: redactor, log: log}
	api := batch.For(p.Name)
	if api == nil {
		return a
	}
	return batchModel{a, api}
}

// batchRequests names requests by their positions, by which their answers are found.
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

// Collect implements verbatim.Batcher. What a provider says of a request that is
// not one of ours is an error: it is then not our batch.
func (b batchModel) Collect(ctx context.Context, id string, answer func(int64, verbatim.Reply, error) error) (verbatim.BatchState, error) {
	state, err := b.api.Collect(ctx, b.endpoint, id, func(name string, reply verbatim.Reply, err error) error {
		digits, ours := strings.CutPrefix(name, "s")
		seq, bad := strconv.ParseInt(digits, 10, 64)
		if !ours || bad != nil {
			return &verbatim.Failure{Class: verbatim.Content, Who: b.endpoint.Who(), Err: fmt.Errorf("batch %s holds an answer to %q, which was not in it", clean.Line(id, 80), clean.Line(name, 80)),
				Hint: "look at the batch in the provider's console"}
		}
		b.redactor.Reply(&reply)
		return answer(seq, reply, b.redactor.Error(err))
	})
	state.Raw = b.redactor.Text(state.Raw)
	return state, b.redactor.Error(err)
}
