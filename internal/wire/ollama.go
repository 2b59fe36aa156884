package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// Ollama is Ollama's own API for a chat, streamed or in one piece as e.Stream says. The
// base URL may end in /api or before it. The token limit includes reasoning; 0 sends none.
// An Effort of "true" or "false" switches reasoning on or off, any other word is a level.
// The API has no reasoning token limit: one is refused. An extra parameter "options", such as
// {"options": {"num_ctx": 8192}}, is joined with the options that are sent anyway.
//
// The request forbids the server to shorten a prompt that is longer than the context, and
// to drop the beginning of the prompt during the reply. The server would do both silently.
// Instead it returns an error, or the reply ends with FinishLength.
//
// A reply counts if a line says that it is done and why. Reasoning is the field "thinking". The
// API does not count reasoning and cached tokens. It leaves out a count of zero, which is nil here
// like any missing count.
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
		reader:          func(a *partialReply) reader { return ollamaReader{a} },
	}
}

// ollamaRequest writes the request for a chat.
func ollamaRequest(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	if params.ReasoningBudget != nil {
		return request{}, errors.New("Ollama has no reasoning token limit: set an effort instead")
	}
	messages, err := ollamaMessages(prompt)
	if err != nil {
		return request{}, err
	}
	o := newBody()
	o.Text("model", e.Model)
	o.Raw("stream", strconv.AppendBool(nil, e.Stream)) // streaming is the API's default
	o.Raw("truncate", []byte("false"))
	o.Raw("shift", []byte("false"))
	switch params.Effort {
	case "":
	case "true", "false":
		o.Raw("think", []byte(params.Effort))
	default:
		o.Text("think", params.Effort)
	}
	addLogprobs(o, params)
	options := newBody()
	if maxTokens > 0 {
		options.Value(cmp.Or(e.MaxTokensField, "num_predict"), maxTokens)
	}
	optionalField(options, "temperature", params.Temperature)
	optionalField(options, "top_p", params.TopP)
	optionalField(options, cmp.Or(e.SeedField, "seed"), params.Seed)
	extra := o.object("options", options, params.Extra)
	form := ollamaStructure(params)
	o.Extra(extra, append(form.Names(), "messages")...)
	full, sent, err := o.With("messages", messages)
	return request{path: ollamaPath(e), sent: sent, body: form.appendTo(full)}, err
}

// ollamaPath returns the path that is appended to the base URL. A base URL without a path
// gets the root of the protocol.
func ollamaPath(e Endpoint) string {
	u, err := e.parse()
	if err != nil || u.Path == "" || strings.HasSuffix(u.Path, "/api") {
		return "/chat"
	}
	return "/api/chat"
}

// ollamaMessages returns the messages of the prompt. A message has one text and a list of
// images, without an order between them.
func ollamaMessages(prompt verbatim.Prompt) ([]byte, error) {
	return bodyMessages(prompt, 0, func(b []byte, m verbatim.Message) ([]byte, error) {
		var texts []string
		var images []verbatim.Part
		for _, p := range m.Content {
			if p.Image != nil {
				images = append(images, p)
			} else {
				texts = append(texts, p.Text)
			}
		}
		if len(texts) > 1 {
			return nil, errors.New("Ollama takes one text in a message: join them")
		}
		b = rawjson.AppendString(append(b, `{"role":`...), m.Role)
		b = rawjson.AppendString(append(b, `,"content":`...), strings.Join(texts, ""))
		if len(images) > 0 {
			b = appendParts(append(b, `,"images":`...), images, func(b []byte, p verbatim.Part) []byte {
				return appendBase64(b, p.Image)
			})
		}
		return append(b, '}'), nil
	})
}

// An ollamaReader reads chats and their pieces, which look the same.
type ollamaReader struct{ *partialReply }

func (a ollamaReader) event(ev streamEvent) error {
	data, isJSON := ReadJSON(ev.Data)
	if !isJSON {
		return a.cannotRead("a line of the reply cannot be read", data)
	}
	return a.addLine(data)
}

func (a ollamaReader) document(body []byte) error {
	if !rawjson.IsSet(rawjson.Member(body, "done")) && !rawjson.IsSet(rawjson.Member(body, "error")) {
		return a.noReply(body, "the reply does not say whether it is done")
	}
	return a.addLine(body)
}

// addLine adds a piece of a chat, or a whole one. The error is one that the server sent in its
// place, or an unreadableError.
func (a ollamaReader) addLine(line []byte) (err error) {
	var failure, reason json.RawMessage
	isObject := rawjson.Members(line, func(n, v []byte) {
		switch string(n) {
		case "error":
			failure = v
		case "model":
			setOnce(&a.model, v)
		case "remote_model", "remote_host":
			a.addApplied(string(n), v)
		case "message":
			err = a.addMessage(v)
		case "logprobs":
			a.addTokens(v, readLogprobs)
		case "done":
			a.done = string(v) == "true"
		case "done_reason":
			reason = v
		case "prompt_eval_count":
			a.setCount(&a.usage.Prompt, v)
		case "eval_count":
			a.setCount(&a.usage.Completion, v)
		}
	})
	switch {
	case !isObject:
		return a.cannotRead("a line of the reply is no object", line)
	case rawjson.IsSet(failure):
		return parseError(line, a.key, ofBody)
	case a.done:
		a.setFinish(reason)
	}
	return err
}

// addMessage adds a message or a piece of one.
func (a ollamaReader) addMessage(message []byte) (err error) {
	isObject := rawjson.Members(message, func(n, v []byte) {
		switch string(n) {
		case "role":
			a.checkRole(v)
		case "content":
			var ok bool
			if a.text, ok = rawjson.AppendText(a.text, v); !ok && rawjson.IsSet(v) {
				err = a.cannotRead("the content is no text", v)
			}
		case "thinking":
			a.addReasoning(0, v)
		case "tool_calls":
			rawjson.Elements(v, a.addCall)
		}
	})
	a.noteMessage(isObject, message)
	return err
}

func (a ollamaReader) complete(*Endpoint) error {
	switch {
	case !a.done:
		return cutError{"the reply ended without saying that it is done"}
	case a.finish == "":
		return cutError{"the reply is done, but has no reason for it"}
	case !a.hasMessage && a.mappedFinish() == verbatim.FinishStop:
		return unreadableError{"the reply is done, but there was no message"}
	}
	return nil
}
