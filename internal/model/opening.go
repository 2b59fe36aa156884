package model

import (
	"context"
	"net/http"
	"strings"

	"verbatim"
	"verbatim/internal/httpconn"
	"verbatim/internal/input"
	"verbatim/internal/price"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// An opening is what is known of a model behind a wire before it is opened.
type opening struct {
	e         wire.Endpoint
	protocol  protocol
	called    func(model string) string // the canonical name
	provider  string                    // in tables of prices; "" is none
	free      bool                      // it is a server on this machine
	plainHTTP bool                      // its prompts may go in the clear
	think     Tags
	note      string
	secrets   []secretHeader
	keys      []envSecret                     // secrets that are sent in other ways
	transport func() (*http.Transport, error) // nil is httpconn.NewTransport
	own       ownFacts
}

// ownFacts are what the user's file says of a model, besides how it is reached.
type ownFacts struct {
	price   *verbatim.Price
	context *int64
	params  verbatim.Params
	pace    Pace
	stream  *bool
}

// key takes the key from the first of the variables that is set.
func (g *opening) key(o Options, names ...string) {
	if o.Found {
		return
	}
	for _, name := range names {
		if k := wire.NewKey(o.getenv(name)); !k.IsZero() {
			g.e.Key, g.e.KeyEnv = k, name
			value := strings.TrimSpace(o.getenv(name))
			g.keys = append(g.keys, envSecret{name, func() string { return value }})
			return
		}
	}
	if len(names) > 0 {
		g.e.KeyEnv = names[0]
	}
}

// open makes a model of what is known.
func (g *opening) open(ctx context.Context, o Options) (Opened, error) {
	if isPlain(g.e.BaseURL) && !g.plainHTTP {
		return Opened{}, &input.NameError{Name: g.called(g.e.Model), Reason: "the address is not encrypted and not on this machine: prompts, answers and the key would go in the clear",
			Advice: "write https://, or allow it with --plain-http or, in verbatim.toml, plain_http = true"}
	}
	e, redactor := g.e, g.redactor(o)
	if name := g.called(e.Model); redactor.Message(name) != name {
		return Opened{}, &input.NameError{Name: redactor.Message(name), Reason: "it holds what looks like a key, and names are saved with every run", Advice: keyAdvice}
	}
	if e.AuthHeader == "" {
		e.AuthHeader = g.protocol.authHeader
	}
	e.Headers = merge(g.protocol.headers, e.Headers)
	e.Stream = o.Stream
	if g.own.stream != nil {
		e.Stream = o.Stream && *g.own.stream
	}
	e.Total, e.Idle, e.MaxReply, e.Memory = o.Timeout, o.Idle, o.MaxReply, o.Memory
	if e.Total == 0 {
		e.Total = defaultTimeout
	}
	if e.Idle == 0 {
		e.Idle = defaultIdle
	}
	carrier, closeIdle, err := g.carrier(o)
	if err != nil {
		return Opened{}, err
	}
	e.Transport = carrier
	if e.Model == "" {
		if e.Model, err = onlyModel(ctx, g.protocol, e, redactor, g.called, o); err != nil {
			closeIdle()
			return Opened{}, redactor.Error(err)
		}
	}
	prepared := e.Prepared()
	if who := e.Who(); who != "" {
		prepared.BaseURL = who // what has been read holds the password and the query, and prints nothing
	}
	opened := Opened{
		Model:  inlineThoughts(g.protocol.model(prepared, redactor), g.think),
		Name:   g.called(e.Model),
		Note:   g.note,
		Params: g.own.params,
		Pace:   g.own.pace,
		Close:  closeIdle,
	}
	if p, ok := localServer(e.BaseURL); ok && opened.Pace.Jobs == 0 {
		opened.Pace.Jobs = p.slots
	}
	g.value(&opened, e, o)
	return opened, nil
}

// carrier returns what carries the requests, and what closes it.
func (g *opening) carrier(o Options) (http.RoundTripper, func() error, error) {
	carrier, closeIdle := o.Transport, func() error { return nil }
	if carrier == nil {
		make := g.transport
		if make == nil {
			make = func() (*http.Transport, error) { return httpconn.NewTransport(), nil }
		}
		t, err := make()
		if err != nil {
			return nil, nil, err
		}
		d := httpconn.NewDirect(t)
		carrier, closeIdle = d, func() error { d.CloseIdleConnections(); return nil }
	}
	if len(g.secrets) > 0 {
		carrier = secretCarrier{carrier, g.secrets}
	}
	return carrier, closeIdle, nil
}

// value fills in what the model costs and takes in: as the user's file says,
// else as a table says; what runs on this machine costs nothing, and what is not
// known stays nil.
func (g *opening) value(opened *Opened, e wire.Endpoint, o Options) {
	t, ok := o.tariff(g.provider, e.Who(), e.Model)
	if ok {
		opened.Price, opened.Context = t.Shown(), t.Context
	}
	if opened.Price == nil && (g.free || isLocalServer(e.BaseURL)) {
		opened.Price = price.Free()
	}
	if g.own.price != nil {
		opened.Price = g.own.price
	}
	if g.own.context != nil {
		opened.Context = g.own.context
	}
}

// merge returns the headers of both; the second's count.
func merge(a, b http.Header) http.Header {
	if len(a) == 0 {
		return b
	}
	all := a.Clone()
	for name, values := range b {
		all[http.CanonicalHeaderKey(name)] = values
	}
	return all
}

// redactor returns the Redactor of all that the opening holds and the environment.
func (g *opening) redactor(o Options) redact.Redactor {
	s := &redact.Secrets{}
	for _, k := range g.keys {
		s.Add(k.env, k.value())
	}
	for _, h := range g.secrets {
		s.Add(h.env, h.value())
	}
	s.AddAddress("address", g.e.BaseURL)
	addEnvironment(s, o)
	return redact.New(s)
}
