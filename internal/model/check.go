package model

import (
	"cmp"
	"encoding/json"
	"math"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"verbatim"

	"verbatim/internal/reasoning"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

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
