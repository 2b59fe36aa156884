package batch

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"verbatim"
	"verbatim/internal/wire"
)

// batchesOf returns every batch API with limits that are quickly reached.
func batchesOf(most int, bytes int64) map[string]*API {
	all := map[string]*API{"chat": openAIChat(), "responses": openAIResponses(), "anthropic": Anthropic(), "gemini": Gemini()}
	for _, api := range all {
		api.maxRequests, api.maxBytes = most, bytes
	}
	return all
}

func requestsOf(sizes ...int) []verbatim.Request {
	requests := make([]verbatim.Request, len(sizes))
	for i, n := range sizes {
		requests[i] = verbatim.Request{Seq: int64(i), MaxTokens: 100, Prompt: question(strings.Repeat("x", n))}
	}
	return requests
}

// The documented limits, with megabytes as the smaller of the two kinds.
func TestBatchLimits(t *testing.T) {
	for _, c := range []struct {
		api   *API
		most  int
		bytes int64
	}{
		{openAIChat(), 50_000, 200e6}, {openAIResponses(), 50_000, 200e6}, {Anthropic(), 100_000, 256e6}, {Gemini(), 10_000, 20e6},
	} {
		if c.api.maxRequests != c.most || c.api.maxBytes != c.bytes {
			t.Errorf("%s: %d requests, %d bytes", c.api.protocol.Name, c.api.maxRequests, c.api.maxBytes)
		}
	}
}

func TestBatchFits(t *testing.T) {
	e := wire.Endpoint{BaseURL: "http://127.0.0.1:9", Model: "m"}
	bad := requestsOf(1, 1)
	bad[1].Prompt = nil
	for name, api := range batchesOf(7, 10_000) {
		for _, c := range []struct {
			what     string
			requests []verbatim.Request
			want     int
			says     string // part of the error
		}{
			{"none", nil, 0, ""},
			{"as many as may be", requestsOf(1, 1, 1, 1, 1, 1, 1), 7, ""},
			{"one more", requestsOf(1, 1, 1, 1, 1, 1, 1, 1), 7, ""},
			{"as long as may be", requestsOf(2000, 2000, 2000, 2000, 2000), 4, ""},
			{"a long one behind", requestsOf(1, 10_000, 1), 1, ""},
			{"a long one", requestsOf(10_000), 0, "bytes"},
			{"a bad one behind", bad, 1, ""},
			{"a bad one", bad[1:], 0, "empty"},
		} {
			n, err := api.Fits(e, c.requests)
			if n != c.want || (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %s: %d fit, %v", name, c.what, n, err)
			}
		}
		for _, requests := range [][]verbatim.Request{requestsOf(1, 1, 1, 1, 1, 1, 1, 1), requestsOf(5000, 5000)} {
			if _, err := api.Submit(t.Context(), e, "k", requests); err == nil || !strings.Contains(err.Error(), "too many") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Fits counts the bytes that are sent: what fits is within the limit, and with one more
// request it is not, whatever the key.
func TestBatchFitsWhatIsSent(t *testing.T) {
	e := wire.Endpoint{BaseURL: "http://127.0.0.1:9", Model: "m"}
	key := strings.Repeat("k", 64)
	for name, api := range batchesOf(1000, 50_000) {
		for size := range 40 {
			requests := requestsOf(bytesOf(200, 300+17*size)...)
			n, err := api.Fits(e, requests)
			if err != nil || n == 0 || n == len(requests) {
				t.Fatalf("%s: %d fit, %v", name, n, err)
			}
			sent := func(n int) int64 {
				total, err := io.Copy(io.Discard, &body{api: api, e: e, key: key, requests: requests[:n], frame: api.frame(key)})
				if err != nil {
					t.Fatal(err)
				}
				return total
			}
			if sent(n) > api.maxBytes || sent(n+1) <= api.maxBytes-2 {
				t.Errorf("%s: %d fit: %d bytes, with one more %d", name, n, sent(n), sent(n+1))
			}
		}
	}
}

func bytesOf(n, size int) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = size
	}
	return sizes
}

// A body reads the same in pieces of any size, and again.
func TestBatchBody(t *testing.T) {
	e := wire.Endpoint{BaseURL: "http://127.0.0.1:9", Model: "m"}
	for name, want := range map[string]string{
		"chat": "--verbatim-batch-boundary\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n" +
			"--verbatim-batch-boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"key.jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n" +
			`{"custom_id":"s0","method":"POST","url":"/v1/chat/completions","body":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"x"}]}}` + "\n" +
			`{"custom_id":"s1","method":"POST","url":"/v1/chat/completions","body":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"xx"}]}}` +
			"\n\r\n--verbatim-batch-boundary--\r\n",
		"anthropic": `{"requests":[{"custom_id":"2c70e12b7a-s0","params":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"x"}]}},` + "\n" +
			`{"custom_id":"2c70e12b7a-s1","params":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"xx"}]}}]}`,
		"gemini": `{"batch":{"displayName":"key","inputConfig":{"requests":{"requests":[` +
			`{"request":{"generationConfig":{"maxOutputTokens":100},"contents":[{"role":"user","parts":[{"text":"x"}]}]},"metadata":{"key":"s0"}},` + "\n" +
			`{"request":{"generationConfig":{"maxOutputTokens":100},"contents":[{"role":"user","parts":[{"text":"xx"}]}]},"metadata":{"key":"s1"}}]}}}}`,
	} {
		api := batchesOf(10, 10_000)[name]
		for step, in := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "halves": iotest.HalfReader,
		} {
			got, err := io.ReadAll(in(&body{api: api, e: e, key: "key", requests: requestsOf(1, 2), frame: api.frame("key")}))
			if err != nil || !bytes.Equal(got, []byte(want)) {
				t.Errorf("%s, %s:\n got %s\nwant %s\n%v", name, step, got, want, err)
			}
		}
	}
}

func question(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}
