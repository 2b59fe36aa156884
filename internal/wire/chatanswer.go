package wire

import (
	"encoding/json"
	"strings"
	"time"

	"verbatim"
)

// A chatChunk is one event of a stream, or the whole answer where it came in one
// piece. Whatever is not needed for the answer is loose: a server that spells it
// in its own way has answered all the same.
type chatChunk struct {
	ID          loose           `json:"id"`
	Model       loose           `json:"model"`
	Fingerprint loose           `json:"system_fingerprint"`
	Choices     []chatChoice    `json:"choices"`
	Usage       usage           `json:"usage"`
	Error       json.RawMessage `json:"error"`
	Object      loose           `json:"object"`
}

type chatChoice struct {
	Index   loose           `json:"index"`
	Delta   chatMessage     `json:"delta"`
	Message chatMessage     `json:"message"`
	Finish  loose           `json:"finish_reason"`
	Error   json.RawMessage `json:"error"`
}

type chatMessage struct {
	Content          json.RawMessage `json:"content"`
	Refusal          json.RawMessage `json:"refusal"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	ReasoningDetails json.RawMessage `json:"reasoning_details"`
	ToolCalls        json.RawMessage `json:"tool_calls"`
	FunctionCall     json.RawMessage `json:"function_call"`
}

// A loose is a string, or the text of a number; anything else is empty.
type loose string

// UnmarshalJSON never fails.
func (l *loose) UnmarshalJSON(raw []byte) error {
	s, ok := Text(raw)
	if !ok && len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		s = string(raw)
	}
	*l = loose(Clean(s, longestValue))
	return nil
}

// The fields that reasoning comes in, in the order of preference, and the type
// of part that holds it within content.
const (
	fieldReasoning = iota
	fieldReasoningContent
	fieldReasoningDetails
	fieldContentParts
	reasoningFields
)

// A chatAnswer is what has arrived of an answer.
type chatAnswer struct {
	key   Key
	clock func() *time.Duration
	touch func()

	text      []byte
	refusal   []byte
	reasoning [reasoningFields][]byte
	tools     bool
	finish    string
	usage     verbatim.Usage
	id        string
	model     string

	fingerprint string
	done        bool // the end marker, or the end of the document, was there

	firstReasoning *time.Duration
	firstContent   *time.Duration
}

// take adds a chunk. The error is a *serverError that came in its place.
func (a *chatAnswer) take(chunk *chatChunk, streamed bool) error {
	if isSet(chunk.Error) {
		return parseError(chunk.Error, a.key, 1)
	}
	keep(&a.id, chunk.ID)
	keep(&a.model, chunk.Model)
	keep(&a.fingerprint, chunk.Fingerprint)
	if chunk.Usage.addTo(&a.usage) {
		a.touch()
	}
	for i := range chunk.Choices {
		choice := &chunk.Choices[i]
		if choice.Index != "" && choice.Index != "0" {
			continue
		}
		if isSet(choice.Error) {
			return parseError(choice.Error, a.key, 1)
		}
		// In a stream only the delta counts: some servers repeat the whole message
		// in the last event.
		message := &choice.Message
		if streamed {
			message = &choice.Delta
		}
		if err := a.add(message, streamed); err != nil {
			return err
		}
		if choice.Finish != "" {
			a.finish = string(choice.Finish)
			a.touch()
		}
	}
	return nil
}

// keep sets what has no value yet.
func keep(s *string, v loose) {
	if *s == "" {
		*s = string(v)
	}
}

// add adds a message or a piece of one.
func (a *chatAnswer) add(m *chatMessage, streamed bool) error {
	before, thoughtBefore := len(a.text)+len(a.refusal), a.thoughtBytes()
	var ok bool
	a.refusal, _ = appendText(a.refusal, m.Refusal)
	r := &a.reasoning
	r[fieldReasoning], _ = appendText(r[fieldReasoning], m.Reasoning)
	r[fieldReasoningContent], _ = appendText(r[fieldReasoningContent], m.ReasoningContent)
	a.addDetails(m.ReasoningDetails)
	if isSet(m.Content) {
		if a.text, ok = appendText(a.text, m.Content); !ok && !a.addParts(m.Content) {
			return unreadableError{"the content is neither a text nor a list of parts: " + Clean(string(m.Content), 80)}
		}
	}
	if isFilled(m.ToolCalls) || isFilled(m.FunctionCall) {
		a.tools = true
		a.touch()
	}
	content, thought := len(a.text)+len(a.refusal) > before, a.thoughtBytes() > thoughtBefore
	if !content && !thought {
		return nil
	}
	a.touch()
	if streamed && content && a.firstContent == nil {
		a.firstContent = a.clock()
	}
	if streamed && thought && a.firstReasoning == nil {
		a.firstReasoning = a.clock()
	}
	return nil
}

// isFilled reports whether a list or an object is there and not empty.
func isFilled(raw json.RawMessage) bool {
	return isSet(raw) && string(raw) != "[]" && string(raw) != "{}"
}

// addDetails adds OpenRouter's form of reasoning: parts of text and summary, and
// encrypted ones that hold nothing to read.
func (a *chatAnswer) addDetails(raw json.RawMessage) {
	if !isFilled(raw) {
		return
	}
	var details []struct{ Text, Summary json.RawMessage }
	if json.Unmarshal(raw, &details) != nil {
		return
	}
	to := &a.reasoning[fieldReasoningDetails]
	for _, d := range details {
		*to, _ = appendText(*to, d.Text)
		*to, _ = appendText(*to, d.Summary)
	}
}

// addParts adds content that comes in parts: texts, and in Mistral's form parts
// of type "thinking" with texts of their own. It reports whether raw is such.
func (a *chatAnswer) addParts(raw json.RawMessage) bool {
	var parts []struct {
		Type     loose
		Text     json.RawMessage
		Thinking json.RawMessage
	}
	if json.Unmarshal(raw, &parts) != nil {
		return false
	}
	for _, p := range parts {
		switch p.Type {
		case "text", "output_text", "":
			a.text, _ = appendText(a.text, p.Text)
		case "thinking":
			to := &a.reasoning[fieldContentParts]
			var inner []struct{ Text json.RawMessage }
			*to, _ = appendText(*to, p.Thinking)
			if json.Unmarshal(p.Thinking, &inner) == nil {
				for _, t := range inner {
					*to, _ = appendText(*to, t.Text)
				}
			}
		}
	}
	return true
}

func (a *chatAnswer) thoughtBytes() int {
	n := 0
	for _, r := range a.reasoning {
		n += len(r)
	}
	return n
}

// thoughts returns the reasoning and the name of the field that it came in.
func (a *chatAnswer) thoughts() (text, field string) {
	names := [reasoningFields]string{"reasoning", "reasoning_content", "reasoning_details", "content.thinking"}
	for i, r := range a.reasoning {
		if len(r) > 0 {
			return string(r), names[i]
		}
	}
	return "", ""
}

// complete says what is missing of an answer that ended properly, if anything.
func (a *chatAnswer) complete(e Endpoint) error {
	switch reason := strings.ToLower(a.finish); {
	case reason == "error" || reason == "abort":
		return &serverError{message: "the server gave the answer up: finish_reason " + a.finish}
	case a.finish == "" && a.done && a.empty():
		return cutError{"the answer has no choice and no finish reason"}
	case a.finish == "":
		return cutError{"the answer ended without a finish reason"}
	case !a.done && !e.DoneOptional:
		return cutError{"the stream ended without its end marker [DONE]"}
	}
	return nil
}

func (a *chatAnswer) empty() bool {
	return len(a.text)+len(a.refusal)+a.thoughtBytes() == 0 && !a.tools
}

// mapped returns the finish reason in our words.
func (a *chatAnswer) mapped() verbatim.Finish {
	switch {
	case len(a.refusal) > 0:
		return verbatim.FinishRefusal
	case a.tools && len(a.text) == 0:
		return verbatim.FinishOther
	}
	return Finish(a.finish)
}

// Finish translates a finish reason. The spellings are those of OpenAI, and of
// servers that pass on what their engine says; case does not matter.
func Finish(raw string) verbatim.Finish {
	switch strings.ToLower(raw) {
	case "":
		return verbatim.FinishUnknown
	case "stop", "eos", "eos_token", "stop_sequence", "end_turn":
		return verbatim.FinishStop
	case "length", "max_tokens", "model_length", "max_output_tokens":
		return verbatim.FinishLength
	case "content_filter", "safety", "recitation", "prohibited_content":
		return verbatim.FinishFilter
	case "refusal":
		return verbatim.FinishRefusal
	}
	return verbatim.FinishOther
}
