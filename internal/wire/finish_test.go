package wire

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"verbatim"
)

// wordsOfFailure are finish reasons that say that the server failed, as servers spell them.
var wordsOfFailure = []string{
	"network_error", "error", "ERROR", "abort", "aborted", "timeout", "TIMEOUT", "time_limit", "cancelled", "canceled", "USER_CANCEL",
	"insufficient_system_resource", "failed", "userStopped", "modelUnloaded", "pause_turn", "compaction",
	"MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE",
	"IMAGE_OTHER", "NO_IMAGE", "malformed_model_output", "malformed_tool_use", "Network-Error",
}

// ending makes, of every protocol, replies with the text "a" that end for a reason.
func ending(reason string) map[string]*protocolReply {
	return map[string]*protocolReply{
		"chat stream":        {Chat(), lines(delta(`"content":"a"`), ends(reason), done)},
		"chat document":      {Chat(), `{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"` + reason + `"}]}`},
		"anthropic stream":   {Anthropic(), messageEvents(textDelta("a"), stops(reason), messageStop)},
		"anthropic document": {Anthropic(), `{"type":"message","content":[{"type":"text","text":"a"}],"stop_reason":"` + reason + `"}`},
		"gemini stream":      {Gemini(), lines(part(`"text":"a"`), finished(reason))},
		"gemini document":    {Gemini(), `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"` + reason + `"}]}`},
		"ollama stream":      {Ollama(), says("a") + "\n" + `{"done":true,"done_reason":"` + reason + `"}` + "\n"},
		"ollama document":    {Ollama(), `{"message":{"content":"a"},"done":true,"done_reason":"` + reason + `"}`},
		"responses stream":   {Responses(), events(piece("output_text", "a"), closes("incomplete", `,"incomplete_details":{"reason":"`+reason+`"}`))},
		"responses document": {Responses(), `{"status":"incomplete","incomplete_details":{"reason":"` + reason + `"},"output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}]}`},
	}
}

type protocolReply struct {
	protocol *Protocol
	body     string
}

func (r *protocolReply) read(t *testing.T) (*partialReply, error) {
	return r.protocol.readFrom(strings.NewReader(r.body), Endpoint{Stream: strings.Contains(r.body, "\n")})
}

// A reply whose finish reason says that the server failed is no answer, though its
// text may be right, in every protocol, streamed or not.
func TestFinishFailure(t *testing.T) {
	for _, word := range wordsOfFailure {
		for name, reply := range ending(word) {
			_, err := reply.read(t)
			var s *serverError
			if !errors.As(err, &s) || !strings.Contains(err.Error(), word) || classify(0, s) != verbatim.Overload {
				t.Errorf("%s: finish reason %s: %v, want an error of the server that names it", name, word, err)
			}
		}
	}
	for _, word := range []string{"load", "unload"} {
		if _, err := ending(word)["ollama document"].read(t); err == nil {
			t.Errorf("a reply with the finish reason %s is an answer", word)
		}
	}
	if _, err := ending("OTHER")["gemini stream"].read(t); err == nil {
		t.Error("a reply with Gemini's finish reason OTHER is an answer")
	}
}

