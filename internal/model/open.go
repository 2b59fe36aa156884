package model

import (
	"context"
	"net/url"
	"strings"

	"verbatim"
	"verbatim/internal/command"
	"verbatim/internal/config"
	"verbatim/internal/input"
	"verbatim/internal/obedient"
	"verbatim/internal/price"
	"verbatim/internal/provider"
	"verbatim/internal/redact"
	"verbatim/internal/sim"
)

// A Handle is a model that can be asked.
type Handle struct {
	// Model also is a verbatim.Batcher where the protocol has batches.
	Model verbatim.Model
	// Name is the canonical name: the same model has the same name however it was
	// spelled. It holds no secrets.
	Name      string
	Note      string // what a person should be told of it first; "" for nothing
	Simulated bool   // its answers are made up from the right ones
	BuiltIn   bool   // it is a part of this program: simulated, or nano
	// Price is nil where it is not known. Its Source says where it is from, and up
	// to which length of the prompt it holds where that matters.
	Price   *verbatim.Price
	Context *int64 // tokens that it takes in, its answer included; nil: not known
	// MaxOutput is the largest number of output tokens, and Reasons says whether it reasons
	// without being asked to, both as the table of prices says. Nil: not known.
	MaxOutput *int64
	Reasons   *bool
	Images    *bool // whether it takes images; nil: not known
	// Served asks the server what it says of the model; what the user's file says counts for
	// more. Nil: no server can be asked.
	Served func(context.Context) Served
	// Count counts the tokens of a prompt as the model does; nil where that is known
	// only once it has answered.
	Count  func(verbatim.Prompt) (int64, error)
	Params verbatim.Params // what is sent unless something else is asked for
	Limits config.Limits
	// Slots asks the server how many requests it runs at once; 0 is unknown. Nil: no
	// server can be asked.
	Slots func(context.Context) int
	// Waiting asks the server how many requests wait in its queue; false if it does not say.
	// Nil: no server can be asked.
	Waiting func(context.Context) (int, bool)
	// Wire is the name of the protocol; "" for a model that no server is asked for.
	Wire string
	// Other returns the same endpoint asked in another way: streamed if it is not, and the
	// other way round, or by another model name, "" for its own. nil: there is no other way.
	Other func(flipped bool, name string) verbatim.Model
	// Streams says that replies come in pieces.
	Streams bool
	// Host is the host and port of the server; "" for a model without one.
	Host string
	// Renames says that the endpoint serves the model that a request names.
	Renames bool
	// Speed is how many tokens, read or written, one processor of this machine takes
	// in a second, as was measured somewhere; 0: not known.
	Speed float64
	Close func() error
}

// Open opens the model of that name. It asks nothing of the model, but where a
// name names no model it asks the server what it serves: one model is taken, of
// several the one that is loaded. A *NameError says that the name is at fault, a
// *FileError that its entry in the user's file is; other errors are of the world.
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
	if p, ok := provider.Find(scheme); ok {
		return openProvider(ctx, p, rest, o)
	}
	return Handle{}, unknownName(name, o)
}

// newSim makes the simulated model of a kind, and says what it is.
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
	sees := kind != obedient.Name // the others know the answers
	return Handle{
		Model:     m,
		Images:    &sees,
		Name:      canonical,
		Note:      canonical + note,
		Simulated: kind != obedient.Name,
		BuiltIn:   true,
		Price:     price.Free(),
		Close:     func() error { return nil },
	}, nil
}

// openExec opens a command as a model.
func openExec(line string, o Options) (Handle, error) {
	c, err := command.New(line)
	if err != nil {
		return Handle{}, err
	}
	if c.Env, err = o.childEnv(); err != nil {
		return Handle{}, err
	}
	c.Timeout = o.Timeout
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	redactor := redact.New(o.childSecrets())
	return Handle{
		Model: o.withoutReasoning(redactor.Model(c), o.Tags),
		Name:  "exec:" + redactor.Command(strings.TrimSpace(line)),
		Close: c.Close,
	}, nil
}
