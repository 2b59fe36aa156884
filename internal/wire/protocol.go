package wire

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"verbatim"
	"verbatim/internal/wire/eventstream"
)

// A Protocol is one way to send a prompt and to read the reply.
type Protocol struct {
	Name    string // as addresses have it: "chat" in chat+http://host:port/v1#model
	Title   string // for people
	Example string // a usual base URL, for hints
	// ClientPath is the path of the base URL that other clients of the protocol take, such as "/v1".
	ClientPath string

	// Root is the path that a base URL without one gets, such as "/v1"; "" adds none.
	Root string
	// Models is the path of the list of models; "" is "/models".
	Models string
	// AuthHeader is the header that carries the key as it is; "" is the common
	// "Authorization: Bearer …". Endpoint.AuthHeader overrides it.
	AuthHeader string
	// Header is sent with each request, except for what Endpoint.Headers has.
	Header http.Header

	// NoStreams: replies come in one piece, whatever Endpoint.Stream says.
	NoStreams bool
	// NoLogprobs: the protocol has no log probabilities. A request for some is refused.
	NoLogprobs bool

	// reasoningFields names the fields that hold reasoning, by their places.
	reasoningFields []string
	// lines: a stream has a JSON document on each line, not server-sent events.
	lines bool
	// request writes a request. It refuses what it could only send by changing it.
	request func(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error)
	// reader returns what reads a reply into a.
	reader func(a *partialReply) reader
}

// A reader reads one reply. Its errors are a *serverError that came in the reply's
// place, an unreadableError or a cutError.
type reader interface {
	// event adds one event of a stream. The reply is done when its end marker has come.
	event(eventstream.Event) error
	// document adds a reply that came in one piece. body is valid JSON, an object or
	// an array.
	document(body []byte) error
	// complete returns an error if something is missing of a reply that ended properly.
	complete(e *Endpoint) error
}

// BasePath returns the path of a usual base URL: "/v1", and "" for none.
func (p *Protocol) BasePath() string {
	_, address, _ := strings.Cut(p.Example, "://")
	_, path, found := strings.Cut(address, "/")
	if !found {
		return ""
	}
	return "/" + path
}

// ModelsPath returns the path of the list of models below a base URL.
func (p *Protocol) ModelsPath(base string) string {
	path := cmp.Or(p.Models, "/models")
	if u, err := url.Parse(base); err == nil && strings.Trim(u.Path, "/") == "" {
		return p.Root + path
	}
	return path
}

// write writes a request, unless the protocol lacks what it asks for.
func (p *Protocol) write(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	if p.NoLogprobs && params.Logprobs > 0 {
		return request{}, errors.New("this protocol has no log probabilities: leave them out")
	}
	return p.request(e, prompt, maxTokens, params)
}

// adapt adds the settings of the protocol to an endpoint.
func (p *Protocol) adapt(e *Endpoint) {
	e.root, e.models, e.header = p.Root, p.Models, p.Header
	e.AuthHeader = cmp.Or(e.AuthHeader, p.AuthHeader)
	e.Stream = e.Stream && !p.NoStreams
}
