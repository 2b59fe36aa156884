package fake_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/fake"
)

// A taker takes what it is asked, or refuses it, and remembers it.
type taker struct {
	params *verbatim.Params
	err    error
}

func (m taker) Ask(_ context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	*m.params = r.Params
	*reply = verbatim.Reply{Text: "yes", Finish: verbatim.FinishStop}
	return m.err
}

// posted sends JSON and returns the status and the body.
func posted(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	asJSON(r)
	if strings.Contains(url, "/v1/messages") {
		r.Header.Set("Anthropic-Version", "2023-06-01")
	}
	res, err := http.DefaultClient.Do(r)
	return res.StatusCode, get(t, res, err)
}

// with returns the body of a client's request with further members, at the end or in an object.
func (c *client) with(members string) string {
	body := fmt.Sprintf(c.body, `"q"`, false)
	return body[:len(body)-1] + "," + members + "}"
}

// A parameter that the model does not take has status 400 and is named, in every protocol: it must not
// seem to work. A model that takes it gets it. One that requests nothing is no parameter.
func TestParameters(t *testing.T) {
	for _, c := range []struct {
		wire, members, refused string
		effort                 string
		budget                 int64
		extra                  string // of a model that takes it
	}{
		{"chat", `"reasoning_effort":"low"`, "reasoning_effort", "low", 0, ""},
		{"chat", `"top_k":5`, "top_k", "", 0, `{"top_k":5}`},
		{"chat", `"chat_template_kwargs":{"enable_thinking":true}`, "chat_template_kwargs", "", 0, `{"chat_template_kwargs":{"enable_thinking":true}}`},
		{"chat", `"frequency_penalty":0,"logit_bias":{},"presence_penalty":null,"response_format":{"type": "text"},"user":"u","top_p":0.5`, "", "", 0, ""},
		{"responses", `"reasoning":{"effort":"high"}`, "reasoning.effort", "high", 0, ""},
		{"responses", `"seed":7`, "seed", "", 0, `{"seed":7}`},
		{"anthropic", `"output_config":{"effort":"max"}`, "output_config.effort", "max", 0, ""},
		{"anthropic", `"thinking":{"type":"enabled","budget_tokens":2048}`, "thinking.budget_tokens", "", 2048, ""},
		{"anthropic", `"thinking":{"type":"adaptive"},"top_k":3`, "thinking.type", "", 0, `{"thinking":{"type":"adaptive"},"top_k":3}`},
		{"anthropic", `"thinking":{"type":"disabled"},"metadata":{"user_id":"u"}`, "", "", 0, ""},
		{"gemini", `"generationConfig":{"thinkingConfig":{"thinkingLevel":"low","includeThoughts":true},"topP":0.5}`, "generationConfig.thinkingConfig.thinkingLevel", "low", 0, ""},
		{"gemini", `"generationConfig":{"topK":5,"temperature":0}`, "generationConfig.topK", "", 0, `{"generationConfig":{"topK":5}}`},
		{"ollama", `"think":true`, "think", "true", 0, ""},
		{"ollama", `"options":{"mirostat":2,"num_ctx":4096},"think":false`, "options.mirostat", "", 0, `{"options":{"mirostat":2}}`},
	} {
		var seen verbatim.Params
		for name, config := range map[string]fake.Config{"scripted": {Echo: true}, "built in": {Model: taker{params: &seen}, Any: true, Plain: true}, "behind a server": {Model: taker{params: &seen}, Any: true, Params: true}} {
			base := onLoopback(t, ready(t, config))
			for _, client := range clients() {
				if client.name != c.wire {
					continue
				}
				status, body := posted(t, "POST", base+client.path[0], client.with(c.members))
				takes := config.Params || c.refused == ""
				if takes != (status == 200) || !takes && (status != 400 || !strings.Contains(body, "'"+c.refused+"'")) {
					t.Errorf("%s: %s, %s: status %d %s", name, c.wire, c.members, status, body)
				}
			}
			if extra := fmt.Sprintf("%s", seen.Extra); config.Params && (seen.Effort != c.effort || c.budget > 0 && (seen.ReasoningBudget == nil || *seen.ReasoningBudget != c.budget) || len(seen.Extra) > 0 != (c.extra != "") || c.extra != "" && marshalled(t, seen.Extra) != c.extra) {
				t.Errorf("%s, %s: the model got %+v, extra %s", c.wire, c.members, seen, extra)
			}
		}
	}
	// A format of the answer, and tools.
	var seen verbatim.Params
	for _, c := range []struct {
		members string
		config  fake.Config
		status  int
	}{
		{`"response_format":{"type":"json_object"}`, fake.Config{Echo: true}, 200},
		{`"response_format":{"type":"json_object"}`, fake.Config{Model: taker{params: &seen}, Any: true}, 200},
		{`"response_format":{"type":"json_object"}`, fake.Config{Model: taker{params: &seen}, Any: true, Plain: true}, 400},
		{`"response_format":{"type":"json_object"}`, fake.Config{Model: taker{params: &seen}, Any: true, Params: true}, 200},
		{`"tools":[{"type":"function","function":{"name":"f"}}]`, fake.Config{Echo: true}, 200},
		{`"tools":[{"type":"function","function":{"name":"f"}}]`, fake.Config{Model: taker{params: &seen}, Any: true, Plain: true}, 400},
		{`"tools":[{"type":"function","function":{"name":"f"}}]`, fake.Config{Model: taker{params: &seen}, Any: true, Params: true}, 400},
	} {
		base := onLoopback(t, ready(t, c.config))
		if status, body := posted(t, "POST", base+"/v1/chat/completions", clients()[0].with(c.members)); status != c.status {
			t.Errorf("%s, plain %v, params %v: status %d %s", c.members, c.config.Plain, c.config.Params, status, body)
		}
	}
	if marshalled(t, seen.Extra) != `{"response_format":{"type":"json_object"}}` {
		t.Errorf("the model got %s", seen.Extra)
	}
	// The model refuses it.
	base := onLoopback(t, ready(t, fake.Config{Model: taker{&seen, &verbatim.Failure{Class: verbatim.BadAsk, Err: errors.New("no effort here")}}, Any: true, Params: true}))
	if status, body := posted(t, "POST", base+"/v1/chat/completions", clients()[0].with(`"reasoning_effort":"low"`)); status != 400 || !strings.Contains(body, "no effort here") {
		t.Errorf("status %d %s", status, body)
	}
}

