package wire

import (
	"bytes"
	"encoding/json"
	"net/http"

	"verbatim/internal/rawjson"
)

// Anthropic asks an endpoint that speaks Anthropic's Messages API, streamed or in
// one piece as e.Stream says; what comes back decides how it is read. A base URL
// without a path gets "/v1". The key is sent as "x-api-key" unless e.AuthHeader
// names another header, and "anthropic-version: 2023-06-01" unless e.Headers say
// otherwise. maxTokens bounds the answer, thinking included, and must be above 0,
// for the protocol has no answer without a bound. Only what params name is sent,
// and nothing that was asked for is left out: what the protocol has no place for,
// such as a seed, is refused as BadAsk before anything is sent.
//
// Effort is sent as output_config.effort, ReasoningBudget as thinking of type
// "enabled" with a summary of the thoughts to be shown; a budget is from 1,024 up
// to below maxTokens. System messages go into the field "system" and must come
// before all others.
//
// An answer counts when it has a stop reason and, in a stream, the event
// "message_stop". The error is a *verbatim.Failure with one attempt; errors are
// understood in Anthropic's shape and in OpenAI's, which other servers of this
// protocol use.
//
// Text is that of all text blocks, one after the other; the thinking blocks are
// the Reasoning. A refusal is a stop reason here, and the text is what had been
// said by then. Usage.Prompt is the whole input, read from the cache, written to
// it or neither, which this protocol counts apart. FirstContent and
// FirstReasoning are known of streams only.
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
		reasoningFields: []string{"thinking"},
		request:         anthropicRequest,
		reader:          func(a *answer) reader { return &anthropicReader{answer: a} },
	}
}

// An anthropicReader reads messages and their events.
type anthropicReader struct {
	*answer
	// The parts of the input, of which the usage is the sum. Each may come in a
	// report of its own.
	input, written, cached *int64
}

// An anthropicEvent is what the events of a stream are made of, not decoded.
type anthropicEvent struct{ kind, message, block, delta, usage, err json.RawMessage }

func (a *anthropicReader) event(ev event) error {
	data := bytes.TrimSpace(ev.data)
	if !rawjson.Valid(data) {
		switch ev.name {
		case "error":
			return readError(data, a.key)
		case "", "message_start", "content_block_start", "content_block_delta", "message_delta":
			if len(data) > 0 && string(data) != "[DONE]" { // OpenAI's mark, which some add
				return unreadableError{"an event of the stream cannot be read: " + Clean(string(data), 80)}
			}
		}
		return nil // of a kind of its own
	}
	var o anthropicEvent
	if !rawjson.Members(data, func(n, v []byte) { o.take(n, v) }) {
		return unreadableError{"an event of the stream is no object: " + Clean(string(data), 80)}
	}
	kind := string(bytes.Trim(o.kind, `"`))
	if kind == "" {
		kind = ev.name
	}
	if kind == "error" || rawjson.IsSet(o.err) {
		return readError(data, a.key)
	}
	switch kind {
	case "message_start":
		a.take(o.message)
	case "content_block_start":
		a.addBlock(o.block)
	case "content_block_delta":
		a.addDelta(o.delta)
	case "message_delta":
		a.end(rawjson.Member(o.delta, "stop_reason"))
		a.takeUsage(o.usage)
	case "message_stop":
		a.done = true
	}
	return nil // what is not known is no part of the answer: ping, for one
}

func (o *anthropicEvent) take(name, value []byte) {
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
		if s := readError(body, a.key); s.message != "" {
			return s
		}
		return unreadableError{"the answer has no content"}
	}
	a.done = true
	a.take(body)
	return nil
}

// take adds a message: the whole of one, or what is known of it at the start.
func (a *anthropicReader) take(message []byte) {
	rawjson.Members(message, func(n, v []byte) {
		switch string(n) {
		case "id":
			keep(&a.id, v)
		case "model":
			keep(&a.model, v)
		case "role":
			a.heed(v)
		case "content":
			rawjson.Elements(v, a.addBlock)
		case "stop_reason":
			a.end(v)
		case "usage":
			a.takeUsage(v)
		}
	})
}

// addBlock adds a block of content: whole, or its beginning in a stream.
func (a *anthropicReader) addBlock(block []byte) {
	switch kind := string(bytes.Trim(rawjson.Member(block, "type"), `"`)); kind {
	case "text", "":
		a.addText(rawjson.Member(block, "text"))
	case "thinking":
		a.think(0, rawjson.Member(block, "thinking"))
	case "redacted_thinking":
		a.news = true // encrypted: the server is at work, but there is nothing to read
	case "tool_use", "server_tool_use", "mcp_tool_use":
		a.tools, a.news = true, true
	default:
		a.skip(kind, block)
	}
}

// addDelta adds a piece of a block.
func (a *anthropicReader) addDelta(delta []byte) {
	var kind, text, thinking []byte
	rawjson.Members(delta, func(n, v []byte) {
		switch string(n) {
		case "type":
			kind = v
		case "text":
			text = v
		case "thinking":
			thinking = v
		}
	})
	switch string(bytes.Trim(kind, `"`)) {
	case "text_delta":
		a.addText(text)
	case "":
		a.addText(text)
		a.think(0, thinking)
	case "thinking_delta":
		a.think(0, thinking)
	case "signature_delta", "input_json_delta":
		a.news = true
	default:
		a.skip(Clean(string(kind), longestValue), delta)
	}
}

// takeUsage lays a report of token counts over an earlier one; reports are
// cumulative, and later ones leave out what has not changed.
func (a *anthropicReader) takeUsage(usage []byte) {
	rawjson.Members(usage, func(n, v []byte) {
		switch string(n) {
		case "input_tokens":
			a.counted(&a.input, v)
		case "cache_creation_input_tokens":
			a.counted(&a.written, v)
		case "cache_read_input_tokens":
			a.counted(&a.cached, v)
		case "output_tokens":
			a.counted(&a.usage.Completion, v)
		case "output_tokens_details":
			a.counted(&a.usage.Reasoning, rawjson.Member(v, "thinking_tokens"))
		case "service_tier":
			a.apply(string(n), v)
		}
	})
	a.usage.Cached = a.cached
	total(&a.usage.Prompt, a.input, a.written, a.cached)
}

func (a *anthropicReader) complete(e *Endpoint) error {
	switch {
	case a.finish == "":
		return cutError{"the answer ended without a stop reason"}
	case !a.done && !e.DoneOptional:
		return cutError{"the stream ended without its end marker message_stop"}
	}
	return nil
}
