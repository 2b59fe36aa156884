package model

import (
	"io"
	"net/http"
	"os"
	"time"

	"verbatim"
	"verbatim/internal/config"
	"verbatim/internal/memory"
	"verbatim/internal/price"
	"verbatim/internal/reasoning"
)

// Options say how models are opened and asked. The zero value works.
type Options struct {
	// Stream asks for answers in pieces: only then is it known when the first
	// word came, and a silent server is noticed before Timeout.
	Stream  bool
	Timeout time.Duration // the most that one try may take; 0 is 30 minutes
	// Idle is how long a stream may bring nothing new, the wait in a server's
	// queue included; 0 is 5 minutes.
	Idle time.Duration
	// MaxReply raises the bytes that one reply may have, which otherwise follow from
	// its token limit.
	MaxReply int64
	// Memory bounds what replies in flight hold; share one among all models. nil sets
	// no bound.
	Memory *memory.Limit
	// Config holds the models that the user named in a file.
	Config config.File
	// Prices is asked before the table that is part of the program.
	Prices price.Table
	// PlainHTTP allows addresses that are neither encrypted nor on this machine.
	PlainHTTP bool
	// Tags is the pair of tags around thinking that comes inside the text; the
	// zero value splits nothing.
	Tags reasoning.Tags
	// KeepTags keeps reasoning between common tags in the text; without Tags it is taken
	// out by default.
	KeepTags bool
	// Getenv reads the environment; nil is os.Getenv.
	Getenv func(string) string
	// Environ returns the environment that commands inherit, without its secrets; nil
	// is os.Environ.
	Environ func() []string
	// PassEnv names variables that commands inherit although they hold secrets.
	PassEnv []string
	// Transport carries the requests; nil is a new one for every model.
	Transport http.RoundTripper
	// NoRequests says that the models will not be asked: then a key or a secret header
	// that is not set is no error.
	NoRequests bool
	// Discovered says that the server was not named: it was found on a usual port of this
	// machine, where any program may listen, and is sent no key.
	Discovered bool
	// Log gets a line about each wait that takes long; nil: no log.
	Log io.Writer
	// Now is the day whose prices hold; nil is today.
	Now func() time.Time
}

const (
	defaultTimeout = 30 * time.Minute
	defaultIdle    = 5 * time.Minute
)

func (o Options) getenv(name string) string {
	if o.Getenv == nil {
		return os.Getenv(name)
	}
	return o.Getenv(name)
}

func (o Options) environ() []string {
	if o.Environ == nil {
		return os.Environ()
	}
	return o.Environ()
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// tariff returns what is known of a model's price: as the user's own table says, which
// may list a base URL in place of a provider, otherwise the built-in one, which lists
// providers only.
func (o Options) tariff(provider, who, model string) (price.Tariff, bool) {
	for _, at := range []string{provider, who} {
		if t, ok := o.Prices.Find(at, model, o.now()); ok {
			return t, true
		}
	}
	if provider == "" {
		return price.Tariff{}, false
	}
	return price.Known().Find(provider, model, o.now())
}

// withoutReasoning wraps a model so that reasoning between tags is taken out of its texts.
func (o *Options) withoutReasoning(m verbatim.Model, tags reasoning.Tags) verbatim.Model {
	switch {
	case tags != (reasoning.Tags{}):
		return reasoning.Wrap(m, tags)
	case o.KeepTags:
		return m
	}
	return reasoning.WrapCommon(m)
}