// Words for the end of a complete reply, the limit, filters and refusals are no
// failures; replies with unknown ones are complete, and their spelling is saved.
func TestFinishWords(t *testing.T) {
	for finish, words := range map[verbatim.Finish][]string{
		verbatim.FinishStop:    {"stop", "STOP", "eos", "eos_token", "eosFound", "stopStringFound", "stop_sequence", "end_turn", "COMPLETE", "completed", "normal"},
		verbatim.FinishLength:  {"length", "max_tokens", "MAX_TOKENS", "model_length", "max_output_tokens", "model_context_window_exceeded", "ERROR_LIMIT", "maxPredictedTokensReached", "contextLengthReached", "token_limit"},
		verbatim.FinishFilter:  {"content_filter", "content-filter", "content_filtered", "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "sensitive", "ERROR_TOXIC", "guardrail_intervened"},
		verbatim.FinishRefusal: {"refusal"},
		verbatim.FinishOther:   {"tool_calls", "function_call", "repetition", "eos_x", strings.Repeat("x", 100)},
	} {
		for _, word := range words {
			for name, reply := range ending(word) {
				a, err := reply.read(t)
				if strings.HasPrefix(name, "responses") && (finish == verbatim.FinishOther || finish == verbatim.FinishStop) {
					continue // an incomplete response is never whole
				}
				if err != nil || a.mappedFinish() != finish || a.finish != word || string(a.text) != "a" {
					t.Errorf("%s: finish reason %s: finish %q, raw %q, text %q, %v, want %q", name, word, a.mappedFinish(), a.finish, a.text, err, finish)
				}
			}
		}
	}
}

// A response that is called incomplete is not graded as a complete one, whatever
// the reason.
func TestResponsesReason(t *testing.T) {
	for _, reason := range []string{"steered", "max_messages", "eos_x"} {
		for _, kind := range []string{"responses stream", "responses document"} {
			_, err := ending(reason)[kind].read(t)
			var cut cutError
			if !errors.As(err, &cut) || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s, %s: %v, want a cut", kind, reason, err)
			}
		}
	}
}

// A word for "none" is no finish reason, and a failure stays one whatever follows it.
func TestFinishOrder(t *testing.T) {
	a, err := readAnswer(lines(`{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"null"}]}`, ends("stop"), done), Endpoint{})
	if err != nil || a.finish != "stop" {
		t.Errorf("%q, %v", a.finish, err)
	}
	if _, err := readAnswer(lines(delta(`"content":"a"`), ends("null"), done), Endpoint{}); err == nil {
		t.Error(`"null" is a finish reason`)
	}
	if _, err := readAnswer(lines(delta(`"content":"a"`), ends("abort"), ends("stop"), done), Endpoint{}); err == nil {
		t.Error("a reply after a failure is an answer")
	}
}

// What the server behind a router says counts where the router calls it a success.
func TestNativeFinish(t *testing.T) {
	for native, want := range map[string]verbatim.Finish{"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "content_filter", "strange": "stop", "": "stop", "MALFORMED_FUNCTION_CALL": "!", "network_error": "!"} {
		in := lines(delta(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop","native_finish_reason":"`+native+`"}]}`, done)
		a, err := readAnswer(in, Endpoint{})
		if (want == "!") != (err != nil) || err == nil && a.mappedFinish() != want {
			t.Errorf("native %q: %q, %v", native, a.mappedFinish(), err)
		}
	}
}

// A call of a tool in place of an answer is no answer: none was offered, and what a
// server takes for a call may have been the text.
func TestToolCall(t *testing.T) {
	for name, reply := range map[string]*protocolReply{
		"chat":              {Chat(), lines(delta(`"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]`), ends("tool_calls"), done)},
		"chat, called stop": {Chat(), lines(delta(`"tool_calls":[{"index":0}]`), ends("stop"), done)},
		"anthropic":         {Anthropic(), messageEvents(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`, stops("tool_use"), messageStop)},
		"anthropic, ended":  {Anthropic(), messageEvents(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use"}}`, stops("end_turn"), messageStop)},
		"gemini":            {Gemini(), lines(part(`"functionCall":{"name":"f","args":{"text":"z"}}`), finished("STOP"))},
		"ollama":            {Ollama(), `{"message":{"content":"","tool_calls":[{"function":{"name":"f"}}]},"done":false}` + "\n" + ollamaDone},
		"responses":         {Responses(), events(`{"type":"response.output_item.added","item":{"type":"function_call","name":"f"}}`, closes("completed", ""))},
		"responses, whole":  {Responses(), `{"status":"completed","output":[{"type":"function_call","name":"f"}]}`},
	} {
		var unreadable unreadableError
		if _, err := reply.read(t); !errors.As(err, &unreadable) || !strings.Contains(err.Error(), "tool") {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, err := readAnswer(lines(delta(`"content":"a","tool_calls":[{"index":0}]`), ends("tool_calls"), done), Endpoint{})
	if err != nil || string(a.text) != "a" || a.mappedFinish() != verbatim.FinishOther {
		t.Error(fmt.Sprint(a.mappedFinish(), err), "the text of an answer that calls a tool too")
	}
}

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
