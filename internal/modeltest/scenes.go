package modeltest

import (
	"encoding/json"
	"fmt"
	"strings"

	"verbatim"
)

// ChatError writes an error object. A code of digits is a number, as OpenRouter and llama.cpp have
// it.
func ChatError(e Error) string {
	code := JSONText(e.Code)
	switch {
	case e.Code == "":
		code = "null"
	case e.isNumber():
		code = e.Code
	}
	return fmt.Sprintf(`{"message":%s,"type":null,"param":null,"code":%s}`, JSONText(e.Message), code)
}

func chatFinish(f verbatim.Finish) string {
	if f == "" {
		return "null"
	}
	return JSONText(string(f))
}

func chatUsage(u verbatim.Usage) string {
	b, _ := json.Marshal(map[string]any{
		"prompt_tokens":             u.Prompt,
		"completion_tokens":         u.Completion,
		"prompt_tokens_details":     map[string]any{"cached_tokens": u.Cached},
		"completion_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning},
	})
	return string(b)
}

// ChatStream writes a scene as chat completion chunks.
func ChatStream(s Scene) Body {
	var b strings.Builder
	chunk := func(format string, args ...any) {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","model":"served","system_fingerprint":"fp",`+format+"}\n\n", args...)
	}
	delta := func(field, text string) {
		chunk(`"choices":[{"index":0,"delta":{"%s":%s},"finish_reason":null}],"usage":null`, field, JSONText(text))
	}
	chunk(`"choices":[{"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}]`)
	for _, r := range s.Reasoning {
		delta("reasoning_content", r)
	}
	if s.Refusal != "" {
		delta("refusal", s.Refusal)
	}
	for _, text := range s.Text {
		delta("content", text)
	}
	if s.Error != nil {
		chunk(`"choices":[],"error":%s`, ChatError(*s.Error))
	}
	chunk(`"choices":[{"index":0,"delta":{},"finish_reason":%s}]`, chatFinish(s.Finish))
	for _, u := range s.Usage {
		chunk(`"choices":[],"usage":%s`, chatUsage(u))
	}
	if s.NullUsage {
		chunk(`"choices":[],"usage":null`)
	}
	b.WriteString("data: [DONE]\n\n")
	// The blank line ends the event.
	return Body{Type: "text/event-stream", Bytes: []byte(b.String()), End: b.Len()}
}

// ChatDocument writes a scene as a chat completion in one piece.
func ChatDocument(s Scene) Body {
	var b strings.Builder
	join := func(pieces []string) string { return JSONText(strings.Join(pieces, "")) }
	fmt.Fprintf(&b, `{"id":"chatcmpl-1","object":"chat.completion","model":"served","choices":[{"index":0,"message":{"role":"assistant","content":%s`, join(s.Text))
	if len(s.Reasoning) > 0 {
		fmt.Fprintf(&b, `,"reasoning":%s`, join(s.Reasoning))
	}
	if s.Refusal != "" {
		fmt.Fprintf(&b, `,"refusal":%s`, JSONText(s.Refusal))
	}
	fmt.Fprintf(&b, `},"finish_reason":%s}]`, chatFinish(s.Finish))
	if s.Error != nil {
		fmt.Fprintf(&b, `,"error":%s`, ChatError(*s.Error))
	}
	b.WriteString(s.usage("usage", chatUsage) + "}")
	return Body{Type: "application/json", Bytes: []byte(b.String()), End: b.Len()}
}

// responsesEnd returns the status of a scene, and in JSON why it is incomplete.
func responsesEnd(s Scene) (status, details string) {
	switch {
	case s.Error != nil:
		return "failed", "null"
	case s.Finish == verbatim.FinishStop:
		return "completed", "null"
	case s.Finish == verbatim.FinishLength:
		return "incomplete", `{"reason":"max_output_tokens"}`
	}
	return "incomplete", fmt.Sprintf(`{"reason":%q}`, s.Finish)
}

