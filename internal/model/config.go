package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"verbatim"
	"verbatim/internal/input"
	"verbatim/internal/reasoning"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// ConfigFileName is the name of the file that FindConfig looks for.
const ConfigFileName = "verbatim.toml"

// A File has the models that the user's file names. The zero value is no file.
type ConfigFile struct {
	Path string
	// Trusted says that the user named the file or trusts it. Models of another file get no secret
	// except a provider's own key at the provider's own address.
	Trusted bool
	models  []configuredModel
}

// Models returns the models in the order of the file. A model that is not opened unless the file is
// trusted has a warning.
func (c ConfigFile) Models() []configuredModel {
	all := slices.Clone(c.models)
	for i, m := range all {
		if err := m.needsTrust(); err != nil && !c.Trusted {
			all[i].Warnings = append(slices.Clone(m.Warnings), m.Name+": not opened without --trust-config: "+err.Error())
		}
	}
	return all
}

// Find returns the model of that name.
func (c ConfigFile) Find(name string) (configuredModel, bool) {
	for _, m := range c.models {
		if m.Name == name {
			return m, true
		}
	}
	return configuredModel{}, false
}

// ReadConfig reads a file of models. Paths in it are relative to its folder. An unknown key, a wrong value
// and a text that looks like a key are errors: an *input.FileError with the place.
func ReadConfig(file string, data []byte) (ConfigFile, error) {
	text := document{file: file, places: map[string]place{}}
	text.parse(data)
	if err := cmp.Or(text.checkSecrets(), text.checkKeys()); err != nil {
		return ConfigFile{}, err
	}
	var entries fileEntries
	in := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := in.Decode(&entries); err != nil {
		return ConfigFile{}, text.decodeError(err)
	}
	c := ConfigFile{Path: file}
	for _, name := range text.names {
		m, err := entries.Models[name].model(name, &text)
		if err != nil {
			return ConfigFile{}, err
		}
		c.models = append(c.models, m)
	}
	return c, nil
}

// SecretVariables returns the names of the variables from which the models take secrets.
func (c ConfigFile) secretVariables() (names []string) {
	for _, m := range c.models {
		names = append(names, m.KeyEnv...)
		for _, value := range append(slices.Collect(maps.Values(m.Entry.Headers)), m.Entry.Proxy) {
			if env, ok := strings.CutPrefix(value, envPrefix); ok {
				names = append(names, env)
			}
		}
	}
	return names
}

