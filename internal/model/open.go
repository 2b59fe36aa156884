package model

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/input"
	"verbatim/internal/memory"
	"verbatim/internal/obedient"
	"verbatim/internal/reasoning"
	"verbatim/internal/redact"
	"verbatim/internal/sim"
)

// Open opens the model of that name. It sends no request, with one exception: if an address or a
// provider is named without a model, the server is asked for its models, and the only one, or the only
// one that is loaded, is opened. The error is an *input.NameError if the name is wrong, and that of
// config.go if its entry in the user's file is wrong; other errors are those of the server.
func Open(ctx context.Context, name string, o Options) (Handle, error) {
	name = strings.TrimSpace(name)
	if own, ok := o.Config.Find(name); ok {
		return openConfigured(ctx, own, o)
	}
	scheme, rest, found := strings.Cut(name, ":")
	switch scheme = strings.ToLower(scheme); {
	case !found && scheme == NanoName:
		return openNano(), nil
	case !found:
		return Handle{}, unknownName(name, o)
	case scheme == "sim":
		return openSim(name, rest)
	case scheme == "exec":
		return openExec(rest, o)
	}
	if p, transport, ok := cutScheme(scheme); ok {
		base, model, _ := strings.Cut(transport+":"+rest, "#")
		return openURL(ctx, p, base, model, o)
	}
	if p, ok := FindProvider(scheme); ok {
		return openProvider(ctx, p, rest, o)
	}
	return Handle{}, unknownName(name, o)
}

// newSim returns the simulated model of a kind, and a note that follows its name.
func newSim(kind string, knobs url.Values) (verbatim.Model, string, error) {
	if kind == obedient.Name {
		m, err := obedient.New(knobs)
		return m, " is simulated: it does what a prompt says, and does not know the right answers", err
	}
	m, err := sim.New(kind, knobs)
	return m, " is simulated: it knows the right answers and spoils some of them", err
}

// openSim opens the built-in simulated model.
func openSim(name, rest string) (Handle, error) {
	kind, query, _ := strings.Cut(rest, "?")
	knobs, err := url.ParseQuery(query)
	if err != nil {
		return Handle{}, &input.NameError{Name: redact.ModelName(name), Reason: "its knobs cannot be read", Advice: "write them as sim:KIND?knob=value&knob=value"}
	}
	m, note, err := newSim(kind, knobs)
	if err != nil {
		return Handle{}, err
	}
	canonical := "sim:" + kind
	if len(knobs) > 0 {
		canonical += "?" + knobs.Encode()
	}
	return Handle{
		Model:     m,
		Images:    new(kind != obedient.Name), // the others know the answers
		Name:      canonical,
		Note:      canonical + note,
		Simulated: kind != obedient.Name,
		BuiltIn:   true,
		Price:     freePrice(),
		Close:     func() error { return nil },
	}, nil
}

// An execModel is a command as a model.
type execModel struct {
	*CommandModel
	refiner
}

// Ask implements verbatim.Model.
func (m execModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	if err := m.CommandModel.Ask(ctx, r, reply); err != nil {
		return m.redactor.Error(err)
	}
	m.refine(reply)
	return nil
}

// openExec opens a command as a model.
func openExec(line string, o Options) (Handle, error) {
	c, err := newCommand(line)
	if err != nil {
		return Handle{}, err
	}
	if c.Env, err = o.childEnv(); err != nil {
		return Handle{}, err
	}
	c.Timeout, c.MaxReply, c.Memory, c.Log = cmp.Or(o.Timeout, defaultTimeout), o.MaxReply, o.Memory, o.Log
	redactor := redact.New(o.childSecrets())
	return Handle{
		Model: execModel{c, o.refiner(redactor, o.Tags)},
		Name:  "exec:" + redactor.Command(strings.TrimSpace(line)),
		Close: c.Close,
	}, nil
}

// A Handle is an opened model.
type Handle struct {
	// Model is a verbatim.Batcher too if the protocol has batches.
	Model verbatim.Model
	// Name is the canonical name: the same model has the same name, however the user spelled
	// it. It has no secrets.
	Name      string
	Note      string // to be shown before the first request; "": nothing
	Simulated bool   // its answers are made from the right ones
	BuiltIn   bool   // it is part of this program: simulated, or nano
	// Price is nil if it is unknown. Its Source says where it is from, and up to which length
	// of the prompt it holds if that is limited.
	Price *verbatim.Price
	// PriceOf returns the price of the model that a server names as the one that answered, or that may
	// answer: Price itself for the one that is asked, nil if it is unknown. Nil: there is no server.
	PriceOf func(served string) *verbatim.Price
	Context *int64 // the tokens of prompt and answer together that it takes; nil: unknown
	// MaxOutput is the largest number of output tokens, and Reasons says whether the model
	// reasons by default, both by the table of prices; nano does not reason. Nil: unknown.
	MaxOutput *int64
	Reasons   *bool
	Images    *bool // whether it takes images; nil: unknown
	// served asks the server about the model. The user's file overrides the server. Nil: no
	// server can be asked.
	Served func(context.Context) served
	// Count counts the tokens of a prompt as the model does; nil: only its replies have counts.
	Count  func(verbatim.Prompt) (int64, error)
	Params verbatim.Params // the defaults of the user's file
	// Check returns why requests with these parameters cannot be sent; nil: the model is behind no
	// server.
	Check  func(verbatim.Params) error
	Limits Limits
	// Slots asks the server how many requests it runs at once; 0: unknown. Nil: no server can
	// be asked.
	Slots func(context.Context) int
	// Waiting asks the server how many requests wait in its queue; false: unknown. Nil: no
	// server can be asked.
	Waiting func(context.Context) (int, bool)
	// Wire is the name of the protocol; "": the model is behind no server.
	Wire string
	// Other returns the same endpoint with other requests: flipped exchanges streamed replies
	// and replies in one piece, and name is another name of the model, "" for the same. Nil:
	// the model is behind no server.
	Other func(flipped bool, name string) verbatim.Model
	// Streams says that replies are streamed.
	Streams bool
	// Host is the host and port of the server; "": the model is behind no server.
	Host string
	// Renames says that the model is named in the request, so that other names can be sent to
	// the same address.
	Renames bool
	// Speed is the number of tokens, read or written, that one processor takes per second, as
	// measured on some machine; 0: unknown.
	Speed float64
	Close func() error
}

