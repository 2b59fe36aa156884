package model

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/wire"
)

// An Own is a model under a name of the user's own. It holds no secrets, only
// the names of the variables that do.
type Own struct {
	Name     string
	Provider string // "" for an address
	Wire     string
	Model    string // as the server calls it; "" where the server is asked
	// Address is the base URL without user, password and query.
	Address string
	KeyEnv  []string // the variables that may hold the key; none where it needs none
	// Priced is its provider in tables of prices, "" for none. Price and Context
	// are what the file says.
	Priced  string
	Price   *verbatim.Price
	Context *int64
	Pace    Pace
	Params  verbatim.Params
	// Warnings are what a person should be told of it before it is asked.
	Warnings []string

	shape ownShape
	think Tags
	text  *tomlText
}

// field returns the path of one of the model's keys.
func (m Own) field(name string) string { return "models." + m.Name + "." + name }

// openOwn opens a model of the user's file.
func openOwn(ctx context.Context, m Own, o Options) (Opened, error) {
	if !o.Config.Trusted {
		if err := m.foreign(); err != nil {
			return Opened{}, err
		}
	}
	g, err := m.opening(o)
	if err != nil {
		return Opened{}, err
	}
	return g.open(ctx, o)
}

// opening prepares to open a model of the user's file. What needs the
// environment or other files is looked at only here, so that a file with many
// models can be read anywhere.
func (m Own) opening(o Options) (*opening, error) {
	s := m.shape
	p, _ := findProvider(s.Provider) // checked, as all else, when the file was read
	speaks, ok := findProtocol(m.Wire)
	if !ok {
		return nil, m.text.fault(m.field("wire"), "", "this version does not speak %s yet", m.Wire)
	}
	g := &opening{protocol: speaks, think: m.think, note: strings.Join(append([]string{m.whereabouts()}, m.Warnings...), "; "),
		plainHTTP: o.PlainHTTP || s.PlainHTTP, called: func(string) string { return m.Name }}
	if s.BaseURL == "" { // else what is there need not cost what the provider takes
		g.provider, g.free = m.Priced, p.Local
	}
	g.e = wire.Endpoint{BaseURL: or(s.BaseURL, p.BaseURL), Model: s.Model}
	p.dialect(&g.e)
	if p.Name == "azure" && s.BaseURL == "" {
		if err := azure(g, s.Model); err != nil {
			return nil, err
		}
	}
	if o.Think != (Tags{}) {
		g.think = o.Think
	}
	g.own = ownFacts{price: m.Price, context: m.Context, params: m.Params, pace: m.Pace, stream: s.Stream}
	g.e.AuthHeader = or(s.AuthHeader, g.e.AuthHeader)
	g.e.MaxTokensField = or(s.MaxTokensField, g.e.MaxTokensField)
	g.e.SeedField = or(s.SeedField, g.e.SeedField)
	if s.StreamOptions != nil && !*s.StreamOptions {
		g.e.StreamOptions = map[string]bool{}
	}
	if g.key(o, m.KeyEnv...); g.e.Key.IsZero() && len(m.KeyEnv) > 0 && !o.Unasked {
		return nil, m.text.fault(m.field("key_env"), "set it to the key of this endpoint", "%s is not set", m.KeyEnv[0])
	}
	if err := m.headers(g, o); err != nil {
		return nil, err
	}
	if s.TLS != nil || s.Proxy != "" {
		g.transport = func() (*http.Transport, error) { return m.transport(o) }
	}
	return g, nil
}

// whereabouts says where the model is and who says so: a name alone shows neither,
// and the file may have come with a repository.
func (m Own) whereabouts() string {
	at := m.Address
	if m.Provider != "" && m.shape.BaseURL == "" {
		at = m.Provider
	}
	if m.Model != "" {
		at += ", model " + m.Model
	}
	return m.Name + " is at " + at + ", as " + m.text.file + " says"
}

// headers adds the model's headers: what comes from the environment is kept apart.
func (m Own) headers(g *opening, o Options) error {
	for name, value := range m.shape.Headers {
		env, secret := strings.CutPrefix(value, envPrefix)
		if !secret {
			if g.e.Headers == nil {
				g.e.Headers = http.Header{}
			}
			g.e.Headers.Set(name, value)
			continue
		}
		v := strings.TrimSpace(o.getenv(env))
		if v == "" && o.Unasked {
			continue
		}
		if v == "" {
			return m.text.fault(m.field("headers."+name), "set it to the value of the header "+name, "%s is not set", env)
		}
		if strings.ContainsAny(v, "\r\n\x00") {
			return m.text.fault(m.field("headers."+name), "", "the value of %s is not one line", env)
		}
		g.secrets = append(g.secrets, secretHeader{name, env, func() string { return v }})
	}
	slices.SortFunc(g.secrets, func(a, b secretHeader) int { return strings.Compare(a.name, b.name) })
	return nil
}

// path returns a path of the file as the program can open it.
func (m Own) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(filepath.Dir(m.text.file), p)
}

// envPrefix marks a value that is the name of a variable.
const envPrefix = "env:"

// or returns s, or the other where s is empty.
func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
