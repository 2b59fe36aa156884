package wire_test

import (
	"context"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

func TestGemini(t *testing.T) {
	for _, stream := range []bool{true, false} {
		t.Run(map[bool]string{true: "Stream", false: "Plain"}[stream], func(t *testing.T) {
			modeltest.Run(t, modeltest.Harness{
				Stream:    stream,
				NoMark:    true,
				NoRefusal: true,
				Ask: func(ctx context.Context, e wire.Endpoint, p verbatim.Prompt) (verbatim.Reply, error) {
					e.Model = "test-model"
					return wire.Gemini(ctx, e, p, 100, verbatim.Params{})
				},
				Answer:    map[bool]func(modeltest.Scene) modeltest.Body{true: modeltest.GeminiStream, false: modeltest.GeminiDocument}[stream],
				KeepAlive: []byte(": hold\n\ndata: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}],\"role\":\"model\"},\"index\":0}],\"modelVersion\":\"served\"}\n\n"),
				Error: func(code, message string) []byte {
					return []byte("{" + modeltest.GeminiError(modeltest.Error{Code: code, Message: message}) + "}")
				},
			})
		})
	}
}
