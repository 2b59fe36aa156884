package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"

	"verbatim"
	"verbatim/internal/rawjson"
)

// Chat is OpenAI's chat completions, which most servers speak. A reply is streamed or comes in one
// piece, as e.Stream says. The bytes decide how it is read, because some servers know only
// one way.
//
// A reply counts if it has a finish reason and, in a stream, its end marker "[DONE]".
// Choices after the first are ignored.
//
// Text is the content, byte for byte. A refusal in a field of its own is the text if there
// is no other, and Finish is refusal. Reasoning is the first of the fields "reasoning",
// "reasoning_content" and "reasoning_details" that is not empty, or else the parts of the
// content that are reasoning: servers that fill several repeat the same words. Counts that
// the server leaves out are nil. FirstContent and FirstReasoning are known for streams only.
func Chat() *Protocol {
	return &Protocol{
		Name:            "chat",
		Title:           "OpenAI-compatible chat completions",
		Example:         "https://host/v1",
		ClientPath:      "/v1",
		reasoningFields: []string{"reasoning", "reasoning_content", "reasoning_details", "content.thinking"},
		request:         chatRequest,
		reader:          func(a *partialReply) reader { return chatReader{a} },
	}
}

// The places of reasoning, indexes of partialReply.reasoning and of reasoningFields.
const (
	chatReasoning = iota
	chatReasoningContent
	chatReasoningDetails
	chatContentParts
)

// A chatReader reads chat completions and their chunks. What the reply does not need is
// read leniently, because servers spell it in their own ways.
type chatReader struct{ *partialReply }

func (a chatReader) event(ev streamEvent) error {
	data, isJSON := ReadJSON(ev.Data)
	switch {
	case string(data) == "[DONE]":
		a.done = true
		return nil
	case isJSON:
		isError := ev.Name == "error" && !rawjson.IsSet(rawjson.Member(data, "error"))
		if isError || string(rawjson.Member(data, "object")) == `"error"` {
			return readError(data, a.key)
		}
		return a.addChunk(data, true)
	case ev.Name == "error":
		return readError(data, a.key)
	case len(data) == 0, ev.Name != "" && ev.Name != "message":
		return nil // nothing of the reply: an empty event, a ping
	}
	return a.cannotRead("an event of the stream cannot be read", data)
}

func (a chatReader) document(body []byte) error {
	choices := 0
	rawjson.Elements(rawjson.Member(body, "choices"), func([]byte) { choices++ })
	if choices == 0 && !rawjson.IsSet(rawjson.Member(body, "error")) {
		return a.noReply(body, "the reply has no choices")
	}
	a.done = true
	return a.addChunk(body, false)
}

// addChunk adds a chunk of a stream, or a whole completion. The error is one that the server
// sent in its place, or an unreadableError.
func (a chatReader) addChunk(chunk []byte, streamed bool) (err error) {
	ok := rawjson.Members(chunk, func(n, v []byte) {
		switch string(n) {
		case "error":
			if isError(v) && err == nil {
				err = parseError(v, a.key, ofMember)
			}
		case "id":
			setOnce(&a.id, v)
		case "model":
			setOnce(&a.model, v)
		case "system_fingerprint":
			setOnce(&a.fingerprint, v)
		case "service_tier", "provider":
			a.addApplied(string(n), v)
		case "usage":
			a.addUsage(v)
		case "timings":
			a.addTimings(v)
		case "time_info": // Cerebras
			a.queued = readSeconds(rawjson.Member(v, "queue_time"))
		case "x_groq": // Groq repeats the usage here, and has errors only here
			a.addUsage(rawjson.Member(v, "usage"))
			if e := rawjson.Member(v, "error"); isError(e) && err == nil {
				err = parseError(e, a.key, ofMember)
			}
		case "choices":
			place := 0
			isList := rawjson.Elements(v, func(choice []byte) {
				if e := a.addChoice(choice, place, streamed); err == nil {
					err = e
				}
				place++
			})
			if !isList && rawjson.IsSet(v) {
				a.setUnreadable("the choices are no list", v)
			}
		}
	})
	if !ok {
		return a.cannotRead("an event of the stream is no object", chunk)
	}
	return err
}

