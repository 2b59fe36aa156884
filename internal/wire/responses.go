package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"verbatim/internal/finish"
	"verbatim/internal/rawjson"
)

// Responses asks an endpoint of OpenAI's Responses API, streamed or in one piece
// as e.Stream says; what comes back decides how it is read. maxTokens bounds the
// answer, reasoning included; 0 sends no bound, and one below 16, the least that
// the API takes, is refused. The server is told not to store the answer. The API
// has no seed and no number of reasoning tokens: asking for one is refused. What
// the API also has, such as a summary of the reasoning, is asked for through
// Extra: {"reasoning": {"summary": "auto"}} joins the effort in one object.
//
// An answer counts when a terminal event has come: response.completed or
// response.incomplete, or, in one piece, a response of such a status. The error
// is a *verbatim.Failure with one attempt.
//
// Text is what the deltas brought, byte for byte. What later events repeat is not
// compared with them: only where there were no deltas, the text of the event that
// ends the part counts, and where that is missing too, the output in the terminal
// event. Several messages and parts are joined in the order in which they came. A
// refusal is the text where there is no other, and Finish says refusal. Reasoning is
// "reasoning_text", the model's own, or else "reasoning_summary_text".
//
// Some servers, llama.cpp's among them, say completed of an answer that the bound
// cut off. So an answer that is called completed and has as many tokens as it may
// have ends with length; FinishRaw keeps what the server said. The count includes
// the token that ends an answer, so one that ended by itself with its very last
// token is taken for cut as well.
//
// Applied holds what the terminal event says of temperature, top_p,
// max_output_tokens, reasoning, service_tier and truncation.
func Responses() *Protocol {
	return &Protocol{
		Name:            "responses",
		Title:           "OpenAI's Responses API",
		Example:         "https://host/v1",
		reasoningFields: []string{"reasoning_text", "reasoning_summary_text"},
		request:         responsesRequest,
		reader:          func(a *answer) reader { return &responsesReader{answer: a, limit: int64(a.maxTokens)} },
	}
}

// A responsesReader reads responses and their events.
type responsesReader struct {
	*answer
	limit int64
	// begun says of every place of words that deltas of the part that is under way
	// have come, so that its end need not be read.
	begun [4]bool
	state string // the last status that was told
}

// The places of words in a response.
const (
	saidText = iota
	saidRefusal
	saidReasoning
	saidSummary
)

// A responsesEvent is what of an event may matter, as it is written.
type responsesEvent struct {
	kind, delta, text, refusal, item, response, failure []byte
}

func (r *responsesReader) event(ev event) error {
	data := bytes.TrimSpace(ev.data)
	ours := ev.name == "" || ev.name == "message" || strings.HasPrefix(ev.name, "response.")
	switch {
	case len(data) == 0, string(data) == "[DONE]": // which some send after the terminal event
		return nil
	case ev.name == "error" && !rawjson.Valid(data):
		return readError(data, r.key)
	case !rawjson.Valid(data) && !ours:
		return nil // a ping, or whatever a server adds
	case !rawjson.Valid(data):
		return unreadableError{"an event of the stream cannot be read: " + Clean(string(data), 80)}
	}
	var got responsesEvent
	isObject := rawjson.Members(data, func(n, v []byte) {
		switch string(n) {
		case "type":
			got.kind = bytes.Trim(v, `"`)
		case "delta":
			got.delta = v
		case "text":
			got.text = v
		case "refusal":
			got.refusal = v
		case "item":
			got.item = v
		case "response":
			got.response = v
		case "error":
			got.failure = v
		}
	})
	if !isObject && ours {
		return unreadableError{"an event of the stream is no object: " + Clean(string(data), 80)}
	}
	if len(got.kind) == 0 {
		got.kind = []byte(ev.name)
	}
	if string(got.kind) == "error" || rawjson.IsSet(got.failure) {
		return readError(data, r.key)
	}
	return r.take(got)
}

// take adds an event. Kinds that say nothing of the answer are passed over.
func (r *responsesReader) take(ev responsesEvent) error {
	switch string(ev.kind) {
	case "response.output_text.delta":
		return r.piece(saidText, ev.delta)
	case "response.output_text.done":
		return r.whole(saidText, ev.text)
	case "response.refusal.delta":
		return r.piece(saidRefusal, ev.delta)
	case "response.refusal.done":
		return r.whole(saidRefusal, ev.refusal)
	case "response.reasoning_text.delta":
		return r.piece(saidReasoning, ev.delta)
	case "response.reasoning_text.done":
		return r.whole(saidReasoning, ev.text)
	case "response.reasoning_summary_text.delta":
		return r.piece(saidSummary, ev.delta)
	case "response.reasoning_summary_text.done":
		return r.whole(saidSummary, ev.text)
	case "response.output_item.added", "response.output_item.done":
		r.called(rawjson.Member(ev.item, "type"))
	case "response.created", "response.queued", "response.in_progress":
		r.tell(ev.response)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		r.done = true
		status := string(ev.kind[len("response."):])
		if own := Word(rawjson.Member(ev.response, "status")); status == "completed" && own != "" {
			status = own // some servers end every stream with response.completed
		}
		return r.close(status, ev.response)
	}
	return nil
}

// place returns where words of a kind are collected.
func (r *responsesReader) place(said int) *[]byte {
	switch said {
	case saidText:
		return &r.text
	case saidRefusal:
		return &r.refusal
	}
	return &r.thoughts[said-saidReasoning]
}

// piece adds a delta.
func (r *responsesReader) piece(said int, raw json.RawMessage) error {
	r.begun[said] = true
	return r.add(said, raw)
}

// whole ends a part: its words count where no delta brought them.
func (r *responsesReader) whole(said int, raw json.RawMessage) error {
	begun := r.begun[said]
	r.begun[said] = false
	if begun {
		return nil
	}
	return r.add(said, raw)
}

// add adds words. Reasoning is read loosely, the answer is not.
func (r *responsesReader) add(said int, raw json.RawMessage) (err error) {
	var ok bool
	to := r.place(said)
	if *to, ok = rawjson.AppendText(*to, raw); !ok && rawjson.IsSet(raw) && said == saidText {
		return unreadableError{"a piece of the text is no string: " + Clean(string(raw), 80)}
	}
	return nil
}

// called takes down that an item of the output calls a tool.
func (r *responsesReader) called(kind json.RawMessage) {
	if strings.HasSuffix(Word(kind), "_call") {
		r.tools, r.news = true, true
	}
}

func (r *responsesReader) complete(e *Endpoint) error {
	switch {
	case !r.done:
		return cutError{"the stream ended without response.completed or another terminal event"}
	case r.finish == "":
		return cutError{"the answer is not whole: its status is " + cmp.Or(r.state, "not told")}
	}
	full := r.limit > 0 && r.usage.Completion != nil && *r.usage.Completion >= r.limit
	r.limited = full && (r.finish == "completed" || r.finish == "incomplete")
	switch {
	case r.limited:
	case r.finish == "incomplete":
		return cutError{"the answer is incomplete, and the server does not say why"}
	case r.state == "incomplete" && r.meaning() == finish.Unknown:
		return cutError{"the answer is incomplete for a reason that is not known: " + r.finish}
	}
	return nil
}
