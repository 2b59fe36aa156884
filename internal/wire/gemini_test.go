package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"verbatim"
)

// candidate makes a response with one candidate, given by what is in it.
func candidate(fields string) string { return `{"candidates":[{` + fields + `}]}` }

func part(fields string) string {
	return candidate(`"content":{"role":"model","parts":[{` + fields + `}]}`)
}

func finished(reason string) string { return candidate(`"finishReason":"` + reason + `","index":0`) }

// Dialects: what the API and its gateways do.
func TestGeminiDialects(t *testing.T) {
	for _, c := range []struct {
		name, in      string
		text, thought string
		finish        verbatim.Finish
		raw           string
	}{
		{"plain", lines(part(`"text":"a"`), finished("STOP")), "a", "", "stop", "STOP"},
		{"as it comes", strings.ReplaceAll(lines(part(`"text":"a"`), finished("STOP")), "\n", "\r\n"), "a", "", "stop", "STOP"},
		{"reason with the last words", lines(candidate(`"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"`)), "a", "", "stop", "STOP"},
		{"a reason in every event", lines(candidate(`"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"`), candidate(`"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"`)), "ab", "", "stop", "STOP"},
		{"no reason written out", lines(candidate(`"content":{"parts":[{"text":"a"}]},"finishReason":"FINISH_REASON_UNSPECIFIED"`), finished("STOP")), "a", "", "stop", "STOP"},
		{"thoughts", lines(part(`"text":"h","thought":true`), part(`"thought":true,"text":"m","thoughtSignature":"xx"`), part(`"text":"a","thought":false`), finished("STOP")), "a", "hm", "stop", "STOP"},
		{"a signature is no thought", lines(part(`"text":"","thoughtSignature":"xx"`), part(`"thoughtSignature":"xx","text":"a"`), finished("STOP")), "a", "", "stop", "STOP"},
		{"two parts", lines(candidate(`"content":{"parts":[{"text":"h","thought":true},{"text":"a"},{"text":"b"}]}`), finished("STOP")), "ab", "h", "stop", "STOP"},
		{"another candidate first", lines(`{"candidates":[{"index":1,"content":{"parts":[{"text":"z"}]},"finishReason":"MAX_TOKENS"},{"index":0,"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`), "a", "", "stop", "STOP"},
		{"all of it thought", lines(candidate(`"content":{"role":"model"},"finishReason":"MAX_TOKENS"`)), "", "", "length", "MAX_TOKENS"},
		{"a document with nothing in it", `{"candidates":[{"finishReason":"MAX_TOKENS","index":0}],"usageMetadata":{}}`, "", "", "length", "MAX_TOKENS"},
		{"the prompt blocked", lines(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":3}}`), "", "", "content_filter", "PROHIBITED_CONTENT"},
		{"the prompt blocked for another reason", `{"promptFeedback":{"blockReason":"OTHER"}}`, "", "", "content_filter", "OTHER"},
		{"the prompt not blocked", lines(`{"promptFeedback":{"blockReason":"BLOCK_REASON_UNSPECIFIED","safetyRatings":[]}}`, part(`"text":"a"`), finished("STOP")), "a", "", "stop", "STOP"},
		{"stopped for safety", lines(part(`"text":"a"`), finished("SAFETY")), "a", "", "content_filter", "SAFETY"},
		{"stopped for recitation", lines(part(`"text":"a"`), finished("RECITATION")), "a", "", "content_filter", "RECITATION"},
		{"stopped for names", lines(finished("SPII")), "", "", "content_filter", "SPII"},
		{"a bound of the server's own", lines(part(`"text":"a"`), finished("CONTINUATION")), "a", "", "length", "CONTINUATION"},
		{"comments, names, marks", ": hi\n\nevent: message\ndata: " + part(`"text":"a"`) + "\n\nevent: ping\ndata: now\n\n" + lines(finished("STOP"), done), "a", "", "stop", "STOP"},
		{"an error that is none", lines(`{"error":null,"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, finished("STOP")), "a", "", "stop", "STOP"},
		{"odd types of what does not matter", lines(`{"candidates":null,"modelVersion":7,"responseId":null,"usageMetadata":[],"promptFeedback":"x"}`, candidate(`"content":null`), candidate(`"content":{"parts":null}`), part(`"thought":"x"`), part(`"text":"a"`), finished("STOP")), "a", "", "stop", "STOP"},
		{"one array", "[" + part(`"text":"a"`) + "\n,\r\n" + part(`"text":"b"`) + ",\n" + finished("STOP") + "\n]", "ab", "", "stop", "STOP"},
		{"a comment unfinished", lines(part(`"text":"a"`), finished("STOP")) + "\n", "a", "", "stop", "STOP"},
	} {
		a, err := Gemini().readFrom(strings.NewReader(c.in), Endpoint{Stream: true})
		thought, _ := a.chosenReasoning(Gemini())
		if err != nil || string(a.text) != c.text || thought != c.thought || a.mappedFinish() != c.finish || a.finish != c.raw {
			t.Errorf("%s: text %q, reasoning %q, finish %q, raw %q, %v", c.name, a.text, thought, a.mappedFinish(), a.finish, err)
		}
	}
}

func TestGeminiIncomplete(t *testing.T) {
	var cut cutError
	var unreadable unreadableError
	var server *serverError
	whole := lines(part(`"text":"a"`), finished("STOP"))
	for _, c := range []struct {
		name, in string
		want     any
		says     string
	}{
		{"no reason", lines(part(`"text":"a"`)), &cut, "finish reason"},
		{"another's mark is no reason", lines(part(`"text":"a"`), done), &cut, "finish reason"},
		{"the last blank line is missing", strings.TrimSuffix(whole, "\n"), &cut, "finish reason"},
		{"another event was under way", whole + "data: {\"usage", &cut, "within an event"},
		{"another event lacks its end", whole + "data: {}\n", &cut, "within an event"},
		{"an array without a reason", "[" + part(`"text":"a"`) + "]", &cut, "finish reason"},
		{"an array without its end", "[" + part(`"text":"a"`) + "," + finished("STOP"), &cut, "breaks off"},
		{"an empty array", "[]", &cut, "finish reason"},
		{"a document without a reason", part(`"text":"a"`), &cut, "finish reason"},
		{"garbage", lines(`{"candidates":` + "}"), &unreadable, "cannot be read"},
		{"no object", lines(`7`), &unreadable, "no object"},
		{"no candidates", `{"modelVersion":"x"}`, &unreadable, "no candidates"},
		{"another protocol", `{"choices":[]}`, &unreadable, "no candidates"},
		{"an error", lines(part(`"text":"a"`), `{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`), &server, "busy"},
		{"an error after the reason", whole + lines(`{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`), &server, "busy"},
		{"an error in an array", `[{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}]`, &server, "busy"},
		{"an error in words", "event: error\ndata: it died\n\n", &server, "it died"},
		{"an error with its number outside", `{"code":429,"message":"slower"}`, &server, "slower"},
	} {
		a, err := Gemini().readFrom(strings.NewReader(c.in), Endpoint{Stream: true})
		if err == nil || !errors.As(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: text %q, %v (%T)", c.name, a.text, err, err)
		}
	}
}

// Reports are cumulative, and the thoughts count apart from the candidate.
func TestGeminiUsage(t *testing.T) {
	usage := func(fields string) string { return `{"usageMetadata":{` + fields + `}}` }
	for _, c := range []struct {
		name, in string
		want     [4]int64 // prompt, completion, reasoning, cached; -1 is nil
	}{
		{"none", lines(finished("STOP")), [4]int64{-1, -1, -1, -1}},
		{"growing", lines(usage(`"promptTokenCount":9,"candidatesTokenCount":2,"totalTokenCount":11`), usage(`"promptTokenCount":9,"candidatesTokenCount":5,"thoughtsTokenCount":30,"cachedContentTokenCount":8,"totalTokenCount":44`), finished("STOP")), [4]int64{9, 35, 30, 8}},
		{"thoughts first", lines(usage(`"thoughtsTokenCount":30`), usage(`"candidatesTokenCount":5`), finished("STOP")), [4]int64{-1, 35, 30, -1}},
		{"thoughts only", lines(usage(`"promptTokenCount":9,"thoughtsTokenCount":30`), finished("MAX_TOKENS")), [4]int64{9, 30, 30, -1}},
		{"zero", lines(usage(`"candidatesTokenCount":0`), finished("STOP")), [4]int64{-1, 0, -1, -1}},
	} {
		a, err := Gemini().readFrom(strings.NewReader(c.in), Endpoint{Stream: true})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		checkUsage(t, c.name, a.usage, c.want)
	}
	a, _ := Gemini().readFrom(strings.NewReader(`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"serviceTier":"flex"},"modelVersion":"gemini-x","responseId":"r1"}`), Endpoint{})
	if string(a.applied) != `"serviceTier":"flex"` || a.model != "gemini-x" || a.id != "r1" {
		t.Errorf("applied %s, model %q, id %q", a.applied, a.model, a.id)
	}
}

// The classes of errors in Google's shape, and how long they ask to wait.
func TestGoogleErrors(t *testing.T) {
	detail := func(kind, fields string) string {
		return `{"@type":"type.googleapis.com/google.rpc.` + kind + `",` + fields + `}`
	}
	retry := detail("RetryInfo", `"retryDelay":"45.837906927s"`)
	perDay := detail("QuotaFailure", `"violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel"},{"quotaMetric":"x","quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier","quotaValue":"50"},{"quotaId":"GenerateContentInputTokensPerModelPerMinute"}]`)
	perMinute := detail("QuotaFailure", `"violations":[{"quotaId":"GenerateContentInputTokensPerModelPerMinute"}]`)
	body := func(code int, message, status string, details ...string) string {
		return fmt.Sprintf(`{"error":{"code":%d,"message":"%s","status":"%s","details":[%s]}}`, code, message, status, strings.Join(details, ","))
	}
	const delay = 45837906927 * time.Nanosecond
	for _, c := range []struct {
		status int
		body   string
		want   verbatim.Class
		after  time.Duration
	}{
		{429, body(429, "slower", "RESOURCE_EXHAUSTED", retry), verbatim.Rate, delay},
		{429, body(429, "slower", "RESOURCE_EXHAUSTED", perMinute, retry), verbatim.Rate, delay},
		{429, body(429, "slower", "RESOURCE_EXHAUSTED"), verbatim.Rate, 0},
		{429, body(429, "enough", "RESOURCE_EXHAUSTED", perDay, retry), verbatim.Quota, delay},
		{429, body(429, "enough", "RESOURCE_EXHAUSTED", perDay, perMinute), verbatim.Quota, 0},
		{429, "[" + body(429, "enough", "RESOURCE_EXHAUSTED", perDay) + "]", verbatim.Quota, 0},
		{0, body(429, "slower", "RESOURCE_EXHAUSTED", retry), verbatim.Rate, delay},
		{0, `{"error":{"message":"slower","status":"RESOURCE_EXHAUSTED"}}`, verbatim.Rate, 0},
		{400, body(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT"), verbatim.Auth, 0},
		{400, body(400, "no", "INVALID_ARGUMENT", detail("ErrorInfo", `"reason":"API_KEY_INVALID","domain":"googleapis.com"`)), verbatim.Auth, 0},
		{400, body(400, "bad field", "INVALID_ARGUMENT", detail("BadRequest", `"fieldViolations":[]`)), verbatim.BadAsk, 0},
		{400, body(400, "no such region", "FAILED_PRECONDITION"), verbatim.BadAsk, 0},
		{403, body(403, "no", "PERMISSION_DENIED"), verbatim.Auth, 0},
		{404, body(404, "models/x is not found", "NOT_FOUND"), verbatim.BadAsk, 0},
		{503, body(503, "overloaded", "UNAVAILABLE", retry), verbatim.Overload, delay},
		{504, body(504, "late", "DEADLINE_EXCEEDED"), verbatim.Overload, 0},
		{0, body(400, "bad", "INVALID_ARGUMENT"), verbatim.BadAsk, 0},
		{0, `{"error":{"message":"bad","status":"INVALID_ARGUMENT"}}`, verbatim.BadAsk, 0},
		{0, `{"error":{"message":"no","status":"PERMISSION_DENIED"}}`, verbatim.Auth, 0},
		{0, `{"error":{"message":"died","status":"INTERNAL"}}`, verbatim.Overload, 0},
		{429, body(429, "x", "RESOURCE_EXHAUSTED", `7`, `{}`, detail("RetryInfo", `"retryDelay":"soon"`), detail("QuotaFailure", `"violations":{}`)), verbatim.Rate, 0},
		{429, body(429, "x", "RESOURCE_EXHAUSTED", detail("RetryInfo", `"retryDelay":"-5s"`)), verbatim.Rate, 0},
		{429, body(429, "x", "RESOURCE_EXHAUSTED", detail("RetryInfo", `"retryDelay":"1e300s"`)), verbatim.Rate, 365 * 24 * time.Hour},
		{429, `{"error":{"code":429,"details":"none","status":7}}`, verbatim.Rate, 0},
	} {
		s := readError([]byte(c.body), Key{})
		status := c.status
		if status == 0 {
			status = s.status()
		}
		if got := classify(status, s); got != c.want || s.after != c.after {
			t.Errorf("%d %s: %s, wait %v, want %s, %v", c.status, c.body, got, s.after, c.want, c.after)
		}
	}
}

func FuzzGemini(f *testing.F) {
	f.Add([]byte(lines(part(`"text":"a"`), part(`"text":"h","thought":true`), finished("STOP"))), uint8(3))
	f.Add([]byte(lines(`{"promptFeedback":{"blockReason":"OTHER"},"usageMetadata":{"promptTokenCount":3}}`)), uint8(1))
	f.Add([]byte("["+part(`"text":"a"`)+",\n"+finished("MAX_TOKENS")+"]"), uint8(2))
	f.Add([]byte(`{"error":{"code":429,"details":[{"@type":"x.RetryInfo","retryDelay":"4s"},{"@type":"x.QuotaFailure","violations":[{"quotaId":"PerDay"}]}]}}`), uint8(7))
	f.Fuzz(func(t *testing.T, in []byte, step uint8) { checkAnyBytes(t, Gemini, in, step) })
}

func TestGeminiBody(t *testing.T) {
	temperature, topP, seed, budget, none, large := 0.0, 0.5, int64(0), int64(512), int64(0), int64(-1)
	image := &verbatim.Image{Media: "image/png", Bytes: []byte("PNG")}
	extra := func(pairs ...string) map[string]json.RawMessage {
		m := map[string]json.RawMessage{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = json.RawMessage(pairs[i+1])
		}
		return m
	}
	const hi = `"contents":[{"role":"user","parts":[{"text":"hi"}]}]`
	for name, c := range map[string]struct {
		prompt verbatim.Prompt
		max    int
		params verbatim.Params
		want   string // in addition to the prompt "hi", unless another one is given
	}{
		"only what is asked": {question("hi"), 0, verbatim.Params{}, `{` + hi + `}`},
		"bound":              {question("hi"), 7, verbatim.Params{}, `{"generationConfig":{"maxOutputTokens":7},` + hi + `}`},
		"zero is a value": {question("hi"), 7, verbatim.Params{Temperature: &temperature, TopP: &topP, Seed: &seed},
			`{"generationConfig":{"maxOutputTokens":7,"temperature":0,"topP":0.5,"seed":0},` + hi + `}`},
		"effort": {question("hi"), 0, verbatim.Params{Effort: "low"},
			`{"generationConfig":{"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"low"}},` + hi + `}`},
		"budget": {question("hi"), 0, verbatim.Params{ReasoningBudget: &budget},
			`{"generationConfig":{"thinkingConfig":{"includeThoughts":true,"thinkingBudget":512}},` + hi + `}`},
		"as much as it likes": {question("hi"), 0, verbatim.Params{ReasoningBudget: &large},
			`{"generationConfig":{"thinkingConfig":{"includeThoughts":true,"thinkingBudget":-1}},` + hi + `}`},
		"no thinking": {question("hi"), 0, verbatim.Params{ReasoningBudget: &none},
			`{"generationConfig":{"thinkingConfig":{"thinkingBudget":0}},` + hi + `}`},
		"extra joins": {question("hi"), 7, verbatim.Params{Extra: extra("generationConfig", `{"topK": 3, "responseMimeType":"text/plain"}`, "safetySettings", "[]")},
			`{"generationConfig":{"maxOutputTokens":7,"topK":3,"responseMimeType":"text/plain"},"safetySettings":[],` + hi + `}`},
		"extra alone":              {question("hi"), 0, verbatim.Params{Extra: extra("generationConfig", `{"max_output_tokens":9}`)}, `{"generationConfig":{"max_output_tokens":9},` + hi + `}`},
		"extra with nothing in it": {question("hi"), 0, verbatim.Params{Extra: extra("generationConfig", `{}`)}, `{` + hi + `}`},
		"roles and parts": {verbatim.Prompt{
			{Role: "system", Content: []verbatim.Part{{Text: "<rule> & \x00"}}}, {Role: "system", Content: []verbatim.Part{{Text: "b"}}},
			{Role: "user", Content: []verbatim.Part{{Text: "which?"}, {Image: image}}}, {Role: "assistant"}, {Role: "user", Content: []verbatim.Part{{Text: "hi"}}}}, 0, verbatim.Params{},
			`{"systemInstruction":{"parts":[{"text":"<rule> & \u0000"},{"text":"b"}]},"contents":[` +
				`{"role":"user","parts":[{"text":"which?"},{"inlineData":{"mimeType":"image/png","data":"UE5H"}}]},{"role":"model","parts":[{"text":""}]},{"role":"user","parts":[{"text":"hi"}]}]}`},
	} {
		r, err := geminiRequest(Endpoint{Model: "m"}, c.prompt, c.max, c.params)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if canonical(t, r.body) != canonical(t, []byte(c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", name, r.body, c.want)
		}
		sent := strings.Replace(strings.Replace(c.want, ","+hi, "", 1), hi, "", 1)
		if len(c.prompt) > 1 {
			sent = "{}"
		}
		if canonical(t, r.sent) != canonical(t, []byte(sent)) {
			t.Errorf("%s: sent %s, want %s", name, r.sent, sent)
		}
	}
	params := extra("generationConfig", `{"topK":3}`, "n", "1")
	if _, err := geminiRequest(Endpoint{Model: "m"}, question("hi"), 7, verbatim.Params{Extra: params}); err != nil || len(params) != 2 {
		t.Errorf("the extra parameters became %v, %v", params, err)
	}
}

// A request that cannot be sent unchanged is not sent.
func TestGeminiBodyRefuses(t *testing.T) {
	budget, large, small := int64(5), int64(1)<<31, -int64(1)<<31-1
	extra := func(name, value string) verbatim.Params {
		return verbatim.Params{ReasoningBudget: &budget, Extra: map[string]json.RawMessage{name: json.RawMessage(value)}}
	}
	system := verbatim.Message{Role: "system", Content: []verbatim.Part{{Text: "s"}}}
	for name, c := range map[string]struct {
		model  string
		prompt verbatim.Prompt
		params verbatim.Params
		want   string
	}{
		"no model":         {"", question("hi"), verbatim.Params{}, "model"},
		"another path":     {"../../a", question("hi"), verbatim.Params{}, "../../a"},
		"no model's name":  {"models/", question("hi"), verbatim.Params{}, "model"},
		"no prompt":        {"m", nil, verbatim.Params{}, "empty"},
		"bytes":            {"m", question("a\xffb"), verbatim.Params{}, "UTF-8"},
		"bytes of a level": {"m", question("hi"), verbatim.Params{Effort: "\xff"}, "UTF-8"},
		"large seed":       {"m", question("hi"), verbatim.Params{Seed: &large}, "32 bits"},
		"small seed":       {"m", question("hi"), verbatim.Params{Seed: &small}, "32 bits"},
		"late system":      {"m", append(question("hi"), system), verbatim.Params{}, "message 2"},
		"system only":      {"m", verbatim.Prompt{system}, verbatim.Params{}, "user"},
		"image in system": {"m", append(verbatim.Prompt{{Role: "system", Content: []verbatim.Part{{Image: &verbatim.Image{Media: "image/png", Bytes: []byte("x")}}}}},
			question("hi")...), verbatim.Params{}, "message 1"},
		"another role":     {"m", verbatim.Prompt{{Role: "tool"}}, verbatim.Params{}, `"tool"`},
		"bound twice":      {"m", question("hi"), extra("generationConfig", `{"maxOutputTokens":9}`), `"maxOutputTokens"`},
		"in two spellings": {"m", question("hi"), extra("generationConfig", `{"max_output_tokens":9}`), `"max_output_tokens"`},
		"thinking twice":   {"m", question("hi"), extra("generationConfig", `{"thinkingConfig":{}}`), `"thinkingConfig"`},
		"no object":        {"m", question("hi"), extra("generationConfig", `[]`), `"generationConfig"`},
		"null":             {"m", question("hi"), extra("generationConfig", `null`), `"generationConfig"`},
		"not JSON":         {"m", question("hi"), extra("generationConfig", `{`), `"generationConfig"`},
		"other spelling":   {"m", question("hi"), extra("generation_config", `{}`), `"generation_config"`},
		"prompt beside":    {"m", question("hi"), extra("contents", `[]`), `"contents"`},
		"system beside":    {"m", question("hi"), extra("systemInstruction", `{}`), `"systemInstruction"`},
	} {
		r, err := geminiRequest(Endpoint{Model: c.model}, c.prompt, 5, c.params)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v", name, r.body, err)
		}
	}
}

// The URL of the request, and the header with the key.
func TestGeminiHeader(t *testing.T) {
	key := map[string]string{"X-Goog-Api-Key": "secret-key-1", "Authorization": ""}
	for _, c := range []struct {
		e   Endpoint
		url string
	}{
		{Endpoint{BaseURL: "http://h"}, "http://h/v1beta/models/m:generateContent"},
		{Endpoint{BaseURL: "http://h/", Stream: true}, "http://h/v1beta/models/m:streamGenerateContent?alt=sse"},
		{Endpoint{BaseURL: "http://h/v1?x=1", Stream: true}, "http://h/v1/models/m:streamGenerateContent?x=1&alt=sse"},
		{Endpoint{BaseURL: "http://h/v1beta", Model: "models/gemini-2.5-pro"}, "http://h/v1beta/models/gemini-2.5-pro:generateContent"},
		{Endpoint{BaseURL: "http://h", Model: "tunedModels/x"}, "http://h/v1beta/tunedModels/x:generateContent"},
		{Endpoint{BaseURL: "http://h", Model: "google/gemma"}, "http://h/v1beta/models/google/gemma:generateContent"},
		{Endpoint{BaseURL: "http://h", Model: "a?b#c%/d"}, "http://h/v1beta/models/a%3Fb%23c%25/d:generateContent"},
	} {
		checkHeader(t, Gemini(), c.e, c.url, key)
	}
	checkHeader(t, Gemini(), Endpoint{BaseURL: "http://h", AuthHeader: "Authorization", Headers: http.Header{"X-Goog-User-Project": {"p"}}},
		"http://h/v1beta/models/m:generateContent", map[string]string{"Authorization": "secret-key-1", "X-Goog-Api-Key": "", "X-Goog-User-Project": "p"})
}
