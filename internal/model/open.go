package model

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"verbatim"

	"verbatim/internal/input"
	"verbatim/internal/obedient"

	"verbatim/internal/redact"
	"verbatim/internal/sim"
)

// Open opens the model of that name. It sends no request, with one exception: if an address or a
// provider is named without a model, the server is asked for its models, and the only one, or the only
// one that is loaded, is opened. The error is an *input.NameError if the name is wrong, and that of
// package config if its entry in the user's file is wrong; other errors are those of the server.
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
	c.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	redactor := redact.New(o.childSecrets())
	return Handle{
		Model: execModel{c, o.refiner(redactor, o.Tags)},
		Name:  "exec:" + redactor.Command(strings.TrimSpace(line)),
		Close: c.Close,
	}, nil
}
