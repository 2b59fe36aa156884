package model

import (
	"context"
	"net"
	"strings"
	"sync"
	"time"

	"verbatim/internal/httpconn"
	"verbatim/internal/input"

	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// A Server is a model server on this machine, or at an address that VERBATIM_DISCOVER names.
type Server struct {
	Title      string   // the program that usually listens there: "llama.cpp"; "": unknown
	BaseURL    string   // "http://127.0.0.1:8080/v1"
	Wire       string   // the name of the protocol: "chat"
	Models     []string // the names of its models, at least one
	Model      string   // the model to open; "": the user has to choose
	Configured bool     // VERBATIM_DISCOVER names the address
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
			places[i].Models, places[i].Model, err = listModels(ctx, p, e, redactor)
			loading[i] = isLoading(err)
		})
	}
	probes.Wait()
	var found []Server
	for i, f := range places {
		if loading[i] && len(found) == 0 {
			e := wire.Endpoint{BaseURL: f.BaseURL, Transport: transport, Total: answerWait}
			p, _ := wire.Find(f.Wire)
			f.Models, f.Model, _ = waitForModels(ctx, p, e, redactor, o)
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
