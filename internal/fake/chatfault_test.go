package fake_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/wire"
)

const question = "Größe: åß€ 日本 and \"quotes\" and a \\ and more, so that it makes several events"

// Our own client meets every fault and says the right thing of it.
func TestChatUnderEveryFault(t *testing.T) {
	const both = ""
	cases := []struct {
		fault           string
		plain, streamed verbatim.Class // "" is an answer
		after           time.Duration
		text            string // "" is the question; of answers
	}{
		{fault: "429,after=2.2", plain: verbatim.Rate, streamed: verbatim.Rate, after: 3 * time.Second},
		{fault: "429,after=2.2,form=ms", plain: verbatim.Rate, streamed: verbatim.Rate, after: 2200 * time.Millisecond},
		{fault: "429,after=2s,form=date", plain: verbatim.Rate, streamed: verbatim.Rate, after: 2 * time.Second},
		{fault: "429,after=2,form=none", plain: verbatim.Rate, streamed: verbatim.Rate},
		{fault: "429", plain: verbatim.Rate, streamed: verbatim.Rate},
		{fault: "quota", plain: verbatim.Quota, streamed: verbatim.Quota},
		{fault: "400,param=seed", plain: verbatim.BadAsk, streamed: verbatim.BadAsk},
		{fault: "context", plain: verbatim.BadAsk, streamed: verbatim.BadAsk},
		{fault: "401", plain: verbatim.Auth, streamed: verbatim.Auth},
		{fault: "403", plain: verbatim.Auth, streamed: verbatim.Auth},
		{fault: "404", plain: verbatim.BadAsk, streamed: verbatim.BadAsk},
		{fault: "422", plain: verbatim.BadAsk, streamed: verbatim.BadAsk},
		{fault: "500", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "502", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "503,after=1", plain: verbatim.Overload, streamed: verbatim.Overload, after: time.Second},
		{fault: "loading", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "529", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "reset", plain: verbatim.Transport, streamed: verbatim.Transport},
		{fault: "hangup", plain: verbatim.Transport, streamed: verbatim.Transport},
		{fault: "empty", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "page", plain: verbatim.BadAsk, streamed: verbatim.BadAsk},
		{fault: "error200", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "numeric", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "midway", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "unended", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "undone", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "unfinished", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "mojibake", text: "GrÃ¶"},
		{fault: "not-utf8", text: "\xff"},
		{fault: "length,at=0.25", text: "Größe: åß€ 日本 and"},
		{fault: "filter", text: "-"},
		{fault: "refusal", text: "I'm sorry"},
		{fault: "cut", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "cut,at=0.9", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "cut,at=30", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "cut,at=1000000", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "cut,at=0.9,end=short", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "cut,at=0.9,end=reset", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "stall", plain: verbatim.Deadline, streamed: verbatim.Deadline},
		{fault: "stall,at=0.5", plain: verbatim.Deadline, streamed: verbatim.Deadline},
		{fault: "stall,at=0.5,for=3"},
		{fault: "murmur", plain: verbatim.Deadline, streamed: verbatim.Deadline},
		{fault: "trickle,every=1ms"},
		{fault: "trickle"},
		{fault: "split"}, {fault: "clump"}, {fault: "crlf"}, {fault: "comments"}, {fault: "unknown"}, {fault: "bom"},
		{fault: "error-null"}, {fault: "usage-missing"}, {fault: "usage-null"}, {fault: "usage-zero"}, {fault: "usage-twice"}, {fault: "usage-huge"},
		{fault: "closes"},
	}
	met := map[string]bool{}
	for _, c := range cases {
		met[faults(t, c.fault)[0].Kind] = true
		for _, stream := range []bool{false, true} {
			name, want := c.fault+" plain", c.plain
			if stream {
				name, want = c.fault+" stream", c.streamed
			}
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := ready(t, fake.Config{Item: fake.NewIndex(copied(question)).Item, Faults: faults(t, c.fault)})
					transport, stop := inMemory(s)
					defer stop()
					e := endpoint(transport, "http://fake.test", stream)
					e.Total, e.Idle = time.Minute, 20*time.Second
					reply, err := wire.Chat(t.Context(), e, says(question), 0, verbatim.Params{})
					if want == both {
						if err != nil {
							t.Fatal(err)
						}
						checkText(t, c.text, reply.Text)
						return
					}
					var f *verbatim.Failure
					if !errors.As(err, &f) {
						t.Fatalf("%+v, %v: no failure", reply, err)
					}
					if f.Class != want || f.After != c.after {
						t.Errorf("%s, wait %v: %v; want %s, wait %v", f.Class, f.After, f, want, c.after)
					}
				})
			})
		}
	}
	for _, k := range fake.FaultKinds() {
		if !met[k.Name] {
			t.Errorf("the fault %s was not met", k.Name)
		}
	}
}

func checkText(t *testing.T, want, got string) {
	t.Helper()
	switch {
	case want == "" && got != question, want == "-" && got != "", want != "" && want != "-" && !strings.Contains(got, want) && want != got:
		t.Errorf("%q, want %q", got, want)
	}
}
