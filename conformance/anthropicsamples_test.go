package conformance

import (
	"fmt"
	"strings"
	"testing"

	"verbatim"
)

func TestAnthropic(t *testing.T) {
	anthropicMessages().differ(t, append(anthropicStreams(), anthropicDocuments()...))
}

func TestAnthropicGenerated(t *testing.T) {
	t.Run("stream", func(t *testing.T) { anthropicMessages().generated(t, true, formatted) })
	t.Run("plain", func(t *testing.T) { anthropicMessages().generated(t, false, nil) })
}

// anthropicEvents returns events; each is a kind, a bar and its other members.
func anthropicEvents(all ...string) string {
	var b strings.Builder
	for _, ev := range all {
		kind, members, _ := strings.Cut(ev, "|")
		if members != "" {
			members = "," + members
		}
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, members)
	}
	return b.String()
}

const (
	anthropicBegin = `message_start|"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":1,"cache_read_input_tokens":2,"output_tokens":1}}`
	anthropicBlock = `content_block_start|"index":0,"content_block":{"type":"text","text":""}`
	anthropicClose = `content_block_stop|"index":0`
	anthropicStop  = `message_stop|`
)

func anthropicText(s string) string { return anthropicDelta(0, "text_delta", "text", s) }

func anthropicDelta(index int, kind, field, s string) string {
	return fmt.Sprintf(`content_block_delta|"index":%d,"delta":{"type":%q,%q:%s}`, index, kind, field, quote(s))
}

func anthropicEnd(reason string) string {
	return fmt.Sprintf(`message_delta|"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":4,"output_tokens_details":{"thinking_tokens":1}}`, reason)
}

func anthropicStreams() []sample {
	counted := usage(6, 4, 1, 2)
	ends := func(text string, finish verbatim.Finish) reading {
		return reading{Text: text, Finish: finish, Usage: counted}
	}
	begun := usage(6, 1, -1, 2)
	whole := func(inner ...string) string {
		return anthropicEvents(append(append([]string{anthropicBegin, anthropicBlock}, inner...), anthropicClose, anthropicEnd("end_turn"), anthropicStop)...)
	}
	ab := whole(anthropicText("a"), anthropicText("b"))
	ping := "event: ping\ndata: {\"type\": \"ping\"}\n\n"
	all := []sample{
		{name: "ordinary", body: ab, want: ends("ab", verbatim.FinishStop)},
		{name: "length", body: strings.Replace(ab, "end_turn", "max_tokens", 1), want: ends("ab", verbatim.FinishLength)},
		{name: "a refusal", body: strings.Replace(ab, "end_turn", "refusal", 1), want: ends("ab", verbatim.FinishRefusal)},
		{name: "context full", body: strings.Replace(ab, "end_turn", "model_context_window_exceeded", 1), want: ends("ab", verbatim.FinishLength)},
		{name: "nothing said", body: anthropicEvents(anthropicBegin, anthropicEnd("end_turn"), anthropicStop), want: ends("", verbatim.FinishStop)},
		{name: "thinking", body: anthropicEvents(anthropicBegin, `content_block_start|"index":0,"content_block":{"type":"thinking","thinking":"","signature":""}`, anthropicDelta(0, "thinking_delta", "thinking", "hm"),
			anthropicDelta(0, "signature_delta", "signature", "c2ln"), anthropicClose, `content_block_start|"index":1,"content_block":{"type":"text","text":""}`, anthropicDelta(1, "text_delta", "text", "ab"), `content_block_stop|"index":1`, anthropicEnd("end_turn"), anthropicStop),
			want: reading{Text: "ab", Reasoning: "hm", Finish: verbatim.FinishStop, Usage: counted}},
		{name: "redacted thinking", body: anthropicEvents(anthropicBegin, `content_block_start|"index":0,"content_block":{"type":"redacted_thinking","data":"eA=="}`, anthropicClose,
			`content_block_start|"index":1,"content_block":{"type":"text","text":"a"}`, anthropicDelta(1, "text_delta", "text", "b"), `content_block_stop|"index":1`, anthropicEnd("end_turn"), anthropicStop), want: ends("ab", verbatim.FinishStop)},
		{name: "pings and unknown events", body: ping + strings.ReplaceAll(ab, "\n\n", "\n\n"+ping+"event: weather\ndata: {\"type\":\"weather\"}\n\n"), want: ends("ab", verbatim.FinishStop)},
		{name: "CRLF", body: strings.ReplaceAll(ab, "\n", "\r\n"), want: ends("ab", verbatim.FinishStop)},
		{name: "comments", body: ": hold\n\n" + strings.ReplaceAll(ab, "\n\n", "\n\n: hold\n\n"), want: ends("ab", verbatim.FinishStop)},
		{name: "Unicode", body: whole(anthropicText("é漢🙂\u2028"), `content_block_delta|"index":0,"delta":{"type":"text_delta","text":"\ud83d\ude42\u0000"}`), want: ends("é漢🙂\u2028🙂\x00", verbatim.FinishStop)},
		{name: "a pair of surrogates in two events", body: whole(`content_block_delta|"index":0,"delta":{"type":"text_delta","text":"\ud83d"}`, `content_block_delta|"index":0,"delta":{"type":"text_delta","text":"\ude42"}`), want: ends("🙂", verbatim.FinishStop),
			why: "halves of a character in two events", theirs: ends("\uFFFD\uFFFD", verbatim.FinishStop)},
		{name: "no names of events", body: strings.ReplaceAll(ab, "event: ", ": "), want: ends("ab", verbatim.FinishStop),
			why: "events without names are passed over", theirs: reading{}},
		{name: "another server's block without a start", body: anthropicEvents(anthropicBegin, anthropicText("ab"), anthropicEnd("end_turn"), anthropicStop), want: ends("ab", verbatim.FinishStop),
			why: "a delta without the start of its block is an error", theirs: theyFail("")},

		{name: "no message_stop", body: strings.TrimSuffix(ab, anthropicEvents(anthropicStop)), want: failed(verbatim.Cut, "ab"),
			why: "a stream that is cut is a success", theirs: ends("ab", verbatim.FinishStop)},
		{name: "no stop reason", body: anthropicEvents(anthropicBegin, anthropicBlock, anthropicText("a")), want: failed(verbatim.Cut, "a"),
			why: "a stream that is cut is a success", theirs: reading{Text: "a", Usage: begun}},
		{name: "an end without a reason", body: anthropicEvents(anthropicBegin, anthropicBlock, anthropicText("a"), anthropicClose, anthropicStop), want: failed(verbatim.Content, "a"),
			why: "an answer without a stop reason is a success", theirs: reading{Text: "a", Usage: begun}},
		{name: "nothing at all", want: failed(verbatim.Cut, ""),
			why: "a stream that is cut is a success", theirs: reading{}},
		{name: "broken off", body: anthropicEvents(anthropicBegin, anthropicBlock, anthropicText("a")), short: 7, want: failed(verbatim.Cut, "a")},
		{name: "an error", body: anthropicEvents(anthropicBegin, anthropicBlock, anthropicText("a"), `error|"error":{"type":"overloaded_error","message":"Overloaded"}`), want: failed(verbatim.Overload, "a")},
		{name: "an event that is no JSON", body: anthropicEvents(anthropicBegin, anthropicBlock, anthropicText("a")) + "event: content_block_delta\ndata: {\n\n", want: failed(verbatim.Content, "a")},
		{name: "a JSON error", media: "application/json", body: `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`, want: failed(verbatim.Rate, ""),
			why: "a JSON error with status 200 is an empty stream", theirs: reading{}},
	}
	for i := range all {
		all[i].stream = true
	}
	return all
}

