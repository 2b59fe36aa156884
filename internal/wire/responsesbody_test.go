package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"verbatim"
)

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
