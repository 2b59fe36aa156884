package model

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"verbatim/internal/httpconn"
	"verbatim/internal/redact"
)

// Transport returns an HTTP transport with the model's TLS settings and proxy.
func (m configuredModel) Transport(getenv func(string) string) (*http.Transport, error) {
	t := httpconn.NewTransport()
	if s := m.Entry.TLS; s != nil {
		c := &tls.Config{ServerName: s.ServerName, InsecureSkipVerify: s.InsecureSkipVerify}
		if s.CAFile != "" {
			pem, err := os.ReadFile(m.path(s.CAFile))
			if err != nil {
				return nil, m.errorAt("tls.ca_file", "paths count from the folder of the file", "the certificates cannot be read: %v", cause(err))
			}
			if c.RootCAs, err = x509.SystemCertPool(); err != nil {
				c.RootCAs = x509.NewCertPool()
			}
			if !c.RootCAs.AppendCertsFromPEM(pem) {
				return nil, m.errorAt("tls.ca_file", "", "there is no certificate in PEM form in the file")
			}
		}
		if s.CertFile != "" {
			cert, err := tls.LoadX509KeyPair(m.path(s.CertFile), m.path(s.KeyFile))
			if err != nil {
				return nil, m.errorAt("tls.cert_file", "both files are in PEM form, and their paths count from the folder of this file", "the client's certificate cannot be read: %v", cause(err))
			}
			c.Certificates = []tls.Certificate{cert}
		}
		t.TLSClientConfig = c
	}
	proxy := m.Entry.Proxy
	if env, ok := strings.CutPrefix(proxy, envPrefix); ok {
		address := strings.TrimSpace(getenv(env))
		if address == "" {
			return nil, m.errorAt("proxy", "", "%s is not set", env)
		}
		u, err := proxyAddress(address)
		if err != nil {
			return nil, m.errorAt("proxy", "", "%s holds no address of a proxy", env)
		}
		t.Proxy = http.ProxyURL(u)
		return t, nil
	}
	u, err := parseProxy(proxy)
	switch {
	case err != nil:
		return nil, m.errorAt("proxy", "", "%v", err)
	case u != nil:
		t.Proxy = http.ProxyURL(u)
	case proxy == "direct":
		t.Proxy = nil
	}
	return t, nil
}

// parseProxy reads the proxy of an entry: an address, or nil for "direct", "" and the name of a
// variable.
func parseProxy(s string) (*url.URL, error) {
	if env, ok := strings.CutPrefix(s, envPrefix); ok {
		if !envName.MatchString(env) {
			return nil, errors.New("env: needs the name of a variable after it")
		}
		return nil, nil
	}
	if s == "" || s == "direct" {
		return nil, nil
	}
	u, err := proxyAddress(s)
	if err == nil && u.User != nil {
		return nil, errors.New("the address holds a user's name or a password, and a file is no place for one")
	}
	return u, err
}

// proxyAddress reads the address of a proxy.
func proxyAddress(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		return nil, errors.New("it is not the address of a proxy")
	}
	return u, nil
}

// cause returns the reason of an error of package os, without the path.
func cause(err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		return path.Err
	}
	return err
}

// A secretTransport adds secret headers to requests.
type secretTransport struct {
	next    http.RoundTripper
	headers []secretHeader
}

// RoundTrip implements http.RoundTripper.
func (c secretTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for _, s := range c.headers {
		r.Header.Set(s.Name, s.Value())
	}
	return c.next.RoundTrip(r)
}

// envPrefix begins a value that is the name of a variable.
const envPrefix = "env:"

// A secretHeader is a header whose value comes from the environment. It is not part of the endpoint,
// which may be printed.
type secretHeader struct {
	Name, Variable string
	Value          func() string // a function, because %v prints the strings of a struct
}

// Headers returns the model's headers: literal ones, and those with values from the environment, by
// name. A variable that is not set is an error, unless skipUnset leaves its header out.
func (m configuredModel) headers(getenv func(string) string, skipUnset bool) (literal http.Header, secret []secretHeader, err error) {
	for name, value := range m.Entry.Headers {
		env, fromEnv := strings.CutPrefix(value, envPrefix)
		if !fromEnv {
			if literal == nil {
				literal = http.Header{}
			}
			literal.Set(name, value)
			continue
		}
		v := strings.TrimSpace(getenv(env))
		if v == "" && skipUnset {
			continue
		}
		if v == "" {
			return nil, nil, m.errorAt("headers."+name, "set it to the value of the header "+name, "%s is not set", env)
		}
		if strings.ContainsAny(v, "\r\n\x00") {
			return nil, nil, m.errorAt("headers."+name, "", "the value of %s is not one line", env)
		}
		secret = append(secret, secretHeader{name, env, func() string { return v }})
	}
	slices.SortStableFunc(secret, func(a, b secretHeader) int { return strings.Compare(a.Name, b.Name) })
	return literal, secret, nil
}

// NewRedactor returns the Redactor of the secrets in the environment: of the providers, of the models
// of o.Config and of proxies.
func NewRedactor(o Options) redact.Redactor { return redact.New(o.secrets()) }

// secrets returns the secrets of the environment.
func (o Options) secrets() *redact.Secrets {
	s := &redact.Secrets{}
	addEnvironment(s, o)
	return s
}

// addEnvironment adds the secrets in the variables that the program knows: the keys of all providers,
// those of the user's file, and passwords of proxies. A server may repeat any of them, from an
// earlier request.
func addEnvironment(s *redact.Secrets, o Options) {
	s.Add(anyKeyEnv, o.getenv(anyKeyEnv))
	for _, p := range Providers() {
		for _, env := range p.KeyEnv {
			s.Add(env, o.getenv(env))
		}
	}
	for _, env := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		s.AddAddress(env, o.getenv(env))
	}
	for _, env := range o.Config.secretVariables() {
		s.AddVariable(env, o.getenv(env))
	}
}
