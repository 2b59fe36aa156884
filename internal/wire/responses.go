package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/finish"
	"verbatim/internal/rawjson"
)

// Responses is OpenAI's Responses API. A reply is streamed or comes in one piece, as
// e.Stream says; the bytes decide how it is read. A token limit below 16, the smallest that
// the API accepts, is refused. The request forbids the server to store the reply. The API has
// no seed and no reasoning token limit: both are refused. An extra parameter "reasoning", such
// as {"reasoning": {"summary": "auto"}}, is joined with the effort in one object.
//
// A reply counts when a terminal event has come: response.completed or
// response.incomplete, or, in one piece, a response of such a status.
//
// Text is the deltas, joined byte for byte. Later events repeat them and are not compared.
// Without deltas, the text of the event that ends the part counts, and without that the
// output in the terminal event. Several messages and parts are joined in the order in which
// they came. A refusal is the text if there is no other, and Finish is refusal. Reasoning is
// "reasoning_text", the model's own, or "reasoning_summary_text".
//
// Some servers, such as llama.cpp's, send completed for a truncated reply. So Finish is
// length if a completed reply has as many tokens as the token limit; FinishRaw is the
// server's word. The count includes the token that ends a reply. So a reply that ended by
// itself with its last possible token counts as truncated too.
//
// Applied holds temperature, top_p, max_output_tokens, reasoning, service_tier and
// truncation of the terminal event.
func Responses() *Protocol {
	return &Protocol{
		Name:            "responses",
		Title:           "OpenAI's Responses API",
		Example:         "https://host/v1",
		ClientPath:      "/v1",
		reasoningFields: []string{"reasoning_text", "reasoning_summary_text"},
		request:         responsesRequest,
		reader:          func(a *partialReply) reader { return &responsesReader{partialReply: a, limit: int64(a.maxTokens)} },
	}
}

// A responsesReader reads responses and their events.
type responsesReader struct {
	*partialReply
	limit int64
	// hasDelta says, by place, whether the current part has deltas: then its end repeats them.
	hasDelta [4]bool
	status   string // of the terminal event or of the whole response
}

// The places of text in a response, indexes of hasDelta.
const (
	placeText = iota
	placeRefusal
	placeReasoning
	placeSummary
)

// A responsesEvent has the members of an event that are read, as JSON, and its kind.
type responsesEvent struct {
	kind, delta, text, refusal, item, response, failure, logprobs []byte
}

func (r *responsesReader) event(ev streamEvent) error {
	data, isJSON := ReadJSON(ev.Data)
	ours := ev.Name == "" || ev.Name == "message" || strings.HasPrefix(ev.Name, "response.")
	switch {
	case len(data) == 0, string(data) == "[DONE]": // some servers send this mark after the terminal event
		return nil
	case ev.Name == "error" && !isJSON:
		return readError(data, r.key)
	case !isJSON && !ours:
		return nil // a ping, or whatever a server adds
	case !isJSON:
		return r.cannotRead("an event of the stream cannot be read", data)
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
		case "logprobs":
			got.logprobs = v
		case "error":
			got.failure = v
		}
	})
	if !isObject && ours {
		return r.cannotRead("an event of the stream is no object", data)
	}
	if len(got.kind) == 0 {
		got.kind = []byte(ev.Name)
	}
	if string(got.kind) == "error" || rawjson.IsSet(got.failure) {
		return readError(data, r.key)
	}
	return r.addEvent(got)
}

