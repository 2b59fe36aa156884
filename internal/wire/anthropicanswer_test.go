package wire

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/rawjson"
)

// messageEvents makes a stream of Anthropic's events, each given by its data; the
// name is the data's type.
func messageEvents(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", Word(rawjson.Member([]byte(e), "type")), e)
	}
	return b.String()
}

const (
	messageStart = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[],"stop_reason":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":1,"service_tier":"standard"}}}`
	messageStop  = `{"type":"message_stop"}`
)

func textDelta(text string) string {
	return `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}`
}

func stops(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason + `","stop_sequence":null},"usage":{"output_tokens":9}}`
}

// Dialects: what servers of this protocol do, or may do in the future.
func TestAnthropicDialects(t *testing.T) {
	for _, c := range []struct {
		name, in      string
		text, thought string
		finish        verbatim.Finish
	}{
		{"plain", messageEvents(messageStart, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"no names of events", lines(messageStart, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"types in the names only", "event: content_block_delta\ndata: {\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\nevent: message_delta\ndata: {\"delta\":{\"stop_reason\":\"end_turn\"}}\n\nevent: message_stop\ndata: {}\n\n", "a", "", "stop"},
		{"CRLF and a late type", strings.ReplaceAll(messageEvents(`{"delta":{"text":"a","type":"text_delta"},"index":0,"type":"content_block_delta"}`, stops("end_turn"), messageStop), "\n", "\r\n"), "a", "", "stop"},
		{"pings, comments and events to come", messageEvents(`{"type":"ping"}`) + ": hold\n\nevent: vertex_event\ndata: now\n\n" + messageEvents(`{"type":"heartbeat","text":"z","delta":{"type":"text_delta","text":"z"}}`, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"deltas to come", messageEvents(`{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"text":"z"}}}`, `{"type":"content_block_delta","delta":{"type":"secret_delta","text":"z"}}`, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"errors that are none", messageEvents(`{"type":"content_block_delta","error":null,"delta":{"type":"text_delta","text":"a"}}`, stops("end_turn"), messageStop), "a", "", "stop"},
		{"OpenAI's mark before the end", messageEvents(textDelta("a"), stops("end_turn")) + "data: [DONE]\n\n" + messageEvents(messageStop), "a", "", "stop"},
		{"two blocks of text", messageEvents(textDelta("a"), `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"b"}}`, textDelta("c"), stops("end_turn"), messageStop), "abc", "", "stop"},
		{"thinking", messageEvents(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"h","signature":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"m"}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"xx"}}`, textDelta("a"), stops("end_turn"), messageStop), "a", "hm", "stop"},
		{"thinking that is not shown", messageEvents(`{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"xx"}}`, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"a stop sequence", messageEvents(textDelta("a"), stops("stop_sequence"), messageStop), "a", "", "stop"},
		{"the bound", messageEvents(textDelta("a"), stops("max_tokens"), messageStop), "a", "", "length"},
		{"the context", messageEvents(textDelta("a"), stops("model_context_window_exceeded"), messageStop), "a", "", "length"},
		{"all of it thought", messageEvents(messageStart, stops("max_tokens"), messageStop), "", "", "length"},
		{"refusal", messageEvents(textDelta("a"), stops("refusal"), messageStop), "a", "", "refusal"},
		{"a reason to come", messageEvents(textDelta("a"), stops("tired"), messageStop), "a", "", "other"},
		{"odd types of what does not matter", messageEvents(`{"type":"message_start","message":{"id":7,"model":null,"content":null,"usage":[]}}`, `{"type":"content_block_start","content_block":null}`, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"a whole message for a stream", `{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}],"stop_reason":"end_turn"}`, "a", "hm", "stop"},
		{"a message with nothing in it", "\n\n" + `{"content":[],"stop_reason":"end_turn"}`, "", "", "stop"},
	} {
		a, err := Anthropic().readFrom(strings.NewReader(c.in), Endpoint{})
		thought, _ := a.chosenReasoning(Anthropic())
		if err != nil || string(a.text) != c.text || thought != c.thought || a.mappedFinish() != c.finish {
			t.Errorf("%s: text %q, reasoning %q, finish %q, %v", c.name, a.text, thought, a.mappedFinish(), err)
		}
	}
}

func TestAnthropicIncomplete(t *testing.T) {
	var cut cutError
	var unreadable unreadableError
	var server *serverError
	for _, c := range []struct {
		name, in string
		want     any
		says     string
	}{
		{"reason without mark", messageEvents(textDelta("a"), stops("end_turn")), &cut, "message_stop"},
		{"mark without reason", messageEvents(textDelta("a"), messageStop), &cut, "stop reason"},
		{"OpenAI's mark in its place", messageEvents(textDelta("a"), stops("end_turn")) + lines(done), &cut, "message_stop"},
		{"mark without its blank line", messageEvents(textDelta("a"), stops("end_turn")) + "data: " + messageStop + "\n", &cut, "message_stop"},
		{"document without reason", `{"content":[{"type":"text","text":"a"}],"stop_reason":null}`, &cut, "stop reason"},
		{"document cut", `{"content":[{"type":"text","text":"a`, &cut, "breaks off"},
		{"garbage", lines(`{"type":` + "}"), &unreadable, "cannot be read"},
		{"garbage in a name that we know", "event: content_block_delta\ndata: x\n\n", &unreadable, "cannot be read"},
		{"no object", lines(`7`), &unreadable, "no object"},
		{"no content", `{"type":"message"}`, &unreadable, "no content"},
		{"another protocol", `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`, &unreadable, "no content"},
		{"busy", messageEvents(textDelta("a"), `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), &server, "Overloaded"},
		{"an error without a type", lines(`{"error":{"message":"died"}}`), &server, "died"},
		{"an error flat", messageEvents(`{"type":"error","message":"died"}`), &server, "died"},
		{"an error in words", "event: error\ndata: it died\n\n", &server, "it died"},
		{"a document of an error", `{"type":"error","error":{"type":"api_error","message":"died"},"request_id":"r"}`, &server, "died"},
		{"details of FastAPI", `{"detail":"field required"}`, &server, "field required"},
		{"an array", `[{"error":{"message":"died"}}]`, &server, "died"},
	} {
		a, err := Anthropic().readFrom(strings.NewReader(c.in), Endpoint{})
		if err == nil || !errors.As(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: text %q, %v (%T)", c.name, a.text, err, err)
		}
	}
	if _, err := Anthropic().readFrom(strings.NewReader(messageEvents(textDelta("a"), stops("end_turn"))), Endpoint{DoneOptional: true}); err != nil {
		t.Errorf("mark not needed: %v", err)
	}
}

// The parts of the input add up; later reports take nothing away.
func TestAnthropicUsage(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     [4]int64 // prompt, completion, reasoning, cached; -1 is nil
	}{
		{"none", messageEvents(textDelta("a"), `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, messageStop), [4]int64{-1, -1, -1, -1}},
		{"null", messageEvents(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":null,"output_tokens":null}}`, messageStop), [4]int64{-1, -1, -1, -1}},
		{"in two reports", messageEvents(messageStart, stops("end_turn"), messageStop), [4]int64{123, 9, -1, 100}},
		{"again and in full", messageEvents(messageStart, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":4,"cache_creation_input_tokens":0,"cache_read_input_tokens":120,"output_tokens":50,"output_tokens_details":{"thinking_tokens":40}}}`, messageStop), [4]int64{124, 50, 40, 120}},
		{"from the cache only", `{"content":[],"stop_reason":"end_turn","usage":{"cache_read_input_tokens":7}}`, [4]int64{7, -1, -1, 7}},
		{"without a cache", `{"content":[],"stop_reason":"end_turn","usage":{"input_tokens":7,"cache_read_input_tokens":null,"output_tokens":0}}`, [4]int64{7, 0, -1, -1}},
	} {
		a, err := Anthropic().readFrom(strings.NewReader(c.in), Endpoint{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		checkUsage(t, c.name, a.usage, c.want)
	}
	a, _ := Anthropic().readFrom(strings.NewReader(messageEvents(messageStart, stops("end_turn"), messageStop)), Endpoint{})
	if string(a.applied) != `"service_tier":"standard"` || a.id != "msg_1" || a.model != "claude" {
		t.Errorf("applied %s, id %q, model %q", a.applied, a.id, a.model)
	}
}

// checkUsage compares prompt, completion, reasoning and cached; -1 is nil.
func checkUsage(t *testing.T, name string, u verbatim.Usage, want [4]int64) {
	t.Helper()
	for i, n := range []*int64{u.Prompt, u.Completion, u.Reasoning, u.Cached} {
		if n == nil && want[i] != -1 || n != nil && *n != want[i] {
			t.Errorf("%s: number %d is %v, want %d", name, i, show(n), want[i])
		}
	}
}

func show(n *int64) string {
	if n == nil {
		return "nil"
	}
	return fmt.Sprint(*n)
}

func FuzzAnthropic(f *testing.F) {
	f.Add([]byte(messageEvents(messageStart, textDelta("a"), stops("end_turn"), messageStop)), uint8(3))
	f.Add([]byte(messageEvents(`{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"a"}}`, stops("refusal"), messageStop)), uint8(1))
	f.Add([]byte(`{"content":[{"type":"text","text":"a"}],"stop_reason":"end_turn","usage":{"input_tokens":3}}`), uint8(2))
	f.Add([]byte(`{"type":"error","error":{"type":"overloaded_error","message":"busy"}}`), uint8(7))
	f.Fuzz(func(t *testing.T, in []byte, step uint8) { checkAnyBytes(t, Anthropic, in, step) })
}

// checkAnyBytes wants of any bytes: no panic, an answer only with a finish reason,
// the same in pieces of any size, and no more text than bytes.
func checkAnyBytes(t *testing.T, speak func() *Protocol, in []byte, step uint8) {
	t.Helper()
	e := Endpoint{Stream: true}
	a, err := speak().readFrom(bytes.NewReader(in), e)
	b, err2 := speak().readFrom(&stepReader{bytes.NewReader(in), int(step%16) + 1}, e)
	switch {
	case string(a.text) != string(b.text) || a.finish != b.finish || (err == nil) != (err2 == nil):
		t.Errorf("%q, %v; in steps %q, %v", a.text, err, b.text, err2)
	case err == nil && a.finish == "":
		t.Errorf("an answer without a finish reason: %q", in)
	case len(a.text) > len(in):
		t.Errorf("%d bytes of text out of %d", len(a.text), len(in))
	case err != nil && len(err.Error()) > 4*maxMessage+200:
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

// Data that show that the server works restart the idle limit, also without text; a
// ping does not.
func TestAnthropicAtWork(t *testing.T) {
	for in, want := range map[string]bool{
		textDelta("a"): true, textDelta(""): false, stops("end_turn"): true, `{"type":"ping"}`: false, messageStop: false,
		`{"type":"content_block_start","content_block":{"type":"redacted_thinking","data":"xx"}}`:            true,
		`{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"a"}}`:                    true,
		`{"type":"content_block_delta","delta":{"type":"signature_delta","signature":"xx"}}`:                 true,
		`{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{"}}`:              true,
		`{"type":"content_block_start","content_block":{"type":"text","text":""}}`:                           false,
		`{"type":"message_start","message":{"id":"m","content":[],"usage":{"output_tokens":1}}}`:             true,
		`{"type":"content_block_delta","delta":{"type":"text_delta","text":"","thinking":"not for a text"}}`: false,
	} {
		touched := false
		a := newTestAnswer()
		a.touch = func() { touched = true }
		if err := Anthropic().reader(a).event(streamEvent{Data: []byte(in)}); err != nil {
			t.Errorf("%s: %v", in, err)
		}
		if a.noteProgress(true); touched != want {
			t.Errorf("%s: at work %v, want %v", in, touched, want)
		}
	}
}
