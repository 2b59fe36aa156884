package wire_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

func TestGemini(t *testing.T) {
	for _, stream := range []bool{true, false} {
		t.Run(map[bool]string{true: "Stream", false: "Plain"}[stream], func(t *testing.T) {
			modeltest.Run(t, modeltest.Harness{
				Stream:    stream,
				NoMark:    true,
				NoRefusal: true,
				Ask: func(ctx context.Context, e wire.Endpoint, p verbatim.Prompt) (verbatim.Reply, error) {
					e.Model = "test-model"
					return wire.Gemini(ctx, e, p, 100, verbatim.Params{})
				},
				Answer:    map[bool]func(modeltest.Scene) modeltest.Body{true: geminiStream, false: geminiDocument}[stream],
				KeepAlive: []byte(": hold\n\ndata: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}],\"role\":\"model\"},\"index\":0}],\"modelVersion\":\"served\"}\n\n"),
				Error: func(code, message string) []byte {
					return []byte("{" + geminiError(modeltest.Error{Code: code, Message: message}) + "}")
				},
			})
		})
	}
}

// geminiError writes an error; the words of the suite are OpenAI's.
func geminiError(e modeltest.Error) string {
	fields := fmt.Sprintf(`"message":%s`, modeltest.JSONText(e.Message))
	switch {
	case e.Code != "" && strings.Trim(e.Code, "0123456789") == "":
		fields += `,"code":` + e.Code
	case e.Code == "rate_limit_exceeded":
		fields += `,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel"}]}]`
	case e.Code == "insufficient_quota":
		fields += `,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]`
	case e.Code == "invalid_api_key":
		fields += `,"status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]`
	case e.Code != "":
		fields += `,"status":` + modeltest.JSONText(strings.ToUpper(e.Code))
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

// geminiUsage returns the member usageMetadata.
func geminiUsage(u verbatim.Usage) string {
	var fields []string
	add := func(name string, n *int64) {
		if n != nil {
			fields = append(fields, fmt.Sprintf(`"%s":%d`, name, *n))
		}
	}
	candidate := u.Completion
	if u.Completion != nil && u.Reasoning != nil {
		n := *u.Completion - *u.Reasoning
		candidate = &n
	}
	add("promptTokenCount", u.Prompt)
	add("cachedContentTokenCount", u.Cached)
	add("candidatesTokenCount", candidate)
	add("thoughtsTokenCount", u.Reasoning)
	return `,"usageMetadata":{` + strings.Join(fields, ",") + "}"
}

// geminiPart writes a part of a candidate.
func geminiPart(text string, thought bool) string {
	if thought {
		return fmt.Sprintf(`{"text":%s,"thought":true}`, modeltest.JSONText(text))
	}
	return fmt.Sprintf(`{"text":%s,"thoughtSignature":"c2ln"}`, modeltest.JSONText(text))
}

// geminiStream writes a scene as responses with a piece of the text each.
func geminiStream(s modeltest.Scene) modeltest.Body {
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
		b.WriteString("data: {" + geminiError(*s.Error) + "}\n\n")
	}
	for i, u := range s.Usage {
		if i < len(s.Usage)-1 {
			event("", "", geminiUsage(u))
		}
	}
	last := ""
	switch {
	case len(s.Usage) > 0:
		last = geminiUsage(s.Usage[len(s.Usage)-1])
	case s.NullUsage:
		last = `,"usageMetadata":null`
	}
	event(`"content":{"parts":[{"text":""}],"role":"model"},`, geminiFinish(s.Finish), last)
	return modeltest.Body{Type: "text/event-stream", Bytes: []byte(b.String()), End: b.Len()}
}

// geminiDocument writes a scene as a response in one piece.
func geminiDocument(s modeltest.Scene) modeltest.Body {
	var parts []string
	if len(s.Reasoning) > 0 {
		parts = append(parts, geminiPart(strings.Join(s.Reasoning, ""), true))
	}
	if len(s.Text) > 0 {
		parts = append(parts, geminiPart(strings.Join(s.Text, ""), false))
	}
	rest := ""
	switch {
	case s.Error != nil:
		rest = "," + geminiError(*s.Error)
	case len(s.Usage) > 0:
		rest = geminiUsage(s.Usage[0])
	case s.NullUsage:
		rest = `,"usageMetadata":null`
	}
	b := fmt.Appendf(nil, `{"candidates":[{"content":{"parts":[%s],"role":"model"},"index":0%s}]%s,"modelVersion":"served","responseId":"r1"}`,
		strings.Join(parts, ","), geminiFinish(s.Finish), rest)
	return modeltest.Body{Type: "application/json", Bytes: b, End: len(b)}
}
