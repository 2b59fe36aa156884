package wire_test

import (
	"context"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

func TestAnthropic(t *testing.T) {
	for _, stream := range []bool{true, false} {
		t.Run(map[bool]string{true: "Stream", false: "Plain"}[stream], func(t *testing.T) {
			modeltest.Run(t, modeltest.Harness{
				Stream: stream,
				Ask: func(ctx context.Context, e wire.Endpoint, p verbatim.Prompt) (verbatim.Reply, error) {
					e.Model = "test-model"
					return wire.Anthropic(ctx, e, p, 100, verbatim.Params{})
				},
				Answer: map[bool]func(modeltest.Scene) modeltest.Body{true: modeltest.AnthropicStream, false: modeltest.AnthropicDocument}[stream],
				KeepAlive: []byte("event: ping\ndata: {\"type\": \"ping\"}\n\n: hold\n\nevent: content_block_delta\n" +
					"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"\"}}\n\n"),
				Error: func(code, message string) []byte {
					return []byte(modeltest.AnthropicError(modeltest.Error{Code: code, Message: message}))
				},
			})
		})
	}
}
