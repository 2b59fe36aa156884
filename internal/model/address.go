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

// cutScheme reads the scheme of an address: the protocol, which is chat where
// none is named, and http or https.
func cutScheme(scheme string) (p protocol, transport string, ok bool) {
	name, transport, named := strings.Cut(scheme, "+")
	if !named {
		name, transport = "chat", scheme
	}
	p, ok = findProtocol(name)
	return p, transport, ok && (transport == "http" || transport == "https")
}

// openURL opens a model at an address.
func openURL(ctx context.Context, p protocol, base, model string, o Options) (Opened, error) {
	e := wire.Endpoint{BaseURL: base, Model: model}
	u, err := url.Parse(base)
	if err != nil || e.Who() == "" {
		return Opened{}, &input.NameError{Name: redact.ModelName(base), Reason: "this is no address of an API", Advice: "write http://host:port/v1#model"}
	}
	g := opening{e: e, protocol: p, plainHTTP: o.PlainHTTP, think: o.Think, called: func(model string) string { return p.prefix() + e.Who() + "#" + model }}
	keys := []string{anyKeyEnv}
	if at, ok := providerAt(e.Who(), p.name); ok {
		// The address of a provider, spelled out: its rules hold there too.
		at.dialect(&g.e)
		g.provider, g.free = at.Priced(), at.Local
		keys = append(keys, at.KeyEnv...)
	}
	if u.User == nil { // else the address brings its own authentication
		g.key(o, keys...)
	}
	return g.open(ctx, o)
}

// prefix is what the protocol puts before an address.
func (p protocol) prefix() string {
	if p.name == "chat" {
		return ""
	}
	return p.name + "+"
}

// openProvider opens a model of a provider.
func openProvider(ctx context.Context, p Provider, model string, o Options) (Opened, error) {
	g, err := p.opening(model, o)
	if err != nil {
		return Opened{}, err
	}
	if g.e.Key.IsZero() && !p.Local && !o.Unasked {
		return Opened{}, missingKey(p.Name+":"+model, p)
	}
	return g.open(ctx, o)
}

// opening prepares to open a model of a provider, with its key where one is set.
func (p Provider) opening(model string, o Options) (*opening, error) {
	speaks, ok := findProtocol(p.Wire)
	if !ok {
		return nil, &input.NameError{Name: p.Name + ":" + redact.ModelName(model), Reason: "this version does not speak its protocol yet", Advice: forms}
	}
	g := &opening{protocol: speaks, provider: p.Priced(), free: p.Local, plainHTTP: o.PlainHTTP, think: o.Think}
	g.e = wire.Endpoint{BaseURL: p.BaseURL, Model: model}
	g.called = func(model string) string { return p.Name + ":" + model }
	p.dialect(&g.e)
	if p.Name == "azure" {
		if err := azure(g, model); err != nil {
			return nil, err
		}
	}
	if keys := p.KeyEnv; p.Local {
		g.key(o, anyKeyEnv)
	} else {
		g.key(o, keys...)
	}
	return g, nil
}

// missingKey is the error of a provider that takes no request without a key.
func missingKey(name string, p Provider) error {
	list := strings.Join(p.KeyEnv, " or ")
	is := " is not set"
	if len(p.KeyEnv) > 1 {
		is = " is set"
		list = "neither " + strings.Join(p.KeyEnv, " nor ")
	}
	return &input.NameError{Name: redact.ModelName(name), Reason: "it needs a key, and " + list + is, Advice: "set " + p.KeyEnv[0] + " to a key of " + p.Title}
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

// isPlain reports whether a URL is neither encrypted nor on this machine.
func isPlain(base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.Scheme == "http" && !isLoopback(base)
}

// isLocalServer reports whether an address is that of a local server's usual
// port on this machine. Another port may be a proxy's, and what is behind that
// may cost money.
func isLocalServer(base string) bool {
	_, ok := localServer(base)
	return ok
}

// localServer returns the provider whose usual port on this machine an address has.
func localServer(base string) (Provider, bool) {
	u, err := url.Parse(base)
	if err != nil || !isLoopback(base) {
		return Provider{}, false
	}
	for _, p := range Providers() {
		if at, err := url.Parse(p.BaseURL); err == nil && p.Local && at.Port() == u.Port() {
			return p, true
		}
	}
	return Provider{}, false
}
