package wire

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"verbatim"
)

const ollamaDone = `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}`

func says(content string) string {
	return `{"model":"m","message":{"role":"assistant","content":"` + content + `"},"done":false}`
}

func TestOllamaDialects(t *testing.T) {
	for _, c := range []struct {
		name, in      string
		text, thought string
		finish        verbatim.Finish
	}{
		{"lines", says("a") + "\n" + says("b") + "\n" + ollamaDone + "\n", "ab", "", "stop"},
		{"no last line end", says("a") + "\n" + ollamaDone, "a", "", "stop"},
		{"CRLF and blank lines", "\r\n" + says("a") + "\r\n\r\n \n" + ollamaDone + "\r\n", "a", "", "stop"},
		{"words in the last line", strings.Replace(ollamaDone, `"content":""`, `"content":"a"`, 1), "a", "", "stop"},
		{"what follows the end", says("a") + "\n" + ollamaDone + "\n" + says("b") + "\nnonsense", "a", "", "stop"},
		{"thinking", `{"message":{"thinking":"t","content":""},"done":false}` + "\n" + `{"message":{"thinking":"h","content":"a"},"done":false}` + "\n" + ollamaDone, "a", "th", "stop"},
		{"cut by the bound", says("a") + "\n" + `{"done":true,"done_reason":"length"}`, "a", "", "length"},
		{"no calls", `{"message":{"content":"a","tool_calls":[]},"done":false}` + "\n" + ollamaDone, "a", "", "stop"},
		{"null and odd types", `{"model":7,"message":null,"done":null,"error":null,"eval_count":"x"}` + "\n" + `{"message":{"content":null,"thinking":3}}` + "\n" + says("a") + "\n" + ollamaDone, "a", "", "stop"},
	} {
		a, err := Ollama().readFrom(strings.NewReader(c.in), Endpoint{Stream: true})
		thought, from := a.chosenReasoning(Ollama())
		if err != nil || string(a.text) != c.text || thought != c.thought || (from == "thinking") != (thought != "") || a.mappedFinish() != c.finish {
			t.Errorf("%s: text %q, reasoning %q from %q, finish %q, %v", c.name, a.text, thought, from, a.mappedFinish(), err)
		}
	}
	// One document may have several lines, and a proxy may make events of lines.
	pretty := strings.ReplaceAll(strings.Replace(ollamaDone, `"content":""`, `"content":"a"`, 1), ",", ",\n")
	if a, err := Ollama().readFrom(strings.NewReader(pretty), Endpoint{}); err != nil || string(a.text) != "a" {
		t.Errorf("a document: %q, %v", a.text, err)
	}
	if a, err := Ollama().readFrom(strings.NewReader(lines(says("a"), ollamaDone)), Endpoint{Stream: true}); err != nil || string(a.text) != "a" {
		t.Errorf("events: %q, %v", a.text, err)
	}
}

func TestOllamaIncomplete(t *testing.T) {
	var cut cutError
	var unreadable unreadableError
	var server *serverError
	for _, c := range []struct {
		name, in string
		want     any
		says     string
		class    verbatim.Class
	}{
		{"no end", says("a") + "\n", &cut, "without saying", ""},
		{"done without a reason", says("a") + "\n" + `{"done":true}`, &cut, "no reason for it", ""},
		{"done with an empty reason", `{"done":true,"done_reason":""}`, &cut, "no reason for it", ""},
		{"a line breaks off", says("a") + "\n" + ollamaDone[:30], &cut, "breaks off", ""},
		{"an error in the middle", says("a") + "\n" + `{"error":"the runner died"}` + "\n", &server, "the runner died", verbatim.Overload},
		{"an error beside done", `{"error":"the runner died","done":true,"done_reason":"stop"}`, &server, "the runner died", verbatim.Overload},
		{"too long", `{"error":"the input length exceeds the context length"}`, &server, "context", verbatim.BadAsk},
		{"garbage", says("a") + "\n{nonsense}\n", &unreadable, "cannot be read", ""},
		{"no object", says("a") + "\n7\n", &unreadable, "no object", ""},
		{"content of no kind", `{"message":{"content":{}},"done":false}`, &unreadable, "no text", ""},
	} {
		_, err := Ollama().readFrom(strings.NewReader(c.in), Endpoint{Stream: true})
		if err == nil || !errors.As(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v (%T)", c.name, err, err)
		}
		if c.want == any(&server) && classify(0, server) != c.class {
			t.Errorf("%s: class %s, want %s", c.name, classify(0, server), c.class)
		}
	}
	for in, want := range map[string]any{`{"choices":[]}`: &unreadable, `{"message":{"content":"a"},"done":false}`: &cut, `{"detail":"Not Found"}`: &server} {
		if _, err := Ollama().readFrom(strings.NewReader(in), Endpoint{}); err == nil || !errors.As(err, want) {
			t.Errorf("%s in one piece: %v", in, err)
		}
	}
}

