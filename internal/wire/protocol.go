package wire

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"verbatim"
	"verbatim/internal/wire/eventstream"
	"verbatim/internal/wire/structure"
)

// Protocols lists the protocols. Addresses that name none are of the first.
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

// A Protocol is one way to send a prompt and to read the reply.
type Protocol struct {
	Name    string // as addresses have it: "chat" in chat+http://host:port/v1#model
	Title   string // for people
	Example string // a usual base URL, for hints

	// Root is the path that a base URL without one gets, such as "/v1"; "" adds none.
	Root string
	// Models is the path of the list of models; "" is "/models".
	Models string
	// AuthHeader is the header that carries the key as it is; "" is the common
	// "Authorization: Bearer …". Endpoint.AuthHeader overrides it.
	AuthHeader string
	// Header is sent with each request, except for what Endpoint.Headers has.
	Header http.Header

	// reasoningFields names the fields that hold reasoning, by their places.
	reasoningFields []string
	// lines: a stream has a JSON document on each line, not server-sent events.
	lines bool
	// request writes a request. It refuses what it could only send by changing it.
	request func(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error)
	// reader returns what reads a reply into a.
	reader func(a *partialReply) reader
}

// A request is what is sent.
type request struct {
	path  string
	query string // added to that of the base URL: "alt=sse"
	sent  []byte // the body without the prompt, a JSON object
	body  []byte
	once  bool // it is never sent again: a second one could create a second batch
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

// Prefix returns what addresses of the protocol begin with: "anthropic+", and nothing for
// the first protocol.
func (p *Protocol) Prefix() string {
	if p.Name == Protocols()[0].Name {
		return ""
	}
	return p.Name + "+"
}

// ModelsPath returns the path of the list of models below a base URL.
func (p *Protocol) ModelsPath(base string) string {
	path := cmp.Or(p.Models, "/models")
	if u, err := url.Parse(base); err == nil && strings.Trim(u.Path, "/") == "" {
		return p.Root + path
	}
	return path
}

// Send sends a prompt and returns the reply. maxTokens limits the reply, reasoning
// included; 0 sends no limit. Only the parameters that params name are sent. What the
// protocol has no place for is an error of class BadAsk, before anything is sent. Each
// error is a *verbatim.Failure with one attempt.
func (p *Protocol) Send(ctx context.Context, e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (reply verbatim.Reply, err error) {
	err = p.SendInPlace(ctx, &e, &verbatim.Request{Prompt: prompt, MaxTokens: maxTokens, Params: params}, &reply)
	return reply, err
}

// SendInPlace is Send with the reply in *reply, which is zero before.
//
// What runs before and after the wait for the server has functions of its own. The stack
// of each request in flight should be small.
func (p *Protocol) SendInPlace(ctx context.Context, e *Endpoint, r *verbatim.Request, reply *verbatim.Reply) error {
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
	c.wantsCall = structure.IsTool(r.Params)
	q, err := p.request(c.e, r.Prompt, r.MaxTokens, r.Params)
	if err != nil {
		return nil, c.failure(verbatim.Failure{Class: verbatim.BadAsk, Err: err, Hint: "this was refused before it was sent"}, "")
	}
	return &q, nil
}

// adapt adds the settings of the protocol to an endpoint.
func (p *Protocol) adapt(e *Endpoint) {
	e.root, e.models, e.header = p.Root, p.Models, p.Header
	e.AuthHeader = cmp.Or(e.AuthHeader, p.AuthHeader)
}
