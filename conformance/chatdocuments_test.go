package conformance

import (
	"strings"

	"verbatim"
)

func chatDocuments() []sample {
	return []sample{
		{name: "ordinary", body: chatDocument(`"content":"one two"`, "stop", `,"usage":`+chatCounted),
			want: reading{Text: "one two", Finish: verbatim.FinishStop, Usage: usage(5, 4, 1, 2)}},
		{name: "length", body: chatDocument(`"content":"a"`, "length", ""), want: reading{Text: "a", Finish: verbatim.FinishLength}},
		{name: "content null", body: chatDocument(`"content":null`, "stop", ""), want: stop("")},
		{name: "a refusal", body: chatDocument(`"content":null,"refusal":"no"`, "stop", ""), want: reading{Text: "no", Finish: verbatim.FinishRefusal}},
		{name: "reasoning", body: chatDocument(`"content":"a","reasoning":"hm"`, "stop", ""), want: reading{Text: "a", Reasoning: "hm", Finish: verbatim.FinishStop}},
		{name: "blank lines before", body: "\n\n  \r\n" + chatDocument(`"content":"a"`, "stop", ""), want: stop("a")},
		{name: "Unicode", body: chatDocument(`"content":"é漢\ud83d\ude42\u2028\u0000"`, "stop", ""), want: stop("é漢🙂\u2028\x00")},
		{name: "error null", body: chatDocument(`"content":"a"`, "stop", `,"error":null`), want: stop("a")},
		{name: "usage null", body: chatDocument(`"content":"a"`, "stop", `,"usage":null`), want: stop("a")},
		{name: "media type with a character set", media: "application/json; charset=utf-8", body: chatDocument(`"content":"a"`, "stop", ""), want: stop("a")},

		{name: "an error", body: `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, want: failed(verbatim.Rate, ""),
			why: "a JSON error with status 200 is an empty answer", theirs: reading{}},
		{name: "cut", body: strings.TrimSuffix(chatDocument(`"content":"a"`, "stop", ""), `"}]}`), want: failed(verbatim.Cut, "")},
		{name: "broken off", body: chatDocument(`"content":"a"`, "stop", ""), short: 9, want: failed(verbatim.Cut, "")},
		{name: "nothing at all", want: failed(verbatim.Cut, "")},
		{name: "no finish reason", body: strings.Replace(chatDocument(`"content":"a"`, "stop", ""), `"stop"`, "null", 1), want: failed(verbatim.Content, "a"),
			why: "an answer without a finish reason is a success", theirs: reading{Text: "a"}},
		{name: "no choices", body: `{"id":"c","object":"chat.completion","model":"m","choices":[]}`, want: failed(verbatim.Content, ""),
			why: "an answer without choices is a success", theirs: reading{}},
		{name: "a web page", media: "text/html", body: "<html><title>Sign in</title></html>", want: failed(verbatim.BadAsk, "")},
		{name: "a stream instead of a document", media: "text/event-stream", body: events(chatText("a"), chatEnd("stop"), "[DONE]"), want: stop("a"),
			why: "a stream instead of a document", theirs: theyFail("")},
		{name: "half a pair of surrogates", body: chatDocument(`"content":"\ud83d"`, "stop", ""), want: stop("\xed\xa0\xbd"),
			why: "a lone surrogate", theirs: stop("\uFFFD")},
		{name: "not UTF-8", body: chatDocument(`"content":"`+"a\xffb"+`"`, "stop", ""), want: stop("a\xffb")},
		{name: "a medium that is not named", media: "text/plain", body: chatDocument(`"content":"a"`, "stop", ""), want: stop("a"),
			why: "JSON that does not call itself JSON", theirs: theyFail("")},
	}
}
