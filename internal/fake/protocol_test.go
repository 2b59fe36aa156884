package fake_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// thinker is a model that writes reasoning before its answer.
type thinker struct{ err error }

func (m thinker) Ask(_ context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	if m.err == nil {
		*reply = verbatim.Reply{Text: question, Reasoning: "first this, then that: å", Finish: verbatim.FinishStop}
	}
	return m.err
}

// Every protocol says the right answer and the thoughts before it, streamed and
// whole, with the events in the order of the real APIs.
func TestProtocols(t *testing.T) {
	orders := map[string][]string{
		"responses": {
			"response.created", "response.in_progress",
			"response.output_item.added", "response.reasoning_summary_part.added", "response.reasoning_summary_text.delta",
			"response.reasoning_summary_text.done", "response.reasoning_summary_part.done", "response.output_item.done",
			"response.output_item.added", "response.content_part.added", "response.output_text.delta",
			"response.output_text.done", "response.content_part.done", "response.output_item.done", "response.completed",
		},
		"anthropic": {
			"message_start", "content_block_start", "ping", "content_block_delta", "content_block_stop",
			"content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop",
		},
	}
	finishes := map[string]string{"chat": "stop", "responses": "completed", "anthropic": "end_turn", "gemini": "STOP", "ollama": "stop"}
	base := onLoopback(t, ready(t, fake.Config{Model: thinker{}, Item: fake.NewIndex(copied(question)).Item}))
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	for _, c := range clients() {
		for _, stream := range []bool{false, true} {
			res, err := c.send(t, transport, base, question, stream)
			body := get(t, res, err)
			a, err := c.read([]byte(body), stream)
			if err != nil || a.text != question || a.reasoning != "first this, then that: å" || a.finish != finishes[c.name] || !a.counted {
				t.Errorf("%s, stream %v: %+v, %v in %s", c.name, stream, a, err, body)
			}
			if stream && orders[c.name] != nil && !slices.Equal(squeeze(a.names), orders[c.name]) {
				t.Errorf("%s: events\n%q, want\n%q", c.name, squeeze(a.names), orders[c.name])
			}
			for i, n := range a.sequence {
				if n != int64(i) {
					t.Errorf("%s: event %d has sequence number %d", c.name, i, n)
				}
			}
			want := map[bool]string{false: "application/json", true: "text/event-stream; charset=utf-8"}[stream]
			if stream && c.lines {
				want = "application/x-ndjson"
			}
			if got := res.Header.Get("Content-Type"); got != want {
				t.Errorf("%s, stream %v: content type %q", c.name, stream, got)
			}
			if crlf := strings.Contains(body, "\r\n\r\n"); crlf != (c.name == "gemini" && stream) {
				t.Errorf("%s, stream %v: CR LF is %v", c.name, stream, crlf)
			}
			if stream && strings.Count(body, "\n") < 8 {
				t.Errorf("%s: so few lines: %s", c.name, body)
			}
		}
	}
}

// Faults have the same effect over every protocol as over chat completions.
func TestFaultsInEveryProtocol(t *testing.T) {
	whole := strings.Fields("trickle split clump crlf comments unknown bom error-null usage-twice closes stall,for=5 stall,at=0.5,for=5")
	uncounted := strings.Fields("usage-missing usage-null usage-zero")
	broken := strings.Fields("cut cut,at=0.9 cut,at=1 cut,end=short cut,at=0.99 cut,end=reset unended undone unfinished midway empty error200 page reset hangup")
	for _, c := range clients() {
		for _, stream := range []bool{false, true} {
			for _, fault := range slices.Concat(whole, uncounted, broken) {
				t.Run(fmt.Sprintf("%s/%v/%s", c.name, stream, fault), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						s := ready(t, fake.Config{Item: fake.NewIndex(copied(question)).Item, Faults: faults(t, fault)})
						transport, stop := inMemory(s)
						defer stop()
						a, err := c.met(t, transport, stream)
						counts := s.Counts()
						if slices.Contains(broken, fault) {
							if err == nil {
								t.Errorf("an answer: %+v", a)
							}
							if counts.Answered != 0 || counts.Broken != 1 {
								t.Errorf("counted as %+v", counts)
							}
							return
						}
						if err != nil || a.text != question {
							t.Errorf("%+v, %v", a, err)
						}
						if a.counted == slices.Contains(uncounted, fault) {
							t.Errorf("counted %v", a.counted)
						}
						if counts.Answered != 1 || counts.Broken != 0 {
							t.Errorf("counted as %+v", counts)
						}
					})
				})
			}
		}
	}
}