// addEvent adds an event. Kinds that hold nothing of the reply are ignored.
func (r *responsesReader) addEvent(ev responsesEvent) error {
	switch string(ev.kind) {
	case "response.output_text.delta":
		r.addTokens(ev.logprobs, readLogprobs)
		return r.addDelta(placeText, ev.delta)
	case "response.output_text.done":
		if len(r.tokens) == 0 {
			r.addTokens(ev.logprobs, readLogprobs)
		}
		return r.endPart(placeText, ev.text)
	case "response.refusal.delta":
		return r.addDelta(placeRefusal, ev.delta)
	case "response.refusal.done":
		return r.endPart(placeRefusal, ev.refusal)
	case "response.reasoning_text.delta":
		return r.addDelta(placeReasoning, ev.delta)
	case "response.reasoning_text.done":
		return r.endPart(placeReasoning, ev.text)
	case "response.reasoning_summary_text.delta":
		return r.addDelta(placeSummary, ev.delta)
	case "response.reasoning_summary_text.done":
		return r.endPart(placeSummary, ev.text)
	case "response.function_call_arguments.delta":
		r.active = true
		if r.calls <= 1 {
			r.addArguments(ev.delta)
		}
	case "response.output_item.added":
		kind := rawjson.Member(ev.item, "type")
		if string(kind) == `"function_call"` {
			r.startCall()
		}
		r.noteToolCall(kind)
	case "response.output_item.done":
		r.noteToolCall(rawjson.Member(ev.item, "type"))
	case "response.created", "response.queued", "response.in_progress":
		r.addMetadata(ev.response)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		r.done = true
		status := string(ev.kind[len("response."):])
		if own := Word(rawjson.Member(ev.response, "status")); status == "completed" && own != "" {
			status = own // some servers end every stream with response.completed
		}
		return r.finishWith(status, ev.response)
	}
	return nil
}

// textAt returns the text that is collected in a place.
func (r *responsesReader) textAt(place int) *[]byte {
	switch place {
	case placeText:
		return &r.text
	case placeRefusal:
		return &r.refusal
	}
	return &r.reasoning[place-placeReasoning]
}

// addDelta adds a delta.
func (r *responsesReader) addDelta(place int, raw json.RawMessage) error {
	r.hasDelta[place] = true
	return r.add(place, raw)
}

// endPart ends a part: its text counts if no delta brought it.
func (r *responsesReader) endPart(place int, raw json.RawMessage) error {
	begun := r.hasDelta[place]
	r.hasDelta[place] = false
	if begun {
		return nil
	}
	return r.add(place, raw)
}

// add adds a piece of text to a place. One that is no string is an error only in the text of
// the reply: reasoning and refusals are read leniently.
func (r *responsesReader) add(place int, raw json.RawMessage) error {
	var ok bool
	to := r.textAt(place)
	if *to, ok = rawjson.AppendText(*to, raw); !ok && rawjson.IsSet(raw) && place == placeText {
		return r.cannotRead("a piece of the text is no string", raw)
	}
	return nil
}

// noteToolCall notes that an item of the output calls a tool.
func (r *responsesReader) noteToolCall(kind json.RawMessage) {
	if strings.HasSuffix(Word(kind), "_call") {
		r.hasToolCall, r.active = true, true
	}
}

// document reads a response in one piece.
func (r *responsesReader) document(body []byte) error {
	failure, status := rawjson.Member(body, "error"), Word(rawjson.Member(body, "status"))
	if status == "" && !rawjson.IsSet(rawjson.Member(body, "output")) {
		if s := parseError(body, r.key, ofBody); rawjson.IsSet(failure) || s.message != "" {
			return s
		}
		return unreadableError{"the reply has no output"}
	}
	r.done = true
	if status == "completed" && !rawjson.Elements(rawjson.Member(body, "output"), func([]byte) {}) {
		return unreadableError{"the output of the reply is no list"}
	}
	return r.finishWith(status, body)
}