// FindConfig returns the path of the verbatim.toml in dir or in the nearest folder above; "" without
// one. The search ends at the home folder or at the root of the repository that dir is in. If dir is
// in neither, only dir is searched: a file in a folder above may be another user's.
func FindConfig(dir, home string) string {
	var above []string
	bounded := false
	for at := filepath.Clean(dir); !bounded; at = filepath.Dir(at) {
		above = append(above, at)
		_, err := os.Stat(filepath.Join(at, ".git"))
		bounded = err == nil || home != "" && at == filepath.Clean(home)
		if filepath.Dir(at) == at {
			break
		}
	}
	if !bounded {
		above = above[:1]
	}
	for _, at := range above {
		path := filepath.Join(at, ConfigFileName)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// fileEntries is the file in its TOML form.
type fileEntries struct {
	Models map[string]configEntry `toml:"models"`
}

// An Entry is a model of the file in its TOML form. docs/models.md describes the keys.
type configEntry struct {
	Provider       string            `toml:"provider"`
	Wire           string            `toml:"wire"`
	BaseURL        string            `toml:"base_url"`
	Model          string            `toml:"model"`
	KeyEnv         string            `toml:"key_env"`
	AuthHeader     string            `toml:"auth_header"`
	Headers        map[string]string `toml:"headers"`
	TLS            *tlsEntry         `toml:"tls"`
	Proxy          string            `toml:"proxy"`
	PlainHTTP      bool              `toml:"plain_http"`
	Stream         *bool             `toml:"stream"`
	MaxTokensField string            `toml:"max_tokens_field"`
	SeedField      string            `toml:"seed_field"`
	StreamOptions  *bool             `toml:"stream_options"`
	ReasoningTags  []string          `toml:"reasoning_tags"`
	Context        *int64            `toml:"context"`
	Images         *bool             `toml:"images"`
	Limits         *limitsEntry      `toml:"limits"`
	Params         *paramsEntry      `toml:"params"`
	Price          *priceEntry       `toml:"price"`
}

type tlsEntry struct {
	CAFile             string `toml:"ca_file"`
	CertFile           string `toml:"cert_file"`
	KeyFile            string `toml:"key_file"`
	ServerName         string `toml:"server_name"`
	InsecureSkipVerify bool   `toml:"insecure_skip_verify"`
}

type limitsEntry struct {
	RequestsPerMinute *int64 `toml:"requests_per_minute"`
	TokensPerMinute   *int64 `toml:"tokens_per_minute"`
	Concurrency       *int64 `toml:"concurrency"`
}

type paramsEntry struct {
	Temperature     *float64       `toml:"temperature"`
	TopP            *float64       `toml:"top_p"`
	Seed            *int64         `toml:"seed"`
	ReasoningEffort string         `toml:"reasoning_effort"`
	ReasoningBudget *int64         `toml:"reasoning_budget"`
	Extra           map[string]any `toml:"extra"`
}

type priceEntry struct {
	Input   *float64 `toml:"input"`
	Cached  *float64 `toml:"cached"`
	Output  *float64 `toml:"output"`
	Request *float64 `toml:"request"`
	Batch   *float64 `toml:"batch"`
	AsOf    string   `toml:"as_of"`
}

// A Model is a model that the file names. It has no secrets, only the names of the variables with
// secrets.
type configuredModel struct {
	Name     string
	Provider string // "" for an address
	Wire     string
	Model    string // the name at the server; "": the server is asked for it
	// Address is the base URL without user, password and query.
	Address string
	KeyEnv  []string // the variables that may hold the key; nil: no key is needed
	Priced  string   // its provider in tables of prices; "" without one
	Price   *verbatim.Price
	Context *int64
	Images  *bool // whether it takes images
	Limits  Limits
	Params  verbatim.Params
	// Warnings are for the user, before the model gets requests.
	Warnings []string

	Entry configEntry
	Tags  reasoning.Tags
	text  *document
}

// Location describes the address of the model and the file that gives it. The name shows neither,
// and the file may be part of another user's repository.
func (m configuredModel) location() string {
	at := m.Address
	if m.Provider != "" && m.Entry.BaseURL == "" {
		at = m.Provider
	}
	if m.Model != "" {
		at += ", model " + m.Model
	}
	return m.Name + " is at " + at + ", as " + m.text.file + " says"
}

// Destination returns a text that is equal only for models whose requests, keys and headers go to the
// same place in the same way. It is the part of model.Destination for models of the file.
func (m configuredModel) destination() string {
	s := m.Entry
	where := configEntry{Provider: s.Provider, Wire: s.Wire, BaseURL: s.BaseURL, KeyEnv: s.KeyEnv, AuthHeader: s.AuthHeader, Headers: s.Headers, TLS: s.TLS, Proxy: s.Proxy, PlainHTTP: s.PlainHTTP}
	p, _ := FindProvider(s.Provider)
	if s.Provider != "" && p.BaseURL == "" {
		where.Model = s.Model // Azure: it names the host
	}
	entry, _ := json.Marshal(where) // strings and flags cannot fail
	folder, _ := filepath.Abs(filepath.Dir(m.text.file))
	return fmt.Sprintf("own %q %q %q %s", m.Name, folder, p.BaseURL, entry)
}

// path returns a path in the file, which is relative to its folder, as the program can open it.
func (m configuredModel) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(filepath.Dir(m.text.file), p)
}

// Limits bound how fast requests are sent to a model: by its entry in the file, or as is usual for a
// server on this machine. 0 is no limit.
type Limits struct {
	RequestsPerMinute, TokensPerMinute int64
	Concurrency                        int // requests in flight at once
}

// ErrorAt returns an error at the place of one of the model's keys; "" is the model itself.
func (m configuredModel) errorAt(key, advice, format string, args ...any) error {
	return m.text.errorAt("models."+m.Name+"."+key, advice, format, args...)
}

var (
	modelName  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]{0,63}$`)
	envName    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
	fieldName  = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$")
)

// model checks an entry of the file and returns its Model.
func (s configEntry) model(name string, text *document) (configuredModel, error) {
	m := configuredModel{Name: name, Provider: strings.ToLower(s.Provider), Wire: s.Wire, Model: s.Model, Entry: s, text: text}
	for _, check := range []func(*configuredModel) error{checkName, checkAddress, checkKey, checkHeaders, checkTransport, checkDialect, checkLimits, checkParams, checkPrice} {
		if err := check(&m); err != nil {
			return m, err
		}
	}
	return m, nil
}

func checkName(m *configuredModel) error {
	if strings.EqualFold(m.Name, "nano") {
		return m.text.errorAt("models."+m.Name, "choose another name", "nano is the name of the model inside this program")
	}
	if modelName.MatchString(m.Name) && m.Name != "last" {
		return nil
	}
	return m.text.errorAt("models."+m.Name, "a name is up to 64 letters, digits, dots, dashes and underscores, a letter first; 'last' is taken",
		"the name %q is not allowed", wire.CleanLine(m.Name, 80))
}

func checkAddress(m *configuredModel) error {
	s := m.Entry
	if s.Provider != "" {
		p, ok := FindProvider(s.Provider)
		if !ok {
			var names []string
			for _, p := range Providers() {
				names = append(names, p.Name)
			}
			return m.errorAt("provider", "known: "+strings.Join(names, ", "), "there is no provider %q", wire.CleanLine(s.Provider, 60))
		}
		m.Address, m.Wire = p.BaseURL, cmp.Or(m.Wire, p.Wire)
		if s.BaseURL == "" { // a provider's key is only for the provider's own address
			m.KeyEnv, m.Priced = p.KeyEnv, p.Priced()
		}
		if p.Name == "azure" && s.BaseURL == "" {
			if _, err := parseAzure(s.Model); err != nil {
				return m.errorAt("model", `write model = "RESOURCE/DEPLOYMENT"`, "azure needs a resource and a deployment")
			}
		}
	}
	m.Wire = cmp.Or(m.Wire, "chat")
	if _, ok := wire.Find(m.Wire); !ok {
		var names []string
		for _, p := range wire.Protocols() {
			names = append(names, p.Name)
		}
		return m.errorAt("wire", "known: "+strings.Join(names, ", "), "there is no wire %q", wire.CleanLine(m.Wire, 60))
	}
	if s.BaseURL == "" {
		if s.Provider == "" {
			return m.errorAt("", `add base_url = "https://host/v1", or provider = "openai"`, "the model %s has no address", m.Name)
		}
		return nil
	}
	m.Address = wire.Endpoint{BaseURL: s.BaseURL}.Who()
	u, err := url.Parse(s.BaseURL)
	switch {
	case err != nil || m.Address == "" || u.Fragment != "":
		return m.errorAt("base_url", `write base_url = "https://host/v1" and the model's name under model`, "base_url is not the address of an API")
	case u.User != nil:
		return m.errorAt("base_url", keyAdvice, "the address holds a user's name or a password")
	}
	for _, values := range u.Query() {
		if slices.ContainsFunc(values, redact.LooksLikeKey) {
			return m.errorAt("base_url", keyAdvice, "the address holds what looks like a key")
		}
	}
	return nil
}

