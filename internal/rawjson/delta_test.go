package rawjson

import (
	"encoding/json"
	"testing"
)

// deltas are streamed events of a chat, and the text that each adds to the reply.
var deltas = []struct{ name, event, text string }{
	{"event", event, " word"},
	{"escapes", `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1795247876,"model":"m","system_fingerprint":"b1","choices":[{"index":0,"delta":{"role":"assistant",` +
		`"content":"\"Straße\"\n\ud83d\ude00"},"logprobs":null,"finish_reason":null}],"usage":{"prompt_tokens":12,"completion_tokens":3,"details":{"cached":[0,1]}}}`, "\"Straße\"\n😀"},
}

// appendDelta checks an event, as a reader of a stream must, and appends the text that it
// adds to the reply.
func appendDelta(dst, event []byte) ([]byte, bool) {
	if !Valid(event) {
		return dst, false
	}
	Elements(Member(event, "choices"), func(choice []byte) {
		dst, _ = AppendText(dst, Member(choice, "delta", "content"))
	})
	return dst, true
}

// A chunk is what encoding/json decodes for the same text.
type chunk struct {
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
		} `json:"delta"`
	} `json:"choices"`
}

func appendDecoded(dst, event []byte) ([]byte, bool) {
	var c chunk
	if json.Unmarshal(event, &c) != nil {
		return dst, false
	}
	for i := range c.Choices {
		dst = append(dst, c.Choices[i].Delta.Content...)
	}
	return dst, true
}

// BenchmarkDelta compares ways to read the text of a streamed event. With
// GOEXPERIMENT=jsonv2, BenchmarkDeltaText measures encoding/json/jsontext as well; then
// encoding/json is its second version too. See docs/decisions/0026-json.md.
func BenchmarkDelta(b *testing.B) {
	benchmarkDelta(b, "rawjson", appendDelta)
	benchmarkDelta(b, "encoding-json", appendDecoded)
}

func benchmarkDelta(b *testing.B, name string, read func(dst, event []byte) ([]byte, bool)) {
	for _, d := range deltas {
		b.Run(d.name+"/"+name, func(b *testing.B) {
			event, dst := []byte(d.event), make([]byte, 0, 64)
			b.SetBytes(int64(len(event)))
			b.ReportAllocs()
			for b.Loop() {
				text, ok := read(dst, event)
				if !ok || string(text) != d.text {
					b.Fatalf("%q, %v; want %q", text, ok, d.text)
				}
			}
		})
	}
}
