package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/rawjson"
)

// events makes a stream of the Responses API's events.
func events(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", Word(rawjson.Member([]byte(d), "type")), d)
	}
	return b.String()
}

func piece(kind, delta string) string {
	return `{"type":"response.` + kind + `.delta","delta":"` + delta + `"}`
}

func closes(status, members string) string {
	return `{"type":"response.` + status + `","response":{"status":"` + status + `"` + members + `}}`
}

const message = `,"output":[{"type":"message","content":[{"type":"output_text","text":"whole"}]}]`

// Dialects: what servers do that the API does not say, and what it says that is
// easily overlooked.
func TestResponsesDialects(t *testing.T) {
	for _, c := range []struct {
		name, in            string
		text, thought, from string
		finish              verbatim.Finish
	}{
		{"deltas win over the output", events(piece("output_text", "a"), closes("completed", message)), "a", "", "", "stop"},
		{"no deltas, but an output", events(closes("completed", message)), "whole", "", "", "stop"},
		{"no deltas, but the end of a part", events(`{"type":"response.output_text.done","text":"part"}`, closes("completed", message)), "part", "", "", "stop"},
		{"one part with deltas, one without", events(piece("output_text", "a"), `{"type":"response.output_text.done","text":"a"}`,
			`{"type":"response.output_text.done","text":"b"}`, closes("completed", message)), "ab", "", "", "stop"},
		{"two messages", events(piece("output_text", "a"), `{"type":"response.output_item.done","item":{"type":"message"}}`, piece("output_text", "b"), closes("completed", "")), "ab", "", "", "stop"},
		{"no names of events", strings.ReplaceAll(events(piece("output_text", "a"), closes("completed", "")), "event: ", "id: "), "a", "", "", "stop"},
		{"names but no types", "event: response.output_text.delta\ndata: {\"delta\":\"a\"}\n\nevent: response.completed\ndata: {\"response\":{}}\n\n", "a", "", "", "stop"},
		{"a mark after the end", events(piece("output_text", "a"), closes("completed", "")) + "data: [DONE]\n\n", "a", "", "", "stop"},
		{"unknown events, pings, odd pieces", "event: ping\ndata: now\n\nevent: ping\ndata: 1\n\n" + events(`{"type":"response.web_search_call.searching","delta":[1]}`, `{"type":"keepalive"}`,
			`{"type":"response.output_text.annotation.added","text":"x"}`, `{"type":"response.output_text.delta","delta":null}`, piece("output_text", "a"), closes("completed", "")), "a", "", "", "stop"},
		{"error null", events(`{"type":"response.created","error":null,"response":{"error":null}}`, piece("output_text", "a"), closes("completed", `,"error":null`)), "a", "", "", "stop"},
		{"cut by the bound", events(piece("output_text", "a"), closes("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`)), "a", "", "", "length"},
		{"as the schema's example spells it", events(closes("incomplete", `,"incomplete_details":{"reason":"max_tokens"}`)), "", "", "", "length"},
		{"filtered", events(piece("output_text", "a"), closes("incomplete", `,"incomplete_details":{"reason":"content_filter"}`)), "a", "", "", "content_filter"},
		{"incomplete for no reason, and full", events(closes("incomplete", `,"usage":{"output_tokens":20}`)), "", "", "", "length"},
		{"completed, and full", events(piece("output_text", "a"), closes("completed", `,"usage":{"output_tokens":20}`)), "a", "", "", "length"},
		{"completed, not quite full", events(piece("output_text", "a"), closes("completed", `,"usage":{"output_tokens":19}`)), "a", "", "", "stop"},
		{"both kinds of reasoning", events(piece("reasoning_summary_text", "su"), piece("reasoning_text", "th"), piece("output_text", "a"), closes("completed", "")), "a", "th", "reasoning_text", "stop"},
		{"a summary", events(piece("reasoning_summary_text", "s"), `{"type":"response.reasoning_summary_text.done","text":"s"}`, piece("reasoning_summary_text", "u"), closes("completed", "")), "", "su", "reasoning_summary_text", "stop"},
		{"reasoning only in the output", events(piece("output_text", "a"), closes("completed", `,"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"su"}]}]`)), "a", "su", "reasoning_summary_text", "stop"},
		{"refusal", events(piece("refusal", "I can"), piece("refusal", "not"), `{"type":"response.refusal.done","refusal":"I cannot"}`,
			closes("completed", `,"output":[{"type":"message","content":[{"type":"refusal","refusal":"I cannot"}]}]`)), "", "", "", "refusal"},
		{"document", `{"status":"completed","error":null` + message + `}`, "whole", "", "", "stop"},
		{"document with all", `{"status":"completed","output":[{"type":"reasoning","content":[{"type":"reasoning_text","text":"th"}],"summary":[{"text":"su"}]},` +
			`{"type":"message","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]},{"type":"message","content":[{"text":"c"}]}]}`, "abc", "th", "reasoning_text", "stop"},
		{"document with a refusal", `{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]}`, "", "", "", "refusal"},
		{"document without words", `{"status":"completed","output":[]}`, "", "", "", "stop"},
		{"document cut by the bound", `{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}`, "", "", "", "length"},
		{"document with its own bound", `{"status":"completed","max_output_tokens":7,"usage":{"output_tokens":7},"output":[]}`, "", "", "", "stop"},
	} {
		p := limitedResponses(20)
		a, err := p.readFrom(strings.NewReader(c.in), Endpoint{})
		thought, from := a.chosenReasoning(p)
		if err != nil || string(a.text) != c.text || thought != c.thought || from != c.from || a.mappedFinish() != c.finish {
			t.Errorf("%s: text %q, reasoning %q from %q, finish %q, %v", c.name, a.text, thought, from, a.mappedFinish(), err)
		}
	}
	// In a batch only the answer itself states the token limit.
	a, err := Responses().readFrom(strings.NewReader(`{"status":"completed","max_output_tokens":7,"usage":{"output_tokens":7},"output":[]}`), Endpoint{})
	if err != nil || a.mappedFinish() != verbatim.FinishLength || a.finish != "completed" {
		t.Errorf("bound of the response: %q, %v", a.mappedFinish(), err)
	}
}

func TestResponsesIncomplete(t *testing.T) {
	var cut cutError
	var unreadable unreadableError
	var server *serverError
	for _, c := range []struct {
		name, in string
		want     any
		says     string
		class    verbatim.Class
	}{
		{"no terminal event", events(piece("output_text", "a")), &cut, "response.completed", ""},
		{"every event but the terminal one", events(piece("output_text", "a"), `{"type":"response.output_text.done","text":"a"}`, `{"type":"response.output_item.done","item":{"status":"completed"}}`), &cut, "response.completed", ""},
		{"a mark for an end", lines(piece("output_text", "a"), done), &cut, "response.completed", ""},
		{"terminal event without its blank line", strings.TrimSuffix(events(piece("output_text", "a"), closes("completed", "")), "\n"), &cut, "response.completed", ""},
		{"cancelled", events(piece("output_text", "a"), closes("cancelled", "")), &cut, "cancelled", ""},
		{"still at work", `{"status":"in_progress","output":[]}`, &cut, "in_progress", ""},
		{"queued", `{"status":"queued","output":[]}`, &cut, "queued", ""},
		{"no status", `{"output":[]}`, &cut, "unknown", ""},
		{"failed", events(piece("output_text", "a"), closes("failed", `,"error":{"code":"server_error","message":"it died"}`)), &server, "it died", verbatim.Overload},
		{"failed for no reason", events(closes("failed", `,"error":null`)), &server, "failed", verbatim.Overload},
		{"failed document", `{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slower"},"output":[]}`, &server, "slower", verbatim.Rate},
		{"an error beside a status of success", `{"status":"completed","error":{"code":"server_error","message":"it died"},"output":[]}`, &server, "it died", verbatim.Overload},
		{"a prompt that is not allowed", events(closes("failed", `,"error":{"code":"invalid_prompt","message":"not that"}`)), &server, "not that", verbatim.BadAsk},
		{"an image that cannot be read", events(closes("failed", `,"error":{"code":"image_parse_error","message":"what is it"}`)), &server, "what is it", verbatim.BadAsk},
		{"flat error", events(`{"type":"error","code":"rate_limit_exceeded","message":"slower","param":null,"sequence_number":3}`), &server, "slower", verbatim.Rate},
		{"flat error without a code", events(`{"type":"error","code":null,"message":"oops"}`), &server, "oops", verbatim.Overload},
		{"nested error", events(`{"type":"error","error":{"code":"insufficient_quota","message":"no money"}}`), &server, "no money", verbatim.Quota},
		{"an error of chat completions", lines(`{"error":{"code":503,"message":"busy"}}`), &server, "busy", verbatim.Overload},
		{"an error in words", "event: error\ndata: it died\n\n", &server, "it died", verbatim.Overload},
		{"FastAPI", `{"detail":"Not Found"}`, &server, "Not Found", verbatim.Overload},
		{"another protocol", `{"object":"chat.completion","choices":[]}`, &unreadable, "output", ""},
		{"garbage", "event: response.output_text.delta\ndata: {\"delta\":}\n\n", &unreadable, "cannot be read", ""},
		{"no object", lines(`1`), &unreadable, "no object", ""},
		{"a delta of no kind", events(`{"type":"response.output_text.delta","delta":{"text":"a"}}`), &unreadable, "no string", ""},
		{"a text of no kind", `{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":7}]}]}`, &unreadable, "no string", ""},
	} {
		_, err := limitedResponses(20).readFrom(strings.NewReader(c.in), Endpoint{})
		if err == nil || !errors.As(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v (%T)", c.name, err, err)
		}
		if server != nil && c.want == any(&server) && classify(server.status(), server) != c.class {
			t.Errorf("%s: class %s, want %s", c.name, classify(server.status(), server), c.class)
		}
	}
}

// What the server says about itself, at the start and at the end.
func TestResponsesTold(t *testing.T) {
	a, err := Responses().readFrom(strings.NewReader(events(
		`{"type":"response.created","response":{"id":"resp_1","model":"m-1","service_tier":"auto","usage":null}}`,
		closes("completed", `,"id":"resp_1","model":"m-1","temperature":1.0,"top_p":null,"max_output_tokens":64,"reasoning":{"effort":"low","summary":null},"service_tier":"default","truncation":"disabled","store":false,`+
			`"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":3},"cost":0.25}`))), Endpoint{})
	if err != nil || a.id != "resp_1" || a.model != "m-1" {
		t.Errorf("id %q, model %q, %v", a.id, a.model, err)
	}
	const applied = `"temperature":1.0,"max_output_tokens":64,"reasoning":{"effort":"low","summary":null},"service_tier":"default","truncation":"disabled"`
	if string(a.applied) != applied {
		t.Errorf("applied %s", a.applied)
	}
	u := a.usage
	if *u.Prompt != 9 || *u.Cached != 4 || *u.Completion != 5 || *u.Reasoning != 3 || *a.cost != verbatim.Dollar/4 {
		t.Errorf("usage %+v, cost %v", u, a.cost)
	}
}

// limitedResponses returns the protocol as after a request with a token limit.
func limitedResponses(maxTokens int) *Protocol {
	p := Responses()
	newReader := p.reader
	p.reader = func(a *partialReply) reader {
		a.maxTokens = maxTokens
		return newReader(a)
	}
	return p
}

// FuzzResponses wants of any bytes what checkAnyBytes does.
func FuzzResponses(f *testing.F) {
	f.Add([]byte(events(piece("reasoning_text", "t"), piece("output_text", "a"), closes("completed", message))), uint8(3))
	f.Add([]byte(events(piece("refusal", "a"), closes("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`))), uint8(1))
	f.Add([]byte(`{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}],"usage":{"output_tokens":3}}`), uint8(2))
	f.Add([]byte(events(`{"type":"error","code":"x","message":"y"}`)), uint8(7))
	f.Fuzz(func(t *testing.T, in []byte, step uint8) {
		checkAnyBytes(t, func() *Protocol { return limitedResponses(2) }, in, step)
	})
}

func TestResponsesBody(t *testing.T) {
	temperature, topP := 0.0, 0.5
	image := &verbatim.Image{Media: "image/png", Bytes: []byte("PNG")}
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	for name, c := range map[string]struct {
		e      Endpoint
		prompt verbatim.Prompt
		max    int
		params verbatim.Params
		want   string
	}{
		"only what is asked": {Endpoint{Model: "m"}, question("hi"), 0, verbatim.Params{},
			`{"model":"m","store":false,"input":[{"role":"user","content":"hi"}]}`},
		"all": {Endpoint{Model: "m", Stream: true}, question("hi"), 16, verbatim.Params{Temperature: &temperature, TopP: &topP, Effort: "low"},
			`{"model":"m","store":false,"stream":true,"max_output_tokens":16,"temperature":0,"top_p":0.5,"reasoning":{"effort":"low"},"input":[{"role":"user","content":"hi"}]}`},
		"dialect": {Endpoint{Model: "m", Stream: true, MaxTokensField: "max_tokens", StreamOptions: map[string]bool{"include_obfuscation": false}}, question("hi"), 99, verbatim.Params{},
			`{"model":"m","store":false,"stream":true,"stream_options":{"include_obfuscation":false},"max_tokens":99,"input":[{"role":"user","content":"hi"}]}`},
		"a summary beside the effort": {Endpoint{Model: "m"}, question("hi"), 0,
			verbatim.Params{Effort: "low", Extra: map[string]json.RawMessage{"reasoning": raw(`{"summary": "auto"}`), "service_tier": raw(`"flex"`)}},
			`{"model":"m","store":false,"reasoning":{"effort":"low","summary":"auto"},"service_tier":"flex","input":[{"role":"user","content":"hi"}]}`},
		"a summary alone": {Endpoint{Model: "m"}, question("hi"), 0, verbatim.Params{Extra: map[string]json.RawMessage{"reasoning": raw(`{"summary":"auto"}`)}},
			`{"model":"m","store":false,"reasoning":{"summary":"auto"},"input":[{"role":"user","content":"hi"}]}`},
		"an empty object": {Endpoint{Model: "m"}, question("hi"), 0, verbatim.Params{Extra: map[string]json.RawMessage{"reasoning": raw(`{}`)}},
			`{"model":"m","store":false,"reasoning":{},"input":[{"role":"user","content":"hi"}]}`},
		"roles and parts": {Endpoint{Model: "m"}, verbatim.Prompt{
			{Role: "system", Content: []verbatim.Part{{Text: "<rule> \x00"}}},
			{Role: "system", Content: []verbatim.Part{{Text: "another"}}},
			{Role: "user", Content: []verbatim.Part{{Text: "which?"}, {Image: image}}},
			{Role: "assistant", Content: []verbatim.Part{{Text: "this"}, {Text: "one"}}},
			{Role: "system"}}, 0, verbatim.Params{},
			`{"model":"m","store":false,"input":[{"role":"system","content":"<rule> \u0000"},{"role":"system","content":"another"},` +
				`{"role":"user","content":[{"type":"input_text","text":"which?"},{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,UE5H"}]},` +
				`{"role":"assistant","content":[{"type":"output_text","text":"this"},{"type":"output_text","text":"one"}]},{"role":"system","content":""}]}`},
	} {
		r, err := responsesRequest(c.e, c.prompt, c.max, c.params)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if canonical(t, r.body) != canonical(t, []byte(c.want)) || r.path != "/responses" {
			t.Errorf("%s:\n got %s\nwant %s", name, r.body, c.want)
		}
		if strings.Contains(string(r.sent), `"input"`) || !strings.Contains(string(r.sent), `"store":false`) {
			t.Errorf("%s: sent %s", name, r.sent)
		}
	}
}

// A request that cannot be sent unchanged is not sent.
func TestResponsesBodyRefuses(t *testing.T) {
	seed := int64(1)
	extra := func(name, value string) verbatim.Params {
		return verbatim.Params{Effort: "low", Extra: map[string]json.RawMessage{name: json.RawMessage(value)}}
	}
	for name, c := range map[string]struct {
		prompt verbatim.Prompt
		max    int
		params verbatim.Params
		want   string
	}{
		"no prompt":            {nil, 64, verbatim.Params{}, "empty"},
		"bytes":                {question("a\xffb"), 64, verbatim.Params{}, "UTF-8"},
		"a small bound":        {question("hi"), 15, verbatim.Params{}, "at least 16, got 15"},
		"a seed":               {question("hi"), 64, verbatim.Params{Seed: &seed}, "no seed"},
		"a budget":             {question("hi"), 64, verbatim.Params{ReasoningBudget: &seed}, "effort"},
		"effort twice":         {question("hi"), 64, extra("reasoning", `{"effort":"high"}`), `in "reasoning": the extra parameter "effort"`},
		"reasoning of no kind": {question("hi"), 64, extra("reasoning", `"high"`), "object"},
		"reasoning null":       {question("hi"), 64, extra("reasoning", `null`), "object"},
		"bound twice":          {question("hi"), 64, extra("max_output_tokens", "99"), `"max_output_tokens"`},
		"stored":               {question("hi"), 64, extra("store", "true"), `"store"`},
		"in the background":    {question("hi"), 64, extra("background", "true"), `"background"`},
		"another input":        {question("hi"), 64, extra("input", `"x"`), `"input"`},
		"an assistant's image": {verbatim.Prompt{{Role: "assistant", Content: []verbatim.Part{{Image: &verbatim.Image{Media: "image/png", Bytes: []byte("x")}}}}}, 64, verbatim.Params{}, "assistant"},
		"an empty image":       {verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Image: &verbatim.Image{}}}}}, 64, verbatim.Params{}, "image"},
	} {
		r, err := responsesRequest(Endpoint{Model: "m"}, c.prompt, c.max, c.params)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v", name, r.body, err)
		}
	}
}