// A count that is left out is not zero. The reply names the machine that made it.
func TestOllamaMetadata(t *testing.T) {
	a, err := Ollama().readFrom(strings.NewReader(says("a")+"\n"+
		`{"model":"m:cloud","remote_model":"m:671b","remote_host":"https://h","done":true,"done_reason":"stop","total_duration":7,"eval_count":2}`), Endpoint{Stream: true})
	if err != nil || a.usage.Prompt != nil || *a.usage.Completion != 2 || a.model != "m" {
		t.Errorf("usage %+v, model %q, %v", a.usage, a.model, err)
	}
	if string(a.applied) != `"remote_model":"m:671b","remote_host":"https://h"` {
		t.Errorf("applied %s", a.applied)
	}
}

func TestOllamaBody(t *testing.T) {
	temperature, topP, seed := 0.0, 0.5, int64(3)
	image := &verbatim.Image{Media: "image/png", Bytes: []byte("PNG")}
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	const rest = `"model":"m","truncate":false,"shift":false`
	const hi = `,"messages":[{"role":"user","content":"hi"}]`
	for name, c := range map[string]struct {
		e      Endpoint
		prompt verbatim.Prompt
		max    int
		params verbatim.Params
		want   string
	}{
		"only what is asked": {Endpoint{Model: "m"}, question("hi"), 0, verbatim.Params{}, `{` + rest + `,"stream":false` + hi + `}`},
		"all": {Endpoint{Model: "m", Stream: true}, question("hi"), 7, verbatim.Params{Temperature: &temperature, TopP: &topP, Seed: &seed, Effort: "high"},
			`{` + rest + `,"stream":true,"think":"high","options":{"num_predict":7,"temperature":0,"top_p":0.5,"seed":3}` + hi + `}`},
		"thinking off": {Endpoint{Model: "m"}, question("hi"), 0, verbatim.Params{Effort: "false"}, `{` + rest + `,"stream":false,"think":false` + hi + `}`},
		"thinking on":  {Endpoint{Model: "m"}, question("hi"), 0, verbatim.Params{Effort: "true"}, `{` + rest + `,"stream":false,"think":true` + hi + `}`},
		"options join": {Endpoint{Model: "m"}, question("hi"), 7, verbatim.Params{Extra: map[string]json.RawMessage{"options": raw(`{"num_ctx": 8192}`), "keep_alive": raw("-1")}},
			`{` + rest + `,"stream":false,"keep_alive":-1,"options":{"num_predict":7,"num_ctx":8192}` + hi + `}`},
		"roles and images": {Endpoint{Model: "m"}, verbatim.Prompt{
			{Role: "system", Content: []verbatim.Part{{Text: "<rule>"}}},
			{Role: "user", Content: []verbatim.Part{{Image: image}, {Text: "which?"}, {Image: image}}},
			{Role: "assistant"}}, 0, verbatim.Params{},
			`{` + rest + `,"stream":false,"messages":[{"role":"system","content":"<rule>"},{"role":"user","content":"which?","images":["UE5H","UE5H"]},{"role":"assistant","content":""}]}`},
	} {
		r, err := ollamaRequest(c.e, c.prompt, c.max, c.params)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if canonical(t, r.body) != canonical(t, []byte(c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", name, r.body, c.want)
		}
		if strings.Contains(string(r.sent), `"messages"`) {
			t.Errorf("%s: sent %s", name, r.sent)
		}
	}
	for name, c := range map[string]struct {
		prompt verbatim.Prompt
		params verbatim.Params
		want   string
	}{
		"no prompt":     {nil, verbatim.Params{}, "empty"},
		"bytes":         {question("a\xffb"), verbatim.Params{}, "UTF-8"},
		"two texts":     {verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "a"}, {Text: "b"}}}}, verbatim.Params{}, "one text"},
		"a budget":      {question("hi"), verbatim.Params{ReasoningBudget: &seed}, "effort"},
		"seed twice":    {question("hi"), verbatim.Params{Seed: &seed, Extra: map[string]json.RawMessage{"options": raw(`{"seed":1}`)}}, `"seed"`},
		"truncated":     {question("hi"), verbatim.Params{Extra: map[string]json.RawMessage{"truncate": raw("true")}}, `"truncate"`},
		"another":       {question("hi"), verbatim.Params{Extra: map[string]json.RawMessage{"messages": raw("[]")}}, `"messages"`},
		"no options":    {question("hi"), verbatim.Params{Extra: map[string]json.RawMessage{"options": raw("7")}}, "object"},
		"empty image":   {verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Image: &verbatim.Image{}}}}}, verbatim.Params{}, "image"},
		"option's JSON": {question("hi"), verbatim.Params{Extra: map[string]json.RawMessage{"options": raw("{")}}, "object"},
	} {
		r, err := ollamaRequest(Endpoint{Model: "m"}, c.prompt, 5, c.params)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v", name, r.body, err)
		}
	}
}

