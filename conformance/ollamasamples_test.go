package conformance

import (
	"strings"
	"testing"

	"verbatim"
)

func TestOllama(t *testing.T) { ollama().differ(t, append(ollamaStreams(), ollamaDocuments()...)) }

func TestOllamaGenerated(t *testing.T) {
	t.Run("stream", func(t *testing.T) { ollama().generated(t, true, crlf) })
	t.Run("plain", func(t *testing.T) { ollama().generated(t, false, nil) })
}

// ollamaPiece returns a piece that is not the last.
func ollamaPiece(message string) string {
	return `{"model":"m","created_at":"2026-11-21T08:00:00Z","message":{"role":"assistant",` + message + `},"done":false}` + "\n"
}

func ollamaText(s string) string { return ollamaPiece(`"content":` + quote(s)) }

// ollamaEnd returns the last piece, or a whole answer.
func ollamaEnd(message, reason, counts string) string {
	return `{"model":"m","created_at":"2026-11-21T08:00:00Z","message":{"role":"assistant",` + message + `},"done":true` + reason + counts + "}\n"
}

const (
	ollamaStop    = `,"done_reason":"stop"`
	ollamaCounted = `,"total_duration":5,"prompt_eval_count":5,"prompt_eval_duration":1,"eval_count":4,"eval_duration":3`
)

func ollamaStreams() []sample {
	end := ollamaEnd(`"content":""`, ollamaStop, "")
	ab := ollamaText("a") + ollamaText("b") + end
	all := []sample{
		{name: "ordinary", body: ollamaText("one ") + ollamaText("two") + ollamaEnd(`"content":""`, ollamaStop, ollamaCounted), want: reading{Text: "one two", Finish: verbatim.FinishStop, Usage: usage(5, 4, -1, -1)}},
		{name: "length", body: ollamaText("a") + ollamaEnd(`"content":""`, `,"done_reason":"length"`, ""), want: reading{Text: "a", Finish: verbatim.FinishLength}},
		{name: "thinking", body: ollamaPiece(`"content":"","thinking":"hm"`) + ab, want: reading{Text: "ab", Reasoning: "hm", Finish: verbatim.FinishStop}},
		{name: "words in the last line", body: ollamaText("a") + ollamaEnd(`"content":"b"`, ollamaStop, ""), want: stop("ab")},
		{name: "CRLF", body: strings.ReplaceAll(ab, "\n", "\r\n"), want: stop("ab")},
		{name: "no line end at the end", body: strings.TrimSuffix(ab, "\n"), want: stop("ab")},
		{name: "Unicode", body: ollamaText("é漢🙂\u2028") + ollamaPiece(`"content":"\ud83d\ude42\u0000"`) + end, want: stop("é漢🙂\u2028🙂\x00")},
		{name: "a line of 400 KiB", body: ollamaText(strings.Repeat("x", 400<<10)) + end, want: stop(strings.Repeat("x", 400<<10))},
		{name: "a line of 8 MiB", body: ollamaText(strings.Repeat("x", 8<<20)) + end, want: stop(strings.Repeat("x", 8<<20)),
			why: "a line of more than 8,000,000 bytes ends the answer, without an error", theirs: reading{}},
		{name: "blank lines", body: strings.ReplaceAll(ab, "\n", "\n\n"), want: stop("ab"),
			why: "a blank line is an error", theirs: theyFail("a")},
		{name: "usage of zeros", body: ollamaText("a") + ollamaEnd(`"content":""`, ollamaStop, `,"prompt_eval_count":0,"eval_count":0`), want: reading{Text: "a", Finish: verbatim.FinishStop, Usage: usage(0, 0, -1, -1)},
			why: "a count of zero is unknown", theirs: stop("a")},
		{name: "a pair of surrogates in two lines", body: ollamaPiece(`"content":"\ud83d"`) + ollamaPiece(`"content":"\ude42"`) + end, want: stop("🙂"),
			why: "halves of a character in two events", theirs: stop("\uFFFD\uFFFD")},
		{name: "not UTF-8", body: ollamaPiece(`"content":"`+"a\xffb"+`"`) + end, want: stop("a\xffb"),
			why: "bytes that are not UTF-8", theirs: stop("a\uFFFDb")},

		{name: "not done", body: ollamaText("a"), want: failed(verbatim.Cut, "a"),
			why: "a stream that is cut is a success", theirs: reading{Text: "a"}},
		{name: "done without a reason", body: ollamaText("a") + ollamaEnd(`"content":""`, "", ""), want: failed(verbatim.Content, "a"),
			why: "an answer without a reason for its end is a success", theirs: reading{Text: "a"}},
		{name: "nothing at all", want: failed(verbatim.Cut, ""),
			why: "a stream that is cut is a success", theirs: reading{}},
		{name: "cut within a line", body: ollamaText("a") + strings.TrimSuffix(ollamaText("b"), "}\n"), want: failed(verbatim.Cut, "a")},
		{name: "broken off", body: ollamaText("a"), short: 5, want: failed(verbatim.Cut, "a"),
			why: "a connection that breaks is a success", theirs: reading{Text: "a"}},
		{name: "an error", body: ollamaText("a") + `{"error":"model runner has unexpectedly stopped"}` + "\n", want: failed(verbatim.Overload, "a")},
		{name: "a line that is no JSON", body: ollamaText("a") + "oops\n", want: failed(verbatim.Content, "a")},
	}
	for i := range all {
		all[i].stream = true
		all[i].media = "application/x-ndjson"
	}
	return all
}

func ollamaDocuments() []sample {
	return []sample{
		{name: "ordinary", body: ollamaEnd(`"content":"ab"`, ollamaStop, ollamaCounted), want: reading{Text: "ab", Finish: verbatim.FinishStop, Usage: usage(5, 4, -1, -1)}},
		{name: "length", body: ollamaEnd(`"content":"ab"`, `,"done_reason":"length"`, ""), want: reading{Text: "ab", Finish: verbatim.FinishLength}},
		{name: "thinking", body: ollamaEnd(`"content":"ab","thinking":"hm"`, ollamaStop, ""), want: reading{Text: "ab", Reasoning: "hm", Finish: verbatim.FinishStop}},
		{name: "an error", body: `{"error":"busy"}`, want: failed(verbatim.Overload, "")},
		{name: "cut", body: strings.TrimSuffix(ollamaEnd(`"content":"ab"`, ollamaStop, ""), "}\n"), want: failed(verbatim.Cut, "")},
		{name: "broken off", body: strings.TrimSuffix(ollamaEnd(`"content":"ab"`, ollamaStop, ""), "}\n"), short: 4, want: failed(verbatim.Cut, "")},
	}
}
