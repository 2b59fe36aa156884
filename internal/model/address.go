package model

import (
	"context"
	"net"
	"net/url"
	"strings"

	"verbatim/internal/input"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// cutScheme reads the scheme of an address: the protocol, which is chat if the scheme names none, and
// http or https.
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
	keys := []string{anyKeyEnv}
	if at, ok := findProviderAt(e.Who(), p.Name); ok {
		// The address is that of a known provider, whose dialect holds there too.
		at.setDialect(&g.endpoint)
		g.provider, g.local = at.Priced(), at.Local
		keys = append(keys, at.KeyEnv...)
	}
	if u.User == nil { // otherwise the address has the user and password that are sent
		g.setKey(o, keys...)
	}
	return g.open(ctx, o)
}

// openProvider opens a model of a provider.
func openProvider(ctx context.Context, p provider, model string, o Options) (Handle, error) {
	g, err := providerTarget(p, model, o)
	if err != nil {
		return Handle{}, err
	}
	if g.endpoint.Key.IsZero() && !p.Local && !o.NoRequests {
		return Handle{}, missingKey(p.Name+":"+model, p)
	}
	return g.open(ctx, o)
}

// providerTarget returns the target of a model of a provider, with the provider's key if it is set.
func providerTarget(p provider, model string, o Options) (*target, error) {
	speaks, ok := wire.Find(p.Wire)
	if !ok {
		return nil, &input.NameError{Name: p.Name + ":" + redact.ModelName(model), Reason: "this version does not speak its protocol yet", Advice: forms}
	}
	g := &target{wire: speaks, provider: p.Priced(), local: p.Local, plainHTTP: o.PlainHTTP, tags: o.Tags}
	g.endpoint = wire.Endpoint{BaseURL: p.BaseURL, Model: model}
	g.name = func(model string) string { return p.Name + ":" + model }
	p.setDialect(&g.endpoint)
	if p.Name == "azure" {
		if err := g.setAzure(model); err != nil {
			return nil, err
		}
	}
	if p.Local {
		g.setKey(o, anyKeyEnv)
	} else {
		g.setKey(o, p.KeyEnv...)
	}
	return g, nil
}

// missingKey returns the error of a provider that accepts no request without a key.
func missingKey(name string, p provider) error {
	missing := p.KeyEnv[0] + " is not set"
	if len(p.KeyEnv) > 1 {
		missing = "neither " + strings.Join(p.KeyEnv, " nor ") + " is set"
	}
	return &input.NameError{Name: redact.ModelName(name), Reason: "it needs a key, and " + missing, Advice: "set " + p.KeyEnv[0] + " to a key of " + p.Title}
}

// isLoopback reports whether a URL's host is this machine.
func isLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// isUnencrypted reports whether a URL is neither encrypted nor on this machine.
func isUnencrypted(base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.Scheme == "http" && !isLoopback(base)
}

// isLocalServer reports whether an address is the usual port of a local server on this machine.
// Another port may be that of a proxy, whose models may cost money.
func isLocalServer(base string) bool {
	_, ok := findLocalProvider(base)
	return ok
}

// findLocalProvider returns the local provider whose usual port the address has, if its host is this machine.
func findLocalProvider(base string) (provider, bool) {
	u, err := url.Parse(base)
	if err != nil || !isLoopback(base) {
		return provider{}, false
	}
	for _, p := range Providers() {
		if at, err := url.Parse(p.BaseURL); err == nil && p.Local && at.Port() == u.Port() {
			return p, true
		}
	}
	return provider{}, false
}