// finishWith adds a response whose status is final.
func (r *responsesReader) finishWith(status string, response []byte) error {
	r.addMetadata(response)
	r.status = status
	var output []byte
	var failure, reason json.RawMessage
	rawjson.Members(response, func(n, v []byte) {
		switch string(n) {
		case "error":
			failure = v
		case "incomplete_details":
			reason = rawjson.Member(v, "reason")
		case "output":
			output = v
		case "temperature", "top_p", "max_output_tokens", "reasoning", "service_tier", "truncation":
			r.addApplied(string(n), v)
			if bound := readOptionalCount(v); bound != nil && r.limit == 0 && string(n) == "max_output_tokens" {
				r.limit = *bound
			}
		}
	})
	if status == "failed" || rawjson.IsSet(failure) {
		s := parseError(failure, r.key, ofMember)
		if s.message == "" && s.code == "" {
			s.message = "the server gave up the reply: its status is failed"
		}
		return s
	}
	if err := r.addOutput(output); err != nil {
		return err
	}
	if status == "completed" || status == "incomplete" {
		r.finish, r.active = status, true
		r.setFinish(reason)
	}
	return nil
}

// addMetadata adds what a response says about itself, during the reply and at its end.
func (r *responsesReader) addMetadata(response []byte) {
	rawjson.Members(response, func(n, v []byte) {
		switch string(n) {
		case "id":
			setOnce(&r.id, v)
		case "model":
			setOnce(&r.model, v)
		case "usage":
			r.addUsage(v)
		}
	})
}

// addUsage adds token counts in the spelling of this API.
func (r *responsesReader) addUsage(raw json.RawMessage) {
	rawjson.Members(raw, func(n, v []byte) {
		switch string(n) {
		case "input_tokens":
			r.setCount(&r.usage.Prompt, v)
		case "output_tokens":
			r.setCount(&r.usage.Completion, v)
		case "input_tokens_details":
			r.setCount(&r.usage.Cached, rawjson.Member(v, "cached_tokens"))
			r.setCount(&r.written, rawjson.Member(v, "cache_write_tokens"))
		case "output_tokens_details":
			r.setCount(&r.usage.Reasoning, rawjson.Member(v, "reasoning_tokens"))
		case "cost":
			r.cost = readDollars(v)
		}
	})
}

// addOutput reads the output of a response. The text of a place counts only if a stream
// brought none for it.
func (r *responsesReader) addOutput(output []byte) (err error) {
	var had [len(r.hasDelta)]bool
	for place := range had {
		had[place] = len(*r.textAt(place)) > 0
	}
	had[placeText] = had[placeText] || had[placeRefusal]
	had[placeRefusal] = had[placeText]
	hadTokens := len(r.tokens) > 0
	add := func(place int, raw json.RawMessage) {
		if !had[place] && err == nil {
			err = r.add(place, raw)
		}
	}
	rawjson.Elements(output, func(item []byte) {
		kind := rawjson.Member(item, "type")
		r.noteToolCall(kind)
		if string(kind) == `"function_call"` && len(r.arguments) == 0 {
			r.addArguments(rawjson.Member(item, "arguments"))
		}
		if Word(kind) == "message" {
			r.checkRole(rawjson.Member(item, "role"))
		}
		content := rawjson.Member(item, "content")
		if rawjson.IsSet(content) && content[0] != '[' && !had[placeText] {
			r.setUnreadable("the content of a message is no list", content)
		}
		rawjson.Elements(rawjson.Member(item, "summary"), func(part []byte) { add(placeSummary, rawjson.Member(part, "text")) })
		rawjson.Elements(content, func(part []byte) {
			switch what := Word(rawjson.Member(part, "type")); {
			case what == "refusal":
				add(placeRefusal, rawjson.Member(part, "refusal"))
			case string(kind) == `"reasoning"`:
				add(placeReasoning, rawjson.Member(part, "text"))
			case what == "output_text" || what == "text" || what == "":
				if !hadTokens {
					r.addTokens(rawjson.Member(part, "logprobs"), readLogprobs)
				}
				add(placeText, rawjson.Member(part, "text"))
			default:
				r.noteUnknownPart(what, part)
			}
		})
	})
	return err
}

