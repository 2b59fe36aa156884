package config

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/provider"
	"verbatim/internal/redact"
)

// A file that was found and not named may come with a cloned repository. It may
// name models and addresses, but it decides neither which secret of the user goes
// where nor how it travels: a variable goes only to the host that the table of
// providers lists for it, over that host's own certificate and the user's own proxy.

// NeedsTrust says what an entry of a file that the user has not trusted would need
// trust for; nil: nothing.
func (m Model) NeedsTrust() error {
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

// untrustedCost is the error of a field that decides what a request costs.
func (m Model) untrustedCost(field, keys string) error {
	return m.ErrorAt(field, trustAdvice, "the file was found and not named, and may not say %s of a model that is paid with %s", field, keys)
}

// tokenLimitFields are the parameters that are limits of tokens wherever they are known.
var tokenLimitFields = []string{"max_tokens", "max_completion_tokens", "max_output_tokens"}

// trustAdvice says how a file comes to be trusted.
const trustAdvice = "read the file; if it is yours, add --trust-config once, or name it with --config or VERBATIM_CONFIG"

// untrustedSecret is the error of a field that needs trust; what says which secret would
// go where.
func (m Model) untrustedSecret(field, what string, args ...any) error {
	return m.ErrorAt(field, trustAdvice, "the file was found and not named, and may not send "+what, args...)
}

// address is where the entry's requests go.
func (m Model) address() string {
	if m.Address == "" {
		return m.Provider + ":" + redact.ModelName(m.Model)
	}
	return m.Address
}

// sendsKeysHome reports whether the table of providers lists every variable of the
// entry for the host of its address.
func (m Model) sendsKeysHome() bool {
	p, _ := provider.Find(m.Provider)
	u, err := url.Parse(cmp.Or(m.Entry.BaseURL, p.BaseURL))
	if err != nil || u.Scheme != "https" {
		return false
	}
	for _, env := range m.KeyEnv {
		if !slices.ContainsFunc(provider.All(), func(p provider.Provider) bool {
			at, err := url.Parse(p.BaseURL)
			return err == nil && at.Host != "" && strings.EqualFold(at.Host, u.Host) && slices.Contains(p.KeyEnv, env)
		}) {
			return false
		}
	}
	return true
}
