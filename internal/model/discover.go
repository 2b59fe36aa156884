package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/httpconn"
	"verbatim/internal/input"
	"verbatim/internal/redact"
	"verbatim/internal/terminal"
	"verbatim/internal/wire"
)

// A Server is a model server on this machine, or at an address that VERBATIM_DISCOVER names.
type Server struct {
	Title      string // the program that usually listens there: "llama.cpp"; "": unknown
	BaseURL    string // "http://127.0.0.1:8080/v1"
	Wire       string // the name of the protocol: "chat"
	Configured bool   // VERBATIM_DISCOVER names the address
	Listing
}

// A Listing is what a server's list of models says.
type Listing struct {
	Models []string          // their names
	Model  string            // the model to open; "": the user has to choose
	Ends   map[string]string // the day on which a model is shut down, such as "2027-01-31", by name
}

// Choose returns the name of the model to open. If the server has several models, and not exactly
// one of them is loaded, the error is an *input.NameError that lists them.
func (f Server) Choose() (string, error) {
	if f.Model == "" {
		return "", severalModels(strings.TrimSuffix(f.Name(""), "#"), f.Models, f.Name)
	}
	return f.Name(f.Model), nil
}

// Name returns the name by which Open opens one of the server's models.
func (f Server) Name(model string) string {
	p, _ := wire.Find(f.Wire)
	return p.Prefix() + f.BaseURL + "#" + model
}

const (
	connectWait = 200 * time.Millisecond // for a connection
	answerWait  = time.Second            // for a list of models, once connected
)

// Discover looks for local model servers, all at once: llama.cpp, vLLM, SGLang, LM Studio and Ollama
// on their usual ports of 127.0.0.1, or those that VERBATIM_DISCOVER names ("off", or host:port,
// several separated by commas). A server is found if it responds with a list of models. The servers
// are in that order; none is no error. No key is sent.
//
// For a server that is still loading Discover waits up to half a minute, unless one before it in the
// order is ready.
func Discover(ctx context.Context, o Options) ([]Server, error) {
	places, err := discoverPlaces(o.getenv("VERBATIM_DISCOVER"))
	if err != nil || len(places) == 0 {
		return nil, err
	}
	transport := o.Transport
	if transport == nil {
		t := httpconn.NewTransport()
		t.DialContext = (&net.Dialer{Timeout: connectWait}).DialContext
		defer t.CloseIdleConnections()
		transport = t
	}
	redactor := NewRedactor(o)
	loading := make([]bool, len(places))
	var probes sync.WaitGroup
	for i := range places {
		probes.Go(func() {
			e := wire.Endpoint{BaseURL: places[i].BaseURL, Transport: transport, Total: answerWait}
			p, _ := wire.Find(places[i].Wire)
			var err error
			places[i].Listing, err = listModels(ctx, p, e, redactor)
			loading[i] = isLoading(err)
		})
	}
	probes.Wait()
	var found []Server
	for i, f := range places {
		if loading[i] && len(found) == 0 {
			e := wire.Endpoint{BaseURL: f.BaseURL, Transport: transport, Total: answerWait}
			p, _ := wire.Find(f.Wire)
			f.Listing, _ = waitForModels(ctx, p, e, redactor, o)
		}
		if len(f.Models) > 0 {
			found = append(found, f)
		}
	}
	return found, ctx.Err()
}

// discoverPlaces returns the servers to look for, without their models. where is the value of
// VERBATIM_DISCOVER.
func discoverPlaces(where string) ([]Server, error) {
	var all []Server
	switch where = strings.TrimSpace(where); where {
	case "off":
		return nil, nil
	case "":
		for _, p := range Providers() {
			if p.Local {
				all = append(all, Server{Title: p.Title, BaseURL: p.BaseURL, Wire: p.Wire})
			}
		}
		return all, nil
	}
	for place := range strings.SplitSeq(where, ",") {
		place = strings.TrimSpace(place)
		base := "http://" + place + "/v1"
		host, port, err := net.SplitHostPort(place)
		if err != nil || host == "" || port == "" || (wire.Endpoint{BaseURL: base}).Who() != base {
			return nil, &input.NameError{Name: redact.ModelName(place), Reason: "VERBATIM_DISCOVER names no host and port",
				Advice: "write VERBATIM_DISCOVER=off, or host:port and more after commas"}
		}
		all = append(all, Server{BaseURL: base, Wire: "chat", Configured: true})
	}
	return all, nil
}

// listModels asks an endpoint for its models. The model to open is the only one, or the only one that is
// loaded.
func listModels(ctx context.Context, p *wire.Protocol, e wire.Endpoint, redactor redact.Redactor) (Listing, error) {
	at := p.ModelsPath(e.BaseURL)
	body, err := wire.GetJSON(ctx, e, at)
	if err != nil {
		return Listing{}, err
	}
	l, loaded, ok := readModels(body)
	if !ok {
		return Listing{}, &verbatim.Failure{Class: verbatim.Content, Who: e.Who(),
			Err: errors.New("the document at " + at + " is no list of models"), Hint: "look whether the base URL belongs to an API; it usually looks like " + p.Example}
	}
	if l.Models, loaded, err = redactor.ModelNames(l.Models, loaded, e.Who()); err != nil {
		return Listing{}, err
	}
	if len(l.Models) > 1 && len(loaded) == 0 {
		loaded = loadedModels(ctx, e, l.Models)
	}
	switch {
	case len(l.Models) == 1:
		l.Model = l.Models[0]
	case len(loaded) == 1:
		l.Model = loaded[0]
	}
	return l, nil
}

// A listedModel is a model in a server's list. OpenAI's list has an id, LM Studio's a type and a state
// too, that of llama.cpp's router a status. Gemini's and Ollama's have a name.
type listedModel struct {
	ID, Name, Type, State string
	Status                json.RawMessage
	Methods               []string `json:"supportedGenerationMethods"`
	shutdown
}

