package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"verbatim"
)

// Chat asks an OpenAI-compatible endpoint for a chat completion, streamed or in
// one piece as e.Stream says; what comes back decides how it is read, for some
// servers know only one way. maxTokens bounds the answer; 0 sends no bound. Only
// what params name is sent, and nothing that was asked for is left out.
//
// An answer counts when it has a finish reason and, in a stream, its end marker
// "[DONE]". The error is a *verbatim.Failure with one attempt. Choices after the
// first are ignored.
//
// Text is what the server sent as content, byte for byte; a refusal that came in
// a field of its own is the text where there is no other, and Finish says
// refusal. Reasoning is taken from the first of the fields "reasoning",
// "reasoning_content" and "reasoning_details" that holds any, because servers
// that fill several repeat the same words. Tokens that the server did not count
// are nil. FirstContent and FirstReasoning are known of streams only.
func Chat(ctx context.Context, e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (verbatim.Reply, error) {
	c := begin(ctx, e)
	defer c.end()
	body, err := chatBody(e, prompt, maxTokens, params)
	if err != nil {
		return verbatim.Reply{}, c.fail(verbatim.Failure{Class: verbatim.BadAsk, Err: err,
			Hint: "this was refused before it was sent"}, "")
	}
	res, err := c.post("/chat/completions", body)
	if err != nil {
		return verbatim.Reply{}, c.lost(verbatim.Transport, err, "")
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return verbatim.Reply{}, c.refused(res)
	}
	in := bufio.NewReaderSize(c.body(res.Body), 32<<10)
	a := chatAnswer{key: e.Key, clock: c.since, touch: c.touch}
	if err := a.read(in); err != nil {
		return verbatim.Reply{}, c.spoiled(err, &a)
	}
	if err := a.complete(e); err != nil {
		return verbatim.Reply{}, c.spoiled(err, &a)
	}
	reply := c.reply(&a)
	c.drain(in)
	return reply, nil
}

// refused makes a failure of a response whose status is not one of success.
func (c *call) refused(res *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(c.body(res.Body), 64<<10))
	if err != nil && len(body) == 0 {
		return c.lost(verbatim.Transport, err, "")
	}
	s := readError(body, c.e.Key)
	if to := res.Header.Get("Location"); to != "" && res.StatusCode/100 == 3 {
		s = &serverError{message: "it points to " + Clean(c.e.Key.hide(to), longestMessage)}
	}
	if len(body) == 0 && s.message == "" {
		s.message = http.StatusText(res.StatusCode)
	}
	class := classify(res.StatusCode, s)
	return c.fail(verbatim.Failure{Class: class, Err: s, Hint: advise(class, res.StatusCode, s, c.e)}, "")
}

// spoiled makes a failure of an answer that began with a status of success.
func (c *call) spoiled(err error, a *chatAnswer) error {
	partial := string(a.text)
	var s *serverError
	var unreadable unreadableError
	var cut cutError
	switch {
	case errors.As(err, &s):
		class := classify(s.number(), s)
		return c.fail(verbatim.Failure{Class: class, Err: s, Hint: advise(class, s.number(), s, c.e)}, partial)
	case errors.As(err, &unreadable):
		return c.fail(verbatim.Failure{Class: verbatim.Content, Err: err,
			Hint: "the endpoint does not speak chat completions as it should"}, partial)
	case errors.As(err, &cut):
		return c.fail(verbatim.Failure{Class: verbatim.Cut, Err: err, Hint: cut.hint(c.bytes)}, partial)
	}
	// Once a server has begun to answer, whatever ends it early is a cut.
	return c.lost(verbatim.Cut, err, partial)
}

// An unreadableError is an answer that is not what the protocol says.
type unreadableError struct{ what string }

func (u unreadableError) Error() string { return u.what }

// A cutError is an answer that ended properly for the network, but without what
// says that it was all.
type cutError struct{ what string }

func (c cutError) Error() string { return c.what }

func (c cutError) hint(bytes int64) string {
	if bytes == 0 {
		return "the server sent nothing at all; some do so when a prompt is too long for them"
	}
	return "the server, or something between, broke the answer off; ask again"
}

// reply makes a Reply of a complete answer.
func (c *call) reply(a *chatAnswer) verbatim.Reply {
	r := verbatim.Reply{
		Text:        string(a.text),
		Finish:      a.mapped(),
		FinishRaw:   a.finish,
		Usage:       a.usage,
		ServedModel: a.model,
		RequestID:   requestID(c.header),
		Fingerprint: a.fingerprint,
		Limits:      limits(c.header),
	}
	r.Reasoning, r.ReasoningField = a.thoughts()
	if len(a.text) == 0 {
		r.Text = string(a.refusal)
	}
	if r.RequestID == "" {
		r.RequestID = a.id
	}
	attempt := c.attempt()
	attempt.RequestID = r.RequestID
	r.Attempts = []verbatim.Attempt{attempt}
	r.Times = verbatim.Times{
		Start:          c.start,
		FirstByte:      c.firstByte,
		FirstReasoning: a.firstReasoning,
		FirstContent:   a.firstContent,
		Total:          attempt.Total,
	}
	return r
}

// read reads the whole of an answer: a stream of events, or a document. nil
// means that it ended properly; whether it is complete is another question.
func (a *chatAnswer) read(in *bufio.Reader) error {
	form, err := peekForm(in)
	switch {
	case err == io.EOF:
		return cutError{"the answer is empty"}
	case err != nil:
		return err
	case form == '{' || form == '[' || form == '<':
		return a.document(in)
	}
	return a.stream(in)
}

// document reads an answer in one piece.
func (a *chatAnswer) document(in io.Reader) error {
	body, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	var chunk chatChunk
	err = json.Unmarshal(body, &chunk)
	switch {
	case body[0] == '<':
		return readError(body, a.key)
	case err != nil && breaksOff(body):
		return cutError{"the answer's JSON breaks off"}
	case body[0] == '[' && json.Valid(body):
		return parseError(body, a.key, 2)
	case err != nil:
		return unreadableError{"the answer cannot be read: " + Clean(err.Error(), longestMessage)}
	case len(chunk.Choices) == 0 && !isSet(chunk.Error):
		if s := parseError(body, a.key, 1); s.message != "" {
			return s
		}
		return unreadableError{"the answer has no choices"}
	}
	a.done = true
	return a.take(&chunk, false)
}

// breaksOff reports whether body is the beginning of a JSON document.
func breaksOff(body []byte) bool {
	var v json.RawMessage
	return json.NewDecoder(bytes.NewReader(body)).Decode(&v) == io.ErrUnexpectedEOF
}

// stream reads events up to the end marker, or to the end of the stream.
func (a *chatAnswer) stream(in *bufio.Reader) error {
	events := newEventReader(in)
	for {
		ev, err := events.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := a.event(ev); err != nil || a.done {
			return err
		}
	}
}

// event adds one event of a stream.
func (a *chatAnswer) event(ev event) error {
	data := bytes.TrimSpace(ev.data)
	if string(data) == "[DONE]" {
		a.done = true
		return nil
	}
	var chunk chatChunk
	err := json.Unmarshal(data, &chunk)
	switch {
	case ev.name == "error" && (err != nil || !isSet(chunk.Error)), err == nil && chunk.Object == "error":
		return readError(data, a.key)
	case err == nil:
		return a.take(&chunk, true)
	case len(data) == 0, ev.name != "" && ev.name != "message":
		// An event without content, or of a kind of its own, such as a ping.
		return nil
	}
	return unreadableError{"an event of the stream cannot be read: " + Clean(err.Error(), longestMessage)}
}
