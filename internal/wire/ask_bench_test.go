package wire

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"verbatim"
)

// BenchmarkAsk measures one reply that is not streamed, without a network: what a
// request costs in addition to net/http.
func BenchmarkAsk(b *testing.B) {
	text := strings.Repeat("0123456789", 20)
	answer := `{"id":"chatcmpl-1","object":"chat.completion","created":1795247876,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"` +
		text + `"},"finish_reason":"stop"}],"usage":{"prompt_tokens":50,"completion_tokens":50,"total_tokens":100}}`
	e := Endpoint{BaseURL: "http://127.0.0.1:8080/v1", Model: "m", Transport: answers(answer)}
	prompt := question(strings.Repeat("0123456789", 40))
	b.ReportAllocs()
	for b.Loop() {
		r, err := Chat().SendPrompt(context.Background(), e, prompt, 264, verbatim.Params{})
		if err != nil || r.Text != text {
			b.Fatal(r, err)
		}
	}
}

// answers is a transport that always returns the same document.
type answers string

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(string(a))), ContentLength: int64(len(a)),
	}, nil
}
