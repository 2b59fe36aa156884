package wire

import (
	"errors"
	"strings"
	"testing"

	"verbatim"
)

// A malformed is a reply that is not as its protocol says.
type malformed struct {
	name, in string
	text     string // what it is read as, where that is certain
	says     string // otherwise: why it is no answer
}

func chatDocument(choice string) string { return `{"choices":[` + choice + `]}` }

// malformedReplies are what servers and gateways send by mistake, by protocol.
func malformedReplies() map[string][]malformed {
	return map[string][]malformed{
		"chat": {
			{"choices without an index, several in one piece", chatDocument(`{"message":{"content":"a"},"finish_reason":"stop"},{"message":{"content":"b"},"finish_reason":"length"}`), "a", ""},
			{"several in a chunk without an index", lines(`{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}`, `{"choices":[{"delta":{},"finish_reason":"stop"},{"delta":{},"finish_reason":"length"}]}`, done), "a", ""},
			{"choices that alternate", lines(delta(`"content":"a"`), `{"choices":[{"index":1,"delta":{"content":"z"}}]}`, delta(`"content":"b"`), `{"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}`, ends("stop"), done), "ab", ""},
			{"an index that is a text or a fraction", lines(`{"choices":[{"index":"0","delta":{"content":"a"}}]}`, `{"choices":[{"index":0.0,"delta":{"content":"b"}}]}`, ends("stop"), done), "ab", ""},
			{"no first choice", lines(`{"choices":[{"index":1,"delta":{"content":"z"},"finish_reason":"stop"}]}`, done), "", "finish reason"},
			{"a choice without a message", chatDocument(`{"index":0,"finish_reason":"stop"}`), "", "no message"},
			{"a choice with a text", chatDocument(`{"index":0,"text":"a","finish_reason":"stop"}`), "", "text of a choice"},
			{"a stream of texts", lines(`{"choices":[{"index":0,"text":"a","finish_reason":null}]}`, `{"choices":[{"index":0,"text":"","finish_reason":"stop"}]}`, done), "", "text of a choice"},
			{"a message where deltas belong", lines(`{"choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}`, done), "a", ""},
			{"a message beside empty deltas", lines(`{"choices":[{"index":0,"delta":{"content":""},"message":{"content":"a"},"finish_reason":"stop"}]}`, done), "a", ""},
			{"messages where deltas belong", lines(`{"choices":[{"index":0,"message":{"content":"a"}}]}`, `{"choices":[{"index":0,"message":{"content":"ab"},"finish_reason":"stop"}]}`, done), "", "several messages"},
			{"a delta that is a text", lines(`{"choices":[{"index":0,"delta":"a","finish_reason":"stop"}]}`, done), "", "no object"},
			{"a message that is a text", chatDocument(`{"message":"a","finish_reason":"stop"}`), "", "no object"},
			{"choices that are an object", lines(`{"choices":{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}}`, done), "", "no list"},
			{"content as a list of texts", chatDocument(`{"message":{"content":["a","b"]},"finish_reason":"stop"}`), "ab", ""},
			{"a part whose text is an object", chatDocument(`{"message":{"content":[{"type":"text","text":{"value":"a"}}]},"finish_reason":"stop"}`), "", "no string"},
			{"a part of a kind to come", chatDocument(`{"message":{"content":[{"type":"markdown","text":"a"}]},"finish_reason":"stop"}`), "", "markdown"},
			{"content as a number", chatDocument(`{"message":{"content":7},"finish_reason":"stop"}`), "", "neither a text nor"},
			{"null content and a refusal", chatDocument(`{"message":{"content":null,"refusal":"no"},"finish_reason":"stop"}`), "", ""},
			{"a refusal among the parts", chatDocument(`{"message":{"content":[{"type":"refusal","refusal":"no"}]},"finish_reason":"stop"}`), "", ""},
			{"an error and an answer", chatDocument(`{"message":{"content":"a"},"finish_reason":"stop"}],"error":{"message":"broken"},"x":[`), "", "broken"},
			{"an empty error and an answer", chatDocument(`{"message":{"content":"a"},"finish_reason":"stop"}],"error":"","x":[`), "a", ""},
			{"an error event", lines(delta(`"content":"a"`), `{"error":{"message":"broken"}}`, ends("stop"), done), "", "broken"},
			{"a NUL in the JSON", "{\"choices\":[{\"message\":{\"content\":\"a\x00b\"},\"finish_reason\":\"stop\"}]}", "", "cannot be read"},
			{"NULs before the JSON", "\x00\x00" + chatDocument(`{"message":{"content":"a"},"finish_reason":"stop"}`), "", "finish reason"},
			{"an escaped NUL", chatDocument(`{"message":{"content":"a\u0000b"},"finish_reason":"stop"}`), "a\x00b", ""},
			{"two end marks", lines(delta(`"content":"a"`), ends("stop"), done, done), "a", ""},
			{"the question before the answer", lines(delta(`"role":"user","content":"q"`), delta(`"role":"assistant","content":"a"`), ends("stop"), done), "", "another role"},
			{"a message of the user", chatDocument(`{"message":{"role":"user","content":"q"},"finish_reason":"stop"}`), "", "another role"},
			{"gzip without a header", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "", "compressed"},
		},
		"anthropic": {
			{"a block without a type", `{"content":[{"text":"a"}],"stop_reason":"end_turn"}`, "a", ""},
			{"a delta without a type", messageEvents(`{"type":"content_block_delta","index":0,"delta":{"text":"a"}}`, stops("end_turn"), messageStop), "a", ""},
			{"a block of a kind to come", `{"content":[{"type":"markdown","text":"a"}],"stop_reason":"end_turn"}`, "", "markdown"},
			{"content as a text", `{"content":"a","stop_reason":"end_turn"}`, "", "no content"},
			{"a text that is an object", `{"content":[{"type":"text","text":{"value":"a"}}],"stop_reason":"end_turn"}`, "", "no string"},
			{"a message of the user", `{"role":"user","content":[{"type":"text","text":"q"}],"stop_reason":"end_turn"}`, "", "another role"},
			{"an error in the place of a message", `{"type":"error","error":{"type":"api_error","message":"broken"}}`, "", "broken"},
		},
		"gemini": {
			{"candidates without an index", `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"},{"content":{"parts":[{"text":"b"}]},"finishReason":"MAX_TOKENS"}]}`, "a", ""},
			{"parts as an object", `{"candidates":[{"content":{"parts":{"text":"a"}},"finishReason":"STOP"}]}`, "", "no list"},
			{"content as a text", `{"candidates":[{"content":"a","finishReason":"STOP"}]}`, "", "no object"},
			{"a text that is a number", `{"candidates":[{"content":{"parts":[{"text":7}]},"finishReason":"STOP"}]}`, "", "no string"},
			{"the question again", `{"candidates":[{"content":{"role":"user","parts":[{"text":"q"}]},"finishReason":"STOP"}]}`, "", "another role"},
			{"candidates as an object", `{"candidates":{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}}`, "", "no list"},
		},
		"ollama": {
			{"the answer of another path", `{"response":"a","done":true,"done_reason":"stop"}`, "", "no message"},
			{"a message that is a text", `{"message":"a","done":true,"done_reason":"stop"}`, "", "no object"},
			{"the question again", `{"message":{"role":"user","content":"q"},"done":true,"done_reason":"stop"}`, "", "another role"},
		},
		"responses": {
			{"no output", `{"status":"completed"}`, "", "output"},
			{"output as a text", `{"status":"completed","output":"a"}`, "", "output"},
			{"content as a text", `{"status":"completed","output":[{"type":"message","content":"a"}]}`, "", "no list"},
			{"a part of a kind to come", `{"status":"completed","output":[{"type":"message","content":[{"type":"markdown","text":"a"}]}]}`, "", "markdown"},
			{"the question again", `{"status":"completed","output":[{"type":"message","role":"user","content":[{"type":"output_text","text":"q"}]}]}`, "", "another role"},
		},
	}
}