func checkKey(m *configuredModel) error {
	s := m.Entry
	switch {
	case s.AuthHeader != "" && !headerName.MatchString(s.AuthHeader):
		return m.errorAt("auth_header", `such as auth_header = "x-api-key"`, "auth_header is not the name of a header")
	case s.KeyEnv == "":
		return nil
	case !envName.MatchString(s.KeyEnv):
		return m.errorAt("key_env", keyAdvice, "key_env is not the name of a variable")
	}
	m.KeyEnv = []string{s.KeyEnv}
	return nil
}

// secretHeaderName matches headers whose values are secrets.
var secretHeaderName = regexp.MustCompile(`(?i)^(authorization|proxy-authorization|cookie|.*(api-?key|token|secret|password).*)$`)

func checkHeaders(m *configuredModel) error {
	for name, value := range m.Entry.Headers {
		env, fromEnv := strings.CutPrefix(value, envPrefix)
		switch {
		case !headerName.MatchString(name):
			return m.errorAt("headers."+name, "", "%q is not the name of a header", wire.CleanLine(name, 60))
		case fromEnv && !envName.MatchString(env):
			return m.errorAt("headers."+name, `write "env:NAME"`, "env: needs the name of a variable after it")
		case !fromEnv && secretHeaderName.MatchString(name):
			return m.errorAt("headers."+name, `write "env:NAME" and keep the value in that variable`, "the header %s carries a secret, and a file is no place for one", name)
		case !isHeaderValue(value):
			return m.errorAt("headers."+name, "", "the value of the header %s is not one line of at most %d ASCII characters", name, maxHeaderValue)
		}
	}
	return nil
}