// What SDKs call besides answers: one model, token counts, Ollama's descriptions. What is not there is
// an error in the form of the protocol.
func TestOtherCalls(t *testing.T) {
	base := onLoopback(t, ready(t, fake.Config{Echo: true, Models: []string{"a", "org/b"}, Strict: true}))
	counted := onLoopback(t, ready(t, fake.Config{Model: taker{params: new(verbatim.Params)}, Any: true, Count: func(verbatim.Prompt) (int64, error) { return 42, nil }}))
	unknown := onLoopback(t, ready(t, fake.Config{Model: taker{params: new(verbatim.Params)}, Any: true, Params: true}))
	for _, c := range []struct {
		base, method, path, body string
		status                   int
		at, want                 string // a member of the answer
	}{
		{base, "GET", "/v1/models/a", "", 200, "id", "a"},
		{base, "GET", "/v1/models/org/b", "", 200, "id", "org/b"},
		{base, "GET", "/v1/models/c", "", 404, "error.code", "model_not_found"},
		{base, "GET", "/v1beta/models/a", "", 200, "name", "models/a"},
		{base, "GET", "/v1beta/models/c", "", 404, "error.status", "NOT_FOUND"},
		{base, "POST", "/api/show", `{"model":"a"}`, 404, "error", "Invalid URL (POST /api/show)"},
		{base, "GET", "/api/ps", "", 404, "error", "Invalid URL (GET /api/ps)"},
		{base, "POST", "/v1/messages/count_tokens", `{"model":"a","messages":[{"role":"user","content":"12345678"}]}`, 200, "input_tokens", "2"},
		{base, "POST", "/v1beta/models/a:countTokens", `{"contents":[{"parts":[{"text":"12345678"}]}]}`, 200, "totalTokens", "2"},
		{base, "POST", "/v1beta/models/a:countTokens", `{"generateContentRequest":{"model":"models/a","contents":[{"parts":[{"text":"1234"}]}]}}`, 200, "totalTokens", "1"},
		{counted, "POST", "/v1/messages/count_tokens", `{"messages":[{"role":"user","content":"q"}]}`, 200, "input_tokens", "42"},
		{unknown, "POST", "/v1/messages/count_tokens", `{"messages":[{"role":"user","content":"q"}]}`, 400, "error.type", "invalid_request_error"},
		{base, "POST", "/v1/messages/count_tokens", `{"model":"a"}`, 400, "type", "error"},
		{base, "POST", "/v1/completions", `{"prompt":"q"}`, 404, "error.type", "invalid_request_error"},
		{base, "POST", "/v1/messages/nothing", `{}`, 404, "type", "error"},
		{base, "POST", "/v1beta/models/a:embedContent", `{}`, 404, "error.status", "NOT_FOUND"},
		{base, "POST", "/api/generate", `{"model":"a","prompt":"q"}`, 404, "error", "Invalid URL (POST /api/generate)"},
		{base, "PUT", "/v1/messages", `{}`, 405, "type", "error"},
		{base, "DELETE", "/api/chat", "", 405, "error", "Not allowed to DELETE on /api/chat (HINT: use POST)"},
		{base, "GET", "/v1beta/models/a:generateContent", "", 405, "error.status", "FAILED_PRECONDITION"},
	} {
		status, body := posted(t, c.method, c.base+c.path, c.body)
		if got := fmt.Sprint(dig(parsed(t, body), keys(c.at)...)); status != c.status || got != c.want {
			t.Errorf("%s %s %s: status %d, %s is %q, want %q in\n%s", c.method, c.path, c.body, status, c.at, got, c.want, body)
		}
	}
}

// Anthropic's replies name the stop sequence that ended them.
func TestStopSequence(t *testing.T) {
	base := onLoopback(t, ready(t, fake.Config{Echo: true}))
	for _, stream := range []bool{false, true} {
		for _, c := range []struct{ stops, reason, sequence string }{{`["zz","cd"]`, `"stop_reason":"stop_sequence"`, `"stop_sequence":"cd"`}, {`["zz"]`, `"stop_reason":"end_turn"`, `"stop_sequence":null`}} {
			_, body := posted(t, "POST", base+"/v1/messages", fmt.Sprintf(`{"max_tokens":9,"stream":%v,"stop_sequences":%s,"messages":[{"role":"user","content":"abcdef"}]}`, stream, c.stops))
			last := body[strings.LastIndex(body, `"stop_reason"`):]
			if !strings.HasPrefix(last, c.reason+","+c.sequence) || strings.Contains(body, "ef") == (c.stops != `["zz"]`) {
				t.Errorf("stream %v, %s: %s", stream, c.stops, body)
			}
		}
	}
}