func responsesUsage(u verbatim.Usage) string {
	b, _ := json.Marshal(map[string]any{
		"input_tokens":          u.Prompt,
		"output_tokens":         u.Completion,
		"input_tokens_details":  map[string]any{"cached_tokens": u.Cached},
		"output_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning},
	})
	return string(b)
}

// responsesObject writes a scene as a response, with or without its output.
func responsesObject(s Scene, usage string, withOutput bool) string {
	join := func(pieces []string) string { return JSONText(strings.Join(pieces, "")) }
	status, details := responsesEnd(s)
	failure := "null"
	if s.Error != nil {
		failure = ChatError(*s.Error)
	}
	var items []string
	if len(s.Reasoning) > 0 {
		items = append(items, `{"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":`+join(s.Reasoning)+`}]}`)
	}
	var parts []string
	if len(s.Text) > 0 {
		parts = append(parts, `{"type":"output_text","annotations":[],"logprobs":[],"text":`+join(s.Text)+`}`)
	}
	if s.Refusal != "" {
		parts = append(parts, `{"type":"refusal","refusal":`+JSONText(s.Refusal)+`}`)
	}
	items = append(items, `{"type":"message","id":"msg_1","role":"assistant","content":[`+strings.Join(parts, ",")+`]}`)
	if !withOutput {
		items = nil
	}
	return fmt.Sprintf(`{"id":"resp_1","object":"response","model":"served","status":%q,"error":%s,"incomplete_details":%s,"temperature":1.0,"output":[%s],"usage":%s}`,
		status, failure, details, strings.Join(items, ","), usage)
}

// ResponsesStream writes a scene as events.
func ResponsesStream(s Scene) Body {
	var b strings.Builder
	n := 0
	event := func(kind, format string, args ...any) {
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,"+format+"}\n\n", append([]any{kind, kind, n}, args...)...)
		n++
	}
	usage := "null"
	for i, u := range s.Usage {
		if usage = responsesUsage(u); i < len(s.Usage)-1 {
			event("response.in_progress", `"response":{"id":"resp_1","status":"in_progress","usage":%s}`, usage)
		}
	}
	event("response.created", `"response":{"id":"resp_1","status":"in_progress","usage":null,"error":null}`)
	for _, r := range s.Reasoning {
		event("response.reasoning_text.delta", `"output_index":0,"delta":%s`, JSONText(r))
	}
	event("response.output_item.added", `"item":{"type":"message","content":[]}`)
	if s.Refusal != "" {
		event("response.refusal.delta", `"delta":%s`, JSONText(s.Refusal))
		event("response.refusal.done", `"refusal":%s`, JSONText(s.Refusal))
	}
	size := 0
	for _, text := range s.Text {
		event("response.output_text.delta", `"output_index":1,"content_index":0,"delta":%s`, JSONText(text))
		size += len(text)
	}
	if s.Error != nil {
		event("error", `"code":%s,"message":%s,"param":null`, JSONText(s.Error.Code), JSONText(s.Error.Message))
	}
	short := size < 1<<20 // a long text is only in the deltas
	if short {
		event("response.output_text.done", `"text":%s`, JSONText(strings.Join(s.Text, "")))
	}
	status, _ := responsesEnd(s)
	event("response."+status, `"response":%s`, responsesObject(s, usage, short))
	return Body{Type: "text/event-stream", Bytes: []byte(b.String()), End: b.Len()}
}

// ResponsesDocument writes a scene as a response in one piece.
func ResponsesDocument(s Scene) Body {
	usage := "null"
	if len(s.Usage) > 0 {
		usage = responsesUsage(s.Usage[0])
	}
	doc := responsesObject(s, usage, true)
	return Body{Type: "application/json", Bytes: []byte(doc), End: len(doc)}
}

