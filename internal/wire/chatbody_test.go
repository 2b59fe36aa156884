package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"verbatim"
)

func question(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}

func TestChatBody(t *testing.T) {
	temperature, topP, seed := 0.0, 0.5, int64(0)
	image := &verbatim.Image{Media: "image/png", Bytes: []byte("PNG")}
	for name, c := range map[string]struct {
		e      Endpoint
		prompt verbatim.Prompt
		max    int
		params verbatim.Params
		want   string
	}{
		"only what is asked": {Endpoint{Model: "m"}, question("hi"), 0, verbatim.Params{},
			`{"model":"m","messages":[{"role":"user","content":"hi"}]}`},
		"stream": {Endpoint{Model: "m", Stream: true}, question("hi"), 7, verbatim.Params{},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":7,"stream":true,"stream_options":{"include_usage":true}}`},
		"zero is a value": {Endpoint{Model: "m"}, question("hi"), 7, verbatim.Params{Temperature: &temperature, TopP: &topP, Seed: &seed, Effort: "low"},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":7,"temperature":0,"top_p":0.5,"seed":0,"reasoning_effort":"low"}`},
		"dialect": {Endpoint{Model: "m", Stream: true, MaxTokensField: "max_completion_tokens", SeedField: "random_seed", StreamOptions: map[string]bool{}},
			question("hi"), 7, verbatim.Params{Seed: &seed},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"max_completion_tokens":7,"random_seed":0,"stream":true}`},
		"options": {Endpoint{Model: "m", Stream: true, StreamOptions: map[string]bool{"include_usage": true, "include_obfuscation": false}},
			question("hi"), 0, verbatim.Params{},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}}`},
		"extra": {Endpoint{Model: "m"}, question("hi"), 0,
			verbatim.Params{Extra: map[string]json.RawMessage{"chat_template_kwargs": json.RawMessage(`{"enable_thinking": false}`), "n": json.RawMessage("1")}},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"chat_template_kwargs":{"enable_thinking":false},"n":1}`},
		"roles and parts": {Endpoint{Model: "m"}, verbatim.Prompt{
			{Role: "system", Content: []verbatim.Part{{Text: "<rule> & \u2028 \x00"}}},
			{Role: "user", Content: []verbatim.Part{{Text: "which?"}, {Image: image}}},
			{Role: "assistant"}}, 0, verbatim.Params{},
			`{"model":"m","messages":[{"role":"system","content":"<rule> & \u2028 \u0000"},{"role":"user","content":[{"type":"text","text":"which?"},` +
				`{"type":"image_url","image_url":{"url":"data:image/png;base64,UE5H"}}]},{"role":"assistant","content":""}]}`},
		"an image alone": {Endpoint{Model: "m"}, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Image: image}}}}, 0, verbatim.Params{},
			`{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,UE5H"}}]}]}`},
	} {
		r, err := chatRequest(c.e, c.prompt, c.max, c.params)
		got := r.body
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if canonical(t, got) != canonical(t, []byte(c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
		if strings.Contains(string(got), `\u003c`) {
			t.Errorf("%s: escaped without need: %s", name, got)
		}
	}
}

func canonical(t *testing.T, doc []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// A request that cannot be sent unchanged is not sent.
func TestChatBodyRefuses(t *testing.T) {
	extra := func(name, value string) verbatim.Params {
		return verbatim.Params{Extra: map[string]json.RawMessage{name: json.RawMessage(value)}}
	}
	for name, c := range map[string]struct {
		prompt verbatim.Prompt
		params verbatim.Params
		want   string
	}{
		"no prompt":       {nil, verbatim.Params{}, "empty"},
		"bytes":           {question("a\xffb"), verbatim.Params{}, "UTF-8"},
		"empty image":     {verbatim.Prompt{{Content: []verbatim.Part{{Image: &verbatim.Image{Path: "a.png"}}}}}, verbatim.Params{}, "image"},
		"model twice":     {question("hi"), extra("model", `"other"`), `"model"`},
		"bound twice":     {question("hi"), extra("max_tokens", "9"), `"max_tokens"`},
		"stream":          {question("hi"), extra("stream", "true"), `"stream"`},
		"not JSON":        {question("hi"), extra("stop", "a b"), `"stop"`},
		"nothing as JSON": {question("hi"), extra("stop", ""), `"stop"`},
	} {
		r, err := chatRequest(Endpoint{Model: "m"}, c.prompt, 5, c.params)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v", name, r.body, err)
		}
	}
}
