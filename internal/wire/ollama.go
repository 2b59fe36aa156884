package wire

import (
	"bytes"
	"encoding/json"

	"verbatim"
	"verbatim/internal/rawjson"
)

// Ollama asks Ollama's own API for a chat, streamed or in one piece as e.Stream
// says. The base URL may end in /api or before it. maxTokens bounds the answer,
// reasoning included; 0 sends no bound. An Effort of "true" or "false" switches
// thinking on or off, any other word is a level. A number of reasoning tokens is
// refused: the API has none. Extra's "options", such as {"options": {"num_ctx":
// 8192}}, join those that are sent anyway.
//
// The server is told neither to shorten a prompt that is longer than the context
// nor to forget its beginning while it answers, both of which it would do without a
// word: it is an error instead, or the end of the answer by its length.
//
// An answer counts when a line says that it is done and why; a server that only
// says that it is done has broken it off. The error is a *verbatim.Failure with
// one attempt. Reasoning is what came as "thinking". The API counts no reasoning
// and no cached tokens, and leaves out a count that is zero, which is nil here like
// any that is missing.
func Ollama() *Protocol {
	return &Protocol{
		Name:            "ollama",
		Title:           "Ollama's own API",
		Example:         "http://host:11434",
		Root:            "/api",
		Models:          "/tags",
		reasoningFields: []string{"thinking"},
		lines:           true,
		request:         ollamaRequest,
		reader:          func(a *answer) reader { return ollamaReader{a} },
	}
}

// An ollamaReader reads chats and their pieces, which look the same.
type ollamaReader struct{ *answer }

func (a ollamaReader) event(ev event) error {
	data := bytes.TrimSpace(ev.data)
	if !rawjson.Valid(data) {
		return unreadableError{"a line of the answer cannot be read: " + Clean(string(data), 80)}
	}
	return a.take(data)
}

func (a ollamaReader) document(body []byte) error {
	if !rawjson.IsSet(rawjson.Member(body, "done")) && !rawjson.IsSet(rawjson.Member(body, "error")) {
		if s := parseError(body, a.key, 2); s.message != "" {
			return s
		}
		return unreadableError{"the answer does not say whether it is done"}
	}
	return a.take(body)
}

// take adds a piece, or the whole. The error is what came in its place.
func (a ollamaReader) take(line []byte) (err error) {
	var failure, reason json.RawMessage
	isObject := rawjson.Members(line, func(n, v []byte) {
		switch string(n) {
		case "error":
			failure = v
		case "model":
			keep(&a.model, v)
		case "remote_model", "remote_host":
			a.apply(string(n), v)
		case "message":
			err = a.say(v)
		case "done":
			a.done = string(v) == "true"
		case "done_reason":
			reason = v
		case "prompt_eval_count":
			a.counted(&a.usage.Prompt, v)
		case "eval_count":
			a.counted(&a.usage.Completion, v)
		}
	})
	switch {
	case !isObject:
		return unreadableError{"a line of the answer is no object: " + Clean(string(line), 80)}
	case rawjson.IsSet(failure):
		return parseError(line, a.key, 2)
	case a.done:
		a.end(reason)
	}
	return err
}

// say adds a message or a piece of one.
func (a ollamaReader) say(message []byte) (err error) {
	isObject := rawjson.Members(message, func(n, v []byte) {
		switch string(n) {
		case "role":
			a.heed(v)
		case "content":
			var ok bool
			if a.text, ok = rawjson.AppendText(a.text, v); !ok && rawjson.IsSet(v) {
				err = unreadableError{"the content is no text: " + Clean(string(v), 80)}
			}
		case "thinking":
			a.think(0, v)
		case "tool_calls":
			if isFilled(v) {
				a.tools, a.news = true, true
			}
		}
	})
	if isObject {
		a.spoken = true
	} else if rawjson.IsSet(message) {
		a.fault("the message is no object", message)
	}
	return err
}

func (a ollamaReader) complete(*Endpoint) error {
	switch {
	case !a.done:
		return cutError{"the answer ended without saying that it is done"}
	case a.finish == "":
		return cutError{"the answer is called done, but without a reason: the server broke it off"}
	case !a.spoken && a.mapped() == verbatim.FinishStop:
		return unreadableError{"the answer is done, but there was no message"}
	}
	return nil
}
