package wire

import (
	"bytes"
	"encoding/json"

	"verbatim"
	"verbatim/internal/rawjson"
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
func Chat() *Protocol {
	return &Protocol{
		Name:            "chat",
		Title:           "OpenAI-compatible chat completions",
		Example:         "https://host/v1",
		reasoningFields: []string{"reasoning", "reasoning_content", "reasoning_details", "content.thinking"},
		request:         chatRequest,
		reader:          func(a *answer) reader { return chatReader{a} },
	}
}

// The places of reasoning, as chat names them.
const (
	chatReasoning = iota
	chatReasoningContent
	chatReasoningDetails
	chatContentParts
)

// A chatReader reads chat completions and their chunks. Whatever is not needed
// for the answer is read loosely: a server that spells it in its own way has
// answered all the same.
type chatReader struct{ *answer }

func (a chatReader) event(ev event) error {
	data := bytes.TrimSpace(ev.data)
	switch {
	case string(data) == "[DONE]":
		a.done = true
		return nil
	case rawjson.Valid(data):
		isError := ev.name == "error" && !rawjson.IsSet(rawjson.Member(data, "error"))
		if isError || string(rawjson.Member(data, "object")) == `"error"` {
			return readError(data, a.key)
		}
		return a.take(data, true)
	case ev.name == "error":
		return readError(data, a.key)
	case len(data) == 0, ev.name != "" && ev.name != "message":
		// An event without content, or of a kind of its own, such as a ping.
		return nil
	}
	return unreadableError{"an event of the stream cannot be read: " + Clean(string(data), 80)}
}

func (a chatReader) document(body []byte) error {
	choices := 0
	rawjson.Elements(rawjson.Member(body, "choices"), func([]byte) { choices++ })
	if choices == 0 && !rawjson.IsSet(rawjson.Member(body, "error")) {
		if s := parseError(body, a.key, 2); s.message != "" {
			return s
		}
		return unreadableError{"the answer has no choices"}
	}
	a.done = true
	return a.take(body, false)
}

// take adds a chunk of a stream, or a whole completion. The error is what came
// in its place.
func (a chatReader) take(chunk []byte, streamed bool) (err error) {
	ok := rawjson.Members(chunk, func(n, v []byte) {
		switch string(n) {
		case "error":
			if isError(v) && err == nil {
				err = parseError(v, a.key, 1)
			}
		case "id":
			keep(&a.id, v)
		case "model":
			keep(&a.model, v)
		case "system_fingerprint":
			keep(&a.fingerprint, v)
		case "service_tier", "provider":
			a.apply(string(n), v)
		case "usage":
			a.takeUsage(v)
		case "x_groq": // Groq has them here too, and of errors only here
			a.takeUsage(rawjson.Member(v, "usage"))
			if e := rawjson.Member(v, "error"); rawjson.IsSet(e) && err == nil {
				err = parseError(e, a.key, 1)
			}
		case "choices":
			place := 0
			isList := rawjson.Elements(v, func(choice []byte) {
				if e := a.choose(choice, place, streamed); err == nil {
					err = e
				}
				place++
			})
			if !isList && rawjson.IsSet(v) {
				a.fault("the choices are no list", v)
			}
		}
	})
	if !ok {
		return unreadableError{"an event of the stream is no object: " + Clean(string(chunk), 80)}
	}
	return err
}

// choose adds what a choice brings, if it is the first: by its index, or by its
// place in the list where it has none.
func (a chatReader) choose(choice []byte, place int, streamed bool) (err error) {
	if i := rawjson.Member(choice, "index"); rawjson.IsSet(i) {
		n, ok := Count(bytes.Trim(i, `"`))
		if !ok || n != 0 {
			return nil
		}
	} else if place > 0 {
		return nil
	}
	// In a stream the delta counts: some servers repeat the whole message in the last
	// event. It counts where no delta brings any words.
	message, whole := "message", ""
	if streamed {
		message, whole = "delta", "message"
	}
	rawjson.Members(choice, func(n, v []byte) {
		switch string(n) {
		case "error":
			if isError(v) && err == nil {
				err = parseError(v, a.key, 1)
			}
		case message:
			if err == nil {
				err = a.say(v)
			}
		case whole:
			a.takeWhole(v)
		case "text":
			a.skip("text of a choice", choice)
		case "finish_reason":
			if v[0] == '{' { // as SGLang's own API has it
				a.finishMessage = serverText(rawjson.Member(v, "message"), a.key)
				v = rawjson.Member(v, "type")
			}
			a.end(v)
		case "native_finish_reason":
			a.apply("native_finish_reason", v)
			if rawjson.IsSet(v) {
				a.native = Word(v)
			}
		case "usage": // Moonshot's place for it
			a.takeUsage(v)
		}
	})
	return err
}

// takeWhole keeps a message that came in a stream. Two of them cannot be put
// together: they may be pieces, or each may hold what the one before it held.
func (a chatReader) takeWhole(message []byte) {
	if !isFilled(rawjson.Member(message, "content")) && !isFilled(rawjson.Member(message, "refusal")) {
		return
	}
	a.news = true
	switch {
	case a.message == nil:
		a.message = bytes.Clone(message)
	case !bytes.Equal(a.message, message) && len(a.text) == 0:
		a.fault("the stream has several messages where pieces of one belong", message)
	}
}

// say adds a message or a piece of one.
func (a chatReader) say(message []byte) (err error) {
	isObject := rawjson.Members(message, func(n, v []byte) {
		switch string(n) {
		case "role":
			a.heed(v)
		case "content":
			if !rawjson.IsSet(v) {
				return
			}
			var ok bool
			if a.text, ok = rawjson.AppendText(a.text, v); !ok && !a.addParts(v) {
				err = unreadableError{"the content is neither a text nor a list of parts: " + Clean(string(v), 80)}
			}
		case "refusal":
			a.refusal, _ = rawjson.AppendText(a.refusal, v)
		case "reasoning":
			a.think(chatReasoning, v)
		case "reasoning_content":
			a.think(chatReasoningContent, v)
		case "reasoning_details":
			// OpenRouter's form: parts of text and summary, and encrypted ones that
			// hold nothing to read.
			rawjson.Elements(v, func(part []byte) {
				a.think(chatReasoningDetails, rawjson.Member(part, "text"))
				a.think(chatReasoningDetails, rawjson.Member(part, "summary"))
			})
		case "tool_calls", "function_call":
			if isFilled(v) {
				a.tools, a.news = true, true
			}
		}
	})
	if isObject {
		a.spoken = true
	} else if rawjson.IsSet(message) {
		a.fault("a message is no object", message)
	}
	return err
}

// think adds reasoning that came in one of its places.
func (a *answer) think(place int, raw json.RawMessage) {
	a.thoughts[place], _ = rawjson.AppendText(a.thoughts[place], raw)
}

// isFilled reports whether a value is there and says anything.
func isFilled(raw json.RawMessage) bool { return isError(raw) && string(raw) != "{}" }

// isError reports whether the value of a member "error" stands for one. Some servers
// write an empty one next to an answer.
func isError(raw json.RawMessage) bool {
	switch string(raw) {
	case "[]", `""`, "false":
		return false
	}
	return rawjson.IsSet(raw)
}

// addParts adds content that comes in parts: texts, and in Mistral's form parts
// of type "thinking" with texts of their own. It reports whether raw is such.
func (a chatReader) addParts(raw json.RawMessage) bool {
	return rawjson.Elements(raw, func(part []byte) {
		if part[0] == '"' {
			a.addText(part)
			return
		}
		switch kind := Word(rawjson.Member(part, "type")); kind {
		case "text", "output_text", "":
			a.addText(rawjson.Member(part, "text"))
		case "refusal":
			a.refusal, _ = rawjson.AppendText(a.refusal, rawjson.Member(part, "refusal"))
		case "reasoning":
			a.think(chatContentParts, rawjson.Member(part, "text"))
		case "thinking":
			thinking := rawjson.Member(part, "thinking")
			a.think(chatContentParts, thinking)
			rawjson.Elements(thinking, func(t []byte) { a.think(chatContentParts, rawjson.Member(t, "text")) })
		default:
			a.skip(kind, part)
		}
	})
}

func (a chatReader) complete(e *Endpoint) error {
	if a.message != nil && len(a.text)+len(a.refusal) == 0 {
		if err := a.say(a.message); err != nil {
			return err
		}
	}
	switch {
	case a.finish == "" && a.done && a.empty():
		return cutError{"the answer has no choice and no finish reason"}
	case a.finish == "":
		return cutError{"the answer ended without a finish reason"}
	case !a.done && !e.DoneOptional:
		return cutError{"the stream ended without its end marker [DONE]"}
	case !a.spoken && a.unread == "" && a.mapped() == verbatim.FinishStop:
		return unreadableError{"the answer has a finish reason but no message"}
	}
	return nil
}
