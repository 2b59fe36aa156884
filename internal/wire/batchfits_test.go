package wire

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// batchesOf returns every batch API with limits that are quickly reached.
func batchesOf(most int, bytes int64) map[string]*BatchAPI {
	all := map[string]*BatchAPI{"chat": ChatBatches(), "responses": ResponsesBatches(), "anthropic": AnthropicBatches(), "gemini": GeminiBatches()}
	for _, api := range all {
		api.most, api.mostBytes = most, bytes
	}
	return all
}

func asksOf(sizes ...int) []BatchAsk {
	asks := make([]BatchAsk, len(sizes))
	for i, n := range sizes {
		asks[i] = BatchAsk{ID: fmt.Sprint(i), MaxTokens: 100, Prompt: question(strings.Repeat("x", n))}
	}
	return asks
}

// The documented limits, with megabytes as the smaller of the two kinds.
func TestBatchLimits(t *testing.T) {
	for _, c := range []struct {
		api   *BatchAPI
		most  int
		bytes int64
	}{
		{ChatBatches(), 50_000, 200e6}, {ResponsesBatches(), 50_000, 200e6}, {AnthropicBatches(), 100_000, 256e6}, {GeminiBatches(), 10_000, 20e6},
	} {
		if c.api.most != c.most || c.api.mostBytes != c.bytes {
			t.Errorf("%s: %d requests, %d bytes", c.api.protocol.name, c.api.most, c.api.mostBytes)
		}
	}
}

func TestBatchFits(t *testing.T) {
	e := Endpoint{BaseURL: "http://127.0.0.1:9", Model: "m"}
	bad := asksOf(1, 1)
	bad[1].Prompt = nil
	for name, api := range batchesOf(7, 10_000) {
		for _, c := range []struct {
			what string
			asks []BatchAsk
			want int
			says string // part of the error
		}{
			{"none", nil, 0, ""},
			{"as many as may be", asksOf(1, 1, 1, 1, 1, 1, 1), 7, ""},
			{"one more", asksOf(1, 1, 1, 1, 1, 1, 1, 1), 7, ""},
			{"as long as may be", asksOf(2000, 2000, 2000, 2000, 2000), 4, ""},
			{"a long one behind", asksOf(1, 10_000, 1), 1, ""},
			{"a long one", asksOf(10_000), 0, "bytes"},
			{"a bad one behind", bad, 1, ""},
			{"a bad one", bad[1:], 0, "empty"},
		} {
			n, err := api.Fits(e, c.asks)
			if n != c.want || (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %s: %d fit, %v", name, c.what, n, err)
			}
		}
		for _, asks := range [][]BatchAsk{asksOf(1, 1, 1, 1, 1, 1, 1, 1), asksOf(5000, 5000)} {
			if _, err := api.Submit(t.Context(), e, "k", asks); err == nil || !strings.Contains(err.Error(), "too many") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// What Fits lets through is what is sent: it is no longer than the limit by one
// request, whatever the key.
func TestBatchFitsWhatIsSent(t *testing.T) {
	e := Endpoint{BaseURL: "http://127.0.0.1:9", Model: "m"}
	key := strings.Repeat("k", 64)
	for name, api := range batchesOf(1000, 50_000) {
		for size := range 40 {
			asks := asksOf(bytesOf(200, 300+17*size)...)
			n, err := api.Fits(e, asks)
			if err != nil || n == 0 || n == len(asks) {
				t.Fatalf("%s: %d fit, %v", name, n, err)
			}
			sent := func(n int) int64 {
				total, err := io.Copy(io.Discard, &batchBody{api: api, e: e, key: key, asks: asks[:n], around: api.envelope(key)})
				if err != nil {
					t.Fatal(err)
				}
				return total
			}
			if sent(n) > api.mostBytes || sent(n+1) <= api.mostBytes-2 {
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
	e := Endpoint{BaseURL: "http://127.0.0.1:9", Model: "m"}
	for name, want := range map[string]string{
		"chat": "--verbatim-batch-boundary\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n" +
			"--verbatim-batch-boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"key.jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n" +
			`{"custom_id":"0","method":"POST","url":"/v1/chat/completions","body":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"x"}]}}` + "\n" +
			`{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"xx"}]}}` +
			"\n\r\n--verbatim-batch-boundary--\r\n",
		"anthropic": `{"requests":[{"custom_id":"2c70e12b7a-0","params":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"x"}]}},` + "\n" +
			`{"custom_id":"2c70e12b7a-1","params":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"xx"}]}}]}`,
		"gemini": `{"batch":{"displayName":"key","inputConfig":{"requests":{"requests":[` +
			`{"request":{"generationConfig":{"maxOutputTokens":100},"contents":[{"role":"user","parts":[{"text":"x"}]}]},"metadata":{"key":"0"}},` + "\n" +
			`{"request":{"generationConfig":{"maxOutputTokens":100},"contents":[{"role":"user","parts":[{"text":"xx"}]}]},"metadata":{"key":"1"}}]}}}}`,
	} {
		api := batchesOf(10, 10_000)[name]
		for step, in := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "halves": iotest.HalfReader,
		} {
			got, err := io.ReadAll(in(&batchBody{api: api, e: e, key: "key", asks: asksOf(1, 2), around: api.envelope("key")}))
			if err != nil || !bytes.Equal(got, []byte(want)) {
				t.Errorf("%s, %s:\n got %s\nwant %s\n%v", name, step, got, want, err)
			}
		}
	}
}
