package fake_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// A spelling is a model with tokens of its own: the first two are the halves of a character.
type spelling struct{}

// Ask implements verbatim.Model.
func (spelling) Ask(_ context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	*reply = verbatim.Reply{Text: "é lives", Finish: verbatim.FinishStop}
	for _, text := range []string{"\xc3", "\xa9", " ", "lives"} {
		t := verbatim.Token{Text: text, Logprob: -1}
		for _, other := range []string{text, "\xc3", "x"}[:r.Params.Logprobs] {
			t.Top = append(t.Top, verbatim.Token{Text: other, Logprob: -1 - 0.75*float64(len(t.Top))})
		}
		reply.Tokens = append(reply.Tokens, t)
	}
	return nil
}

// TestLogprobs requests log probabilities over every wire, streamed and not. Those of a model
// arrive as they are; others are made up. A protocol that has none refuses.
func TestLogprobs(t *testing.T) {
	const text = "é lives in a house"
	for _, p := range wire.Protocols() {
		for _, stream := range []bool{false, true} {
			for _, model := range []verbatim.Model{speaker(text), spelling{}} {
				s := ready(t, fake.Config{Item: func(verbatim.Prompt) *verbatim.Item { return nil }, Model: model, Any: true})
				transport, stop := inMemory(s)
				defer stop()
				e := wire.Endpoint{BaseURL: "http://fake.test" + p.BasePath(), Model: "m", Stream: stream, Transport: transport}
				reply, err := modeltest.Send(t.Context(), p, e, says("?"), 100, verbatim.Params{Logprobs: 3})
				if p.NoLogprobs {
					if err == nil || !strings.Contains(err.Error(), "no log probabilities") {
						t.Errorf("%s: %v", p.Name, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				checkTokens(t, p.Name, reply, model == verbatim.Model(spelling{}))
				if reply, err = modeltest.Send(t.Context(), p, e, says("?"), 100, verbatim.Params{}); err != nil || reply.Tokens != nil {
					t.Errorf("%s: %d tokens that were not requested, %v", p.Name, len(reply.Tokens), err)
				}
			}
		}
	}
}

// checkTokens wants tokens that spell the reply, each with three alternatives of which one
// is the token itself.
func checkTokens(t *testing.T, name string, reply verbatim.Reply, own bool) {
	t.Helper()
	var spelt strings.Builder
	for i, token := range reply.Tokens {
		spelt.WriteString(token.Text)
		sum, isAmong := 0.0, false
		for _, other := range token.Top {
			sum += math.Exp(other.Logprob)
			isAmong = isAmong || other.Text == token.Text && other.Logprob == token.Logprob
		}
		if len(token.Top) != 3 || !isAmong || sum > 1+1e-9 || token.Logprob >= 0 {
			t.Errorf("%s: token %d is %+v", name, i, token)
		}
	}
	want := reply.Text
	if own && name == "gemini" { // it has texts only, no bytes
		want = strings.ReplaceAll(want, "é", "\ufffd\ufffd")
	}
	if spelt.String() != want || len(reply.Tokens) < 3 {
		t.Errorf("%s: the tokens spell %q, want %q", name, spelt.String(), want)
	}
}