func checkTransport(m *configuredModel) error {
	if t := m.Entry.TLS; t != nil {
		if (t.CertFile == "") != (t.KeyFile == "") {
			return m.errorAt("tls", "", "a client's certificate needs both: cert_file and key_file")
		}
		if t.InsecureSkipVerify {
			m.Warnings = append(m.Warnings, m.Name+": the server's certificate is not checked (insecure_skip_verify): any host in between can read and change everything")
		}
	}
	if _, err := parseProxy(m.Entry.Proxy); err != nil {
		return m.errorAt("proxy", `write proxy = "http://host:port", "socks5://host:port", "direct", or "env:NAME" if it needs a password`, "%v", err)
	}
	return nil
}

func checkDialect(m *configuredModel) error {
	s := &m.Entry
	for _, f := range []struct{ key, value string }{{"max_tokens_field", s.MaxTokensField}, {"seed_field", s.SeedField}} {
		if f.value != "" && !fieldName.MatchString(f.value) {
			return m.errorAt(f.key, "", "%s is not the name of a parameter", f.key)
		}
	}
	if s.ReasoningTags != nil {
		var err error
		if m.Tags, err = reasoning.NewTags(s.ReasoningTags); err != nil {
			return m.errorAt("reasoning_tags", `write reasoning_tags = ["<think>", "</think>"]`, "%v", err)
		}
	}
	if s.Context != nil && *s.Context < 1 {
		return m.errorAt("context", "", "context must be at least 1 token, got %d", *s.Context)
	}
	m.Context, m.Images = s.Context, s.Images
	return nil
}

func checkLimits(m *configuredModel) error {
	l := m.Entry.Limits
	if l == nil {
		return nil
	}
	for _, f := range []struct {
		key   string
		value *int64
	}{{"requests_per_minute", l.RequestsPerMinute}, {"tokens_per_minute", l.TokensPerMinute}, {"concurrency", l.Concurrency}} {
		if f.value != nil && (*f.value < 1 || *f.value > math.MaxInt32) {
			return m.errorAt("limits."+f.key, "leave it out for no limit", "%s must be from 1 to %d, got %d", f.key, math.MaxInt32, *f.value)
		}
	}
	number := func(p *int64) int64 { return *cmp.Or(p, new(int64)) }
	m.Limits = Limits{number(l.RequestsPerMinute), number(l.TokensPerMinute), int(number(l.Concurrency))}
	return nil
}

