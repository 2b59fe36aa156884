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

// A Result is the result of one request of a batch.
type Result struct {
	Status    int    // the HTTP status of the request; 0: the batch does not name it
	RequestID string // the provider's
	Reply     []byte // the JSON document of the reply; nil: none
	Error     []byte // the JSON of the error that is there instead
}

// ReadResult returns what Send would have returned for a request of a batch. The reply and
// the attempt have no times and no record of what was sent.
func (p *Protocol) ReadResult(e Endpoint, r Result) (verbatim.Reply, error) {
	p.adapt(&e)
	c := &call{e: e, status: r.Status, bytes: int64(len(r.Reply) + len(r.Error)), header: http.Header{}}
	if r.RequestID != "" {
		c.header.Set("X-Request-Id", r.RequestID)
	}
	if r.Reply == nil || r.Status >= 300 {
		return verbatim.Reply{}, c.serverFailure(r.Status, parseError(r.failure(), e.Key, ofBody), "")
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

// failure returns the JSON of the error.
func (r Result) failure() json.RawMessage {
	switch {
	case rawjson.IsSet(r.Error):
		return r.Error
	case rawjson.IsSet(r.Reply):
		return r.Reply
	}
	return json.RawMessage(`{"message":"the batch gives neither a reply nor a reason"}`)
}
