package model

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"verbatim/internal/provider"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// listWait is how long a server elsewhere has to list its models.
const listWait = 5 * time.Second

// askServed asks the server at e what it says of its model: at /props of llama.cpp, in its
// list of models (vLLM, SGLang, llama.cpp, OpenRouter), in the list of LM Studio, and at
// /api/ps and /api/show of Ollama. Only servers on this machine and in private networks are asked for
// more than their list.
func askServed(ctx context.Context, p *wire.Protocol, e wire.Endpoint) (s Served) {
	near := isNear(e.BaseURL)
	if near && p.Name != "ollama" {
		if props, ok := askProps(ctx, e); ok {
			own := Served{Context: &props.Defaults.Context}
			if props.Modalities != nil {
				own.Images = &props.Modalities.Vision
			}
			s.complete(own)
		}
	}
	list := e
	if list.Total = listWait; near {
		list.Total = slotsWait
	}
	if s.known() {
		return s
	}
	if body, err := wire.GetJSON(ctx, list, p.ModelsPath(e.BaseURL)); err == nil {
		s.complete(readServed(body, e.Model))
	}
	if s.known() || !near {
		return s
	}
	if body, err := wire.GetJSON(ctx, atRoot(e), "/api/v0/models"); err == nil {
		s.complete(readServed(body, e.Model))
	}
	local, _ := provider.FindLocal(e.BaseURL)
	if s.known() || p.Name != "ollama" && local.Name != "ollama" {
		return s
	}
	if body, err := wire.GetJSON(ctx, atRoot(e), "/api/ps"); err == nil {
		s.complete(readLoaded(body, e.Model))
	}
	if s.known() {
		return s
	}
	if body, err := askShow(ctx, e); err == nil {
		s.complete(readShow(body))
	}
	return s
}

// maxShow bounds what Ollama says of a model, in bytes: its licence and its template are there.
const maxShow = 8 << 20

// askShow asks Ollama what it knows of a model. On its usual port it serves other protocols too.
func askShow(ctx context.Context, e wire.Endpoint) ([]byte, error) {
	ollama, ok := wire.Find("ollama")
	if !ok {
		return nil, errors.ErrUnsupported
	}
	body := string(rawjson.AppendString([]byte(`{"model":`), e.Model)) + "}"
	return ollama.PostObject(ctx, atRoot(e), "/show", wire.Upload{MediaType: "application/json", Size: int64(len(body)), MaxReply: maxShow,
		Open: func() io.ReadCloser { return io.NopCloser(strings.NewReader(body)) }})
}