func anthropicDocuments() []sample {
	document := func(content, reason string) string {
		return `{"id":"m","type":"message","role":"assistant","model":"m","content":[` + content + `],"stop_reason":` + reason + `,"stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":1,"cache_read_input_tokens":2,"output_tokens":4}}`
	}
	text := func(s string) string { return `{"type":"text","text":` + quote(s) + `}` }
	counted := usage(6, 4, -1, 2)
	return []sample{
		{name: "ordinary", body: document(text("ab"), `"end_turn"`), want: reading{Text: "ab", Finish: verbatim.FinishStop, Usage: counted}},
		{name: "length", body: document(text("ab"), `"max_tokens"`), want: reading{Text: "ab", Finish: verbatim.FinishLength, Usage: counted}},
		{name: "a refusal", body: document(text("ab"), `"refusal"`), want: reading{Text: "ab", Finish: verbatim.FinishRefusal, Usage: counted}},
		{name: "thinking", body: document(`{"type":"thinking","thinking":"hm","signature":"eA=="},`+text("a")+","+text("b"), `"end_turn"`), want: reading{Text: "ab", Reasoning: "hm", Finish: verbatim.FinishStop, Usage: counted}},
		{name: "nothing said", body: document("", `"end_turn"`), want: reading{Finish: verbatim.FinishStop, Usage: counted}},
		{name: "broken off", body: document(text("ab"), `"end_turn"`), short: 3, want: failed(verbatim.Cut, "")},
		{name: "cut", body: strings.TrimSuffix(document(text("ab"), `"end_turn"`), "}}"), want: failed(verbatim.Cut, "")},
		{name: "no stop reason", body: document(text("ab"), "null"), want: failed(verbatim.Content, "ab"),
			why: "an answer without a stop reason is a success", theirs: reading{Text: "ab", Usage: counted}},
		{name: "an error", body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, want: failed(verbatim.Overload, ""),
			why: "a JSON error with status 200 is an empty answer", theirs: reading{}},
	}
}
