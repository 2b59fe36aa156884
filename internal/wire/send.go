package wire

import (
	"context"

	"verbatim"
)

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
