package wire

import (
	"encoding/json"
	"net/http"
	"time"

	"verbatim"
)

// A batchLine is what a batch says of one request.
type batchLine struct {
	status    int    // as if it had been asked by itself; 0 where the batch does not say
	requestID string // the provider's
	answer    []byte // the document that would have come, nil where none did
	failure   []byte // what is said in its place
}

// read makes of a line what asking by itself would have made.
func (l batchLine) read(c batchClient, batch string) (verbatim.Reply, error) {
	k := &call{e: c.e, status: l.status, bytes: int64(len(l.answer) + len(l.failure)), header: http.Header{}}
	if l.requestID != "" {
		k.header.Set("X-Request-Id", l.requestID)
	}
	if l.answer == nil || l.status >= 300 {
		s := parseError(l.told(), c.e.Key, 2)
		class := classify(l.status, s)
		return verbatim.Reply{}, k.fail(verbatim.Failure{Class: class, Err: s, After: s.after, Hint: advise(class, l.status, s, c.e)}, "")
	}
	a := answer{key: c.e.Key, clock: func() *time.Duration { return nil }, touch: func() {}}
	to := c.api.protocol.reader(&a)
	var err error = unreadableError{"the answer is no object"}
	if l.answer[0] == '{' || l.answer[0] == '[' {
		err = to.document(l.answer)
	}
	if err == nil {
		err = a.check(&c.e, to)
	}
	if err != nil {
		return verbatim.Reply{}, k.spoiled(err, &a, c.api.protocol)
	}
	var reply verbatim.Reply
	k.reply(&reply, &a, c.api.protocol, nil)
	reply.Batch = batch
	return reply, nil
}

// told returns the words for what went wrong.
func (l batchLine) told() json.RawMessage {
	switch {
	case isSet(l.failure):
		return l.failure
	case isSet(l.answer):
		return l.answer
	}
	return json.RawMessage(`{"message":"the batch gives neither an answer nor a reason"}`)
}
