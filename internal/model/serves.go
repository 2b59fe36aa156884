package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/wire"
)

// serves asks an endpoint what it serves and returns the names of the models
// that can be asked, with the one to take: the only one, or the only one that is
// loaded; "" where the user has to choose.
func serves(ctx context.Context, e wire.Endpoint) (models []string, take string, err error) {
	body, err := wire.Get(ctx, e, "/models")
	if err != nil {
		return nil, "", err
	}
	models, loaded, ok := readModels(body)
	if !ok {
		return nil, "", &verbatim.Failure{Class: verbatim.Content, Who: e.Who(),
			Err: errors.New("what is at /models is no list of models"), Hint: "look whether the base URL is that of an API; it usually ends in /v1"}
	}
	switch {
	case len(models) == 1:
		return models, models[0], nil
	case len(models) == 0:
		return nil, "", nil
	case len(loaded) == 0:
		loaded = loadedElsewhere(ctx, e, models)
	}
	if len(loaded) == 1 {
		take = loaded[0]
	}
	return models, take, nil
}

// readModels reads a list of models: OpenAI's, and with more words LM Studio's,
// which knows types and states, and llama.cpp's router, which knows a status.
// Models that only embed are left out.
func readModels(body []byte) (models, loaded []string, ok bool) {
	var doc struct {
		Data *[]struct {
			ID, Type, State string
			Status          json.RawMessage
		}
		Object string
	}
	if json.Unmarshal(body, &doc) != nil || doc.Data == nil && doc.Object != "list" {
		return nil, nil, false
	}
	if doc.Data == nil {
		return nil, nil, true
	}
	for _, m := range *doc.Data {
		if m.ID == "" {
			return nil, nil, false
		}
		if strings.HasPrefix(m.Type, "embedding") || slices.Contains(models, m.ID) {
			continue
		}
		models = append(models, m.ID)
		var status struct{ Value string }
		if json.Unmarshal(m.Status, &status) == nil && status.Value == "loaded" || m.State == "loaded" {
			loaded = append(loaded, m.ID)
		}
	}
	return models, loaded, true
}

// loadedElsewhere asks the lists of LM Studio and Ollama, which say what is in
// memory, and returns those of the models that are.
func loadedElsewhere(ctx context.Context, e wire.Endpoint, models []string) []string {
	u, err := url.Parse(e.BaseURL)
	if err != nil {
		return nil
	}
	u.Path, u.RawPath = "", ""
	e.BaseURL = u.String()
	var loaded []string
	if body, err := wire.Get(ctx, e, "/api/v0/models"); err == nil {
		_, loaded, _ = readModels(body)
	} else if body, err := wire.Get(ctx, e, "/api/ps"); err == nil {
		var doc struct{ Models []struct{ Name string } }
		json.Unmarshal(body, &doc) // what cannot be read names no model
		for _, m := range doc.Models {
			loaded = append(loaded, m.Name)
		}
	}
	return slices.DeleteFunc(loaded, func(m string) bool { return !slices.Contains(models, m) })
}

const (
	loadingWait = 30 * time.Second // for a server that is still loading its model
	loadingStep = 250 * time.Millisecond
)

// servesOnceLoaded is serves, but waits for a server that says that it is loading.
func servesOnceLoaded(ctx context.Context, e wire.Endpoint, o Options) (models []string, take string, err error) {
	until := time.Now().Add(loadingWait)
	for told := false; ; told = true {
		models, take, err = serves(ctx, e)
		if err == nil || !isLoading(err) || !time.Now().Add(loadingStep).Before(until) {
			return models, take, err
		}
		if !told && o.Talk != nil {
			fmt.Fprintf(o.Talk, "%s is loading its model; waiting up to %v\n", e.Who(), loadingWait)
		}
		select {
		case <-ctx.Done():
			return nil, "", err
		case <-time.After(loadingStep):
		}
	}
}

// isLoading reports whether an API says that it is not ready.
func isLoading(err error) bool {
	var f *verbatim.Failure
	return errors.As(err, &f) && f.Status == 503 && !errors.Is(err, wire.ErrNotAPI)
}

// onlyModel returns the model to ask of an endpoint that was named without one.
func onlyModel(ctx context.Context, e wire.Endpoint, called func(string) string, o Options) (string, error) {
	models, take, err := servesOnceLoaded(ctx, e, o)
	switch {
	case err != nil:
		return "", err
	case len(models) == 0:
		return "", &verbatim.Failure{Class: verbatim.BadAsk, Who: e.Who(), Err: errors.New("the server has no model"), Hint: "load one into it first"}
	case take == "":
		return "", choose(called(""), models, called)
	}
	return take, nil
}

// choose is the error of a server with several models and none that stands out.
func choose(name string, models []string, called func(string) string) error {
	return &NameError{Name: name, Reason: "the server has several models: " + list(models),
		Advice: "name one of them, such as --model '" + called(models[0]) + "'"}
}
