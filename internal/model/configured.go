package model

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"verbatim/internal/reasoning"
	"verbatim/internal/wire"
)

// openConfigured opens a model of the user's file.
func openConfigured(ctx context.Context, m configuredModel, o Options) (Handle, error) {
	if !o.Config.Trusted {
		if err := m.needsTrust(); err != nil {
			return Handle{}, err
		}
	}
	g, err := configuredTarget(m, o)
	if err != nil {
		return Handle{}, err
	}
	return g.open(ctx, o)
}

// configuredTarget returns the target of a model of the user's file. Only here are the environment
// and other files read, so that a file with many models can be used on any machine.
func configuredTarget(m configuredModel, o Options) (*target, error) {
	s := m.Entry
	p, _ := FindProvider(s.Provider) // checked when the file was read
	speaks, ok := wire.Find(m.Wire)
	if !ok {
		return nil, m.errorAt("wire", "", "this version does not speak %s yet", m.Wire)
	}
	g := &target{wire: speaks, tags: m.Tags, note: strings.Join(append([]string{m.location()}, m.Warnings...), "; "),
		plainHTTP: o.PlainHTTP || s.PlainHTTP, name: func(string) string { return m.Name }}
	if s.BaseURL == "" { // another address may have other prices
		g.provider, g.local = m.Priced, p.Local
	}
	g.endpoint = wire.Endpoint{BaseURL: cmp.Or(s.BaseURL, p.BaseURL), Model: s.Model}
	p.setDialect(&g.endpoint)
	if p.Name == "azure" && s.BaseURL == "" {
		if err := g.setAzure(s.Model); err != nil {
			return nil, err
		}
	}
	if o.Tags != (reasoning.Tags{}) || o.KeepTags {
		g.tags = o.Tags
	}
	g.settings = fileSettings{price: m.Price, context: m.Context, images: m.Images, params: m.Params, limits: m.Limits, stream: s.Stream}
	g.endpoint.AuthHeader = cmp.Or(s.AuthHeader, g.endpoint.AuthHeader)
	g.endpoint.MaxTokensField = cmp.Or(s.MaxTokensField, g.endpoint.MaxTokensField)
	g.endpoint.SeedField = cmp.Or(s.SeedField, g.endpoint.SeedField)
	if s.StreamOptions != nil && !*s.StreamOptions {
		g.endpoint.StreamOptions = map[string]bool{}
	}
	g.setKey(o, m.KeyEnv...)
	if g.endpoint.Key.IsZero() && len(m.KeyEnv) > 0 && !o.NoRequests {
		return nil, m.errorAt("key_env", "set it to the key of this endpoint", "%s is not set", m.KeyEnv[0])
	}
	literal, secret, err := m.headers(o.getenv, o.NoRequests)
	if err != nil {
		return nil, err
	}
	g.endpoint.Headers, g.secretHeaders = literal, secret
	if s.TLS != nil || s.Proxy != "" {
		g.newTransport = func() (*http.Transport, error) { return m.Transport(o.getenv) }
	}
	return g, nil
}
