package model

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"verbatim"
	"verbatim/internal/httpconn"
	"verbatim/internal/input"
	"verbatim/internal/reasoning"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// A target is what is known of a model behind a wire before it is opened.
type target struct {
	endpoint      wire.Endpoint
	wire          *wire.Protocol
	name          func(model string) string // the canonical name
	provider      string                    // in tables of prices; "": there are no prices
	local         bool                      // the server is on this machine
	plainHTTP     bool                      // prompts may be sent without encryption
	tags          reasoning.Tags
	note          string
	secretHeaders []secretHeader
	newTransport  func() (*http.Transport, error) // nil is httpconn.NewTransport
	settings      fileSettings
}

// fileSettings is what the user's file says of a model, except for its address.
type fileSettings struct {
	price   *verbatim.Price
	context *int64
	images  *bool
	params  verbatim.Params
	limits  Limits
	stream  *bool
}

// setKey sets the key to the first of the variables that is set.
func (g *target) setKey(o Options, names ...string) {
	if o.Discovered {
		return
	}
	for _, name := range names {
		if k := wire.NewKey(o.getenv(name)); !k.IsZero() {
			g.endpoint.Key, g.endpoint.KeyEnv = k, name
			return
		}
	}
	if len(names) > 0 {
		g.endpoint.KeyEnv = names[0]
	}
}

// setAzure sets the address of a deployment on Azure, which the name of the model has.
func (g *target) setAzure(model string) error {
	at, err := parseAzure(model)
	if err != nil {
		return err
	}
	g.endpoint.BaseURL, g.endpoint.Model, g.provider = at.BaseURL, at.Deployment, ""
	g.name = func(string) string { return at.Name }
	return nil
}

// refused returns why the target must not be opened; nil: it may.
func (g *target) refused(redactor redact.Redactor) error {
	name := g.name(g.endpoint.Model)
	if isUnencrypted(g.endpoint.BaseURL) && !g.plainHTTP {
		return &input.NameError{Name: name, Reason: "the address is not encrypted and not on this machine: prompts, answers and the key would be sent without encryption",
			Advice: "write https://, or allow it with --plain-http or, in verbatim.toml, plain_http = true"}
	}
	if redactor.Message(name) != name {
		return &input.NameError{Name: redactor.Message(name), Reason: "it holds what looks like a key, and names are saved with every run", Advice: keyAdvice}
	}
	return nil
}

// configured returns the endpoint with the settings of its protocol and of the options.
func (g *target) configured(o Options) wire.Endpoint {
	e := g.endpoint
	e.AuthHeader = cmp.Or(e.AuthHeader, g.wire.AuthHeader)
	e.Headers = merge(g.wire.Header, e.Headers)
	e.Stream = o.Stream && (g.settings.stream == nil || *g.settings.stream)
	e.Total, e.Idle = cmp.Or(o.Timeout, defaultTimeout), cmp.Or(o.Idle, defaultIdle)
	e.MaxReply, e.Memory, e.Tags = o.MaxReply, o.Memory, g.tags
	return e
}

// hostOf returns the host and port of an address; "" if it has none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// open opens the model.
func (g *target) open(ctx context.Context, o Options) (Handle, error) {
	redactor := g.redactor(o)
	if err := g.refused(redactor); err != nil {
		return Handle{}, err
	}
	e := g.configured(o)
	carrier, closeIdle, err := g.roundTripper(o)
	if err != nil {
		return Handle{}, err
	}
	e.Transport = carrier
	if e.Model == "" {
		if e.Model, err = chooseModel(ctx, g.wire, e, redactor, g.name, o); err != nil {
			closeIdle()
			return Handle{}, redactor.Error(err)
		}
	}
	other := func(flipped bool, name string) verbatim.Model {
		asked := e
		asked.Stream, asked.Model = e.Stream != flipped, cmp.Or(name, e.Model)
		prepared := asked.Prepared()
		if who := e.Who(); who != "" {
			prepared.BaseURL = who // the prepared address has the password and the query, and does not print them
		}
		return newWireModel(g.wire, prepared, o.refiner(redactor, g.tags), o.Log)
	}
	opened := Handle{
		Model:   other(false, ""),
		Name:    g.name(e.Model),
		Note:    g.note,
		Params:  g.settings.params,
		Check:   func(p verbatim.Params) error { return g.wire.Check(e, p) },
		Limits:  g.settings.limits,
		Wire:    g.wire.Name,
		Other:   other,
		Streams: e.Stream,
		Host:    hostOf(e.BaseURL),
		Renames: !strings.Contains(e.BaseURL, "/deployments/"), // otherwise the address names the model
		Close:   closeIdle,
	}
	if g.wire.Name == "chat" || g.local || isLocalServer(e.BaseURL) {
		opened.Slots = func(ctx context.Context) int { return slots(ctx, e) }
		opened.Waiting = func(ctx context.Context) (int, bool) { return waiting(ctx, e) }
	}
	g.setPrice(&opened, e, o)
	g.setServed(&opened, e, o)
	return opened, nil
}