// addChoice adds a choice if it is the first: by its index, or by its place in the list if it
// has no index.
func (a chatReader) addChoice(choice []byte, place int, streamed bool) (err error) {
	if i := rawjson.Member(choice, "index"); rawjson.IsSet(i) {
		n, ok := ReadCount(bytes.Trim(i, `"`))
		if !ok || n != 0 {
			return nil
		}
	} else if place > 0 {
		return nil
	}
	// In a stream the delta counts. Some servers repeat the whole message in the last
	// event; it counts only if all deltas were empty.
	message, whole := "message", ""
	if streamed {
		message, whole = "delta", "message"
	}
	rawjson.Members(choice, func(n, v []byte) {
		switch string(n) {
		case "error":
			if isError(v) && err == nil {
				err = parseError(v, a.key, ofMember)
			}
		case message:
			if err == nil {
				err = a.addMessage(v)
			}
		case whole:
			a.setWholeMessage(v)
		case "text":
			a.noteUnknownPart("text of a choice", choice)
		case "finish_reason":
			if v[0] == '{' { // as SGLang's own API has it
				a.finishMessage = serverText(rawjson.Member(v, "message"), a.key)
				v = rawjson.Member(v, "type")
			}
			a.setFinish(v)
		case "native_finish_reason":
			a.addApplied("native_finish_reason", v)
			if rawjson.IsSet(v) {
				a.nativeFinish = Word(v)
			}
		case "logprobs":
			a.addTokens(rawjson.Member(v, "content"), readLogprobs)
		case "usage": // Moonshot's place for it
			a.addUsage(v)
		}
	})
	return err
}

// setWholeMessage saves a whole message that came in a stream. Several different ones cannot
// be joined: they may be pieces, or each may repeat the one before it.
func (a chatReader) setWholeMessage(message []byte) {
	if !isFilled(rawjson.Member(message, "content")) && !isFilled(rawjson.Member(message, "refusal")) {
		return
	}
	a.active = true
	switch {
	case a.message == nil:
		a.message = bytes.Clone(message)
	case !bytes.Equal(a.message, message) && len(a.text) == 0:
		a.setUnreadable("the stream has several messages where pieces of one belong", message)
	}
}

// addMessage adds a message or a piece of one.
func (a chatReader) addMessage(message []byte) (err error) {
	isObject := rawjson.Members(message, func(n, v []byte) {
		switch string(n) {
		case "role":
			a.checkRole(v)
		case "content":
			if !rawjson.IsSet(v) {
				return
			}
			var ok bool
			if a.text, ok = rawjson.AppendText(a.text, v); !ok && !a.addParts(v) {
				err = a.cannotRead("the content is neither a text nor a list of parts", v)
			}
		case "refusal":
			a.refusal, _ = rawjson.AppendText(a.refusal, v)
		case "reasoning":
			a.addReasoning(chatReasoning, v)
		case "reasoning_content":
			a.addReasoning(chatReasoningContent, v)
		case "reasoning_details":
			// OpenRouter's form: parts of text and summary, and encrypted ones that
			// hold nothing to read.
			rawjson.Elements(v, func(part []byte) {
				a.addReasoning(chatReasoningDetails, rawjson.Member(part, "text"))
				a.addReasoning(chatReasoningDetails, rawjson.Member(part, "summary"))
			})
		case "tool_calls":
			rawjson.Elements(v, a.addCall)
		case "function_call":
			if isFilled(v) {
				a.hasToolCall, a.active = true, true
			}
		}
	})
	a.noteMessage(isObject, message)
	return err
}

// addCall adds a call of a tool, or a piece of one. Pieces name their call by its index; a
// call without an index is whole.
func (a *partialReply) addCall(call []byte) {
	index := rawjson.Member(call, "index")
	isFirst := string(index) == "0"
	if !rawjson.IsSet(index) {
		isFirst = a.startCall()
	}
	a.hasToolCall, a.active = true, true
	if isFirst {
		a.addArguments(rawjson.Member(rawjson.Member(call, "function"), "arguments"))
	}
}

// isFilled reports whether a value is there and not empty.
func isFilled(raw json.RawMessage) bool { return isError(raw) && string(raw) != "{}" }

// isError reports whether the value of a member "error" is one. Some servers write an
// empty one next to a reply.
func isError(raw json.RawMessage) bool {
	switch string(raw) {
	case "[]", `""`, "false":
		return false
	}
	return rawjson.IsSet(raw)
}

