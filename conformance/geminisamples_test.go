package conformance

import (
	"strings"
	"testing"

	"verbatim"
)

func TestGemini(t *testing.T) { gemini().differ(t, append(geminiStreams(), geminiDocuments()...)) }

func TestGeminiGenerated(t *testing.T) {
	// No comments are added to the stream: genai fails on them.
	t.Run("stream", func(t *testing.T) { gemini().generated(t, true, crlf) })
	t.Run("plain", func(t *testing.T) { gemini().generated(t, false, nil) })
}

// geminiPiece returns a response with a text, and with a finish reason unless finish is "".
func geminiPiece(parts, finish, rest string) string {
	if finish != "" {
		finish = `,"finishReason":` + quote(finish)
	}
	return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"},"index":0` + finish + `}]` + rest + `,"modelVersion":"m","responseId":"r"}`
}

func geminiText(s string) string { return `{"text":` + quote(s) + `}` }

const geminiCounted = `,"usageMetadata":{"promptTokenCount":5,"cachedContentTokenCount":2,"candidatesTokenCount":3,"thoughtsTokenCount":1,"totalTokenCount":9}`

func geminiStreams() []sample {
	counted := usage(5, 4, 1, 2)
	piece := func(s string) string { return geminiPiece(geminiText(s), "", "") }
	ab := events(piece("a"), geminiPiece(geminiText("b"), "STOP", ""))
	all := []sample{
		{name: "ordinary", body: events(geminiPiece(geminiText("one "), "", geminiCounted), geminiPiece(geminiText("two"), "STOP", geminiCounted)), want: reading{Text: "one two", Finish: verbatim.FinishStop, Usage: counted}},
		{name: "length", body: events(piece("a"), geminiPiece(geminiText(""), "MAX_TOKENS", "")), want: reading{Text: "a", Finish: verbatim.FinishLength}},
		{name: "length without a word", body: events(`{"candidates":[{"finishReason":"MAX_TOKENS","index":0}]}`), want: reading{Finish: verbatim.FinishLength}},
		{name: "safety", body: events(piece("a"), geminiPiece("", "SAFETY", "")), want: reading{Text: "a", Finish: verbatim.FinishFilter}},
		{name: "a blocked prompt", body: events(`{"promptFeedback":{"blockReason":"SAFETY"}}`), want: reading{Finish: verbatim.FinishFilter}},
		{name: "a thought", body: events(geminiPiece(`{"text":"hm","thought":true}`, "", ""), geminiPiece(`{"text":"a","thoughtSignature":"c2ln"}`, "STOP", "")), want: reading{Text: "a", Reasoning: "hm", Finish: verbatim.FinishStop}},
		{name: "CRLF", body: strings.ReplaceAll(ab, "\n", "\r\n"), want: stop("ab")},
		{name: "no space after the colon", body: strings.ReplaceAll(ab, "data: ", "data:"), want: stop("ab")},
		{name: "Unicode", body: events(piece("é漢🙂\u2028"), geminiPiece(`{"text":"\ud83d\ude42\u0000"}`, "STOP", "")), want: stop("é漢🙂\u2028🙂\x00")},
		{name: "a large event", body: events(geminiPiece(geminiText(strings.Repeat("0123456789abcde ", 1<<16)), "STOP", "")), want: stop(strings.Repeat("0123456789abcde ", 1<<16))},
		{name: "usage that grows", body: events(geminiPiece(geminiText("a"), "", `,"usageMetadata":{"promptTokenCount":5,"totalTokenCount":5}`), geminiPiece(geminiText("b"), "STOP", geminiCounted)), want: reading{Text: "ab", Finish: verbatim.FinishStop, Usage: counted}},
		{name: "candidates after the first", body: events(`{"candidates":[{"content":{"parts":[{"text":"a"}]},"index":0,"finishReason":"STOP"},{"content":{"parts":[{"text":"X"}]},"index":1}]}`), want: stop("a")},
		{name: "usage of zeros", body: events(geminiPiece(geminiText("a"), "STOP", `,"usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":0}`)), want: reading{Text: "a", Finish: verbatim.FinishStop, Usage: usage(0, 0, -1, -1)},
			why: "a count of zero is unknown", theirs: stop("a")},
		{name: "comments", body: ": hold\n\n" + ab, want: stop("ab"),
			why: "a comment is an error", theirs: theyFail("")},
		{name: "names of events", body: strings.ReplaceAll(ab, "data: ", "event: message\ndata: "), want: stop("ab"),
			why: "the name of an event is an error", theirs: theyFail("")},
		{name: "a pair of surrogates in two events", body: events(geminiPiece(`{"text":"\ud83d"}`, "", ""), geminiPiece(`{"text":"\ude42"}`, "STOP", "")), want: stop("🙂"),
			why: "halves of a character in two events", theirs: stop("\uFFFD\uFFFD")},
		{name: "not UTF-8", body: events(geminiPiece(`{"text":"`+"a\xffb"+`"}`, "STOP", "")), want: stop("a\xffb"),
			why: "bytes that are not UTF-8", theirs: stop("a\uFFFDb")},
		{name: "the mark of another API", body: ab + events("[DONE]"), want: stop("ab"),
			why: "an end marker that some add is an error", theirs: theyFail("ab")},

		{name: "no finish reason", body: events(piece("a")), want: failed(verbatim.Cut, "a"),
			why: "a stream that is cut is a success", theirs: reading{Text: "a"}},
		{name: "nothing at all", want: failed(verbatim.Cut, ""),
			why: "a stream that is cut is a success", theirs: reading{}},
		{name: "broken off", body: events(piece("a")), short: 5, want: failed(verbatim.Cut, "a")},
		{name: "an error", body: events(piece("a"), `{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`), want: failed(verbatim.Overload, "a")},
		{name: "an event that is no JSON", body: events(piece("a"), "{"), want: failed(verbatim.Content, "a")},
	}
	for i := range all {
		all[i].stream = true
	}
	return all
}