// met sends the question and reads the reply.
func (c *client) met(t *testing.T, transport http.RoundTripper, stream bool) (handleAnswer, error) {
	t.Helper()
	res, err := c.send(t, transport, "http://fake.test", question, stream)
	if err != nil {
		return handleAnswer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return handleAnswer{}, err
	}
	return c.read(body, stream)
}

// Lists of models, in every shape; and keys, in every way.
func TestModelsAndKeys(t *testing.T) {
	base := onLoopback(t, ready(t, fake.Config{Models: []string{"a", `b"c`}, Key: "sesame"}))
	for _, c := range []struct{ path, header, value, list, name string }{
		{"/v1/models", "Authorization", "Bearer sesame", "data", "id"},
		{"/v1/models", "X-Api-Key", "sesame", "data", "id"},
		{"/v1/models", "X-Goog-Api-Key", "sesame", "models", "displayName"},
		{"/v1beta/models", "X-Goog-Api-Key", "sesame", "models", "displayName"},
		{"/v1beta/models?key=sesame", "X", "x", "models", "displayName"},
		{"/api/tags", "Api-Key", "sesame", "models", "name"},
	} {
		r, _ := http.NewRequest("GET", base+c.path, nil)
		r.Header.Set(c.header, c.value)
		if c.header == "X-Api-Key" {
			r.Header.Set("Anthropic-Version", "2023-06-01")
		}
		res, err := http.DefaultClient.Do(r)
		v := parsed(t, get(t, res, err))
		if str(v, c.list, 0, c.name) != "a" || str(v, c.list, 1, c.name) != `b"c` {
			t.Errorf("%s: %v", c.path, v)
		}
		res, err = http.Get(base + strings.TrimSuffix(c.path, "?key=sesame") + "?key=barley")
		if body := get(t, res, err); res.StatusCode != 401 {
			t.Errorf("%s without the key: %d %s", c.path, res.StatusCode, body)
		}
	}
}

// Azure names the model in the path; a stream of Gemini's without alt=sse is an array.
func TestOtherPaths(t *testing.T) {
	base := onLoopback(t, ready(t, fake.Config{Echo: true}))
	res, err := http.Post(base+"/openai/deployments/mine/chat/completions?api-version=1", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"q"}]}`))
	if v := parsed(t, get(t, res, err)); str(v, "model") != "mine" || str(v, "choices", 0, "message", "content") != "q" {
		t.Error(v)
	}
	res, err = http.Post(base+"/v1beta/models/m:streamGenerateContent", "application/json", strings.NewReader(`{"contents":[{"parts":[{"text":"0123456789abcdefghij"}]}]}`))
	v := parsed(t, `{"all":`+get(t, res, err)+`}`)
	if str(v, "all", 0, "candidates", 0, "content", "parts", 0, "text") != "0123456789abcdef" || str(v, "all", 2, "candidates", 0, "finishReason") != "STOP" {
		t.Error(v)
	}
}

// Pictures are counted in every protocol, and tell prompts apart.
func TestImages(t *testing.T) {
	image := base64.StdEncoding.EncodeToString([]byte("picture"))
	for _, c := range []struct{ path, body string }{
		{"/v1/chat/completions", `{"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"image_url","image_url":{"url":"data:image/png;base64,%s"}}]}]}`},
		{"/v1/responses", `{"input":[{"role":"user","content":[{"type":"input_text","text":"q"},{"type":"input_image","image_url":"data:image/png;base64,%s"}]}]}`},
		{"/v1/messages", `{"max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}}]}]}`},
		{"/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"q"},{"inlineData":{"mimeType":"image/png","data":"%s"}}]}]}`},
		{"/api/chat", `{"model":"m","stream":false,"messages":[{"role":"user","content":"q","images":["%s"]}]}`},
	} {
		prompt := func(picture string) verbatim.Prompt {
			return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}, {Image: &verbatim.Image{Bytes: []byte(picture)}}}}}
		}
		right, wrong := verbatim.Item{Prompt: prompt("picture"), Want: verbatim.TextAnswer("yes it is")}, verbatim.Item{Prompt: prompt("other"), Want: verbatim.TextAnswer("no")}
		s := ready(t, fake.Config{Item: fake.NewIndex(right, wrong).Item})
		base := onLoopback(t, s)
		r, _ := http.NewRequest("POST", base+c.path, strings.NewReader(fmt.Sprintf(c.body, image)))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Anthropic-Version", "2023-06-01")
		res, err := http.DefaultClient.Do(r)
		if body := get(t, res, err); !strings.Contains(body, "yes it is") {
			t.Errorf("%s: %s", c.path, body)
		}
		counts := s.Counts()
		if counts.Images != 1 || counts.PromptTokens != 257 || counts.CompletionTokens != 3 {
			t.Errorf("%s: %+v", c.path, counts)
		}
		if asked, answered := s.Asked(prompt("picture")); asked != 1 || answered != 1 {
			t.Errorf("%s: asked %d, answered %d", c.path, asked, answered)
		}
	}
}

