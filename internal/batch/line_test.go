package batch

import (
	"errors"
	"testing"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// FuzzBatchLine wants of any answer or error in a batch: no panic, and a reply with
// a finish reason or a failure with its one attempt, neither with a time.
func FuzzBatchLine(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"completion_tokens":1}}`), 200)
	f.Add([]byte(`{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}]}`), 200)
	f.Add([]byte(`{"content":[{"type":"text","text":"a"}],"stop_reason":"end_turn"}`), 200)
	f.Add([]byte(`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`), 200)
	f.Add([]byte(`{"error":{"code":429,"message":"slower"}}`), 429)
	f.Add([]byte(`null`), 0)
	f.Fuzz(func(t *testing.T, in []byte, status int) {
		if !rawjson.Valid(in) {
			return
		}
		for name, api := range batchesOf(1, 1000) {
			c := client{api, wire.Endpoint{BaseURL: "http://127.0.0.1:9"}}
			for _, l := range []wire.Result{{Status: status, Reply: in}, {Status: status, Error: in}, {Reply: in, Error: in}} {
				reply, err := c.read("b", l)
				var failure *verbatim.Failure
				switch {
				case err == nil && (reply.FinishRaw == "" || reply.Batch != "b" || len(reply.Attempts) != 1 || reply.Times != verbatim.Times{}):
					t.Errorf("%s: %+v", name, reply)
				case err != nil && (!errors.As(err, &failure) || len(failure.Attempts) != 1 || failure.Attempts[0].Total != 0 || failure.Class == ""):
					t.Errorf("%s: %+v", name, err)
				}
			}
		}
	})
}
