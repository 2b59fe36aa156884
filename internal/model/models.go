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
	"verbatim/internal/input"
	"verbatim/internal/redact"
	"verbatim/internal/shell"
	"verbatim/internal/wire"
	"verbatim/internal/wire/clean"
)

// listModels asks an endpoint what it serves and returns the names of the models
// that can be asked, with the one to take: the only one, or the only one that is
// loaded; "" where the user has to choose.
func listModels(ctx context.Context, p *wire.Protocol, e wire.Endpoint, redactor redact.Redactor) (models []string, take string, err error) {
	at := p.ModelsPath(e.BaseURL)
	body, err := wire.GetJSON(ctx, e, at)
	if err != nil {
		return nil, "", err
	}
	models, loaded, ok := readModels(body)
	if !ok {
		return nil, "", &verbatim.Failure{Class: verbatim.Content, Who: e.Who(),
			Err: errors.New("what is at " + at + " is no list of models"), Hint: "look whether the base URL belongs to an API; it usually looks like " + p.Example}
	}
	if models, loaded, err = redactor.ModelNames(models, loaded, e.Who()); err != nil {
		return nil, "", err
	}
	switch {
	case len(models) == 1:
		return models, models[0], nil
	case len(models) == 0:
		return nil, "", nil
	case len(loaded) == 0:
		loaded = loadedModels(ctx, e, models)
	}
	if len(loaded) == 1 {
		take = loaded[0]
	}
	return models, take, nil
}

// A listedModel is what servers say of a model. OpenAI's list has an id, LM
// Studio's a type and a state too, llama.cpp's router a status; Gemini's and
// Ollama's have a name.
type listedModel struct {
	ID, Name, Type, State string
	Status                json.RawMessage
	Methods               []string `json:"supportedGenerationMethods"`
}

// generates reports whether the model answers in text, as far as the list says.
func (m listedModel) generates() bool {
	return !strings.HasPrefix(m.Type, "embedding") && (m.Methods == nil || slices.Contains(m.Methods, "generateContent"))
}

func (m listedModel) loaded() bool {
	var status struct{ Value string }
	return json.Unmarshal(m.Status, &status) == nil && status.Value == "loaded" || m.State == "loaded"
}

// readModels reads a list of models. Models that only embed are left out.
func readModels(body []byte) (models, loaded []string, ok bool) {
	var doc struct {
		Data, Models *[]listedModel
		Object       string
	}
	if json.Unmarshal(body, &doc) != nil {
		return nil, nil, false
	}
	served, name := doc.Data, func(m listedModel) string { return m.ID }
	if served == nil { // llama.cpp sends both
		served, name = doc.Models, func(m listedModel) string { return strings.TrimPrefix(m.Name, "models/") }
	}
	if served == nil {
		return nil, nil, doc.Object == "list" // a server without models
	}
	for _, m := range *served {
		name := name(m)
		if name == "" {
			return nil, nil, false
		}
		if !m.generates() || slices.Contains(models, name) {
			continue
		}
		models = append(models, name)
		if m.loaded() {
			loaded = append(loaded, name)
		}
	}
	return models, loaded, true
}

// loadedModels asks the lists of LM Studio and Ollama, which say what is in
// memory, and returns those of the models that are.
func loadedModels(ctx context.Context, e wire.Endpoint, models []string) []string {
	u, err := url.Parse(e.BaseURL)
	if err != nil {
		return nil
	}
	u.Path, u.RawPath = "", ""
	e.BaseURL = u.String()
	var loaded []string
	if body, err := wire.GetJSON(ctx, e, "/api/v0/models"); err == nil {
		_, loaded, _ = readModels(body)
	} else if body, err := wire.GetJSON(ctx, e, "/api/ps"); err == nil {
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

// waitForModels is serves, but waits for a server that says that it is loading.
func waitForModels(ctx context.Context, p *wire.Protocol, e wire.Endpoint, redactor redact.Redactor, o Options) (models []string, take string, err error) {
	until := time.Now().Add(loadingWait)
	for logged := false; ; logged = true {
		models, take, err = listModels(ctx, p, e, redactor)
		if err == nil || !isLoading(err) || !time.Now().Add(loadingStep).Before(until) {
			return models, take, err
		}
		if !logged && o.Log != nil {
			fmt.Fprintf(o.Log, "%s is loading its model; waiting up to %v\n", e.Who(), loadingWait)
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

// chooseModel returns the model to ask of an endpoint that was named without one.
func chooseModel(ctx context.Context, p *wire.Protocol, e wire.Endpoint, redactor redact.Redactor, called func(string) string, o Options) (string, error) {
	models, take, err := waitForModels(ctx, p, e, redactor, o)
	switch {
	case err != nil:
		return "", err
	case len(models) == 0:
		return "", &verbatim.Failure{Class: verbatim.BadAsk, Who: e.Who(), Err: errors.New("the server has no model"), Hint: "load one into it first"}
	case take == "":
		return "", severalModels(called(""), models, called)
	}
	return take, nil
}

// longestAdvised bounds the names that are proposed, in bytes.
const longestAdvised = 200

// severalModels is the error of a server with several models and none that stands out.
func severalModels(name string, models []string, called func(string) string) error {
	advice := "name one of them with --model"
	if one := called(models[0]); len(one) <= longestAdvised {
		advice = "name one of them, such as --model " + shell.Word(one)
	}
	return &input.NameError{Name: name, Reason: "the server has several models: " + list(models), Advice: advice}
}

// list writes names for people, at most twenty of them.
func list(names []string) string {
	names = slices.Clone(names)
	for i := range names {
		names[i] = clean.Line(names[i], 80)
	}
	if more := len(names) - 20; more > 0 {
		names = append(names[:20], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
