package wire

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"verbatim"
)

// A Protocol is one way to send a prompt and to read the reply.
type Protocol struct {
	Name    string // in addresses: "chat" in chat+http://host:port/v1#model
	Title   string // in messages
	Example string // a usual base URL, for hints
	// ClientPath is the path of the base URL that other clients of the protocol expect, such as
	// "/v1"; "": no path.
	ClientPath string

	// Root is the path that a base URL without one gets, such as "/v1"; "" adds none.
	Root string
	// Models is the path of the list of models; "" is "/models".
	Models string
	// AuthHeader is the header that carries the bare key; "" is the common
	// "Authorization: Bearer …". Endpoint.AuthHeader overrides it.
	AuthHeader string
	// Header is sent with each request. Endpoint.Headers overrides it.
	Header http.Header

	// NoStreams says that replies come in one piece, whatever Endpoint.Stream says.
	NoStreams bool
	// NoLogprobs says that the protocol has no log probabilities. A request for some is refused.
	NoLogprobs bool

	// reasoningFields names the fields that hold reasoning, by the places in
	// partialReply.reasoning.
	reasoningFields []string
	// lines says that a stream has a JSON document on each line, not server-sent events.
	lines bool
	// request writes a request. It refuses what it could only send by changing it.
	request func(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error)
	// reader returns a reader that adds a reply to a.
	reader func(a *partialReply) reader
}

// A reader reads one reply. Its errors are a *serverError that the server sent instead of the
// reply, an unreadableError or a cutError.
type reader interface {
	// event adds one event of a stream. The reply is done when its end marker has come.
	event(streamEvent) error
	// document adds a reply that came in one piece. body is valid JSON, an object or
	// an array.
	document(body []byte) error
	// complete returns an error if a reply that ended properly is incomplete.
	complete(e *Endpoint) error
}

// BasePath returns the path of a usual base URL, such as "/v1"; "" for none.
func (p *Protocol) BasePath() string {
	_, address, _ := strings.Cut(p.Example, "://")
	_, path, found := strings.Cut(address, "/")
	if !found {
		return ""
	}
	return "/" + path
}

// ModelsPath returns the path of the list of models, to be appended to a base URL.
func (p *Protocol) ModelsPath(base string) string {
	path := cmp.Or(p.Models, "/models")
	if u, err := url.Parse(base); err == nil && strings.Trim(u.Path, "/") == "" {
		return p.Root + path
	}
	return path
}

// write writes a request. It refuses parameters that the protocol does not have.
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
