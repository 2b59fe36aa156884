package wire_test

import (
	"context"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

func TestResponses(t *testing.T) {
	for _, stream := range []bool{true, false} {
		t.Run(map[bool]string{true: "Stream", false: "Plain"}[stream], func(t *testing.T) {
			modeltest.Run(t, modeltest.Harness{
				Stream: stream,
				Ask: func(ctx context.Context, e wire.Endpoint, p verbatim.Prompt) (verbatim.Reply, error) {
					e.Model = "test-model"
					return wire.Responses(ctx, e, p, 100, verbatim.Params{})
				},
				Answer:    map[bool]func(modeltest.Scene) modeltest.Body{true: modeltest.ResponsesStream, false: modeltest.ResponsesDocument}[stream],
				KeepAlive: []byte(": keep-alive\n\nevent: response.in_progress\ndata: {\"type\":\"response.in_progress\",\"response\":{\"id\":\"resp_1\",\"status\":\"in_progress\",\"usage\":null}}\n\n"),
				Error: func(code, message string) []byte {
					return []byte(`{"error":` + modeltest.ChatError(modeltest.Error{Code: code, Message: message}) + `}`)
				},
			})
		})
	}
}
