package model

import (
	"net"
	"net/url"
	"strings"
)

// IsLoopback reports whether a URL's host is this machine.
func IsLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// IsUnencrypted reports whether a URL is neither encrypted nor on this machine.
func IsUnencrypted(base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.Scheme == "http" && !IsLoopback(base)
}

// IsLocalServer reports whether an address is the usual port of a local server on this machine.
// Another port may be that of a proxy, whose models may cost money.
func IsLocalServer(base string) bool {
	_, ok := FindLocalProvider(base)
	return ok
}

// FindLocalProvider returns the local provider whose usual port the address has, if its host is this machine.
func FindLocalProvider(base string) (Provider, bool) {
	u, err := url.Parse(base)
	if err != nil || !IsLoopback(base) {
		return Provider{}, false
	}
	for _, p := range Providers() {
		if at, err := url.Parse(p.BaseURL); err == nil && p.Local && at.Port() == u.Port() {
			return p, true
		}
	}
	return Provider{}, false
}
