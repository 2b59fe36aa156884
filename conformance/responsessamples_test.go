package conformance

import (
	"fmt"
	"strings"
	"testing"

	"verbatim"
)

func TestResponses(t *testing.T) {
	openAIResponses().differ(t, append(responsesStreams(), responsesDocuments()...))
}

func TestResponsesGenerated(t *testing.T) {
	t.Run("stream", func(t *testing.T) { openAIResponses().generated(t, true, formatted) })
	t.Run("plain", func(t *testing.T) { openAIResponses().generated(t, false, nil) })
}

// responsesEvents returns events of the Responses API; each is a kind, a bar and
// its other members.
func responsesEvents(all ...string) string {
	var b strings.Builder
	for i, ev := range all {
		kind, members, _ := strings.Cut(ev, "|")
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,%s}\n\n", kind, kind, i, members)
	}
	return b.String()
}

const (
	responsesBegin   = `response.created|"response":{"id":"r","object":"response","status":"in_progress","error":null,"usage":null,"output":[]}`
	responsesCounted = `{"input_tokens":5,"input_tokens_details":{"cached_tokens":2,"cache_write_tokens":0},"output_tokens":4,"output_tokens_details":{"reasoning_tokens":1},"total_tokens":9}`
)

func responsesText(s string) string {
	return `response.output_text.delta|"item_id":"m","output_index":0,"content_index":0,"logprobs":[],"delta":` + quote(s)
}

// responsesObject returns a response. output has its items.
func responsesObject(status, details, output, usage string) string {
	if details != "null" {
		details = fmt.Sprintf(`{"reason":%q}`, details)
	}
	return fmt.Sprintf(`{"id":"r","object":"response","created_at":1,"model":"m","status":%q,"error":null,"incomplete_details":%s,"output":[%s],"usage":%s}`, status, details, output, usage)
}

func responsesMessage(text string) string {
	return `{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","annotations":[],"text":` + quote(text) + `}]}`
}

// responsesEnd returns the last events of a stream with this text.
func responsesEnd(status, details, text, usage string) string {
	return "response." + status + `|"response":` + responsesObject(status, details, responsesMessage(text), usage)
}

