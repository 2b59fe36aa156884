package wire_test

import (
	"context"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

func TestChat(t *testing.T) {
	for _, stream := range []bool{true, false} {
		t.Run(map[bool]string{true: "Stream", false: "Plain"}[stream], func(t *testing.T) {
			modeltest.Run(t, modeltest.Harness{
				Stream: stream,
				Ask: func(ctx context.Context, e wire.Endpoint, p verbatim.Prompt) (verbatim.Reply, error) {
					e.Model = "test-model"
					return wire.Chat(ctx, e, p, 100, verbatim.Params{})
				},
				Answer:    map[bool]func(modeltest.Scene) modeltest.Body{true: modeltest.ChatStream, false: modeltest.ChatDocument}[stream],
				KeepAlive: []byte(": keep-alive\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}],\"usage\":null}\n\n"),
				Error: func(code, message string) []byte {
					return []byte(`{"error":` + modeltest.ChatError(modeltest.Error{Code: code, Message: message}) + `}`)
				},
			})
		})
	}
}