func (r *responsesReader) complete(e *Endpoint) error {
	switch {
	case !r.done:
		return cutError{"the stream ended without response.completed or another terminal event"}
	case r.finish == "":
		return cutError{"the reply is incomplete: its status is " + cmp.Or(r.status, "unknown")}
	}
	full := r.limit > 0 && r.usage.Completion != nil && *r.usage.Completion >= r.limit
	r.reachedLimit = full && (r.finish == "completed" || r.finish == "incomplete")
	switch {
	case r.reachedLimit:
	case r.finish == "incomplete":
		return cutError{"the reply is incomplete, and the server does not say why"}
	case r.status == "incomplete" && r.meaning() == finish.Unknown:
		return cutError{"the reply is incomplete for an unknown reason: " + r.finish}
	}
	return nil
}

// minResponseTokens is the smallest token limit that the API accepts, by its schema.
const minResponseTokens = 16

// responsesRequest writes the request for a response.
func responsesRequest(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	switch {
	case maxTokens > 0 && maxTokens < minResponseTokens:
		return request{}, fmt.Errorf("the Responses API has token limits of at least %d, got %d: raise the token limit", minResponseTokens, maxTokens)
	case params.Seed != nil:
		return request{}, errors.New("the Responses API has no seed: leave it out, or use chat completions")
	case params.ReasoningBudget != nil:
		return request{}, errors.New("the Responses API has no reasoning token limit: set an effort instead")
	}
	input, err := responsesInput(prompt)
	if err != nil {
		return request{}, err
	}
	o := newBody()
	o.Text("model", e.Model)
	o.Raw("store", []byte("false"))
	if e.Stream {
		o.Raw("stream", []byte("true"))
		if len(e.StreamOptions) > 0 {
			o.Value("stream_options", e.StreamOptions)
		}
	}
	if maxTokens > 0 {
		o.Value(cmp.Or(e.MaxTokensField, "max_output_tokens"), maxTokens)
	}
	optionalField(o, "temperature", params.Temperature)
	optionalField(o, "top_p", params.TopP)
	if params.Logprobs > 0 {
		o.Raw("include", []byte(`["message.output_text.logprobs"]`))
		o.Value("top_logprobs", params.Logprobs)
	}
	reasoning := newBody()
	if params.Effort != "" {
		reasoning.Text("effort", params.Effort)
	}
	extra := o.object("reasoning", reasoning, params.Extra)
	form := responsesStructure(params)
	o.Extra(extra, append(form.Names(), "stream", "input", "background", "conversation", "previous_response_id")...)
	full, sent, err := o.With("input", input)
	return request{path: "/responses", sent: sent, body: form.appendTo(full)}, err
}

// responsesInput returns the messages of the prompt as items of the input. System messages
// are items like the others, and not "instructions": they keep their place and their number,
// and nothing has to be joined.
func responsesInput(prompt verbatim.Prompt) ([]byte, error) {
	return bodyMessages(prompt, 0, func(b []byte, m verbatim.Message) ([]byte, error) {
		if m.Role != "assistant" {
			return appendMessage(b, m, responsesPart), nil
		}
		if slices.ContainsFunc(m.Content, func(p verbatim.Part) bool { return p.Image != nil }) {
			return nil, errors.New("the Responses API takes no images from the assistant")
		}
		return appendMessage(b, m, responsesOutputPart), nil
	})
}

// responsesPart appends a part of the content of the user or of the system.
func responsesPart(b []byte, p verbatim.Part) []byte {
	if p.Image == nil {
		return append(rawjson.AppendString(append(b, `{"type":"input_text","text":`...), p.Text), '}')
	}
	return append(appendDataURI(append(b, `{"type":"input_image","detail":"auto","image_url":`...), p.Image), '}')
}

// responsesOutputPart appends a text of the assistant.
func responsesOutputPart(b []byte, p verbatim.Part) []byte {
	return append(rawjson.AppendString(append(b, `{"type":"output_text","text":`...), p.Text), '}')
}
