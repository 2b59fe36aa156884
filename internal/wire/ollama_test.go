package wire_test

import (
	"context"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

func TestOllama(t *testing.T) {
	for _, stream := range []bool{true, false} {
		t.Run(map[bool]string{true: "Stream", false: "Plain"}[stream], func(t *testing.T) {
			modeltest.Run(t, modeltest.Harness{
				Stream: stream,
				Ask: func(ctx context.Context, e wire.Endpoint, p verbatim.Prompt) (verbatim.Reply, error) {
					e.Model = "test-model"
					return wire.Ollama(ctx, e, p, 100, verbatim.Params{})
				},
				Answer:    map[bool]func(modeltest.Scene) modeltest.Body{true: modeltest.OllamaStream, false: modeltest.OllamaDocument}[stream],
				KeepAlive: []byte("\n" + `{"model":"test-model","created_at":"2026-11-21T08:00:00Z","message":{"role":"assistant","content":""},"done":false}` + "\n"),
				Error: func(code, message string) []byte {
					return []byte(modeltest.OllamaError(modeltest.Error{Code: code, Message: message}))
				},
				Counts: func(u verbatim.Usage) verbatim.Usage {
					return verbatim.Usage{Prompt: u.Prompt, Completion: u.Completion}
				},
				NoRefusal: true,
				Root:      "/api",
			})
		})
	}
}