// AnthropicError writes an error. The codes of the suite are OpenAI's.
func AnthropicError(e Error) string {
	kind := e.Code
	switch e.Code {
	case "":
		kind = "api_error"
	case "502":
		kind = "overloaded_error"
	case "429", "rate_limit_exceeded":
		kind = "rate_limit_error"
	case "invalid_api_key":
		kind = "authentication_error"
	case "model_not_found":
		kind = "not_found_error"
	case "insufficient_quota":
		kind = "billing_error"
	}
	return fmt.Sprintf(`{"type":"error","error":{"type":%s,"message":%s},"request_id":null}`, JSONText(kind), JSONText(e.Message))
}

// anthropicStop spells a finish. The protocol itself has no content filter.
func anthropicStop(s Scene) string {
	if s.Refusal != "" {
		return `"refusal"`
	}
	switch s.Finish {
	case "":
		return "null"
	case verbatim.FinishStop:
		return `"end_turn"`
	case verbatim.FinishLength:
		return `"max_tokens"`
	}
	return JSONText(string(s.Finish))
}

// anthropicUsage writes token counts: those of the input, of the output, or both.
func anthropicUsage(u verbatim.Usage, in, out bool) string {
	var fields []string
	add := func(format string, n *int64) {
		if n != nil {
			fields = append(fields, fmt.Sprintf(format, *n))
		}
	}
	if in {
		fresh := u.Prompt
		if u.Prompt != nil && u.Cached != nil {
			fresh = new(*u.Prompt - *u.Cached)
		}
		add(`"input_tokens":%d`, fresh)
		add(`"cache_read_input_tokens":%d`, u.Cached)
	}
	if out {
		add(`"output_tokens":%d`, u.Completion)
		add(`"output_tokens_details":{"thinking_tokens":%d}`, u.Reasoning)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// AnthropicStream writes a scene as the events of a message.
func AnthropicStream(s Scene) Body {
	var b strings.Builder
	event := func(kind, format string, args ...any) {
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":\"%s\""+format+"}\n\n", append([]any{kind, kind}, args...)...)
	}
	first, last := "", ""
	switch {
	case s.NullUsage:
		first, last = `,"usage":null`, `,"usage":null`
	case len(s.Usage) == 1:
		first, last = `,"usage":`+anthropicUsage(s.Usage[0], true, false), `,"usage":`+anthropicUsage(s.Usage[0], false, true)
	case len(s.Usage) > 1:
		first, last = `,"usage":`+anthropicUsage(s.Usage[0], true, true), `,"usage":`+anthropicUsage(s.Usage[1], true, true)
	}
	event("message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","model":"served","content":[],"stop_reason":null,"stop_sequence":null%s}`, first)
	index := 0
	block := func(kind, delta string, texts []string) {
		if len(texts) == 0 {
			return
		}
		event("content_block_start", `,"index":%d,"content_block":{"type":"%s","%s":""}`, index, kind, kind)
		for _, text := range texts {
			event("content_block_delta", `,"index":%d,"delta":{"type":"%s","%s":%s}`, index, delta, kind, JSONText(text))
		}
		if kind == "thinking" {
			event("content_block_delta", `,"index":%d,"delta":{"type":"signature_delta","signature":"c2ln"}`, index)
		}
		event("content_block_stop", `,"index":%d`, index)
		index++
	}
	block("thinking", "thinking_delta", s.Reasoning)
	if s.Refusal != "" {
		block("text", "text_delta", []string{s.Refusal})
	}
	block("text", "text_delta", s.Text)
	if s.Error != nil {
		b.WriteString("event: error\ndata: " + AnthropicError(*s.Error) + "\n\n")
	}
	event("message_delta", `,"delta":{"stop_reason":%s,"stop_sequence":null}%s`, anthropicStop(s), last)
	event("message_stop", "")
	return Body{Type: "text/event-stream", Bytes: []byte(b.String()), End: b.Len()}
}

// AnthropicDocument writes a scene as a message in one piece.
func AnthropicDocument(s Scene) Body {
	if s.Error != nil {
		b := []byte(AnthropicError(*s.Error))
		return Body{Type: "application/json", Bytes: b, End: len(b)}
	}
	var blocks []string
	block := func(kind string, texts ...string) {
		if len(texts) > 0 {
			blocks = append(blocks, fmt.Sprintf(`{"type":"%s","%s":%s}`, kind, kind, JSONText(strings.Join(texts, ""))))
		}
	}
	block("thinking", s.Reasoning...)
	if s.Refusal != "" {
		block("text", s.Refusal)
	}
	block("text", s.Text...)
	usage := s.usage("usage", func(u verbatim.Usage) string { return anthropicUsage(u, true, true) })
	b := fmt.Appendf(nil, `{"id":"msg_1","type":"message","role":"assistant","model":"served","content":[%s],"stop_reason":%s,"stop_sequence":null%s}`,
		strings.Join(blocks, ","), anthropicStop(s), usage)
	return Body{Type: "application/json", Bytes: b, End: len(b)}
}

// GeminiError writes an error. The codes of the suite are OpenAI's.
func GeminiError(e Error) string {
	fields := fmt.Sprintf(`"message":%s`, JSONText(e.Message))
	switch {
	case e.isNumber():
		fields += `,"code":` + e.Code
	case e.Code == "rate_limit_exceeded":
		fields += `,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel"}]}]`
	case e.Code == "insufficient_quota":
		fields += `,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]`
	case e.Code == "invalid_api_key":
		fields += `,"status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]`
	case e.Code != "":
		fields += `,"status":` + JSONText(strings.ToUpper(e.Code))
	}
	return `"error":{` + fields + `}`
}

