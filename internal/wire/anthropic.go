package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"verbatim"
	"verbatim/internal/rawjson"
)

// Anthropic is Anthropic's Messages API. A reply is streamed or comes in one piece, as
// e.Stream says; the bytes decide how it is read. The token limit includes reasoning and
// must be above 0, because the protocol requires one. It has no seed: one is refused.
//
// Effort is sent as output_config.effort, ReasoningBudget as thinking of type "enabled"
// with a summary of the reasoning; a budget is from 1,024 up to below the token limit.
// System messages go into the field "system" and must come before all others.
//
// A reply counts if it has a stop reason and, in a stream, the event "message_stop".
// Errors are read in Anthropic's shape and in OpenAI's, which other servers of this
// protocol use.
//
// Text is the text blocks, joined; Reasoning is the thinking blocks. A refusal is a stop
// reason here, and the text is what came before it. Usage.Prompt is the whole input. The
// protocol counts what was read from the cache, what was written to it, and the rest
// separately. FirstContent and FirstReasoning are known for streams only.
//
// Source: https://platform.claude.com/docs/en/api/messages and
// https://platform.claude.com/docs/en/build-with-claude/streaming.
func Anthropic() *Protocol {
	return &Protocol{
		Name:            "anthropic",
		Title:           "Anthropic's Messages API",
		Example:         "https://host/v1",
		Root:            "/v1",
		AuthHeader:      "X-Api-Key",
		Header:          http.Header{"Anthropic-Version": {"2023-06-01"}},
		NoLogprobs:      true,
		reasoningFields: []string{"thinking"},
		request:         anthropicRequest,
		reader:          func(a *partialReply) reader { return &anthropicReader{partialReply: a} },
	}
}

// An anthropicReader reads messages and their events.
type anthropicReader struct {
	*partialReply
	// The parts of the input. Usage.Prompt is their sum. Each may come in an event of its own.
	input, cached *int64
}

// An anthropicEvent has the members of an event as JSON.
type anthropicEvent struct{ kind, message, block, delta, usage, err json.RawMessage }

func (a *anthropicReader) event(ev streamEvent) error {
	data, isJSON := ReadJSON(ev.Data)
	if !isJSON {
		switch ev.Name {
		case "error":
			return readError(data, a.key)
		case "", "message_start", "content_block_start", "content_block_delta", "message_delta":
			if len(data) > 0 && string(data) != "[DONE]" { // OpenAI's mark, which some add
				return a.cannotRead("an event of the stream cannot be read", data)
			}
		}
		return nil // an event that only this server has
	}
	var o anthropicEvent
	if !rawjson.Members(data, o.set) {
		return a.cannotRead("an event of the stream is no object", data)
	}
	kind := string(bytes.Trim(o.kind, `"`))
	if kind == "" {
		kind = ev.Name
	}
	if kind == "error" || rawjson.IsSet(o.err) {
		return readError(data, a.key)
	}
	switch kind {
	case "message_start":
		a.addMessage(o.message)
	case "content_block_start":
		a.addBlock(o.block)
	case "content_block_delta":
		a.addDelta(o.delta)
	case "message_delta":
		a.setFinish(rawjson.Member(o.delta, "stop_reason"))
		a.usage.Completion = nil // that of message_start is preliminary
		a.addUsage(o.usage)
	case "message_stop":
		a.done = true
	}
	return nil // other events, such as ping, are not part of the reply
}

func (o *anthropicEvent) set(name, value []byte) {
	switch string(name) {
	case "type":
		o.kind = value
	case "message":
		o.message = value
	case "content_block":
		o.block = value
	case "delta":
		o.delta = value
	case "usage":
		o.usage = value
	case "error":
		o.err = value
	}
}