// setServed sets whether the model takes images, by the user's file or the provider, and how the
// server is asked for that and for the context.
func (g *target) setServed(opened *Handle, e wire.Endpoint, o Options) {
	opened.Images = g.settings.images
	p, _ := FindProvider(g.provider)
	if p.TextOnly && opened.Images == nil {
		opened.Images = new(bool)
	}
	if isNear(e.BaseURL) || (g.provider == "" || p.Ends) && !o.NoRequests {
		opened.Served = func(ctx context.Context) served {
			s := askServed(ctx, g.wire, e)
			if g.provider != "" && !isNear(e.BaseURL) { // the table knows the rest
				s = served{Ends: s.Ends}
			}
			own := served{g.settings.context, g.settings.images, s.Ends}
			own.complete(s)
			return own
		}
	}
}

// roundTripper returns the transport of the requests, and a function that closes its idle connections.
func (g *target) roundTripper(o Options) (carrier http.RoundTripper, closeIdle func() error, err error) {
	carrier, closeIdle = o.Transport, func() error { return nil }
	if carrier == nil {
		t := httpconn.NewTransport()
		if g.newTransport != nil {
			if t, err = g.newTransport(); err != nil {
				return nil, nil, err
			}
		}
		d := httpconn.NewDirect(t)
		carrier, closeIdle = d, func() error { d.CloseIdleConnections(); return nil }
	}
	if len(g.secretHeaders) > 0 {
		carrier = secretTransport{carrier, g.secretHeaders}
	}
	return carrier, closeIdle, nil
}

// setPrice sets the price, the context, the longest output and whether the model reasons: by the
// user's file, otherwise by a table. A model on this machine without a price in them is free.
func (g *target) setPrice(opened *Handle, e wire.Endpoint, o Options) {
	find := o.tariffs(g.provider, e.Who())
	t, ok := find(e.Model)
	if ok {
		opened.Price, opened.Context, opened.MaxOutput, opened.Reasons = t.Shown(), t.Context, t.MaxOutput, t.Reasons
	}
	if opened.Price == nil && (g.local || isLocalServer(e.BaseURL)) {
		opened.Price = freePrice()
	}
	if g.settings.price != nil {
		opened.Price = g.settings.price
	}
	if g.settings.context != nil {
		opened.Context = g.settings.context
	}
	opened.PriceOf = g.priceServed(opened.Price, t, e.Model, find)
}

// merge returns the headers of both; those of b override those of a.
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

// redactor returns the Redactor of the secrets of the target and of the environment.
func (g *target) redactor(o Options) redact.Redactor {
	s := &redact.Secrets{}
	if !g.endpoint.Key.IsZero() {
		s.Add(g.endpoint.KeyEnv, g.endpoint.Key.Reveal())
	}
	for _, h := range g.secretHeaders {
		s.Add(h.Variable, h.Value())
	}
	s.AddAddress("address", g.endpoint.BaseURL)
	addEnvironment(s, o)
	return redact.New(s)
}

var (
	azureResource   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,62}$`)
	azureHost       = regexp.MustCompile(`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`)
	azureDeployment = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	azureDated      = regexp.MustCompile(`^20\d\d-\d\d-\d\d(-preview)?$`)
)

// An azureModel is a deployment of a model at Azure OpenAI.
type azureModel struct {
	BaseURL    string
	Deployment string
	Name       string // canonical: azure:RESOURCE/DEPLOYMENT
}

// parseAzure reads the part of a model's name after "azure:". RESOURCE/DEPLOYMENT is a deployment behind
// the v1 API, whose versions have no dates; RESOURCE is the name of an Azure OpenAI resource or of its
// host. RESOURCE/DEPLOYMENT?api-version=2024-10-21 is one behind the API before it, in which the
// deployment is part of the address.
func parseAzure(name string) (d azureModel, err error) {
	where, query, _ := strings.Cut(name, "?")
	resource, deployment, _ := strings.Cut(where, "/")
	version := ""
	if query != "" {
		values, err := url.ParseQuery(query)
		if version = values.Get("api-version"); err != nil || version == "" || len(values) > 1 {
			return d, azureError(name)
		}
	}
	resource = strings.TrimSuffix(strings.ToLower(resource), ".openai.azure.com")
	host := resource
	if azureResource.MatchString(resource) {
		host = resource + ".openai.azure.com"
	} else if !azureHost.MatchString(resource) {
		return d, azureError(name)
	}
	if !azureDeployment.MatchString(deployment) {
		return d, azureError(name)
	}
	base := "https://" + host + "/openai"
	switch {
	case version == "":
		base += "/v1"
	case azureDated.MatchString(version):
		base += "/deployments/" + deployment + "?api-version=" + version
	case version == "preview" || version == "latest":
		base += "/v1?api-version=" + version
	default:
		return d, azureError(name)
	}
	canonical := "azure:" + resource + "/" + deployment
	if version != "" {
		canonical += "?api-version=" + version
	}
	return azureModel{BaseURL: base, Deployment: deployment, Name: canonical}, nil
}

func azureError(name string) error {
	return &input.NameError{Name: "azure:" + wire.CleanLine(name, 80), Reason: "azure needs a resource and a deployment",
		Advice: "write azure:RESOURCE/DEPLOYMENT, or azure:RESOURCE/DEPLOYMENT?api-version=2024-10-21 for the API with dated versions"}
}
