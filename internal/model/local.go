package model

import (
	"net"
	"net/url"
	"strings"
)

// isLoopback reports whether a URL's host is this machine.
func isLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// isUnencrypted reports whether a URL is neither encrypted nor on this machine.
func isUnencrypted(base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.Scheme == "http" && !isLoopback(base)
}

// isLocalServer reports whether an address is the usual port of a local server on this machine.
// Another port may be that of a proxy, whose models may cost money.
func isLocalServer(base string) bool {
	_, ok := findLocalProvider(base)
	return ok
}

// findLocalProvider returns the local provider whose usual port the address has, if its host is this machine.
func findLocalProvider(base string) (provider, bool) {
	u, err := url.Parse(base)
	if err != nil || !isLoopback(base) {
		return provider{}, false
	}
	for _, p := range Providers() {
		if at, err := url.Parse(p.BaseURL); err == nil && p.Local && at.Port() == u.Port() {
			return p, true
		}
	}
	return provider{}, false
}
