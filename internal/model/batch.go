package model

import (
	"context"
	"io"
	"slices"

	"verbatim"
	"verbatim/internal/batch"
	"verbatim/internal/wire"
)

// A batchModel is a model behind a wire that takes batches too.
type batchModel struct {
	*wireModel
	api *batch.API
}

// newWireModel returns the model behind an endpoint. It is a verbatim.Batcher too if the protocol has
// batches. A server without them returns an error to the first one.
func newWireModel(p *wire.Protocol, e wire.Endpoint, by refiner, log io.Writer) verbatim.Model {
	m := &wireModel{wire: p, endpoint: e, refiner: by, log: log}
	if api := batch.For(p.Name); api != nil {
		return batchModel{m, api}
	}
	return m
}

// prompted returns the requests of a batch, with their system text where the parameters say.
func prompted(requests []verbatim.Request) []verbatim.Request {
	requests = slices.Clone(requests)
	for i := range requests {
		if r := &requests[i]; r.Params.SystemAs == SystemAsUser {
			r.Prompt, _ = SystemInUser(r.Prompt)
		}
	}
	return requests
}

// Fits implements verbatim.Batcher.
func (b batchModel) Fits(requests []verbatim.Request) (int, error) {
	return b.api.Fits(b.endpoint, prompted(requests))
}

// Submit implements verbatim.Batcher.
func (b batchModel) Submit(ctx context.Context, key string, requests []verbatim.Request) (string, error) {
	id, err := b.api.Submit(ctx, b.endpoint, key, prompted(requests))
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

// Collect implements verbatim.Batcher.
func (b batchModel) Collect(ctx context.Context, id string, answer func(int64, verbatim.Reply, error) error) (verbatim.BatchState, error) {
	state, err := b.api.Collect(ctx, b.endpoint, id, func(seq int64, reply verbatim.Reply, err error) error {
		b.refine(&reply)
		return answer(seq, reply, b.redactor.Error(err))
	})
	state.Raw = b.redactor.Text(state.Raw)
	return state, b.redactor.Error(err)
}
