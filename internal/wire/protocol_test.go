package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// A suite is a protocol with what modeltest needs to test it. The harness is that of
// its streams; plain answers differ by how they are written.
type suite struct {
	name             string
	ask              func(context.Context, wire.Endpoint, verbatim.Prompt, int, verbatim.Params) (verbatim.Reply, error)
	stream, document func(modeltest.Scene) modeltest.Body
	harness          modeltest.Harness
}

func suites() []suite {
	chatError := func(code, message string) []byte {
		return []byte(`{"error":` + modeltest.ChatError(modeltest.Error{Code: code, Message: message}) + `}`)
	}
	return []suite{
		{"Chat", wire.Chat().SendPrompt, modeltest.ChatStream, modeltest.ChatDocument, modeltest.Harness{
			KeepAlive: []byte(": keep-alive\n\n" +
				`data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}],"usage":null}` + "\n\n"),
			Error: chatError,
		}},
		{"Responses", wire.Responses().SendPrompt, modeltest.ResponsesStream, modeltest.ResponsesDocument, modeltest.Harness{
			KeepAlive: []byte(": keep-alive\n\nevent: response.in_progress\n" +
				`data: {"type":"response.in_progress","response":{"id":"resp_1","status":"in_progress","usage":null}}` + "\n\n"),
			Error: chatError,
		}},
		{"Anthropic", wire.Anthropic().SendPrompt, modeltest.AnthropicStream, modeltest.AnthropicDocument, modeltest.Harness{
			KeepAlive: []byte("event: ping\n" + `data: {"type": "ping"}` + "\n\n: hold\n\nevent: content_block_delta\n" +
				`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}}` + "\n\n"),
			Error: func(code, message string) []byte {
				return []byte(modeltest.AnthropicError(modeltest.Error{Code: code, Message: message}))
			},
		}},
		{"Gemini", wire.Gemini().SendPrompt, modeltest.GeminiStream, modeltest.GeminiDocument, modeltest.Harness{
			KeepAlive: []byte(": hold\n\n" +
				`data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}],"modelVersion":"served"}` + "\n\n"),
			Error: func(code, message string) []byte {
				return []byte("{" + modeltest.GeminiError(modeltest.Error{Code: code, Message: message}) + "}")
			},
			NoMark:    true,
			NoRefusal: true,
		}},
		{"Ollama", wire.Ollama().SendPrompt, modeltest.OllamaStream, modeltest.OllamaDocument, modeltest.Harness{
			KeepAlive: []byte("\n" +
				`{"model":"test-model","created_at":"2026-11-21T08:00:00Z","message":{"role":"assistant","content":""},"done":false}` + "\n"),
			Error: func(code, message string) []byte {
				return []byte(modeltest.OllamaError(modeltest.Error{Code: code, Message: message}))
			},
			Counts: func(u verbatim.Usage) verbatim.Usage {
				return verbatim.Usage{Prompt: u.Prompt, Completion: u.Completion}
			},
			NoRefusal: true,
			Root:      "/api",
		}},
	}
}

// TestProtocols puts every protocol through modeltest, streamed and plain.
func TestProtocols(t *testing.T) {
	for _, s := range suites() {
		h := s.harness
		h.Ask = func(ctx context.Context, e wire.Endpoint, p verbatim.Prompt) (verbatim.Reply, error) {
			e.Model = "test-model"
			return s.ask(ctx, e, p, 100, verbatim.Params{})
		}
		t.Run(s.name+"/Stream", func(t *testing.T) {
			h.Stream, h.Answer = true, s.stream
			modeltest.Run(t, h)
		})
		t.Run(s.name+"/Plain", func(t *testing.T) {
			h.Stream, h.Answer = false, s.document
			modeltest.Run(t, h)
		})
	}
}

func TestKeyDoesNotPrint(t *testing.T) {
	const secret = "sk-0123456789-secret"
	k := wire.NewKey(" " + secret + "\n")
	if k.IsZero() || k.Reveal() != secret {
		t.Fatal("the key is lost")
	}
	type hidden struct{ k wire.Key }
	var out strings.Builder
	for _, v := range []any{k, &k, []wire.Key{k}, map[string]wire.Key{"k": k}, hidden{k}, &hidden{k}, wire.Endpoint{Key: k}, &wire.Endpoint{Key: k}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T"} {
			fmt.Fprintf(&out, verb, v)
		}
		fmt.Fprint(&out, v)
	}
	b, err := json.Marshal(map[string]any{"k": k, "p": &k, "e": []wire.Key{k}})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(b)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "k", k, "h", hidden{k})
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "k", k, "h", hidden{k})
	out.Write(log.Bytes())
	hex := fmt.Sprintf("%x", secret)
	if s := out.String(); strings.Contains(s, secret) || strings.Contains(strings.ToLower(s), hex) {
		t.Errorf("the key shows in %s", s)
	}
	if !strings.Contains(out.String(), "[key]") {
		t.Error("a key does not show that it is there")
	}
	if zero := wire.NewKey("  "); !zero.IsZero() || fmt.Sprint(zero) != "" {
		t.Errorf("no key prints as %q", fmt.Sprint(zero))
	}
	if got := k.Hide("wrong: " + secret); got != "wrong: [key]" {
		t.Errorf("hide: %q", got)
	}
}