// A listener is a model that answers with the number of its trial, after some
// reasoning.
type listener struct{}

func (listener) Ask(_ context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	*reply = verbatim.Reply{Text: fmt.Sprint("this is trial ", r.Trial), Reasoning: "eight by"}
	return nil
}

// A Model gets the number of earlier requests; reasoning takes room from answers.
func TestModelIsAsked(t *testing.T) {
	base := onLoopback(t, ready(t, fake.Config{Model: listener{}}))
	for i, c := range []struct{ limit, text, finish string }{
		{"0", "this is trial 0", "stop"}, {"6", "this is trial 1", "stop"}, {"4", "this is ", "length"}, {"2", "", "length"}, {"1", "", "length"},
	} {
		res, err := http.Post(base+"/v1/chat/completions", "application/json", strings.NewReader(`{"max_tokens":`+c.limit+`,"messages":[{"role":"user","content":"q"}]}`))
		v := parsed(t, get(t, res, err))
		if str(v, "choices", 0, "message", "content") != c.text || str(v, "choices", 0, "finish_reason") != c.finish {
			t.Errorf("%d: %v", i, v)
		}
	}
}

// With Any, a Model gets also the prompts of unknown items. It gets no item with them,
// and none counts as unknown.
func TestAnyPrompt(t *testing.T) {
	for _, known := range []bool{false, true} {
		s := ready(t, fake.Config{Model: listener{}, Item: fake.NewIndex(copied("another")).Item, Any: known})
		base := onLoopback(t, s)
		res, err := http.Post(base+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"q"}]}`))
		text := str(parsed(t, get(t, res, err)), "choices", 0, "message", "content")
		if asked := text == "this is trial 0"; asked != known || (s.Counts().Unknown == 0) != known {
			t.Errorf("any %v: %q, and %+v", known, text, s.Counts())
		}
	}
}

// Events hold whole characters, whatever their size; and token counts only where
// they were asked for.
func TestChunks(t *testing.T) {
	const text = "aåß€😀日本é"
	for chunk := 1; chunk < 9; chunk++ {
		base := onLoopback(t, ready(t, fake.Config{Echo: true, Chunk: chunk}))
		res, err := http.Post(base+"/v1/chat/completions", "application/json", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"`+text+`"}]}`))
		body := get(t, res, err)
		if !utf8.ValidString(body) || strings.Contains(body, "usage") {
			t.Errorf("%d bytes: %s", chunk, body)
		}
		c := clients()[0]
		a, err := c.read([]byte(body), true)
		if err != nil || a.text != text || len(a.names) < len(text)/max(4, chunk) {
			t.Errorf("%d bytes: %+v, %v", chunk, a, err)
		}
	}
}

