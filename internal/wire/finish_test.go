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
