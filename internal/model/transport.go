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