func (a *anthropicReader) document(body []byte) error {
	if rawjson.IsSet(rawjson.Member(body, "error")) || Word(rawjson.Member(body, "type")) == "error" {
		return readError(body, a.key)
	}
	if content := rawjson.Member(body, "content"); !rawjson.Elements(content, func([]byte) {}) {
		return a.noReply(body, "the reply has no content")
	}
	a.done = true
	a.addMessage(body)
	return nil
}

// addMessage adds a whole message, or the beginning of one.
func (a *anthropicReader) addMessage(message []byte) {
	rawjson.Members(message, func(n, v []byte) {
		switch string(n) {
		case "id":
			setOnce(&a.id, v)
		case "model":
			setOnce(&a.model, v)
		case "role":
			a.checkRole(v)
		case "content":
			rawjson.Elements(v, a.addBlock)
		case "stop_reason":
			a.setFinish(v)
		case "usage":
			a.addUsage(v)
		}
	})
}

// addBlock adds a block of content: whole, or its beginning in a stream.
func (a *anthropicReader) addBlock(block []byte) {
	switch kind := Word(rawjson.Member(block, "type")); kind {
	case "text", "":
		a.addText(rawjson.Member(block, "text"))
	case "thinking":
		a.addReasoning(0, rawjson.Member(block, "thinking"))
	case "redacted_thinking":
		a.active = true // encrypted: the server is at work, but there is nothing to read
	case "tool_use", "server_tool_use", "mcp_tool_use":
		a.hasToolCall = true
		isFirst := a.startCall()
		// In a stream the input is empty here; its pieces follow.
		if input := rawjson.Member(block, "input"); isFirst && string(input) != "{}" {
			a.addArguments(input)
		}
	default:
		a.noteUnknownPart(kind, block)
	}
}

// addDelta adds a piece of a block.
func (a *anthropicReader) addDelta(delta []byte) {
	var kind, text, reasoning, arguments []byte
	rawjson.Members(delta, func(n, v []byte) {
		switch string(n) {
		case "type":
			kind = v
		case "text":
			text = v
		case "thinking":
			reasoning = v
		case "partial_json":
			arguments = v
		}
	})
	switch string(bytes.Trim(kind, `"`)) {
	case "text_delta":
		a.addText(text)
	case "":
		a.addText(text)
		a.addReasoning(0, reasoning)
	case "thinking_delta":
		a.addReasoning(0, reasoning)
	case "input_json_delta":
		a.active = true
		if a.calls == 1 {
			a.addArguments(arguments)
		}
	case "signature_delta":
		a.active = true
	default:
		a.noteUnknownPart(Word(kind), delta)
	}
}

// addUsage adds token counts. They are cumulative, and later reports leave out what has
// not changed.
func (a *anthropicReader) addUsage(usage []byte) {
	rawjson.Members(usage, func(n, v []byte) {
		switch string(n) {
		case "input_tokens":
			a.setCount(&a.input, v)
		case "cache_creation_input_tokens":
			a.setCount(&a.written, v)
		case "cache_read_input_tokens":
			a.setCount(&a.cached, v)
		case "output_tokens":
			a.setCount(&a.usage.Completion, v)
		case "output_tokens_details":
			a.setCount(&a.usage.Reasoning, rawjson.Member(v, "thinking_tokens"))
		case "service_tier":
			a.addApplied(string(n), v)
		case "iterations": // what is billed, also if another model took over; the counts above may have a part of it
			a.parts = nil
			rawjson.Elements(v, func(iteration []byte) {
				part := anthropicReader{partialReply: new(partialReply)}
				part.addUsage(iteration)
				a.parts = append(a.parts, verbatim.ServedPart{Model: Word(rawjson.Member(iteration, "model")), Usage: part.soundUsage()})
			})
		}
	})
	a.usage.Cached = a.cached
	setSum(&a.usage.Prompt, a.input, a.written, a.cached)
}

func (a *anthropicReader) complete(e *Endpoint) error {
	switch {
	case a.finish == "":
		return cutError{"the reply ended without a stop reason"}
	case !a.done && !e.DoneOptional:
		return cutError{"the stream ended without its end marker message_stop"}
	}
	return nil
}