// A shutdown has the members in which lists say when a model ends: OpenRouter's, Mistral's and LiteLLM's.
type shutdown struct {
	Expiration   any `json:"expiration_date"`
	Deprecation  any
	Deprecated   any `json:"deprecation_date"`
	ShutdownDate any `json:"shutdown_date"`
}

// day returns the day on which the model is shut down; "" if the list does not say.
func (s shutdown) day() string {
	for _, v := range []any{s.Expiration, s.Deprecation, s.Deprecated, s.ShutdownDate} {
		if text, ok := v.(string); ok && len(text) >= len(time.DateOnly) && isDay(text[:len(time.DateOnly)]) {
			return text[:len(time.DateOnly)]
		}
	}
	return ""
}

// generates reports whether the model may generate text, by what the list says.
func (m listedModel) generates() bool {
	return !strings.HasPrefix(m.Type, "embedding") && (m.Methods == nil || slices.Contains(m.Methods, "generateContent"))
}

func (m listedModel) loaded() bool {
	var status struct{ Value string }
	return json.Unmarshal(m.Status, &status) == nil && status.Value == "loaded" || m.State == "loaded"
}

// readModels reads a list of models. Models for embeddings are left out. ok is false if body is no
// such list.
func readModels(body []byte) (l Listing, loaded []string, ok bool) {
	var doc struct {
		Data, Models *[]listedModel
		Object       string
	}
	if json.Unmarshal(body, &doc) != nil {
		return l, nil, false
	}
	served, name := doc.Data, func(m listedModel) string { return m.ID }
	if served == nil { // llama.cpp has both members
		served, name = doc.Models, func(m listedModel) string { return strings.TrimPrefix(m.Name, "models/") }
	}
	if served == nil {
		return l, nil, doc.Object == "list" // a server without models
	}
	for _, m := range *served {
		name := name(m)
		if name == "" {
			return l, nil, false
		}
		if !m.generates() || slices.Contains(l.Models, name) {
			continue
		}
		l.Models = append(l.Models, name)
		if day := m.day(); day != "" {
			if l.Ends == nil {
				l.Ends = map[string]string{}
			}
			l.Ends[name] = day
		}
		if m.loaded() {
			loaded = append(loaded, name)
		}
	}
	return l, loaded, true
}

// loadedModels returns those of the models that are in memory, by the lists of LM Studio and Ollama.
func loadedModels(ctx context.Context, e wire.Endpoint, models []string) []string {
	e = withoutPath(e)
	var loaded []string
	if body, err := wire.GetJSON(ctx, e, "/api/v0/models"); err == nil {
		_, loaded, _ = readModels(body)
	} else if body, err := wire.GetJSON(ctx, e, "/api/ps"); err == nil {
		var doc struct{ Models []struct{ Name string } }
		json.Unmarshal(body, &doc) // an unreadable list names no model
		for _, m := range doc.Models {
			loaded = append(loaded, m.Name)
		}
	}
	return slices.DeleteFunc(loaded, func(m string) bool { return !slices.Contains(models, m) })
}

const (
	loadingWait = 30 * time.Second // the longest wait for a server that is still loading its model
	loadingStep = 250 * time.Millisecond
)

// waitForModels is listModels, but waits for a server that is still loading.
func waitForModels(ctx context.Context, p *wire.Protocol, e wire.Endpoint, redactor redact.Redactor, o Options) (l Listing, err error) {
	until := time.Now().Add(loadingWait)
	for logged := false; ; logged = true {
		l, err = listModels(ctx, p, e, redactor)
		if !isLoading(err) || !time.Now().Add(loadingStep).Before(until) {
			return l, err
		}
		if !logged && o.Log != nil {
			fmt.Fprintf(o.Log, "%s is loading its model; waiting up to %v\n", e.Who(), loadingWait)
		}
		select {
		case <-ctx.Done():
			return l, err
		case <-time.After(loadingStep):
		}
	}
}

// isLoading reports whether err is the error of an API that is not ready.
func isLoading(err error) bool {
	var f *verbatim.Failure
	return errors.As(err, &f) && f.Status == 503 && !errors.Is(err, wire.ErrNotAPI)
}

// chooseModel returns the model to open at an endpoint that was named without one. called returns the
// name by which one of its models is opened.
func chooseModel(ctx context.Context, p *wire.Protocol, e wire.Endpoint, redactor redact.Redactor, called func(string) string, o Options) (string, error) {
	l, err := waitForModels(ctx, p, e, redactor, o)
	switch {
	case err != nil:
		return "", err
	case len(l.Models) == 0:
		return "", &verbatim.Failure{Class: verbatim.BadAsk, Who: e.Who(), Err: errors.New("the server has no model"), Hint: "load one into it first"}
	case l.Model == "":
		return "", severalModels(called(""), l.Models, called)
	}
	return l.Model, nil
}

// maxProposed bounds the names that are proposed to the user, in bytes.
const maxProposed = 200

// severalModels returns the error of a server with several models of which the user has to choose one.
func severalModels(name string, models []string, called func(string) string) error {
	advice := "name one of them with --model"
	if one := called(models[0]); len(one) <= maxProposed {
		advice = "name one of them, such as --model " + terminal.ShellWord(one)
	}
	return &input.NameError{Name: name, Reason: "the server has several models: " + list(models), Advice: advice}
}

// list joins names for a message, at most twenty of them.
func list(names []string) string {
	names = slices.Clone(names)
	for i := range names {
		names[i] = wire.CleanLine(names[i], 80)
	}
	if more := len(names) - 20; more > 0 {
		names = append(names[:20], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
