package modeltest

import (
	"fmt"
	"strings"

	"verbatim"
)

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
