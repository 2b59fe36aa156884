package model

import (
	"context"
	"io"
	"strings"
	"time"

	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// listWait is the time limit for the list of models of a server that is not near.
const listWait = 5 * time.Second

// askServed asks the server at e about its model: at /props of llama.cpp, in its list of models
// (vLLM, SGLang, llama.cpp, OpenRouter), in the list of LM Studio, and at /api/ps and /api/show of
// Ollama. It stops as soon as all is known. Servers that are neither on this machine nor in a private
// network are asked only for their list.
func askServed(ctx context.Context, p *wire.Protocol, e wire.Endpoint) (s served) {
	near := isNear(e.BaseURL)
	local, _ := findLocalProvider(e.BaseURL)
	list := e
	list.Total = listWait
	if near {
		list.Total = slotsWait
	}
	var sources []func() served
	if near && p.Name != "ollama" {
		sources = append(sources, func() served { return servedProps(ctx, e) })
	}
	sources = append(sources, func() served { return fetchServed(ctx, list, p.ModelsPath(e.BaseURL), readServed) })
	if near {
		sources = append(sources, func() served { return fetchServed(ctx, atRoot(e), "/api/v0/models", readServed) })
	}
	if near && (p.Name == "ollama" || local.Name == "ollama") {
		sources = append(sources,
			func() served { return fetchServed(ctx, atRoot(e), "/api/ps", readLoaded) },
			func() served { return servedShow(ctx, e) })
	}
	for _, ask := range sources {
		if !s.known() {
			s.complete(ask())
		}
	}
	return s
}

// fetchServed returns what read finds about the model in the document at path.
func fetchServed(ctx context.Context, e wire.Endpoint, path string, read func(body []byte, model string) served) served {
	body, err := wire.GetJSON(ctx, e, path)
	if err != nil {
		return served{}
	}
	return read(body, e.Model)
}

// servedProps returns what llama.cpp says of a model at /props.
func servedProps(ctx context.Context, e wire.Endpoint) (s served) {
	if props, ok := askProps(ctx, e); ok {
		s.Context = &props.Defaults.Context
		if props.Modalities != nil {
			s.Images = &props.Modalities.Vision
		}
	}
	return s
}

// maxShow bounds Ollama's description of a model, in bytes: it has the licence and the template.
const maxShow = 8 << 20

// servedShow returns what Ollama says of a model at /api/show. On its usual port it serves other
// protocols too.
func servedShow(ctx context.Context, e wire.Endpoint) served {
	body := string(rawjson.AppendString([]byte(`{"model":`), e.Model)) + "}"
	shown, err := wire.Ollama().PostObject(ctx, atRoot(e), "/show", wire.Upload{MediaType: "application/json", Size: int64(len(body)), MaxReply: maxShow,
		Open: func() io.ReadCloser { return io.NopCloser(strings.NewReader(body)) }})
	if err != nil {
		return served{}
	}
	return readShow(shown)
}