func responsesStreams() []sample {
	counted := usage(5, 4, 1, 2)
	end := responsesEnd("completed", "null", "ab", "null")
	ab := responsesEvents(responsesBegin, responsesText("a"), responsesText("b"), end)
	all := []sample{
		{name: "ordinary", body: responsesEvents(responsesBegin, responsesText("one "), responsesText("two"), `response.output_text.done|"text":"one two"`, responsesEnd("completed", "null", "one two", responsesCounted)),
			want: reading{Text: "one two", Finish: verbatim.FinishStop, Usage: counted}},
		{name: "length", body: responsesEvents(responsesText("a"), responsesEnd("incomplete", "max_output_tokens", "a", "null")), want: reading{Text: "a", Finish: verbatim.FinishLength}},
		{name: "filter", body: responsesEvents(responsesText("a"), responsesEnd("incomplete", "content_filter", "a", "null")), want: reading{Text: "a", Finish: verbatim.FinishFilter}},
		{name: "a refusal", body: responsesEvents(`response.refusal.delta|"delta":"no"`, `response.refusal.done|"refusal":"no"`, `response.completed|"response":`+responsesObject("completed", "null", "", "null")),
			want: reading{Text: "no", Finish: verbatim.FinishRefusal}},
		{name: "reasoning", body: responsesEvents(`response.reasoning_text.delta|"delta":"hm"`, responsesText("ab"), end), want: reading{Text: "ab", Reasoning: "hm", Finish: verbatim.FinishStop}},
		{name: "a summary", body: responsesEvents(`response.reasoning_summary_part.added|"part":{"type":"summary_text","text":""}`, `response.reasoning_summary_text.delta|"delta":"hm"`, `response.reasoning_summary_text.done|"text":"hm"`, responsesText("ab"), end),
			want: reading{Text: "ab", Reasoning: "hm", Finish: verbatim.FinishStop}},
		{name: "unknown events", body: responsesEvents(`response.weather.delta|"delta":"rain"`, responsesText("ab"), end), want: stop("ab")},
		{name: "no names of events", body: strings.ReplaceAll(strings.ReplaceAll(ab, "event: ", ": "), "\n\n", "\n\n"), want: stop("ab")},
		{name: "the mark of another API", body: ab + events("[DONE]"), want: stop("ab")},
		{name: "CRLF", body: strings.ReplaceAll(ab, "\n", "\r\n"), want: stop("ab")},
		{name: "comments", body: ": hold\n\n" + strings.ReplaceAll(ab, "\n\n", "\n\n: hold\n\n"), want: stop("ab")},
		{name: "Unicode", body: responsesEvents(responsesText("é漢🙂\u2028"), `response.output_text.delta|"delta":"\ud83d\ude42\u0000"`, responsesEnd("completed", "null", "", "null")), want: stop("é漢🙂\u2028🙂\x00")},
		{name: "a pair of surrogates in two events", body: responsesEvents(`response.output_text.delta|"delta":"\ud83d"`, `response.output_text.delta|"delta":"\ude42"`, responsesEnd("completed", "null", "", "null")), want: stop("🙂"),
			why: "halves of a character in two events", theirs: stop("\uFFFD\uFFFD")},
		{name: "text without deltas", body: responsesEvents(responsesBegin, end), want: stop("ab"),
			why: "text that only the last event holds is not in the deltas", theirs: stop("")},

		{name: "completed at the bound", body: responsesEvents(responsesText("a"), responsesEnd("completed", "null", "a", `{"input_tokens":5,"output_tokens":100}`)), want: reading{Text: "a", Finish: verbatim.FinishLength, Usage: usage(5, 100, -1, -1)},
			why: "llama.cpp says completed of answers that the bound cut off", theirs: reading{Text: "a", Finish: verbatim.FinishStop, Usage: usage(5, 100, -1, -1)}},

		{name: "no end", body: responsesEvents(responsesBegin, responsesText("a")), want: failed(verbatim.Cut, "a"),
			why: "a stream that is cut is a success", theirs: reading{Text: "a"}},
		{name: "cut within an event", body: strings.TrimSuffix(ab, "}}\n\n"), want: failed(verbatim.Cut, "ab"),
			why: "a stream that is cut is a success", theirs: reading{Text: "ab"}},
		{name: "nothing at all", want: failed(verbatim.Cut, ""),
			why: "a stream that is cut is a success", theirs: reading{}},
		{name: "broken off", body: responsesEvents(responsesText("a")), short: 5, want: failed(verbatim.Cut, "a")},
		{name: "an error", body: responsesEvents(responsesText("a"), `error|"code":"rate_limit_exceeded","message":"slow down","param":null`), want: failed(verbatim.Rate, "a"),
			why: "the API's own error event is no error", theirs: reading{Text: "a"}},
		{name: "an error of another shape", body: responsesEvents(responsesText("a"), `error|"error":{"code":"server_error","message":"broken"}`), want: failed(verbatim.Overload, "a")},
		{name: "a failed response", body: responsesEvents(responsesText("a"), `response.failed|"response":`+strings.Replace(responsesObject("failed", "null", "", "null"), `"error":null`, `"error":{"code":"server_error","message":"broken"}`, 1)), want: failed(verbatim.Overload, "a"),
			why: "a response that failed is no error", theirs: reading{Text: "a", Finish: verbatim.FinishOther}},
		{name: "a JSON error", media: "application/json", body: `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, want: failed(verbatim.Rate, ""),
			why: "a JSON error with status 200 is an empty stream", theirs: reading{}},
	}
	for i := range all {
		all[i].stream = true
	}
	return all
}

func responsesDocuments() []sample {
	ab := responsesObject("completed", "null", responsesMessage("ab"), responsesCounted)
	counted := usage(5, 4, 1, 2)
	return []sample{
		{name: "ordinary", body: ab, want: reading{Text: "ab", Finish: verbatim.FinishStop, Usage: counted}},
		{name: "length", body: responsesObject("incomplete", "max_output_tokens", responsesMessage("a"), "null"), want: reading{Text: "a", Finish: verbatim.FinishLength}},
		{name: "a refusal", body: responsesObject("completed", "null", `{"type":"message","id":"m","role":"assistant","content":[{"type":"refusal","refusal":"no"}]}`, "null"), want: reading{Text: "no", Finish: verbatim.FinishRefusal}},
		{name: "reasoning", body: responsesObject("completed", "null", `{"type":"reasoning","id":"x","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]},`+responsesMessage("a"), "null"), want: reading{Text: "a", Reasoning: "hm", Finish: verbatim.FinishStop}},
		{name: "a summary", body: responsesObject("completed", "null", `{"type":"reasoning","id":"x","summary":[{"type":"summary_text","text":"hm"}]},`+responsesMessage("a"), "null"), want: reading{Text: "a", Reasoning: "hm", Finish: verbatim.FinishStop}},
		{name: "two messages", body: responsesObject("completed", "null", responsesMessage("a")+","+responsesMessage("b"), "null"), want: stop("ab")},
		{name: "a call of a tool", body: responsesObject("completed", "null", `{"type":"function_call","id":"f","call_id":"c","name":"n","arguments":"{}","status":"completed"}`, "null"), want: failed(verbatim.Content, ""),
			why: "an answer that only calls a tool is completed", theirs: stop("")},
		{name: "broken off", body: ab, short: 4, want: failed(verbatim.Cut, "")},
		{name: "cut", body: strings.TrimSuffix(ab, "}"), want: failed(verbatim.Cut, "")},
		{name: "still under way", body: responsesObject("in_progress", "null", "", "null"), want: failed(verbatim.Content, ""),
			why: "an answer that is not finished is a success", theirs: reading{Finish: verbatim.FinishOther}},
		{name: "failed", body: strings.Replace(responsesObject("failed", "null", "", "null"), `"error":null`, `"error":{"code":"server_error","message":"broken"}`, 1), want: failed(verbatim.Overload, ""),
			why: "a response that failed is no error", theirs: reading{Finish: verbatim.FinishOther}},
		{name: "an error", body: `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, want: failed(verbatim.Rate, ""),
			why: "a JSON error with status 200 is an empty answer", theirs: reading{}},
	}
}
