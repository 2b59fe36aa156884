package wire

import (
	"errors"
	"fmt"
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
