package conformance

import (
	"strings"
	"testing"

	"verbatim"
)

func TestChat(t *testing.T) { chat().differ(t, append(chatStreams(), chatDocuments()...)) }

// chatChunk returns a chunk whose first choice has the delta and no finish reason.
func chatChunk(delta string) string {
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{` + delta + `},"finish_reason":null}]}`
}

func chatText(s string) string { return chatChunk(`"content":` + quote(s)) }

func chatEnd(finish string) string {
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"` + finish + `"}]}`
}

func chatCount(usage string) string {
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":` + usage + `}`
}

const (
	chatRole    = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}`
	chatCounted = `{"prompt_tokens":5,"completion_tokens":4,"total_tokens":9,"prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":1}}`
)

// stop returns the reading of an answer with the finish reason stop.
func stop(text string) reading { return reading{Text: text, Finish: verbatim.FinishStop} }

// failed returns the reading of an answer that failed; text is what had arrived.
func failed(class verbatim.Class, text string) reading {
	return reading{Text: text, Failed: string(class)}
}

// theyFail returns the reading of an SDK's failure.
func theyFail(text string) reading { return reading{Text: text, Failed: sdkError} }

func chatStreams() []sample {
	ab := events(chatRole, chatText("a"), chatText("b"), chatEnd("stop"), "[DONE]")
	counted := usage(5, 4, 1, 2)
	return []sample{
		{stream: true, name: "ordinary", body: events(chatRole, chatText("one "), chatText("two"), chatEnd("stop"), chatCount(chatCounted), "[DONE]"),
			want: reading{Text: "one two", Finish: verbatim.FinishStop, Usage: counted}},
		{stream: true, name: "length", body: events(chatText("a"), chatEnd("length"), "[DONE]"), want: reading{Text: "a", Finish: verbatim.FinishLength}},
		{stream: true, name: "filter", body: events(chatText("a"), chatEnd("content_filter"), "[DONE]"), want: reading{Text: "a", Finish: verbatim.FinishFilter}},
		{stream: true, name: "nothing said", body: events(chatRole, chatEnd("stop"), "[DONE]"), want: stop("")},
		{stream: true, name: "a refusal in its own field", body: events(chatChunk(`"refusal":"I "`), chatChunk(`"refusal":"won't"`), chatEnd("stop"), "[DONE]"),
			want: reading{Text: "I won't", Finish: verbatim.FinishRefusal}},
		{stream: true, name: "a call of a tool", body: events(chatChunk(`"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]`), chatEnd("tool_calls"), "[DONE]"),
			want: failed(verbatim.Content, ""),
			why:  "an answer that only calls a tool is completed", theirs: reading{Finish: verbatim.FinishOther}},
		{stream: true, name: "choices after the first", body: events(chatText("a"), strings.Replace(chatText("X"), `"index":0`, `"index":1`, 1), chatText("b"), chatEnd("stop"), "[DONE]"), want: stop("ab")},

		{stream: true, name: "reasoning", body: events(chatChunk(`"reasoning":"hm"`), chatText("a"), chatEnd("stop"), "[DONE]"),
			want: reading{Text: "a", Reasoning: "hm", Finish: verbatim.FinishStop}},
		{stream: true, name: "reasoning_content", body: events(chatChunk(`"reasoning_content":"hm"`), chatText("a"), chatEnd("stop"), "[DONE]"),
			want: reading{Text: "a", Reasoning: "hm", Finish: verbatim.FinishStop}},

		{stream: true, name: "no usage", body: ab, want: stop("ab")},
		{stream: true, name: "usage null", body: events(chatText("a"), chatEnd("stop"), chatCount("null"), "[DONE]"), want: stop("a")},
		{stream: true, name: "usage of zeros", body: events(chatText("a"), chatEnd("stop"), chatCount(`{"prompt_tokens":0,"completion_tokens":0}`), "[DONE]"),
			want: reading{Text: "a", Finish: verbatim.FinishStop, Usage: usage(0, 0, -1, -1)}},
		{stream: true, name: "usage twice", body: events(chatText("a"), strings.TrimSuffix(chatEnd("stop"), "}")+`,"usage":{"prompt_tokens":5,"completion_tokens":4}}`, chatCount(chatCounted), "[DONE]"),
			want: reading{Text: "a", Finish: verbatim.FinishStop, Usage: counted}},
		{stream: true, name: "usage that is no number", body: events(chatText("a"), chatEnd("stop"), chatCount(`{"prompt_tokens":"many","completion_tokens":4}`), "[DONE]"),
			want: reading{Text: "a", Finish: verbatim.FinishStop, Usage: usage(-1, 4, -1, -1)}},

		{stream: true, name: "Unicode", body: events(chatText("é漢🙂\u2028\uFEFF"), chatText(`\\ " / </s>`), chatEnd("stop"), "[DONE]"), want: stop("é漢🙂\u2028\uFEFF" + `\\ " / </s>`)},
		{stream: true, name: "escapes", body: events(chatChunk(`"content":"\u00e9\uD83D\uDE42\u0000\n\/"`), chatEnd("stop"), "[DONE]"), want: stop("é🙂\x00\n/")},
		{stream: true, name: "text like a stream", body: events(chatText("data: [DONE]\n\n"), chatText("[DONE]"), chatEnd("stop"), "[DONE]"), want: stop("data: [DONE]\n\n[DONE]")},
		{stream: true, name: "a large event", body: events(chatText(strings.Repeat("0123456789abcde ", 1<<16)), chatEnd("stop"), "[DONE]"), want: stop(strings.Repeat("0123456789abcde ", 1<<16))},
		{stream: true, name: "a pair of surrogates in two events", body: events(chatChunk(`"content":"\ud83d"`), chatChunk(`"content":"\ude42"`), chatEnd("stop"), "[DONE]"), want: stop("🙂"),
			why: "halves of a character in two events", theirs: stop("\uFFFD\uFFFD")},
		{stream: true, name: "half a pair of surrogates", body: events(chatChunk(`"content":"\ud83d"`), chatEnd("stop"), "[DONE]"), want: stop("\xed\xa0\xbd"),
			why: "a lone surrogate", theirs: stop("\uFFFD")},
		{stream: true, name: "not UTF-8", body: events(chatChunk(`"content":"`+"a\xffb"+`"`), chatEnd("stop"), "[DONE]"), want: stop("a\xffb")},

		{stream: true, name: "CRLF", body: strings.ReplaceAll(ab, "\n", "\r\n"), want: stop("ab")},
		{stream: true, name: "CR", body: strings.ReplaceAll(ab, "\n", "\r"), want: stop("ab"),
			why: "lines that end in CR alone", theirs: reading{}},
		{stream: true, name: "comments", body: ": hello\n\n" + strings.ReplaceAll(ab, "\n\n", "\n\n: keep-alive\n\n:\n"), want: stop("ab")},
		{stream: true, name: "a byte order mark", body: "\uFEFF" + events(chatText("a"), chatText("b"), chatEnd("stop"), "[DONE]"), want: stop("ab"),
			why: "a byte order mark", theirs: stop("b")},
		{stream: true, name: "no space after the colon", body: strings.ReplaceAll(ab, "data: ", "data:"), want: stop("ab")},
		{stream: true, name: "other fields", body: "retry: 3\n" + strings.ReplaceAll(ab, "data: ", "id: 7\nevent: message\nfoo: bar\nfoo\ndata: "), want: stop("ab")},
		{stream: true, name: "an event in several lines", body: strings.ReplaceAll(ab, `"choices":`, "\ndata: \"choices\":\ndata: "), want: stop("ab")},
		{stream: true, name: "an event without data", body: "event: ping\n\n" + ab, want: stop("ab")},
		{stream: true, name: "an event of empty data", body: "data\n\n" + ab, want: stop("ab"),
			why: "an event of empty data", theirs: theyFail("")},
		{stream: true, name: "what comes after the end", body: ab + events(chatText("c"), "{"), want: stop("ab")},

		{stream: true, name: "no end marker", body: events(chatText("a"), chatEnd("stop")), want: failed(verbatim.Cut, "a"),
			why: "a stream that is cut is a success", theirs: stop("a")},
		{stream: true, name: "no finish reason", body: events(chatText("a")), want: failed(verbatim.Cut, "a"),
			why: "a stream that is cut is a success", theirs: reading{Text: "a"}},
		{stream: true, name: "an end marker alone", body: events(chatText("a"), "[DONE]"), want: failed(verbatim.Content, "a"),
			why: "an answer without a finish reason is a success", theirs: reading{Text: "a"}},
		{stream: true, name: "cut within an event", body: strings.TrimSuffix(events(chatText("a"), chatText("b")), "}]}\n\n"), want: failed(verbatim.Cut, "a"),
			why: "a stream that is cut is a success", theirs: reading{Text: "a"}},
		{stream: true, name: "nothing at all", want: failed(verbatim.Cut, ""),
			why: "a stream that is cut is a success", theirs: reading{}},
		{stream: true, name: "broken off", body: events(chatText("a")), short: 10, want: failed(verbatim.Cut, "a")},

		{stream: true, name: "error null", body: events(strings.TrimSuffix(chatText("a"), "}")+`,"error":null}`, chatEnd("stop"), "[DONE]"), want: stop("a"),
			why: "a good chunk with \"error\":null is an error", theirs: theyFail("")},
		{stream: true, name: "an error in the stream", body: events(chatText("a"), `{"error":{"message":"overloaded","type":"server_error","param":null,"code":null}}`), want: failed(verbatim.Overload, "a")},
		{stream: true, name: "an error that is a text", body: events(chatText("a"), `{"error":"overloaded"}`), want: failed(verbatim.Overload, "a")},
		{stream: true, name: "an error event", body: events(chatText("a")) + "event: error\n" + events(`{"code":429,"message":"slow down"}`), want: failed(verbatim.Rate, "a"),
			why: "an event named error without a member error is ignored", theirs: reading{Text: "a"}},
		{stream: true, name: "an error field", body: events(chatText("a")) + "error: {\"code\":500,\"message\":\"broken\"}\n\n", want: failed(verbatim.Overload, "a"),
			why: "llama.cpp's field error is passed over", theirs: reading{Text: "a"}},
		{stream: true, name: "an error within a choice", body: events(strings.Replace(chatText("a"), `"delta"`, `"error":{"code":502,"message":"upstream"},"delta"`, 1), chatEnd("error"), "[DONE]"), want: failed(verbatim.Overload, ""),
			why: "OpenRouter's errors within a choice are passed over", theirs: reading{Text: "a", Finish: verbatim.FinishOther}},
		{stream: true, name: "given up", body: events(chatText("a"), chatEnd("error"), "[DONE]"), want: failed(verbatim.Overload, "a"),
			why: "a finish reason that says error is a success", theirs: reading{Text: "a", Finish: verbatim.FinishOther}},
		{stream: true, name: "an event that is no JSON", body: events(chatText("a"), "{"), want: failed(verbatim.Content, "a")},
		{stream: true, name: "an error instead of a stream", media: "application/json", body: `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, want: failed(verbatim.Rate, ""),
			why: "a JSON error with status 200 is an empty stream", theirs: reading{}},
		{stream: true, name: "a web page", media: "text/html", body: "<html><title>Sign in</title></html>", want: failed(verbatim.BadAsk, ""),
			why: "a web page is an empty stream", theirs: reading{}},
		{stream: true, name: "a document instead of a stream", media: "application/json", body: chatDocument(`"content":"ab"`, "stop", ""), want: stop("ab"),
			why: "a document instead of a stream is an empty stream", theirs: reading{}},
		{stream: true, name: "content in parts", body: events(chatChunk(`"content":[{"type":"text","text":"a"}]`), chatEnd("stop"), "[DONE]"), want: stop("a"),
			why: "Mistral's content in parts", theirs: stop(`[{"type":"text","text":"a"}]`)},
	}
}

// chatDocument returns a completion that is not streamed; rest is more members.
func chatDocument(message, finish, rest string) string {
	return `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant",` + message + `},"finish_reason":"` + finish + `"}]` + rest + `}`
}