func protocolOf(name string) *Protocol {
	return map[string]func() *Protocol{"chat": Chat, "anthropic": Anthropic, "gemini": Gemini, "ollama": Ollama,
		"responses": Responses}[name]()
}

// What is malformed is read as what it certainly says, or it is no answer, and the
// failure says why. It is never an empty or another answer.
func TestMalformed(t *testing.T) {
	for name, list := range malformedReplies() {
		for _, c := range list {
			a, err := protocolOf(name).readFrom(strings.NewReader(c.in), Endpoint{Stream: strings.HasPrefix(c.in, "data:")})
			switch {
			case c.says == "" && (err != nil || string(a.text) != c.text):
				t.Errorf("%s, %s: %q, %v, want %q", name, c.name, a.text, err, c.text)
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%s, %s: %q, %v, want an error that says %q", name, c.name, a.text, err, c.says)
			case c.says == "" && c.text == "" && a.mappedFinish() != verbatim.FinishRefusal:
				t.Errorf("%s, %s: finish %q", name, c.name, a.mappedFinish())
			}
			var cut cutError
			if err != nil && !errors.As(err, &cut) && len(err.Error()) > 1000 {
				t.Errorf("%s, %s: a message of %d bytes", name, c.name, len(err.Error()))
			}
		}
	}
}

// Counts that no reply can have are unknown; the answer stays.
func TestAbsurdUsage(t *testing.T) {
	for _, n := range []string{"-1", "1e18", "1.5", "9007199254740991", `"7"`, "null", "{}", "1000000001"} {
		a, err := readAnswer(`{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":`+n+`,"completion_tokens":`+n+`}}`, Endpoint{})
		if err != nil || a.usage != (verbatim.Usage{}) {
			t.Errorf("%s: %+v, %v", n, a.usage, err)
		}
	}
	a, err := readAnswer(`{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3.0}}`, Endpoint{})
	if err != nil || a.usage.Prompt == nil || *a.usage.Prompt != 3 {
		t.Errorf("%+v, %v", a.usage, err)
	}
}