func geminiDocuments() []sample {
	ab := geminiPiece(geminiText("ab"), "STOP", geminiCounted)
	return []sample{
		{name: "ordinary", body: ab, want: reading{Text: "ab", Finish: verbatim.FinishStop, Usage: usage(5, 4, 1, 2)}},
		{name: "length", body: geminiPiece(geminiText("a"), "MAX_TOKENS", ""), want: reading{Text: "a", Finish: verbatim.FinishLength}},
		{name: "a thought", body: geminiPiece(`{"text":"hm","thought":true},{"text":"a"},{"text":"b"}`, "STOP", ""), want: reading{Text: "ab", Reasoning: "hm", Finish: verbatim.FinishStop}},
		{name: "recitation", body: geminiPiece("", "RECITATION", ""), want: reading{Finish: verbatim.FinishFilter}},
		{name: "a blocked prompt", body: `{"promptFeedback":{"blockReason":"OTHER"}}`, want: reading{Finish: verbatim.FinishFilter}},
		{name: "blank lines before", body: "\n\n" + ab, want: reading{Text: "ab", Finish: verbatim.FinishStop, Usage: usage(5, 4, 1, 2)}},
		{name: "broken off", body: ab, short: 4, want: failed(verbatim.Cut, "")},
		{name: "cut", body: strings.TrimSuffix(ab, "}"), want: failed(verbatim.Cut, "")},
		{name: "no finish reason", body: geminiPiece(geminiText("a"), "", ""), want: failed(verbatim.Content, "a"),
			why: "an answer without a finish reason is a success", theirs: reading{Text: "a"}},
		{name: "an error", body: `{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}}`, want: failed(verbatim.Rate, ""),
			why: "a JSON error with status 200 is an empty answer", theirs: reading{}},
	}
}
