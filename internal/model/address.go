package model

import (
	"context"
	"net/url"
	"strings"

	"verbatim/internal/input"
	"verbatim/internal/provider"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// cutScheme reads the scheme of an address: the protocol, which is chat where
// none is named, and http or https.
func cutScheme(scheme string) (p *wire.Protocol, transport string, ok bool) {
	name, transport, named := strings.Cut(scheme, "+")
	if !named {
		name, transport = "chat", scheme
	}
	p, ok = wire.Find(name)
	return p, transport, ok && (transport == "http" || transport == "https")
}

// openURL opens a model at an address.
func openURL(ctx context.Context, p *wire.Protocol, base, model string, o Options) (Handle, error) {
	e := wire.Endpoint{BaseURL: base, Model: model}
	u, err := url.Parse(base)
	if err != nil || e.Who() == "" {
		return Handle{}, &input.NameError{Name: redact.ModelName(base), Reason: "it is not the address of an API", Advice: "write http://host:port/v1#model"}
	}
	g := target{endpoint: e, wire: p, plainHTTP: o.PlainHTTP, tags: o.Tags, name: func(model string) string { return p.Prefix() + e.Who() + "#" + model }}
	keys := []string{provider.AnyKeyEnv}
	if at, ok := provider.FindAt(e.Who(), p.Name); ok {
		// The address of a provider, spelled out: its rules hold there too.
		at.SetDialect(&g.endpoint)
		g.provider, g.local = at.Priced(), at.Local
		keys = append(keys, at.KeyEnv...)
	}
	if u.User == nil { // else the address brings its own authentication
		g.setKey(o, keys...)
	}
	return g.open(ctx, o)
}

// openProvider opens a model of a provider.
func openProvider(ctx context.Context, p provider.Provider, model string, o Options) (Handle, error) {
	g, err := providerTarget(p, model, o)
	if err != nil {
		return Handle{}, err
	}
	if g.endpoint.Key.IsZero() && !p.Local && !o.NoRequests {
		return Handle{}, missingKey(p.Name+":"+model, p)
	}
	return g.open(ctx, o)
}

// providerTarget prepares to open a model of a provider, with its key where one is set.
func providerTarget(p provider.Provider, model string, o Options) (*target, error) {
	speaks, ok := wire.Find(p.Wire)
	if !ok {
		return nil, &input.NameError{Name: p.Name + ":" + redact.ModelName(model), Reason: "this version does not speak its protocol yet", Advice: forms}
	}
	g := &target{wire: speaks, provider: p.Priced(), local: p.Local, plainHTTP: o.PlainHTTP, tags: o.Tags}
	g.endpoint = wire.Endpoint{BaseURL: p.BaseURL, Model: model}
	g.name = func(model string) string { return p.Name + ":" + model }
	p.SetDialect(&g.endpoint)
	if p.Name == "azure" {
		at, err := provider.Azure(model)
		if err != nil {
			return nil, err
		}
		g.endpoint.BaseURL, g.endpoint.Model, g.provider = at.BaseURL, at.Deployment, ""
		g.name = func(string) string { return at.Name }
	}
	if keys := p.KeyEnv; p.Local {
		g.setKey(o, provider.AnyKeyEnv)
	} else {
		g.setKey(o, keys...)
	}
	return g, nil
}

// missingKey is the error of a provider that takes no request without a key.
func missingKey(name string, p provider.Provider) error {
	list := strings.Join(p.KeyEnv, " or ")
	is := " is not set"
	if len(p.KeyEnv) > 1 {
		is = " is set"
		list = "neither " + strings.Join(p.KeyEnv, " nor ")
	}
	return &input.NameError{Name: redact.ModelName(name), Reason: "it needs a key, and " + list + is, Advice: "set " + p.KeyEnv[0] + " to a key of " + p.Title}
}