// A Model's failure is the server's.
func TestModelFails(t *testing.T) {
	f := &verbatim.Failure{Class: verbatim.Rate, Status: 429, After: 3 * time.Second}
	base := onLoopback(t, ready(t, fake.Config{Model: thinker{err: f}}))
	res, err := http.Post(base+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"q"}]}`))
	if body := get(t, res, err); res.StatusCode != 429 || res.Header.Get("Retry-After") != "3" {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

// A counter is a model that records its sampling parameters and counts its own tokens.
type counter struct{ params verbatim.Params }

func (m *counter) Ask(_ context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	m.params = r.Params
	prompt, written := int64(70), int64(9)
	*reply = verbatim.Reply{Text: "spelled", Usage: verbatim.Usage{Prompt: &prompt, Completion: &written}}
	return nil
}

// Every protocol hands a Model its sampling parameters, and reports the tokens that
// it counted.
func TestModelSamples(t *testing.T) {
	temperature, topP, seed := 0.25, 0.5, int64(7)
	for name, p := range wires {
		m := &counter{}
		base := onLoopback(t, ready(t, fake.Config{Model: m}))
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		for _, stream := range []bool{false, true} {
			e := endpoint(transport, base, stream)
			e.BaseURL = map[string]string{"anthropic": base, "gemini": base + "/v1beta", "ollama": base}[name]
			if e.BaseURL == "" {
				e.BaseURL = base + "/v1"
			}
			e.StreamOptions = nil
			sent := verbatim.Params{Temperature: &temperature, TopP: &topP, Seed: &seed}
			if name == "anthropic" || name == "responses" {
				sent.Seed = nil // they have none
			}
			r, err := modeltest.Send(t.Context(), p, e, says(question), 100, sent)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if r.Text != "spelled" || *r.Usage.Prompt != 70 || *r.Usage.Completion != 9 {
				t.Errorf("%s, stream %v: %q, usage %d and %d", name, stream, r.Text, *r.Usage.Prompt, *r.Usage.Completion)
			}
			if p := m.params; p.Temperature == nil || *p.Temperature != temperature || p.TopP == nil || *p.TopP != topP || (sent.Seed != nil && (p.Seed == nil || *p.Seed != seed)) {
				t.Errorf("%s, stream %v: the model was handed %+v", name, stream, p)
			}
		}
	}
}

// A tokensOf is a model that counts its tokens as it likes.
type tokensOf struct {
	text    string
	thought string
	count   int64
}

func (m tokensOf) Ask(_ context.Context, _ *verbatim.Request, reply *verbatim.Reply) error {
	*reply = verbatim.Reply{Text: m.text, Reasoning: m.thought, Finish: verbatim.FinishStop, Usage: verbatim.Usage{Completion: &m.count}}
	return nil
}

// A model that counts its own tokens knows when the limit is reached. One that goes
// beyond it is truncated anyway, and then the rest is counted here.
func TestModelCounts(t *testing.T) {
	const text = "sixteen letters, of four tokens"
	for _, c := range []struct {
		model        tokensOf
		text, finish string
		count        int64
	}{
		{tokensOf{text, "", 3}, text, "stop", 3},
		{tokensOf{text, "eight by", 5}, text, "stop", 5},
		{tokensOf{text, "eight by", 1}, text, "stop", 2},
		{tokensOf{text, "", 6}, text[:20], "length", 5},
		{tokensOf{text, "twenty letters and a few more", 6}, "", "length", 5},
	} {
		base := onLoopback(t, ready(t, fake.Config{Model: c.model}))
		res, err := http.Post(base+"/v1/chat/completions", "application/json", strings.NewReader(`{"max_tokens":5,"messages":[{"role":"user","content":"q"}]}`))
		v := parsed(t, get(t, res, err))
		if str(v, "choices", 0, "message", "content") != c.text || str(v, "choices", 0, "finish_reason") != c.finish || num(v, "usage", "completion_tokens") != float64(c.count) {
			t.Errorf("%+v: %v", c.model, v)
		}
	}
}

// A request that a Model does not accept is refused as the APIs refuse it, and is no
// error of the server.
func TestModelRefuses(t *testing.T) {
	base := onLoopback(t, ready(t, fake.Config{Model: thinker{err: &verbatim.Failure{Class: verbatim.BadAsk, Who: "m"}}}))
	res, err := http.Post(base+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"q"}]}`))
	if body := get(t, res, err); res.StatusCode != 400 || !strings.Contains(body, "invalid_request_error") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

