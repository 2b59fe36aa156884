package wire

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"verbatim"
)

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