// minBudget is the smallest reasoning budget that the API accepts, in tokens.
const minBudget = 1024

// anthropicRequest writes the request for a message.
func anthropicRequest(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	if maxTokens <= 0 {
		return request{}, errors.New("this protocol requires a token limit: set max_tokens above 0")
	}
	if params.Seed != nil {
		return request{}, errors.New("this protocol has no seed: leave it out, and use several trials")
	}
	system, messages, err := anthropicPrompt(prompt)
	if err != nil {
		return request{}, err
	}
	o := newBody()
	o.Text("model", e.Model)
	o.Value("max_tokens", maxTokens)
	if e.Stream {
		o.Raw("stream", []byte("true"))
	}
	optionalField(o, "temperature", params.Temperature)
	optionalField(o, "top_p", params.TopP)
	if err := anthropicEffort(o, maxTokens, params); err != nil {
		return request{}, err
	}
	form := anthropicStructure(params)
	o.Extra(params.Extra, append(form.Names(), "stream", "system", "messages")...)
	full, sent, err := o.With("messages", messages)
	if err != nil {
		return request{}, err
	}
	full = form.appendTo(full)
	if system != nil {
		full = rawjson.AppendMember(full, "system", system)
	}
	return request{path: "/messages", sent: sent, body: full}, nil
}

// anthropicEffort adds the reasoning effort and budget.
func anthropicEffort(o *bodyWriter, maxTokens int, params verbatim.Params) error {
	if params.Effort != "" && !isSchema(params) { // anthropicStructure writes it next to the schema
		config := newBody()
		config.Text("effort", params.Effort)
		raw, err := config.End()
		if err != nil {
			return err
		}
		o.Raw("output_config", raw)
	}
	if params.ReasoningBudget == nil {
		return nil
	}
	n := *params.ReasoningBudget
	switch {
	case n < minBudget:
		return fmt.Errorf("a reasoning budget of %d tokens is too small for this protocol: set at least %d, or leave it out", n, minBudget)
	case n >= int64(maxTokens):
		return fmt.Errorf("a reasoning budget of %d tokens leaves no room in a token limit of %d, which includes it: raise the token limit or lower the budget", n, maxTokens)
	}
	// Without display, it differs from model to model whether the reasoning is shown.
	o.Raw("thinking", fmt.Appendf(nil, `{"type":"enabled","budget_tokens":%d,"display":"summarized"}`, n))
	return nil
}

// anthropicPrompt returns the fields "messages" and "system", the latter nil without
// system messages.
func anthropicPrompt(prompt verbatim.Prompt) (system, messages []byte, err error) {
	parts, n, err := systemParts(prompt)
	if err != nil {
		return nil, nil, err
	}
	if n > 0 {
		system = appendContent(nil, parts, anthropicPart)
	}
	messages, err = bodyMessages(prompt, n, func(b []byte, m verbatim.Message) ([]byte, error) {
		if m.Role != "user" && m.Role != "assistant" {
			return nil, unknownRole(m.Role)
		}
		return appendMessage(b, m, anthropicPart), nil
	})
	return system, messages, err
}

// unknownRole is the error of a role that the protocols with one place for system messages
// do not have.
func unknownRole(role string) error {
	return fmt.Errorf("this protocol has no role %q: use system, user or assistant", CleanLine(role, 40))
}

// anthropicPart appends a block of content.
func anthropicPart(b []byte, p verbatim.Part) []byte {
	if p.Image == nil {
		return append(rawjson.AppendString(append(b, `{"type":"text","text":`...), p.Text), '}')
	}
	b = rawjson.AppendString(append(b, `{"type":"image","source":{"type":"base64","media_type":`...), p.Image.Media)
	return append(appendBase64(append(b, `,"data":`...), p.Image), `}}`...)
}
