// Package modeltest is the test suite that every wire passes. A wire's test describes
// its protocol in a Harness and calls Run:
//
//	modeltest.Run(t, modeltest.Harness{Stream: true, Ask: ask, Answer: modeltest.ChatStream, Error: modeltest.ChatError})
//
// The suite plays servers that work, fail and break off at every byte, and checks the
// wire's replies and failures. A Scene is a reply in no protocol. ChatStream, ChatDocument and the
// like (scenes.go) write it as the bytes of a protocol. A
// Tape plays bytes without a network, in pieces and with delays. A server on loopback is for
// tests that need real connections.
package modeltest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/wire"
)

// A Harness describes a wire to the suite, in one of its forms: streamed replies and replies in one
// piece are two harnesses.
type Harness struct {
	// Stream says that replies are streamed.
	Stream bool
	// Ask sends a prompt to the endpoint once through the wire. The suite sets BaseURL, Key,
	// Transport and the limits; Ask adds the model and the dialect.
	Ask func(ctx context.Context, e wire.Endpoint, prompt verbatim.Prompt) (verbatim.Reply, error)
	// Answer writes a scene as the body of a response with status 200; nil: the protocol has
	// no such form, and the suite is skipped.
	Answer func(s Scene) Body
	// KeepAlive is what servers send between events to keep a stream open; empty
	// for replies in one piece.
	KeepAlive []byte
	// Error writes the body of an error response in the form of the protocol.
	Error func(code, message string) []byte
	// Counts returns the counts of a usage that the protocol has; nil: it has all.
	Counts func(verbatim.Usage) verbatim.Usage
	// NoReasoning says that the protocol has no field for reasoning. Scenes are without it.
	NoReasoning bool
	// NoRefusal says that the protocol has no field for a refusal.
	NoRefusal bool
	// Root is the path that the hint proposes for a base URL without an API; "" is "/v1".
	Root string
	// NoMark says that a stream has no end marker: it ends with the body.
	NoMark bool
}

// counts returns the counts of a usage that the protocol has.
func (h Harness) counts(u verbatim.Usage) verbatim.Usage {
	if h.Counts == nil {
		return u
	}
	return h.Counts(u)
}

// reasoning returns text, or "" if the protocol has no reasoning.
func (h Harness) reasoning(text string) string {
	if h.NoReasoning {
		return ""
	}
	return text
}

// A Scene is a reply of a server, in no protocol.
type Scene struct {
	Text      []string // in a stream, one event each; any bytes
	Reasoning []string // before the text
	Refusal   string   // in its own field
	Finish    verbatim.Finish
	Usage     []verbatim.Usage // the reports of token counts, in order
	NullUsage bool             // the field of the token counts is null
	// Error ends the reply after Text with an error in the form of the protocol.
	Error *Error
}

// usage returns the member of the first report of token counts, which write writes, or of null, and
// nothing without either.
func (s Scene) usage(name string, write func(verbatim.Usage) string) string {
	switch {
	case len(s.Usage) > 0:
		return `,"` + name + `":` + write(s.Usage[0])
	case s.NullUsage:
		return `,"` + name + `":null`
	}
	return ""
}

// An Error is an error that a server reports in the middle of a reply.
type Error struct {
	Code    string // a number or a word
	Message string
}

// isNumber reports whether the code is a number.
func (e Error) isNumber() bool { return e.Code != "" && strings.Trim(e.Code, "0123456789") == "" }

// A Body is what a server sends after its header.
type Body struct {
	Type  string // media type
	Bytes []byte
	// End is how many of Bytes must have arrived for the reply to be complete.
	End int
}

