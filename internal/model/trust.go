package model

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/redact"
)

// A file that was found and not named may be part of a cloned repository. It may name models and
// addresses. It decides neither which secret of the user is sent where nor how: a key is sent only to
// the host that the table of providers lists for its variable, with that host's own certificate and
// through the user's own proxy.

// NeedsTrust returns the reason why an entry of a file that the user does not trust is not opened; nil
// if it needs no trust.
func (m configuredModel) needsTrust() error {
	s := m.Entry
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		if env, ok := strings.CutPrefix(s.Headers[name], envPrefix); ok {
			return m.untrustedSecret("headers."+name, "the value of %s in the header %s", env, name)
		}
	}
	if env, ok := strings.CutPrefix(s.Proxy, envPrefix); ok {
		return m.untrustedSecret("proxy", "the value of %s to a proxy", env)
	}
	if s.TLS != nil && s.TLS.CertFile != "" {
		return m.untrustedSecret("tls.cert_file", "your certificate")
	}
	if len(m.KeyEnv) == 0 {
		return nil
	}
	keys := strings.Join(m.KeyEnv, " or ")
	switch {
	case !m.sendsKeysHome() && s.KeyEnv != "":
		return m.untrustedSecret("key_env", "%s to %s", keys, m.address())
	case !m.sendsKeysHome():
		return m.untrustedSecret("model", "%s to %s", keys, m.address())
	case s.TLS != nil:
		return m.untrustedSecret("tls", "%s to a server with another certificate than the provider's", keys)
	case s.Proxy != "" && s.Proxy != "direct":
		return m.untrustedSecret("proxy", "%s through a proxy of its choice", keys)
	case s.Price != nil: // a price of 0 would switch off the budget
		return m.untrustedCost("price", keys)
	case s.Params != nil && len(s.Params.Extra) > 0: // such as "n", or tools that ask other servers
		return m.untrustedCost("params.extra", keys)
	case len(s.Headers) > 0: // such as the organization that pays, or paid features
		return m.untrustedCost("headers", keys)
	case s.SeedField != "": // "n" would have a seed of 100 answered 100 times
		return m.untrustedCost("seed_field", keys)
	case s.MaxTokensField != "" && !slices.Contains(tokenLimitFields, s.MaxTokensField): // the limit would not be sent
		return m.untrustedCost("max_tokens_field", keys)
	}
	return nil
}

// untrustedCost returns the error of a key that changes the cost of a request.
func (m configuredModel) untrustedCost(key, keys string) error {
	return m.errorAt(key, trustAdvice, "the file was found and not named, and may not say %s of a model that is paid with %s", key, keys)
}

// tokenLimitFields are the parameters that are token limits at every server that knows them.
var tokenLimitFields = []string{"max_tokens", "max_completion_tokens", "max_output_tokens"}

// trustAdvice is the advice for a file that is not trusted.
const trustAdvice = "read the file; if it is yours, add --trust-config once, or name it with --config or VERBATIM_CONFIG"

// untrustedSecret returns the error of a key by which a secret would be sent. What says which secret
// and to whom.
func (m configuredModel) untrustedSecret(key, what string, args ...any) error {
	return m.errorAt(key, trustAdvice, "the file was found and not named, and may not send "+what, args...)
}

// address returns the address of the entry's requests, or the model's name at a provider.
func (m configuredModel) address() string {
	if m.Address == "" {
		return m.Provider + ":" + redact.ModelName(m.Model)
	}
	return m.Address
}

// sendsKeysHome reports whether the table of providers lists every key variable of the entry for the
// host of its address.
func (m configuredModel) sendsKeysHome() bool {
	p, _ := FindProvider(m.Provider)
	u, err := url.Parse(cmp.Or(m.Entry.BaseURL, p.BaseURL))
	if err != nil || u.Scheme != "https" {
		return false
	}
	var listed []string // the variables of this host
	for _, p := range Providers() {
		if at, err := url.Parse(p.BaseURL); err == nil && at.Host != "" && strings.EqualFold(at.Host, u.Host) {
			listed = append(listed, p.KeyEnv...)
		}
	}
	return !slices.ContainsFunc(m.KeyEnv, func(env string) bool { return !slices.Contains(listed, env) })
}
