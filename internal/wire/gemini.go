package wire

import (
	"bytes"

	"verbatim/internal/finish"
	"verbatim/internal/rawjson"
)

// Gemini asks an endpoint that speaks Google's generateContent, streamed or in
// one piece as e.Stream says; what comes back decides how it is read: server-sent
// events, a document, or a stream in the form of one JSON array. A base URL
// without a path gets "/v1beta". The key is sent as "x-goog-api-key" unless
// e.AuthHeader names another header; it never stands in the URL. e.Model may be
// given with or without "models/". maxTokens bounds the answer, thinking
// included; 0 sends no bound. Only what params name is sent, and nothing that was
// asked for is left out.
//
// ReasoningBudget is sent as thinkingBudget and Effort as thinkingLevel; either
// asks for the thoughts to be shown, except a budget of 0, which turns thinking
// off. An object "generationConfig" among the extra parameters joins the one that
// is sent. System messages become the systemInstruction and must come before all
// others.
//
// An answer counts when it has a finish reason and the body has ended as its own
// framing says, between two events: this protocol has no end marker. The error is
// a *verbatim.Failure with one attempt. Candidates after the first are ignored.
//
// Text is that of all parts that are not thoughts; the parts marked as thoughts
// are the Reasoning. A prompt that was blocked is a reply without text whose
// Finish is content_filter and whose FinishRaw is the reason for the block.
// Usage.Completion counts the candidate and its thoughts, which the protocol
// counts apart. FirstContent and FirstReasoning are known of streams only.
//
// Source: https://ai.google.dev/api/generate-content.
func Gemini() *Protocol {
	return &Protocol{
		Name:            "gemini",
		Title:           "Google's generateContent",
		Example:         "https://host/v1beta",
		Root:            "/v1beta",
		AuthHeader:      "X-Goog-Api-Key",
		reasoningFields: []string{"thought"},
		request:         geminiRequest,
		reader: func(a *answer) reader {
			a.meaningOf = finish.OfGemini
			return &geminiReader{answer: a}
		},
	}
}

// A geminiReader reads responses of generateContent: in a stream each event is
// one, with a piece of the text.
type geminiReader struct {
	*answer
	// The two parts of the output, of which the usage is the sum.
	candidate, thinking *int64
}

func (a *geminiReader) event(ev event) error {
	data := bytes.TrimSpace(ev.data)
	switch {
	case rawjson.Valid(data):
		return a.take(data)
	case ev.name == "error":
		return readError(data, a.key)
	case len(data) == 0, ev.name != "" && ev.name != "message", string(data) == "[DONE]":
		return nil // nothing, of a kind of its own, or OpenAI's mark, which some add
	}
	return unreadableError{"an event of the stream cannot be read: " + Clean(string(data), 80)}
}

func (a *geminiReader) document(body []byte) (err error) {
	if rawjson.Elements(body, func(response []byte) {
		if err == nil {
			err = a.take(response)
		}
	}) {
		return err
	}
	isAnswer := rawjson.IsSet(rawjson.Member(body, "candidates")) || rawjson.IsSet(rawjson.Member(body, "promptFeedback")) || rawjson.IsSet(rawjson.Member(body, "usageMetadata"))
	if !isAnswer && !rawjson.IsSet(rawjson.Member(body, "error")) {
		if s := readError(body, a.key); s.message != "" {
			return s
		}
		return unreadableError{"the answer has no candidates"}
	}
	return a.take(body)
}

// take adds a response. The error is what came in its place.
func (a *geminiReader) take(response []byte) (err error) {
	ok := rawjson.Members(response, func(n, v []byte) {
		switch string(n) {
		case "error":
			if rawjson.IsSet(v) && err == nil {
				err = readError(response, a.key)
			}
		case "candidates":
			place := 0
			isList := rawjson.Elements(v, func(candidate []byte) {
				a.choose(candidate, place)
				place++
			})
			if !isList && rawjson.IsSet(v) {
				a.fault("the candidates are no list", v)
			}
		case "promptFeedback":
			a.takeFeedback(v)
		case "usageMetadata":
			a.takeUsage(v)
		case "modelVersion":
			keep(&a.model, v)
		case "responseId":
			keep(&a.id, v)
		}
	})
	if !ok {
		return unreadableError{"an event of the stream is no object: " + Clean(string(response), 80)}
	}
	return err
}

// takeFeedback takes why a prompt was blocked. Its reasons are not all among
// those of an answer's end: "OTHER" is one.
func (a *geminiReader) takeFeedback(feedback []byte) {
	reason := rawjson.Member(feedback, "blockReason")
	if isSpecified(reason) {
		a.filtered = true
		a.end(reason)
	}
}

// isSpecified reports whether an enumeration of a protocol buffer has a value: its
// zero is written out by some servers.
func isSpecified(raw []byte) bool {
	return rawjson.IsSet(raw) && !bytes.HasSuffix(raw, []byte(`_UNSPECIFIED"`))
}

// choose adds what a candidate brings, if it is the first: by its index, or by its
// place in the list where it has none.
func (a *geminiReader) choose(candidate []byte, place int) {
	var index, content, reason, message []byte
	rawjson.Members(candidate, func(n, v []byte) {
		switch string(n) {
		case "index":
			index = v
		case "content":
			content = v
		case "finishReason":
			reason = v
		case "finishMessage":
			message = v
		}
	})
	if rawjson.IsSet(index) && string(index) != "0" || !rawjson.IsSet(index) && place > 0 {
		return
	}
	isObject := rawjson.Members(content, func(n, v []byte) {
		switch string(n) {
		case "parts":
			if !rawjson.Elements(v, a.addPart) && rawjson.IsSet(v) {
				a.fault("the parts of the answer are no list", v)
			}
		case "role":
			a.heed(v)
		}
	})
	if !isObject && rawjson.IsSet(content) {
		a.fault("the content of the answer is no object", content)
	}
	if isSpecified(reason) {
		a.end(reason)
		a.finishMessage = serverText(message, a.key)
	}
}

// addPart adds a part: a piece of the text or of the thoughts. A signature of
// thoughts may ride on a part of either kind and says nothing about it.
func (a *geminiReader) addPart(part []byte) {
	var text []byte
	thought := false
	rawjson.Members(part, func(n, v []byte) {
		switch string(n) {
		case "text":
			text = v
		case "thought":
			thought = string(v) == "true"
		case "functionCall", "executableCode":
			a.tools, a.news = true, true
		}
	})
	if thought {
		a.think(0, text)
	} else {
		a.addText(text)
	}
}

// takeUsage lays a report of token counts over an earlier one; reports are
// cumulative. The prompt includes what was cached.
func (a *geminiReader) takeUsage(usage []byte) {
	rawjson.Members(usage, func(n, v []byte) {
		switch string(n) {
		case "promptTokenCount":
			a.counted(&a.usage.Prompt, v)
		case "cachedContentTokenCount":
			a.counted(&a.usage.Cached, v)
		case "candidatesTokenCount":
			a.counted(&a.candidate, v)
		case "thoughtsTokenCount":
			a.counted(&a.thinking, v)
		case "serviceTier", "trafficType":
			a.apply(string(n), v)
		}
	})
	a.usage.Reasoning = a.thinking
	total(&a.usage.Completion, a.candidate, a.thinking)
}

func (a *geminiReader) complete(*Endpoint) error {
	switch {
	case a.finish == "":
		return cutError{"the answer ended without a finish reason"}
	case a.torn:
		return cutError{"the stream ended within an event"}
	}
	return nil
}
