package model

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/wire"
)

// Options say how models are opened and asked. The zero value works.
type Options struct {
	// Stream asks for answers in pieces: only then is it known when the first
	// word came, and a silent server is noticed before Timeout.
	Stream  bool
	Timeout time.Duration // the most that one try may take; 0 is 30 minutes
	// Idle is how long a stream may bring nothing new, the wait in a server's
	// queue included; 0 is 5 minutes.
	Idle time.Duration
	// Getenv reads the environment; nil is os.Getenv.
	Getenv func(string) string
	// Transport carries the requests; nil is a new one for every model.
	Transport http.RoundTripper
	// Talk is told what takes long, in lines; nil is nobody.
	Talk io.Writer
}

const (
	defaultTimeout = 30 * time.Minute
	defaultIdle    = 5 * time.Minute
)

func (o Options) getenv(name string) string {
	if o.Getenv == nil {
		return os.Getenv(name)
	}
	return o.Getenv(name)
}

// An Opened is a model that can be asked.
type Opened struct {
	Model verbatim.Model
	// Name is the canonical name: the same model has the same name however it was
	// spelled. It holds no secrets.
	Name      string
	Note      string // what a person should be told of it first; "" for nothing
	Simulated bool   // its answers are made up from the right ones
	Close     func() error
}

// Open opens the model of that name. It asks nothing of the model, but where a
// name names no model it asks the server what it serves: one model is taken, of
// several the one that is loaded. A *NameError says that the name is at fault;
// other errors are of the world.
func Open(ctx context.Context, name string, o Options) (Opened, error) {
	name = strings.TrimSpace(name)
	scheme, rest, found := strings.Cut(name, ":")
	switch scheme = strings.ToLower(scheme); {
	case !found:
		return Opened{}, unknownName(name)
	case scheme == "sim":
		return openSim(name, rest)
	case scheme == "exec":
		return openExec(rest, o)
	case scheme == "http", scheme == "https", scheme == "chat+http", scheme == "chat+https":
		base, model, _ := strings.Cut(strings.TrimPrefix(scheme, "chat+")+":"+rest, "#")
		return openURL(ctx, base, model, o)
	}
	if p, ok := findProvider(scheme); ok {
		return openProvider(ctx, p, rest, o)
	}
	if hint, ok := laterWires()[scheme]; ok {
		return Opened{}, &NameError{Name: showName(name), Reason: "this version does not speak that protocol yet", Advice: hint}
	}
	return Opened{}, unknownName(name)
}

// laterWires are the names of models whose protocols are not built yet, with
// what to type meanwhile.
func laterWires() map[string]string {
	const chat = "its OpenAI-compatible endpoint can be named as "
	hints := map[string]string{
		"anthropic": chat + "chat+https://api.anthropic.com/v1#MODEL, with the key in VERBATIM_API_KEY",
		"gemini":    chat + "chat+https://generativelanguage.googleapis.com/v1beta/openai#MODEL, with the key in VERBATIM_API_KEY",
	}
	for _, wire := range []string{"anthropic", "gemini", "responses", "ollama"} {
		for _, scheme := range []string{"http", "https"} {
			hints[wire+"+"+scheme] = "if the server has an OpenAI-compatible endpoint, name it as chat+" + scheme + "://host:port/v1#MODEL"
		}
	}
	return hints
}

// openSim opens the built-in simulated model.
func openSim(name, rest string) (Opened, error) {
	kind, query, _ := strings.Cut(rest, "?")
	knobs, err := url.ParseQuery(query)
	if err != nil {
		return Opened{}, &NameError{Name: showName(name), Reason: "its knobs cannot be read", Advice: "write them as sim:KIND?knob=value&knob=value"}
	}
	m, err := Sim(kind, knobs)
	if err != nil {
		return Opened{}, err
	}
	canonical := "sim:" + kind
	if len(knobs) > 0 {
		canonical += "?" + knobs.Encode()
	}
	return Opened{
		Model:     m,
		Name:      canonical,
		Note:      canonical + " is simulated: it knows the right answers and spoils some of them",
		Simulated: true,
		Close:     func() error { return nil },
	}, nil
}

// openExec opens a command as a model.
func openExec(command string, o Options) (Opened, error) {
	c, err := Exec(command)
	if err != nil {
		return Opened{}, err
	}
	c.Timeout = o.Timeout
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	return Opened{Model: c, Name: "exec:" + strings.TrimSpace(command), Close: c.Close}, nil
}

// openURL opens a model at an address.
func openURL(ctx context.Context, base, model string, o Options) (Opened, error) {
	e := wire.Endpoint{BaseURL: base, Model: model}
	u, err := url.Parse(base)
	if err != nil || e.Who() == "" {
		return Opened{}, &NameError{Name: showName(base), Reason: "this is no address of an API", Advice: "write http://host:port/v1#model"}
	}
	own := ""
	if p, ok := providerAt(e.Who()); ok {
		// The address of a provider, spelled out: its rules hold there too.
		e, own = p.endpoint(base, model), p.KeyEnv
	}
	e.KeyEnv, e.Key = anyKeyEnv, wire.NewKey(o.getenv(anyKeyEnv))
	if e.Key.IsZero() && own != "" {
		e.KeyEnv, e.Key = own, wire.NewKey(o.getenv(own))
	}
	if u.User != nil {
		e.Key = wire.Key{} // the address brings its own authentication
	}
	return openEndpoint(ctx, e, func(model string) string { return e.Who() + "#" + model }, o)
}

// openProvider opens a model of a provider.
func openProvider(ctx context.Context, p Provider, model string, o Options) (Opened, error) {
	e := p.endpoint(p.BaseURL, model)
	if e.KeyEnv == "" {
		e.KeyEnv = anyKeyEnv
	}
	if e.Key = wire.NewKey(o.getenv(e.KeyEnv)); e.Key.IsZero() && !p.Local {
		return Opened{}, &NameError{Name: p.Name + ":" + model, Reason: "it needs a key, and " + e.KeyEnv + " is not set",
			Advice: "set " + e.KeyEnv + " to a key of " + p.Name}
	}
	return openEndpoint(ctx, e, func(model string) string { return p.Name + ":" + model }, o)
}

// openEndpoint makes a model of an endpoint; called names it.
func openEndpoint(ctx context.Context, e wire.Endpoint, called func(model string) string, o Options) (Opened, error) {
	e.Stream = o.Stream
	e.Total, e.Idle = o.Timeout, o.Idle
	if e.Total == 0 {
		e.Total = defaultTimeout
	}
	if e.Idle == 0 {
		e.Idle = defaultIdle
	}
	closeIdle := func() error { return nil }
	if e.Transport = o.Transport; e.Transport == nil {
		t := wire.NewTransport()
		e.Transport = t
		closeIdle = func() error { t.CloseIdleConnections(); return nil }
	}
	if e.Model == "" {
		var err error
		if e.Model, err = onlyModel(ctx, e, called, o); err != nil {
			closeIdle()
			return Opened{}, err
		}
	}
	return Opened{Model: chat{e.Prepared()}, Name: called(e.Model), Close: closeIdle}, nil
}

// A chat is a model behind the chat wire.
type chat struct{ e wire.Endpoint }

// Ask implements verbatim.Model.
func (c chat) Ask(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
	reply, err := wire.Chat(ctx, c.e, r.Prompt, r.MaxTokens, r.Params)
	return number(reply, err, r.Attempt)
}