func TestOllamaPath(t *testing.T) {
	for base, want := range map[string]string{
		"http://h:11434":          "http://h:11434/api/chat",
		"http://h:11434/":         "http://h:11434/api/chat",
		"http://h:11434/api":      "http://h:11434/api/chat",
		"http://h:11434/api/":     "http://h:11434/api/chat",
		"http://h/ollama":         "http://h/ollama/api/chat",
		"http://h/ollama/api?k=v": "http://h/ollama/api/chat?k=v",
	} {
		e := Endpoint{BaseURL: base, root: Ollama().Root}
		r, err := e.request("POST", ollamaPath(e))
		if err != nil || r.URL.String() != want {
			t.Errorf("%s: %v, %v, want %s", base, r.URL, err, want)
		}
	}
	e := Endpoint{BaseURL: "http://h:11434", Model: "m", root: Ollama().Root, models: Ollama().Models}
	if hint := hintFor(verbatim.BadAsk, 404, &serverError{message: "model 'm' not found"}, e); !strings.HasSuffix(hint, " http://h:11434/api/tags") {
		t.Errorf("hint %q", hint)
	}
}

// FuzzOllama wants of any bytes what checkAnyBytes does.
func FuzzOllama(f *testing.F) {
	f.Add([]byte(says("a")+"\n"+ollamaDone+"\n"), uint8(3))
	f.Add([]byte(`{"message":{"content":"a","thinking":"t"},"done":true,"done_reason":"length","eval_count":3}`), uint8(1))
	f.Add([]byte(says("a")+"\r\n\n"+`{"error":"x"}`), uint8(7))
	f.Fuzz(func(t *testing.T, in []byte, step uint8) { checkAnyBytes(t, Ollama, in, step) })
}

// TestOllamaPaths: the list of models is where the chat is, also behind a path of a proxy.
func TestOllamaPaths(t *testing.T) {
	for base, want := range map[string]string{"http://h": "/api/tags /chat", "http://h/api": "/tags /chat", "http://h/box": "/api/tags /api/chat"} {
		if got := Ollama().ModelsPath(base) + " " + ollamaPath(Endpoint{BaseURL: base}); got != want {
			t.Errorf("%s: %s, want %s", base, got, want)
		}
	}
}