func checkParams(m *configuredModel) error {
	p := m.Entry.Params
	if p == nil {
		return nil
	}
	for _, f := range []struct {
		key   string
		value *float64
	}{{"temperature", p.Temperature}, {"top_p", p.TopP}} {
		if f.value != nil && !(*f.value >= 0 && *f.value <= 1000) {
			return m.errorAt("params."+f.key, "", "%s must be from 0 to 1000, got %v", f.key, *f.value)
		}
	}
	m.Params = verbatim.Params{Temperature: p.Temperature, TopP: p.TopP, Seed: p.Seed, Effort: p.ReasoningEffort, ReasoningBudget: p.ReasoningBudget}
	for name, value := range p.Extra {
		data, err := json.Marshal(value)
		if err != nil {
			return m.errorAt("params.extra."+name, "", "this cannot be sent as JSON")
		}
		if m.Params.Extra == nil {
			m.Params.Extra = map[string]json.RawMessage{}
		}
		m.Params.Extra[name] = data
	}
	if path := (redact.Redactor{}).SecretParam(m.Params.Extra); path != "" {
		return m.errorAt("params.extra."+path, keyAdvice, "%s looks like a secret, and parameters are saved with every run", wire.CleanLine(path, 80))
	}
	return nil
}

func checkPrice(m *configuredModel) error {
	p := m.Entry.Price
	if p == nil {
		return nil
	}
	if p.Input == nil || p.Output == nil {
		return m.errorAt("price", "both are in dollars for a million tokens", "a price needs both input and output")
	}
	out := &verbatim.Price{Batch: p.Batch, Source: filepath.Base(m.text.file), AsOf: p.AsOf}
	if p.AsOf != "" && !isDay(p.AsOf) {
		return m.errorAt("price.as_of", "", "as_of is not a day, such as \"2026-11-21\"")
	}
	if p.Batch != nil && !(*p.Batch >= 0 && *p.Batch <= 1) {
		return m.errorAt("price.batch", "", "batch is the factor of the price in a batch: it must be from 0 to 1")
	}
	if p.Cached != nil {
		out.Cached = new(verbatim.Money)
	}
	for _, f := range []struct {
		key   string
		value *float64
		to    *verbatim.Money
	}{{"input", p.Input, &out.Input}, {"output", p.Output, &out.Output}, {"request", p.Request, &out.Request}, {"cached", p.Cached, out.Cached}} {
		if f.value == nil {
			continue
		}
		amount, err := verbatim.ParseMoney(strconv.FormatFloat(*f.value, 'f', -1, 64))
		if err != nil {
			return m.errorAt("price."+f.key, "prices are in dollars for a million tokens", "price.%s is not an amount of dollars", f.key)
		}
		*f.to = amount
	}
	m.Price = out
	return nil
}

// maxHeaderValue is the largest number of bytes of a header's value.
const maxHeaderValue = 1000

// isHeaderValue reports whether a text can be a header's value.
func isHeaderValue(s string) bool {
	for i := range len(s) {
		if (s[i] < ' ' || s[i] > '~') && s[i] != '\t' {
			return false
		}
	}
	return len(s) <= maxHeaderValue
}

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

// A place is a place in a file, both counted from 1.
type place struct{ line, column int }

// A document has the keys and strings of a file, with the places of the keys.
type document struct {
	file   string
	places map[string]place // by path: "models.box.base_url"
	keys   [][]string       // the paths, in the order of their first places
	names  []string         // of the models, in order
	values []stringValue
}

// A stringValue is a string of the file with the path of its key.
type stringValue struct{ path, value string }

// parse reads the keys and strings up to the first syntax error, which the decoder reports.
func (t *document) parse(data []byte) {
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = t.addKey(&p, nil, e.Key())
		case unstable.KeyValue:
			t.addValue(&p, t.addKey(&p, table, e.Key()), e.Value())
		}
	}
}

// addKey adds a key below the path, and returns its own path.
func (t *document) addKey(p *unstable.Parser, path []string, key unstable.Iterator) []string {
	path = slices.Clone(path)
	for key.Next() {
		path = append(path, string(key.Node().Data))
		if len(path) == 2 && path[0] == "models" && !slices.Contains(t.names, path[1]) {
			t.names = append(t.names, path[1])
		}
		joined := strings.Join(path, ".")
		if _, known := t.places[joined]; !known {
			start := p.Shape(key.Node().Raw).Start
			t.places[joined] = place{start.Line, start.Column}
			t.keys = append(t.keys, slices.Clone(path))
		}
	}
	return path
}