// Run runs the suite.
func Run(t *testing.T, h Harness) {
	if h.Answer == nil {
		t.Skip("the protocol has no such form of replies")
	}
	if h.NoReasoning {
		write := h.Answer
		h.Answer = func(s Scene) Body {
			s.Reasoning = nil
			return write(s)
		}
	}
	ask := h.Ask
	h.Ask = func(ctx context.Context, e wire.Endpoint, prompt verbatim.Prompt) (verbatim.Reply, error) {
		reply, err := ask(ctx, e, prompt)
		if err != nil && !reflect.ValueOf(reply).IsZero() {
			t.Errorf("a reply is left beside the error %v: %+v", err, reply)
		}
		return reply, err
	}
	for _, c := range []struct {
		name string
		run  func(*testing.T, Harness)
	}{
		{"Request", testRequest},
		{"Answer", testAnswer},
		{"Finish", testFinish},
		{"Empty", testEmpty},
		{"Refusal", testRefusal},
		{"Reasoning", testReasoning},
		{"Usage", testUsage},
		{"AnyBytes", testAnyBytes},
		{"SplitAtEveryByte", testSplit},
		{"CutAtEveryByte", testCut},
		{"Long", testLong},
		{"TooLong", testTooLong},
		{"Status", testStatus},
		{"RetryAfter", testRetryAfter},
		{"ErrorInAnswer", testErrorInAnswer},
		{"WebPage", testWebPage},
		{"HidesKey", testHidesKey},
		{"Redirect", testRedirect},
		{"Refused", testRefusedConnection},
		{"ClosedUnannounced", testClosedUnannounced},
		{"ClosedUnanswered", testClosedUnanswered},
		{"ClosedInHeader", testClosedInHeader},
		{"KeepsConnection", testKeepsConnection},
		{"Cancel", testCancel},
		{"Total", testTotal},
		{"Idle", testIdle},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, h) })
	}
}

// prompt returns a prompt of one message.
func prompt(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}

// endpoint returns an endpoint whose requests transport answers.
func endpoint(h Harness, transport http.RoundTripper) wire.Endpoint {
	return wire.Endpoint{BaseURL: "http://model.test/v1", Stream: h.Stream, Transport: transport}
}

// play sends a request, to which the pieces of a response are played.
func play(t *testing.T, h Harness, pieces ...Piece) (verbatim.Reply, error) {
	t.Helper()
	return h.Ask(t.Context(), endpoint(h, Tape(pieces...)), prompt("q"))
}

// answer plays a scene and returns the reply, which must not be a failure.
func answer(t *testing.T, h Harness, s Scene) verbatim.Reply {
	t.Helper()
	b := h.Answer(s)
	r, err := play(t, h, Piece{Bytes: Response(200, b.Type, b.Bytes)})
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	return r
}

// failure checks that err is a *verbatim.Failure of the class with one attempt, and returns it.
func failure(t *testing.T, err error, class verbatim.Class) *verbatim.Failure {
	t.Helper()
	f, ok := errors.AsType[*verbatim.Failure](err)
	if !ok {
		t.Fatalf("error %v (%T), want a *verbatim.Failure", err, err)
	}
	if f.Class != class {
		t.Fatalf("class %q, want %q: %v", f.Class, class, err)
	}
	if f.Who == "" || f.Err == nil {
		t.Errorf("the failure has no endpoint or no error: %+v", f)
	}
	if len(f.Attempts) != 1 {
		t.Fatalf("%d attempts, want 1", len(f.Attempts))
	}
	a := f.Attempts[0]
	if a.Class != class || a.Status != f.Status || a.Err == "" || a.Start.IsZero() {
		t.Errorf("the attempt differs from the failure: %+v", a)
	}
	return f
}

// Send sends a prompt through a protocol and returns the reply.
func Send(ctx context.Context, p *wire.Protocol, e wire.Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (reply verbatim.Reply, err error) {
	err = p.Send(ctx, &e, &verbatim.Request{Prompt: prompt, MaxTokens: maxTokens, Params: params}, &reply)
	return reply, err
}

// JSONText writes s as a JSON string for exactly these bytes. Bytes that are not UTF-8 are written as
// they are. Halves of surrogate pairs, in the encoding of three bytes, are written as escapes.
func JSONText(s string) string {
	b := append(make([]byte, 0, len(s)+2), '"')
	for len(s) > 0 {
		// Most bytes of long texts are plain.
		plain := 0
		for plain < len(s) && s[plain] >= ' ' && s[plain] < 0x7F && s[plain] != '"' && s[plain] != '\\' {
			plain++
		}
		b = append(b, s[:plain]...)
		if s = s[plain:]; s == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80:
			size = 3
			b = fmt.Appendf(b, `\u%04x`, 0xD000|int(s[1]&0x3F)<<6|int(s[2]&0x3F))
		case r < 0x20:
			b = fmt.Appendf(b, `\u%04x`, r)
		case r == '"' || r == '\\':
			b = append(b, '\\', s[0])
		default:
			b = append(b, s[:size]...)
		}
		s = s[size:]
	}
	return string(append(b, '"'))
}