// geminiFinish returns the member finishReason, or nothing.
func geminiFinish(f verbatim.Finish) string {
	word := map[verbatim.Finish]string{verbatim.FinishStop: "STOP", verbatim.FinishLength: "MAX_TOKENS", verbatim.FinishFilter: "PROHIBITED_CONTENT"}[f]
	if word == "" {
		return ""
	}
	return fmt.Sprintf(`,"finishReason":"%s"`, word)
}

// geminiUsage returns the value of the member usageMetadata.
func geminiUsage(u verbatim.Usage) string {
	var fields []string
	add := func(name string, n *int64) {
		if n != nil {
			fields = append(fields, fmt.Sprintf(`"%s":%d`, name, *n))
		}
	}
	candidate := u.Completion
	if u.Completion != nil && u.Reasoning != nil {
		candidate = new(*u.Completion - *u.Reasoning)
	}
	add("promptTokenCount", u.Prompt)
	add("cachedContentTokenCount", u.Cached)
	add("candidatesTokenCount", candidate)
	add("thoughtsTokenCount", u.Reasoning)
	return "{" + strings.Join(fields, ",") + "}"
}

// geminiPart writes a part of a candidate.
func geminiPart(text string, thought bool) string {
	if thought {
		return fmt.Sprintf(`{"text":%s,"thought":true}`, JSONText(text))
	}
	return fmt.Sprintf(`{"text":%s,"thoughtSignature":"c2ln"}`, JSONText(text))
}

// GeminiStream writes a scene as responses with a piece of the text each.
func GeminiStream(s Scene) Body {
	var b strings.Builder
	event := func(content, finish, rest string) {
		fmt.Fprintf(&b, `data: {"candidates":[{%s"index":0%s}]%s,"modelVersion":"served","responseId":"r1"}`+"\n\n", content, finish, rest)
	}
	part := func(text string, thought bool) {
		event(fmt.Sprintf(`"content":{"parts":[%s],"role":"model"},`, geminiPart(text, thought)), "", "")
	}
	for _, r := range s.Reasoning {
		part(r, true)
	}
	for _, text := range s.Text {
		part(text, false)
	}
	if s.Error != nil {
		b.WriteString("data: {" + GeminiError(*s.Error) + "}\n\n")
	}
	for i, u := range s.Usage {
		if i < len(s.Usage)-1 {
			event("", "", `,"usageMetadata":`+geminiUsage(u))
		}
	}
	s.Usage = s.Usage[max(0, len(s.Usage)-1):]
	last := s.usage("usageMetadata", geminiUsage)
	event(`"content":{"parts":[{"text":""}],"role":"model"},`, geminiFinish(s.Finish), last)
	return Body{Type: "text/event-stream", Bytes: []byte(b.String()), End: b.Len()}
}