// TestRouter: each answer names its provider, the short one lacks a character, and a pin is
// obeyed except by a provider that strays. One that fails is named in its error.
func TestRouter(t *testing.T) {
	s, err := fake.New(fake.Config{Echo: true, Upstreams: []fake.Upstream{{Name: "down", Fails: true}}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, asJSON(httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(`{"messages":[{"role":"user","content":"a"}]}`))))
	if want := `"metadata":{"provider_name":"down"}}`; w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), want) {
		t.Errorf("an upstream that fails: %d %s, want 503 with %s", w.Code, w.Body, want)
	}
	for pin, want := range map[string]string{``: "right short stray", `,"provider":{"only":["right"]}`: "right stray", `,"provider":{"order":["short"]}`: "short stray"} {
		s, err := fake.New(fake.Config{Echo: true, Upstreams: []fake.Upstream{{Name: "right"}, {Name: "short", Short: true}, {Name: "stray", Stray: true}}})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(s)
		seen := map[string]bool{}
		for range 60 {
			res, err := http.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"abcé"}]`+pin+`}`))
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(res.Body)
			res.Body.Close()
			for _, name := range []string{"right", "short", "stray"} {
				if strings.Contains(string(body), `"provider":"`+name+`"`) {
					seen[name] = true
					if whole := strings.Contains(string(body), `"abcé"`); whole == (name == "short") {
						t.Errorf("%s answers %s", name, body)
					}
				}
			}
		}
		server.Close()
		for _, name := range []string{"right", "short", "stray"} {
			if seen[name] != strings.Contains(want, name) {
				t.Errorf("pin %s: %v, want %s", pin, seen, want)
			}
		}
	}
}

// A spelling is a model with tokens of its own: the first two are the halves of a character.
type spelling struct{}

// Ask implements verbatim.Model.
func (spelling) Ask(_ context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	*reply = verbatim.Reply{Text: "é lives", Finish: verbatim.FinishStop}
	for _, text := range []string{"\xc3", "\xa9", " ", "lives"} {
		t := verbatim.Token{Text: text, Logprob: -1}
		for _, other := range []string{text, "\xc3", "x"}[:r.Params.Logprobs] {
			t.Top = append(t.Top, verbatim.Token{Text: other, Logprob: -1 - 0.75*float64(len(t.Top))})
		}
		reply.Tokens = append(reply.Tokens, t)
	}
	return nil
}

// TestLogprobs requests log probabilities over every wire, streamed and not. Those of a model
// arrive as they are; others are made up. A protocol that has none refuses.
func TestLogprobs(t *testing.T) {
	const text = "é lives in a house"
	for _, p := range wire.Protocols() {
		for _, stream := range []bool{false, true} {
			for _, model := range []verbatim.Model{speaker(text), spelling{}} {
				s := ready(t, fake.Config{Item: func(verbatim.Prompt) *verbatim.Item { return nil }, Model: model, Any: true})
				transport, stop := inMemory(s)
				defer stop()
				e := wire.Endpoint{BaseURL: "http://fake.test" + p.BasePath(), Model: "m", Stream: stream, Transport: transport}
				reply, err := modeltest.Send(t.Context(), p, e, says("?"), 100, verbatim.Params{Logprobs: 3})
				if p.NoLogprobs {
					if err == nil || !strings.Contains(err.Error(), "no log probabilities") {
						t.Errorf("%s: %v", p.Name, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				checkTokens(t, p.Name, reply, model == verbatim.Model(spelling{}))
				if reply, err = modeltest.Send(t.Context(), p, e, says("?"), 100, verbatim.Params{}); err != nil || reply.Tokens != nil {
					t.Errorf("%s: %d tokens that were not requested, %v", p.Name, len(reply.Tokens), err)
				}
			}
		}
	}
}

// checkTokens wants tokens that spell the reply, each with three alternatives of which one
// is the token itself.
func checkTokens(t *testing.T, name string, reply verbatim.Reply, own bool) {
	t.Helper()
	var spelt strings.Builder
	for i, token := range reply.Tokens {
		spelt.WriteString(token.Text)
		sum, isAmong := 0.0, false
		for _, other := range token.Top {
			sum += math.Exp(other.Logprob)
			isAmong = isAmong || other.Text == token.Text && other.Logprob == token.Logprob
		}
		if len(token.Top) != 3 || !isAmong || sum > 1+1e-9 || token.Logprob >= 0 {
			t.Errorf("%s: token %d is %+v", name, i, token)
		}
	}
	want := reply.Text
	if own && name == "gemini" { // it has texts only, no bytes
		want = strings.ReplaceAll(want, "é", "\ufffd\ufffd")
	}
	if spelt.String() != want || len(reply.Tokens) < 3 {
		t.Errorf("%s: the tokens spell %q, want %q", name, spelt.String(), want)
	}
}
