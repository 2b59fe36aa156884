package config

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"

	"verbatim/internal/httpconn"
)

// Transport returns the transport that the model's tls and proxy ask for.
func (m Model) Transport(getenv func(string) string) (*http.Transport, error) {
	t := httpconn.NewTransport()
	if s := m.Entry.TLS; s != nil {
		c := &tls.Config{ServerName: s.ServerName, InsecureSkipVerify: s.InsecureSkipVerify}
		if s.CAFile != "" {
			pem, err := os.ReadFile(m.path(s.CAFile))
			if err != nil {
				return nil, m.ErrorAt("tls.ca_file", "paths count from the folder of the file", "the certificates cannot be read: %v", cause(err))
			}
			if c.RootCAs, err = x509.SystemCertPool(); err != nil {
				c.RootCAs = x509.NewCertPool()
			}
			if !c.RootCAs.AppendCertsFromPEM(pem) {
				return nil, m.ErrorAt("tls.ca_file", "", "there is no certificate in PEM form in the file")
			}
		}
		if s.CertFile != "" {
			cert, err := tls.LoadX509KeyPair(m.path(s.CertFile), m.path(s.KeyFile))
			if err != nil {
				return nil, m.ErrorAt("tls.cert_file", "both files are in PEM form, and their paths count from the folder of this file", "the client's certificate cannot be read: %v", cause(err))
			}
			c.Certificates = []tls.Certificate{cert}
		}
		t.TLSClientConfig = c
	}
	proxy := m.Entry.Proxy
	if env, ok := strings.CutPrefix(proxy, envPrefix); ok {
		if proxy = strings.TrimSpace(getenv(env)); proxy == "" {
			return nil, m.ErrorAt("proxy", "", "%s is not set", env)
		}
		u, err := url.Parse(proxy)
		if err != nil || u.Host == "" {
			return nil, m.ErrorAt("proxy", "", "%s holds no address of a proxy", env)
		}
		t.Proxy = http.ProxyURL(u)
		return t, nil
	}
	u, err := parseProxy(proxy)
	switch {
	case err != nil:
		return nil, m.ErrorAt("proxy", "", "%v", err)
	case u != nil:
		t.Proxy = http.ProxyURL(u)
	case proxy == "direct":
		t.Proxy = nil
	}
	return t, nil
}

// parseProxy reads a proxy of the file: its address, or nil for "direct", for "" and
// for the name of a variable.
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
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" && u.Scheme != "socks5h":
		return nil, errors.New("it is not the address of a proxy")
	case u.User != nil:
		return nil, errors.New("the address holds a user's name or a password, and a file is no place for one")
	}
	return u, nil
}

// cause returns the reason of an error of package os without the path.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