// addParts adds content that comes as a list of parts: texts, and in Mistral's form parts of
// type "thinking" with texts of their own. It reports whether raw is a list.
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
			a.addReasoning(chatContentParts, rawjson.Member(part, "text"))
		case "thinking":
			reasoning := rawjson.Member(part, "thinking")
			a.addReasoning(chatContentParts, reasoning)
			rawjson.Elements(reasoning, func(t []byte) { a.addReasoning(chatContentParts, rawjson.Member(t, "text")) })
		default:
			a.noteUnknownPart(kind, part)
		}
	})
}

func (a chatReader) complete(e *Endpoint) error {
	if a.message != nil && len(a.text)+len(a.refusal) == 0 {
		if err := a.addMessage(a.message); err != nil {
			return err
		}
	}
	switch {
	case a.finish == "" && a.done && a.isEmpty():
		return cutError{"the reply has no choice and no finish reason"}
	case a.finish == "":
		return cutError{"the reply ended without a finish reason"}
	case !a.done && !e.DoneOptional:
		return cutError{"the stream ended without its end marker [DONE]"}
	case !a.hasMessage && a.unknownPart == "" && a.mappedFinish() == verbatim.FinishStop:
		return unreadableError{"the reply has a finish reason but no message"}
	}
	return nil
}

// chatRequest writes the request for a chat completion.
func chatRequest(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	messages, err := chatMessages(prompt)
	if err != nil {
		return request{}, err
	}
	o := newBody()
	o.Text("model", e.Model)
	if e.Stream {
		o.Raw("stream", []byte("true"))
		if e.StreamOptions == nil {
			o.Raw("stream_options", []byte(`{"include_usage":true}`))
		} else if len(e.StreamOptions) > 0 {
			o.Value("stream_options", e.StreamOptions)
		}
	}
	if maxTokens > 0 {
		o.Value(cmp.Or(e.MaxTokensField, "max_tokens"), maxTokens)
	}
	optionalField(o, "temperature", params.Temperature)
	optionalField(o, "top_p", params.TopP)
	optionalField(o, cmp.Or(e.SeedField, "seed"), params.Seed)
	addLogprobs(o, params)
	if err := chatEffort(o, e, params); err != nil {
		return request{}, err
	}
	form := chatStructure(params)
	o.Extra(params.Extra, append(form.Names(), "stream", "messages")...)
	full, sent, err := o.With("messages", messages)
	return request{path: "/chat/completions", sent: sent, body: form.appendTo(full)}, err
}

// addLogprobs adds the request for log probabilities, as chat completions and Ollama have it.
func addLogprobs(o *bodyWriter, params verbatim.Params) {
	if params.Logprobs > 0 {
		o.Raw("logprobs", []byte("true"))
		o.Value("top_logprobs", params.Logprobs)
	}
}

// chatEffort adds the reasoning effort and the reasoning token limit. OpenRouter has an object
// for both; elsewhere only the effort can be set.
func chatEffort(o *bodyWriter, e Endpoint, params verbatim.Params) error {
	if !e.ReasoningObject {
		if params.ReasoningBudget != nil {
			return errors.New("this endpoint has no parameter for reasoning tokens")
		}
		if params.Effort != "" {
			o.Text("reasoning_effort", params.Effort)
		}
		return nil
	}
	reasoning := map[string]any{}
	if params.Effort != "" {
		reasoning["effort"] = params.Effort
	}
	if params.ReasoningBudget != nil {
		reasoning["max_tokens"] = *params.ReasoningBudget
	}
	if len(reasoning) > 0 {
		o.Value("reasoning", reasoning)
	}
	return nil
}

// chatMessages returns the messages of the prompt.
func chatMessages(prompt verbatim.Prompt) ([]byte, error) {
	return bodyMessages(prompt, 0, func(b []byte, m verbatim.Message) ([]byte, error) {
		return appendMessage(b, m, chatPart), nil
	})
}

// chatPart appends a part of the content.
func chatPart(b []byte, p verbatim.Part) []byte {
	if p.Image == nil {
		return append(rawjson.AppendString(append(b, `{"type":"text","text":`...), p.Text), '}')
	}
	return append(appendDataURI(append(b, `{"type":"image_url","image_url":{"url":`...), p.Image), `}}`...)
}
