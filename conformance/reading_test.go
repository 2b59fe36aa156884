package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// A question is asked by both sides.
type question struct {
	prompt    verbatim.Prompt
	maxTokens int
	params    verbatim.Params
	stream    bool
}

// A reading is what a client read from an answer, in our terms.
type reading struct {
	Text      string // what had arrived, where it failed
	Reasoning string
	Finish    verbatim.Finish
	Usage     verbatim.Usage
	// Failed is "" for an answer; otherwise the class of our failure, or "error" for
	// an SDK, which has no classes.
	Failed string
	// err is the message of the failure.
	err error
}

// sdkError is Failed in an SDK's reading.
const sdkError = "error"

// A pair is one protocol with its two clients: ours and the SDK of its makers.
type pair struct {
	name string // of the protocol
	sdk  string // the module, for messages
	base string // what our endpoint has behind the server's address
	ours *wire.Protocol
	// theirs asks with the SDK. base is the server's address without a path.
	theirs func(ctx context.Context, base string, c *http.Client, q question) reading
	// stream and document return a scene in the forms of the protocol.
	stream, document func(modeltest.Scene) modeltest.Body
	// counts returns a usage with only the counts of the protocol; nil: it has all.
	counts func(verbatim.Usage) verbatim.Usage
	// zeroIsNone: for the SDK, a count of zero and one that was not given are the same.
	zeroIsNone bool
	// breaksAreEnds: the SDK reads a connection that breaks as the end of the answer.
	breaksAreEnds bool
	// noKey: the SDK sends no API key.
	noKey bool
}

// model is the name of the model in all questions.
const model = "test-model"

// plain is a question for tests that do not depend on it.
func plain(stream bool) question {
	return question{
		prompt:    verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}},
		maxTokens: 100,
		stream:    stream,
	}
}

// readOurs sends the question with our wire; rt gives the reply.
func (p pair) readOurs(ctx context.Context, base string, rt http.RoundTripper, q question) reading {
	e := wire.Endpoint{BaseURL: base + p.base, Model: model, Stream: q.stream, Transport: rt, Key: wire.NewKey("secret"), MaxReply: 64 << 20}
	r, err := modeltest.Send(ctx, p.ours, e, q.prompt, q.maxTokens, q.params)
	if f := (*verbatim.Failure)(nil); errors.As(err, &f) {
		last := f.Attempts[len(f.Attempts)-1] // before it there may be one on a connection that was closed
		return reading{Text: last.Partial, Failed: string(f.Class), err: f}
	} else if err != nil {
		return reading{Failed: err.Error(), err: err}
	}
	return reading{Text: r.Text, Reasoning: r.Reasoning, Finish: r.Finish, Usage: r.Usage}
}

// readTheirs asks with the SDK.
func (p pair) readTheirs(ctx context.Context, base string, rt http.RoundTripper, q question) reading {
	r := p.theirs(ctx, base, &http.Client{Transport: rt}, q)
	if r.err != nil {
		r.Failed = sdkError
	}
	return r
}

// String returns a reading as one line.
func (r reading) String() string {
	s := fmt.Sprintf("text %q", short(r.Text))
	if r.Reasoning != "" {
		s += fmt.Sprintf(", reasoning %q", short(r.Reasoning))
	}
	if r.Failed != "" {
		return fmt.Sprintf("%s, failed: %s (%v)", s, r.Failed, r.err)
	}
	return fmt.Sprintf("%s, finish %q, usage %s", s, r.Finish, counts(r.Usage))
}

// counts returns a usage as text: prompt, completion, reasoning, cached.
func counts(u verbatim.Usage) string {
	var b strings.Builder
	for i, n := range []*int64{u.Prompt, u.Completion, u.Reasoning, u.Cached} {
		if i > 0 {
			b.WriteByte(' ')
		}
		if n == nil {
			b.WriteByte('-')
		} else {
			fmt.Fprint(&b, *n)
		}
	}
	return b.String()
}

func short(s string) string {
	if len(s) > 200 {
		return s[:100] + "…" + s[len(s)-100:]
	}
	return s
}

// same reports whether two readings are equal. The classes of failures are not
// compared, since only ours has one.
func (r reading) same(o reading) bool {
	if r.Failed != "" || o.Failed != "" {
		return r.Failed != "" && o.Failed != "" && r.Text == o.Text
	}
	return r.Text == o.Text && r.Reasoning == o.Reasoning && r.Finish == o.Finish && counts(r.Usage) == counts(o.Usage)
}

// number returns a pointer to n.
func number(n int64) *int64 { return &n }

// usage returns a usage with these counts; a negative one is not given.
func usage(prompt, completion, reasoning, cached int64) verbatim.Usage {
	var u verbatim.Usage
	for _, c := range []struct {
		to *(*int64)
		n  int64
	}{{&u.Prompt, prompt}, {&u.Completion, completion}, {&u.Reasoning, reasoning}, {&u.Cached, cached}} {
		if c.n >= 0 {
			*c.to = number(c.n)
		}
	}
	return u
}

// onTape lets both sides read the same response, each from a tape of its own, in reads
// that end at the cuts.
func (p pair) onTape(t testing.TB, raw []byte, cuts []int, q question) (ours, theirs reading) {
	t.Helper()
	play := func() http.RoundTripper { return modeltest.Tape(modeltest.Cut(raw, cuts...)...) }
	const base = "http://model.test"
	return p.readOurs(t.Context(), base, play(), q), p.readTheirs(t.Context(), base, play(), q)
}