// Options say how models are opened and how requests are sent. The zero value works.
type Options struct {
	// Stream requests streamed replies. Only then is the time of the first text known, and a
	// silent server is noticed before Timeout.
	Stream  bool
	Timeout time.Duration // the time limit of one attempt; 0 is 30 minutes
	// Idle is how long a stream may bring nothing new, the wait in a server's queue
	// included; 0 is 5 minutes.
	Idle time.Duration
	// MaxReply raises the limit on the bytes of a reply, which otherwise follows from its
	// token limit.
	MaxReply int64
	// Memory limits the memory of all replies in flight together; use one for all models.
	// nil: no limit.
	Memory *memory.Limit
	// Config has the models of the user's file.
	Config ConfigFile
	// Prices overrides the table of prices that is part of the program.
	Prices PriceTable
	// PlainHTTP allows addresses that are neither encrypted nor on this machine.
	PlainHTTP bool
	// Tags are the tags around reasoning inside the text; zero: the common ones.
	Tags reasoning.Tags
	// KeepTags leaves reasoning between common tags in the text. Otherwise it is moved to
	// Reply.Reasoning.
	KeepTags bool
	// Getenv reads the environment; nil is os.Getenv.
	Getenv func(string) string
	// Environ returns the environment that commands inherit, without its secrets; nil
	// is os.Environ.
	Environ func() []string
	// PassEnv names variables that commands inherit although they are secrets.
	PassEnv []string
	// Transport carries the requests; nil is a new one for every model.
	Transport http.RoundTripper
	// NoRequests says that no requests will be sent: then a missing key or secret header is
	// no error.
	NoRequests bool
	// Discovered says that the user did not name the server: it was found on a usual port of
	// this machine, where any program may listen. No key is sent to it.
	Discovered bool
	// Log receives a line for each long wait and for a refused system role; nil: no log.
	Log io.Writer
	// Now returns the time for which prices are looked up; nil is time.Now.
	Now func() time.Time
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

func (o Options) environ() []string {
	if o.Environ == nil {
		return os.Environ()
	}
	return o.Environ()
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// tariffs returns the search for tariffs of models in the user's table, which may list a base URL, who,
// instead of a provider, and then in the built-in table, which lists only providers.
func (o Options) tariffs(provider, who string) func(model string) (Tariff, bool) {
	var known PriceTable
	if provider != "" {
		known = KnownPrices()
	}
	return func(model string) (Tariff, bool) {
		for _, at := range []string{provider, who} {
			if t, ok := o.Prices.Find(at, model, o.now()); ok {
				return t, true
			}
		}
		return known.Find(provider, model, o.now())
	}
}

// A refiner is what every reply of a server or of a command passes.
type refiner struct {
	redactor redact.Redactor
	split    func(*verbatim.Reply) // moves reasoning out of the text; nil: it stays there
	common   bool                  // split does so after a common tag only
}

// refiner returns the refiner of a model with these tags around its reasoning.
func (o *Options) refiner(redactor redact.Redactor, tags reasoning.Tags) refiner {
	switch {
	case tags != (reasoning.Tags{}): // only the user knows that text between such tags is no answer
		return refiner{redactor: redactor, split: tags.Split}
	case o.KeepTags:
		return refiner{redactor: redactor}
	}
	return refiner{redactor, reasoning.SplitCommon, true}
}

// partial returns a context under which a reply is passed on while it comes, if ctx requests that: as
// far as no later piece can change it by a secret in it, or by tags around reasoning.
func (f refiner) partial(ctx context.Context) context.Context {
	see := verbatim.Partial(ctx)
	if see == nil {
		return ctx
	}
	return verbatim.WithPartial(ctx, func(text, reasoned []byte) {
		if f.split != nil && len(reasoned) == 0 && (!f.common || reasoning.MayOpen(string(text[:min(len(text), 64)]))) {
			return
		}
		see(f.redactor.Partial(text, false), f.redactor.Partial(reasoned, len(text) > 0))
	})
}

// refine removes the secrets from a reply, and moves reasoning between tags out of its text.
func (f refiner) refine(reply *verbatim.Reply) {
	f.redactor.Reply(reply)
	if f.split != nil {
		f.split(reply)
	}
}
