package wire

import (
	"fmt"
	"io"
	"strings"
)

// A Key is the API key of an endpoint. Every verb of package fmt, JSON, text encodings and
// package slog show "[key]" in its place. The zero Key is no key.
type Key struct {
	// A function and not a string: package fmt prints the unexported strings of an
	// enclosing struct without calling their methods.
	reveal func() string
}

// NewKey returns the key without surrounding white space, such as the line feed of a file.
func NewKey(secret string) Key {
	secret = strings.TrimSpace(secret)
	if secret == "" {
		return Key{}
	}
	return Key{func() string { return secret }}
}

// Reveal returns the key itself. It panics for the zero Key.
func (k Key) Reveal() string { return k.reveal() }

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.reveal == nil }

// String returns "[key]", or "" for no key.
func (k Key) String() string {
	if k.IsZero() {
		return ""
	}
	return "[key]"
}

// GoString is String, for the verb %#v.
func (k Key) GoString() string { return k.String() }

// Format writes String for every verb, %x and %#v included.
func (k Key) Format(f fmt.State, _ rune) { io.WriteString(f, k.String()) }

// MarshalText is String, for JSON, package slog and other encodings.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// shortestSecret is the length from which Hide removes a key. Shorter keys may be placeholders
// such as "lm-studio", which are words of ordinary text.
const shortestSecret = 16

// Hide replaces the key in a server's text by String: some servers repeat it.
func (k Key) Hide(s string) string {
	if k.IsZero() || len(k.reveal()) < shortestSecret {
		return s
	}
	return strings.ReplaceAll(s, k.reveal(), k.String())
}
