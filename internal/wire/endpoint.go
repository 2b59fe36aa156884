package wire

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"verbatim/internal/memory"
	"verbatim/internal/reasoning"
)

// An Endpoint is where a model is reached and how its server differs from others of the same
// protocol: the fields from AuthHeader on.
type Endpoint struct {
	// BaseURL is what the paths of the protocol are appended to, such as
	// "http://127.0.0.1:8080/v1". A query in it is kept. A user and password in
	// it are sent as basic authentication and never shown.
	BaseURL string
	Model   string
	Key     Key         // sent in AuthHeader
	KeyEnv  string      // the environment variable that Key comes from, for hints
	Headers http.Header // sent with each request; they override all others
	Stream  bool        // replies are streamed
	// Transport carries the requests; nil is http.DefaultTransport. Share one
	// of package httpconn among the calls to an endpoint.
	Transport http.RoundTripper
	// Idle is how long a stream may bring nothing new: comments, which servers
	// send to keep a connection alive, do not count. It covers the wait for the
	// first text too, and so the time in the server's queue. 0: no limit. It does
	// not apply to replies in one piece.
	Idle time.Duration
	// Total is the time limit of one attempt; 0: no limit.
	Total time.Duration

	// Tags are around reasoning that comes inside the text; zero: the common ones.
	Tags reasoning.Tags
	// MaxReply raises the limit on the bytes of a reply's text, which otherwise
	// follows from its token limit.
	MaxReply int64
	// Memory limits the memory of all replies in flight together; nil: no limit.
	Memory *memory.Limit

	// AuthHeader names the header that carries the key as it is, such as "api-key";
	// "" is the protocol's own, which is "Authorization: Bearer …" for most.
	AuthHeader string
	// MaxTokensField names the parameter of the token limit; "" is the protocol's
	// own, which for chat completions is "max_tokens". OpenAI's reasoning models
	// reject that, and some local servers ignore "max_completion_tokens", which
	// would leave the reply without a limit.
	MaxTokensField string
	SeedField      string // names the parameter of the seed; "" is "seed"
	// StreamOptions is sent as stream_options. In chat completions nil requests the
	// usage. An empty map is not sent, for servers that reject the parameter.
	StreamOptions map[string]bool
	// ReasoningObject says that chat completions have an object "reasoning" with the
	// effort and the number of reasoning tokens, instead of "reasoning_effort".
	ReasoningObject bool
	// DoneOptional accepts a stream that ends properly after a finish reason but
	// without the end marker. By default that is a cut.
	DoneOptional bool

	// Root, Models and Header of the protocol.
	root, models string
	header       http.Header
	// prepared is a function, as in Key, because the address may hold a password.
	prepared func() *address
}

// parse returns the base URL, or an error that says what is wrong with it.
func (e Endpoint) parse() (*url.URL, error) {
	u, err := url.Parse(e.BaseURL)
	switch {
	case err != nil:
		// The text of the error would repeat the URL, and with it a password.
		return nil, errors.New("the base URL cannot be read as a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the base URL must start with http:// or https://, not %q", CleanLine(u.Scheme, 20))
	case u.Hostname() == "":
		return nil, errors.New("the base URL names no host")
	}
	u.Host = strings.ToLower(u.Host)
	u.Fragment, u.RawFragment = "", ""
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = strings.TrimRight(u.RawPath, "/")
	return u, nil
}

// Who returns the base URL without user, password, query and fragment, for messages; "" if it
// is invalid.
func (e Endpoint) Who() string {
	u, err := e.parse()
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// api returns what the paths of the protocol are appended to, for messages.
func (e Endpoint) api() string {
	u, err := e.parse()
	if err != nil || u.Path != "" {
		return e.Who()
	}
	return e.Who() + e.root
}

// joinQuery joins two queries, either of which may be empty.
func joinQuery(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "&" + b
}

// An address is what all requests to an endpoint have in common.
type address struct {
	url     *url.URL // the base URL without user and password
	header  http.Header
	buffers sync.Pool // of *bufio.Reader: there are many replies, and most are short
}

// Prepared returns the endpoint with its base URL parsed, which saves parsing it for each
// request. BaseURL, Key and Headers must not change afterwards. Requests to an invalid
// base URL return the error.
func (e Endpoint) Prepared() Endpoint {
	if a, err := e.address(); err == nil {
		e.prepared = func() *address { return a }
	}
	return e
}

// buffer returns a buffered reader of r, and a function that releases the buffer.
func (e Endpoint) buffer(r io.Reader) (in *bufio.Reader, release func()) {
	if e.prepared == nil {
		return bufio.NewReader(r), func() {}
	}
	buffers := &e.prepared().buffers
	in, ok := buffers.Get().(*bufio.Reader)
	if !ok {
		in = bufio.NewReader(r)
	}
	in.Reset(r)
	return in, func() {
		in.Reset(nil)
		buffers.Put(in)
	}
}

// address returns the address that was prepared, or a new one.
func (e Endpoint) address() (*address, error) {
	if e.prepared != nil {
		return e.prepared(), nil
	}
	u, err := e.parse()
	if err != nil {
		return nil, err
	}
	h := http.Header{
		"User-Agent": {"verbatim"},
		// Package httpconn's transports request no compression; others may.
		"Accept-Encoding": {"identity"},
		"Accept":          {"application/json"},
	}
	if u.User != nil {
		password, _ := u.User.Password()
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password)))
	}
	u.User = nil
	for name, values := range e.Headers {
		h[http.CanonicalHeaderKey(name)] = values
	}
	return &address{url: u, header: h}, nil
}

// request returns a request for path, which starts with a slash, without a body.
func (e Endpoint) request(method, path string) (*http.Request, error) {
	a, err := e.address()
	if err != nil {
		return nil, err
	}
	u := *a.url
	if u.Path == "" {
		path = e.root + path
	}
	if u.RawPath != "" {
		u.RawPath += (&url.URL{Path: path}).EscapedPath()
	}
	u.Path += path
	h := maps.Clone(a.header)
	name, value := "Authorization", ""
	if !e.Key.IsZero() {
		value = "Bearer " + e.Key.Reveal()
		if e.AuthHeader != "" {
			name, value = http.CanonicalHeaderKey(e.AuthHeader), e.Key.Reveal()
		}
	}
	// A password in the base URL and Headers override the key.
	if value != "" && h[name] == nil {
		h[name] = []string{value}
	}
	for name, values := range e.header {
		if h[name] == nil {
			h[name] = values
		}
	}
	return &http.Request{
		Method: method, URL: &u, Host: u.Host, Header: h,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

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
