package wire

import (
	"encoding/json"
	"net/http"
	"time"

	"verbatim"
	"verbatim/internal/rawjson"
)

// RequestBody returns the body of the request that Send would send for a reply in one
// piece.
func (p *Protocol) RequestBody(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) ([]byte, error) {
	p.adapt(&e)
	e.Stream = false
	r, err := p.write(e, prompt, maxTokens, params)
	return r.body, err
}

// A Result is what a batch says of one request.
type Result struct {
	Status    int    // as if the request had been sent by itself; 0: the batch does not say
	RequestID string // the provider's
	Reply     []byte // the document that would have come; nil: none
	Error     []byte // what came in its place
}

// ReadResult returns what Send would have returned. The reply and the attempt have no
// times and no record of what was sent.
func (p *Protocol) ReadResult(e Endpoint, r Result) (verbatim.Reply, error) {
	p.adapt(&e)
	c := &call{e: e, status: r.Status, bytes: int64(len(r.Reply) + len(r.Error)), header: http.Header{}}
	if r.RequestID != "" {
		c.header.Set("X-Request-Id", r.RequestID)
	}
	if r.Reply == nil || r.Status >= 300 {
		s := parseError(r.failure(), e.Key, ofBody)
		class := classify(r.Status, s)
		return verbatim.Reply{}, c.failure(verbatim.Failure{Class: class, Err: s, After: s.after, Hint: hintFor(class, r.Status, s, e)}, "")
	}
	a := partialReply{key: e.Key, clock: func() *time.Duration { return nil }, touch: func() {}}
	to := p.reader(&a)
	var err error = unreadableError{"the reply is no object"}
	if r.Reply[0] == '{' || r.Reply[0] == '[' {
		err = to.document(r.Reply)
	}
	if err == nil {
		err = a.check(&e, to)
	}
	if err != nil {
		return verbatim.Reply{}, c.replyFailure(err, &a, p)
	}
	var reply verbatim.Reply
	c.writeReply(&reply, &a, p, nil)
	return reply, nil
}

// failure returns what the batch says went wrong.
func (r Result) failure() json.RawMessage {
	switch {
	case rawjson.IsSet(r.Error):
		return r.Error
	case rawjson.IsSet(r.Reply):
		return r.Reply
	}
	return json.RawMessage(`{"message":"the batch gives neither a reply nor a reason"}`)
}