// addValue adds the strings and keys of a value.
func (t *document) addValue(p *unstable.Parser, path []string, v *unstable.Node) {
	switch v.Kind {
	case unstable.String:
		t.values = append(t.values, stringValue{strings.Join(path, "."), string(v.Data)})
	case unstable.InlineTable, unstable.Array:
		for c := v.Children(); c.Next(); {
			if n := c.Node(); n.Kind == unstable.KeyValue {
				t.addValue(p, t.addKey(p, path, n.Key()), n.Value())
			} else {
				t.addValue(p, path, n)
			}
		}
	}
}

// errorAt returns an error at the place of a path, or of the nearest path above that has one.
func (t *document) errorAt(path, advice, format string, args ...any) error {
	e := &input.FileError{File: t.file, Reason: fmt.Sprintf(format, args...), Advice: advice}
	for p := path; p != ""; {
		if at, ok := t.places[p]; ok {
			e.Line, e.Column = at.line, at.column
			break
		}
		p = p[:max(0, strings.LastIndex(p, "."))]
	}
	return e
}

// keyAdvice is the advice for a key in a file or an address.
const keyAdvice = `keys stay in the environment: name the variable with key_env = "NAME", or a header's with "env:NAME"`

// checkSecrets refuses all strings that look like keys.
func (t *document) checkSecrets() error {
	for _, w := range t.values {
		if redact.LooksLikeKey(w.value) {
			return t.errorAt(w.path, keyAdvice, "%s holds what looks like a key, and a file is no place for one", wire.CleanLine(w.path, 80))
		}
	}
	return nil
}

var wrongType = regexp.MustCompile(`^toml: cannot decode TOML (.+?) into (?:.* of type )?(.+)$`)

// decodeError makes a *FileError of an error of the decoder.
func (t *document) decodeError(err error) error {
	decode, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return &input.FileError{File: t.file, Reason: "it cannot be read as TOML"}
	}
	line, column := decode.Position()
	reason := strings.TrimPrefix(decode.Error(), "toml: ")
	if m := wrongType.FindStringSubmatch(decode.Error()); m != nil {
		reason = fmt.Sprintf("expected %s, got %s", typeName(m[2]), typeName("TOML "+m[1]))
	}
	return &input.FileError{File: t.file, Line: line, Column: column, Reason: wire.CleanLine(reason, 200), Advice: "docs/models.md has an example of the whole file"}
}

// typeName describes a type of TOML or Go.
func typeName(s string) string {
	switch s {
	case "TOML string", "string":
		return "a string"
	case "TOML integer", "TOML float", "int", "int64", "float64":
		return "a number"
	case "TOML boolean", "bool":
		return "true or false"
	case "TOML array", "[]string":
		return "a list of strings"
	}
	return "a table"
}

// checkKeys refuses unknown keys. The decoder refuses them too, but does not give the whole path of a
// key in an inline table.
func (t *document) checkKeys() error {
	for _, path := range t.keys {
		name, table := path[len(path)-1], path[:len(path)-1]
		known, open := knownKeys(reflect.TypeFor[fileEntries](), table)
		if open || slices.Contains(known, name) {
			continue
		}
		advice := "known here: " + strings.Join(known, ", ")
		if near := input.Nearest(strings.ToLower(name), known); near != "" {
			advice = "did you mean " + near + "?"
		}
		if slices.Contains([]string{"key", "api_key", "apikey", "token", "secret", "password"}, strings.ToLower(name)) {
			advice = keyAdvice
		}
		return t.errorAt(strings.Join(path, "."), advice, "there is no key %q", wire.CleanLine(name, 60))
	}
	return nil
}

// knownKeys returns the keys of the table at a path. Open reports that any key is allowed: the keys
// are names, or the value is no table, which the decoder refuses.
func knownKeys(t reflect.Type, path []string) (known []string, open bool) {
	for _, step := range append(slices.Clone(path), "") {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			if t.Kind() != reflect.Map || step == "" {
				return nil, true
			}
			t = t.Elem()
			continue
		}
		known = nil
		for f := range t.Fields() {
			name := f.Tag.Get("toml")
			known = append(known, name)
			if name == step {
				t = f.Type
			}
		}
	}
	return known, false
}
