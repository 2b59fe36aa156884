package model

import (
	"io"
	"net/http"
	"os"
	"time"

	"verbatim"

	"verbatim/internal/memory"

	"verbatim/internal/reasoning"
	"verbatim/internal/redact"
)

// Options say how models are opened and how requests are sent. The zero value works.
type Options struct {
	// Stream requests streamed replies. Only then is the time of the first text known, and a
	// silent server is noticed before Timeout.
	Stream  bool
	Timeout time.Duration // the time limit of one attempt; 0 is 30 minutes
	// Idle is how long a stream may bring nothing new, the wait in a server's queue
	// included; 0 is 5 minutes.
	Idle time.Duration
	// MaxReply raises the limit on the bytes of a reply, which otherwise follows from its
	// token limit.
	MaxReply int64
	// Memory limits the memory of all replies in flight together; use one for all models.
	// nil: no limit.
	Memory *memory.Limit
	// Config has the models of the user's file.
	Config ConfigFile
	// Prices overrides the table of prices that is part of the program.
	Prices PriceTable
	// PlainHTTP allows addresses that are neither encrypted nor on this machine.
	PlainHTTP bool
	// Tags are the tags around reasoning inside the text; zero: the common ones.
	Tags reasoning.Tags
	// KeepTags leaves reasoning between common tags in the text. Otherwise it is moved to
	// Reply.Reasoning.
	KeepTags bool
	// Getenv reads the environment; nil is os.Getenv.
	Getenv func(string) string
	// Environ returns the environment that commands inherit, without its secrets; nil
	// is os.Environ.
	Environ func() []string
	// PassEnv names variables that commands inherit although they are secrets.
	PassEnv []string
	// Transport carries the requests; nil is a new one for every model.
	Transport http.RoundTripper
	// NoRequests says that no requests will be sent: then a missing key or secret header is
	// no error.
	NoRequests bool
	// Discovered says that the user did not name the server: it was found on a usual port of
	// this machine, where any program may listen. No key is sent to it.
	Discovered bool
	// Log receives a line for each long wait and for a refused system role; nil: no log.
	Log io.Writer
	// Now returns the time for which prices are looked up; nil is time.Now.
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

// tariff returns the price of a model in the user's table, which may list a base URL, who, instead of
// a provider; otherwise in the built-in table, which lists only providers.
func (o Options) tariff(provider, who, model string) (Tariff, bool) {
	for _, at := range []string{provider, who} {
		if t, ok := o.Prices.Find(at, model, o.now()); ok {
			return t, true
		}
	}
	if provider == "" {
		return Tariff{}, false
	}
	return KnownPrices().Find(provider, model, o.now())
}

// A refiner is what every reply of a server or of a command passes.
type refiner struct {
	redactor redact.Redactor
	split    func(*verbatim.Reply) // moves reasoning out of the text; nil: it stays there
}

// refiner returns the refiner of a model with these tags around its reasoning.
func (o *Options) refiner(redactor redact.Redactor, tags reasoning.Tags) refiner {
	switch {
	case tags != (reasoning.Tags{}): // only the user knows that text between such tags is no answer
		return refiner{redactor, tags.Split}
	case o.KeepTags:
		return refiner{redactor: redactor}
	}
	return refiner{redactor, reasoning.SplitCommon}
}

// refine removes the secrets from a reply, and moves reasoning between tags out of its text.
func (f refiner) refine(reply *verbatim.Reply) {
	f.redactor.Reply(reply)
	if f.split != nil {
		f.split(reply)
	}
}