// GeminiDocument writes a scene as a response in one piece.
func GeminiDocument(s Scene) Body {
	var parts []string
	if len(s.Reasoning) > 0 {
		parts = append(parts, geminiPart(strings.Join(s.Reasoning, ""), true))
	}
	if len(s.Text) > 0 {
		parts = append(parts, geminiPart(strings.Join(s.Text, ""), false))
	}
	rest := s.usage("usageMetadata", geminiUsage)
	if s.Error != nil {
		rest = "," + GeminiError(*s.Error)
	}
	b := fmt.Appendf(nil, `{"candidates":[{"content":{"parts":[%s],"role":"model"},"index":0%s}]%s,"modelVersion":"served","responseId":"r1"}`,
		strings.Join(parts, ","), geminiFinish(s.Finish), rest)
	return Body{Type: "application/json", Bytes: b, End: len(b)}
}

// OllamaError writes an error, which is a string. A code next to it is added by servers that offer
// Ollama's API in front of another one.
func OllamaError(e Error) string {
	if e.Code == "" {
		return fmt.Sprintf(`{"error":%s}`, JSONText(e.Message))
	}
	return fmt.Sprintf(`{"error":%s,"code":%s}`, JSONText(e.Message), JSONText(e.Code))
}

// ollamaLine writes a line with members of a message. done says that it is the last one.
func ollamaLine(message string, s Scene, usage verbatim.Usage, done bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"model":"served","created_at":"2026-11-21T08:00:00Z","message":{"role":"assistant",%s},"done":%v`, message, done)
	if done {
		fmt.Fprintf(&b, `,"done_reason":%s,"total_duration":5000000`, JSONText(string(s.Finish)))
	}
	for _, n := range []struct {
		name  string
		value *int64
	}{{"prompt_eval_count", usage.Prompt}, {"eval_count", usage.Completion}} {
		if n.value != nil {
			fmt.Fprintf(&b, `,%q:%d`, n.name, *n.value)
		} else if s.NullUsage {
			fmt.Fprintf(&b, `,%q:null`, n.name)
		}
	}
	return b.String() + "}"
}

// OllamaStream writes a scene as lines.
func OllamaStream(s Scene) Body {
	var b strings.Builder
	none := verbatim.Usage{}
	for _, r := range s.Reasoning {
		b.WriteString(ollamaLine(`"content":"","thinking":`+JSONText(r), s, none, false) + "\n")
	}
	for _, text := range s.Text {
		b.WriteString(ollamaLine(`"content":`+JSONText(text), s, none, false) + "\n")
	}
	last := none
	for i, u := range s.Usage {
		if last = u; i < len(s.Usage)-1 {
			b.WriteString(ollamaLine(`"content":""`, s, u, false) + "\n")
		}
	}
	if s.Error != nil {
		b.WriteString(OllamaError(*s.Error) + "\n")
		return Body{Type: "application/x-ndjson", Bytes: []byte(b.String())}
	}
	b.WriteString(ollamaLine(`"content":""`, s, last, true))
	// The line is complete with its last brace, without the line feed.
	return Body{Type: "application/x-ndjson", End: b.Len(), Bytes: []byte(b.String() + "\n")}
}

// OllamaDocument writes a scene in one piece.
func OllamaDocument(s Scene) Body {
	message := `"content":` + JSONText(strings.Join(s.Text, ""))
	if len(s.Reasoning) > 0 {
		message += `,"thinking":` + JSONText(strings.Join(s.Reasoning, ""))
	}
	usage := verbatim.Usage{}
	if len(s.Usage) > 0 {
		usage = s.Usage[0]
	}
	doc := ollamaLine(message, s, usage, true)
	if s.Error != nil {
		doc = OllamaError(*s.Error)
	}
	return Body{Type: "application/json", Bytes: []byte(doc), End: len(doc)}
}
