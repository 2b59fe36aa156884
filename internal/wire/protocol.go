package wire

import (
	"cmp"
	"context"
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
	u, err := url.Parse(base)
	isBare := err == nil && strings.Trim(u.Path, "/") == ""
	if isBare || err == nil && p.lines && !strings.HasSuffix(u.Path, p.Root) { // as ollamaPath
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

// Check returns why requests with these parameters cannot be written, whatever their prompt: an extra
// parameter that the program sets itself, or a parameter that the protocol does not have.
func (p *Protocol) Check(e Endpoint, params verbatim.Params) error {
	p.adapt(&e)
	_, err := p.write(e, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "?"}}}}, cmp.Or(params.MaxTokens, 1<<20), params)
	return err
}

// adapt adds the settings of the protocol to an endpoint.
func (p *Protocol) adapt(e *Endpoint) {
	e.root, e.models, e.header = p.Root, p.Models, p.Header
	e.AuthHeader = cmp.Or(e.AuthHeader, p.AuthHeader)
	e.Stream = e.Stream && !p.NoStreams
}

// Protocols lists the protocols. The first is that of addresses that name none.
func Protocols() []*Protocol {
	return []*Protocol{Chat(), Responses(), Anthropic(), Gemini(), Ollama()}
}

// Find returns the protocol of that name.
func Find(name string) (*Protocol, bool) {
	for _, p := range Protocols() {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

// Prefix returns the beginning of the protocol's addresses, such as "anthropic+". It is "" for
// the first protocol.
func (p *Protocol) Prefix() string {
	if p.Name == Protocols()[0].Name {
		return ""
	}
	return p.Name + "+"
}

// Send sends a request once. The prompt, the token limits and the parameters count; 0 sends no limit,
// and only the parameters that are set are sent. A parameter or a message that the protocol does not
// have is an error of class BadAsk, and nothing is sent. Each error is a *verbatim.Failure. It has one
// attempt, or two if an idle connection was replaced. reply is as for verbatim.Model.
//
// Everything before and after the wait for the server is in functions of its own, so that the
// stack of each request in flight stays small.
func (p *Protocol) Send(ctx context.Context, e *Endpoint, r *verbatim.Request, reply *verbatim.Reply) error {
	c := begin(ctx, e)
	defer c.end()
	p.adapt(&c.e)
	q, err := p.prepare(c, r)
	if err != nil {
		return err
	}
	res, err := c.post(q)
	if err != nil {
		return c.networkFailure(verbatim.Transport, err, "")
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return c.statusFailure(res)
	}
	in, release := c.e.buffer(c.body(res))
	defer release()
	a := c.newReply()
	to := p.reader(a)
	if err := p.read(&c.e, in, max(0, res.ContentLength), a, to); err == errContentLimit {
		c.stop(nil) // the server need not write more
		a.endAtLimit()
		c.writeReply(reply, a, p, q.sent)
		return nil
	} else if err != nil {
		return c.replyFailure(err, a, p)
	}
	if err := a.check(&c.e, to); err != nil {
		a.done = a.done && !c.drain(in) // some servers end a stream that they break off with the end marker
		return c.replyFailure(err, a, p)
	}
	c.writeReply(reply, a, p, q.sent)
	c.drain(in)
	return nil
}

// prepare writes the request.
//
//go:noinline
func (p *Protocol) prepare(c *call, r *verbatim.Request) (*request, error) {
	c.setTokenLimit(r.MaxTokens, r.Params.Logprobs)
	if r.MaxTokens > 0 {
		c.content.Tokens, c.content.Whole = min(r.ContentTokens, r.MaxTokens), r.MaxTokens
	}
	c.wantsCall = isTool(r.Params)
	q, err := p.write(c.e, r.Prompt, r.MaxTokens, r.Params)
	if err != nil {
		return nil, c.failure(verbatim.Failure{Class: verbatim.BadAsk, Err: err, Hint: "nothing was sent"}, "")
	}
	return &q, nil
}
