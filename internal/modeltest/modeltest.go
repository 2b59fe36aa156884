// Package modeltest is the test suite that every wire passes. A wire's test describes
// its protocol in a Harness and calls Run:
//
//	modeltest.Run(t, modeltest.Harness{Stream: true, Ask: ask, Answer: modeltest.ChatStream, Error: modeltest.ChatError})
//
// The suite plays servers that work, fail and break off at every byte, and checks the
// wire's replies and failures. A Scene is an answer in no protocol; ChatStream,
// ChatDocument and their like (one file for each protocol, such as chatscene.go) write it as bytes. A
// Tape plays bytes to a transport without a network, cut and delayed. The server in
// server.go serves what needs real connections.
package modeltest

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"verbatim"
	"verbatim/internal/wire"
)

// A Harness is what the suite needs to know of one wire, in one of its forms:
// streamed and plain are two harnesses.
type Harness struct {
	// Stream says that answers come in pieces.
	Stream bool
	// Ask asks the endpoint once through the wire. The suite sets BaseURL, Key,
	// Transport and the limits; Ask adds the model and the dialect.
	Ask func(ctx context.Context, e wire.Endpoint, prompt verbatim.Prompt) (verbatim.Reply, error)
	// Answer writes a scene as the body of a response with status 200; nil: the protocol has
	// no such form, and the suite is skipped.
	Answer func(s Scene) Body
	// KeepAlive is what servers send between events to keep a stream open; empty
	// for plain answers.
	KeepAlive []byte
	// Error writes the body of an error response as servers of this wire do.
	Error func(code, message string) []byte
	// Counts returns what of a usage the protocol has places for; nil is all of it.
	Counts func(verbatim.Usage) verbatim.Usage
	// NoReasoning: the protocol has no place for reasoning. Scenes come without it.
	NoReasoning bool
	// NoRefusal: the protocol has no place of its own for a refusal.
	NoRefusal bool
	// Root is the path that a base URL which leads nowhere probably lacks; "" is "/v1".
	Root string
	// NoMark: a stream has no event of its own for its end; it ends where the body does.
	NoMark bool
}

// counts returns what of a usage can arrive.
func (h Harness) counts(u verbatim.Usage) verbatim.Usage {
	if h.Counts == nil {
		return u
	}
	return h.Counts(u)
}

// reasoning returns what of a text of reasoning can arrive.
func (h Harness) reasoning(text string) string {
	if h.NoReasoning {
		return ""
	}
	return text
}

// A Scene is one answer of a server, told without regard to a protocol.
type Scene struct {
	Text      []string // in a stream, one event each; any bytes
	Reasoning []string // before the text
	Refusal   string   // in a place of its own
	Finish    verbatim.Finish
	Usage     []verbatim.Usage // reports, in order; empty: no report
	NullUsage bool             // the place of the usage is there and null
	// Error breaks the answer off after Text with an error in the protocol's form.
	Error *Error
}

// An Error is what a server says went wrong in the middle of an answer.
type Error struct {
	Code    string // a number or a word, as the protocol has it
	Message string
}

// A Body is what a server sends after its header.
type Body struct {
	Type  string // media type
	Bytes []byte
	// End is how many of Bytes must have arrived before the answer counts.
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

// prompt is a question that no case depends on.
func prompt(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}

// endpoint returns an endpoint that is answered by transport.
func endpoint(h Harness, transport http.RoundTripper) wire.Endpoint {
	return wire.Endpoint{BaseURL: "http://model.test/v1", Stream: h.Stream, Transport: transport}
}

// play asks once and answers with the bytes of a response, in pieces.
func play(t *testing.T, h Harness, pieces ...Piece) (verbatim.Reply, error) {
	t.Helper()
	return h.Ask(t.Context(), endpoint(h, Tape(pieces...)), prompt("q"))
}

// answer plays a scene that has to be an answer.
func answer(t *testing.T, h Harness, s Scene) verbatim.Reply {
	t.Helper()
	b := h.Answer(s)
	r, err := play(t, h, Piece{Bytes: Response(200, b.Type, b.Bytes)})
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	return r
}

// failure returns err as a *verbatim.Failure of the class, with its one attempt
// in order.
func failure(t *testing.T, err error, class verbatim.Class) *verbatim.Failure {
	t.Helper()
	var f *verbatim.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v (%T), want a *verbatim.Failure", err, err)
	}
	if f.Class != class {
		t.Fatalf("class %q, want %q: %v", f.Class, class, err)
	}
	if f.Who == "" || f.Err == nil {
		t.Errorf("the failure does not say what failed and why: %+v", f)
	}
	if len(f.Attempts) != 1 {
		t.Fatalf("%d attempts, want 1", len(f.Attempts))
	}
	a := f.Attempts[0]
	if a.Class != class || a.Status != f.Status || a.Err == "" || a.Start.IsZero() {
		t.Errorf("the attempt does not tell the failure: %+v", a)
	}
	return f
}
