package fake_test

import (
	"context"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/fake"

	"verbatim/internal/wire"
)

// A speaker answers everything with the same text.
type speaker string

func (s speaker) Ask(_ context.Context, _ *verbatim.Request, reply *verbatim.Reply) error {
	*reply = verbatim.Reply{Text: string(s), Finish: verbatim.FinishStop}
	return nil
}

// TestContentLimit reads streams of every protocol whose text is longer than an answer may
// be: the reply ends there, at a whole character. Reasoning between tags does not count. A
// limit that is sent to the server is left to the server, unless it ignores the limit. What
// comes in one piece is read whole.
func TestContentLimit(t *testing.T) {
	const limit = 16 // tokens: 64 bytes, in the middle of a character
	long, thought := strings.Repeat("é lives ", 100), "<think>"+strings.Repeat("hm ", 300)+"</think>"
	ramble, endless := strings.Repeat(long, 10), "<think>"+strings.Repeat("hm ", 20_000)
	for _, p := range wire.Protocols() {
		for _, c := range []struct {
			name, text string
			stream     bool
			max        int
			ignored    bool // the server ignores the limit
			want       string
			closed     bool
		}{
			{"long", long, true, 1000, false, long[:63], true},
			{"short", "é lives", true, 1000, false, "é lives", false},
			{"tags", thought + "yes", true, 1000, false, thought + "yes", false},
			{"tags, long", thought + long, true, 1000, false, thought + long[:63], true},
			{"in one piece", long, false, 1000, false, long, false},
			{"the server's limit", long, true, limit, false, long[:63], false},
			{"no room, ignored", ramble, true, limit, true, long[:63], true},
			{"no room, ignored, short", "é lives", true, limit, true, "é lives", false},
			{"no room, ignored, in one piece", ramble, false, limit, true, ramble, false},
			{"endless reasoning", endless, true, 1000, true, endless[:4000], true},
			{"endless reasoning, no room", endless, true, limit, true, endless[:64], true},
		} {
			if c.stream && p.NoStreams {
				continue // what comes in one piece is below
			}
			t.Run(p.Name+"/"+c.name, func(t *testing.T) {
				config := fake.Config{Item: func(verbatim.Prompt) *verbatim.Item { return nil }, Model: speaker(c.text), Any: true}
				if c.ignored {
					config.Disobeys = fake.ContractSet{"limit": true}
				}
				s := ready(t, config)
				transport, stop := inMemory(s)
				defer stop()
				e := wire.Endpoint{BaseURL: "http://fake.test" + p.BasePath(), Model: "m", Stream: c.stream, Transport: transport}
				var reply verbatim.Reply
				r := &verbatim.Request{Prompt: says("?"), MaxTokens: c.max, ContentTokens: limit}
				if err := p.Send(t.Context(), &e, r, &reply); err != nil {
					t.Fatal(err)
				}
				closed := reply.FinishRaw == wire.ClosedByUs && reply.Finish == verbatim.FinishLength
				if reply.Text != c.want || closed != c.closed {
					t.Errorf("%d bytes, finish %s (%s), want %d bytes, closed %t: %q", len(reply.Text), reply.Finish, reply.FinishRaw, len(c.want), c.closed, reply.Text)
				}
			})
		}
	}
}
