package fake_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/fake"

	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

const question = "Größe: åß€ 日本 and \"quotes\" and a \\ and more, so that it makes several events"

// wires are our own clients.
var wires = map[string]*wire.Protocol{
	"chat": wire.Chat(), "responses": wire.Responses(), "anthropic": wire.Anthropic(), "gemini": wire.Gemini(), "ollama": wire.Ollama(),
}

// Our own clients meet every fault and report it as the right failure.
func TestClientsUnderEveryFault(t *testing.T) {
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
		{fault: "finish,word=network_error", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "finish,word=eos_x"},
		{fault: "finish,word=sensitive"},
	}
	met := map[string]bool{}
	for _, c := range cases {
		met[faults(t, c.fault)[0].Kind] = true
		for _, one := range []struct {
			wire   string
			stream bool
		}{{"chat", false}, {"chat", true}, {"responses", false}, {"responses", true}, {"anthropic", false}, {"anthropic", true}, {"gemini", false}, {"gemini", true}, {"ollama", false}, {"ollama", true}} {
			name, want := c.fault+" "+one.wire, c.plain
			if one.stream {
				name, want = name+" stream", c.streamed
			}
			after := c.after
			switch {
			case one.wire == "gemini" && c.fault == "429,after=2.2":
				after = 2200 * time.Millisecond // told in the body, where it is not rounded
			case one.wire == "responses" && c.fault == "finish,word=eos_x":
				want = verbatim.Cut // the word for an incomplete response
			case one.wire == "ollama" && c.fault == "quota":
				want = verbatim.Rate // the words are all that Ollama has
			}
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := ready(t, fake.Config{Item: fake.NewIndex(copied(question)).Item, Faults: faults(t, c.fault)})
					transport, stop := inMemory(s)
					defer stop()
					e := endpoint(transport, "http://fake.test", one.stream)
					if one.wire == "gemini" || one.wire == "ollama" {
						e.BaseURL = "http://fake.test"
					}
					e.Total, e.Idle = time.Minute, 20*time.Second
					reply, err := modeltest.Send(t.Context(), wires[one.wire], e, says(question), 1000, verbatim.Params{})
					if want == both {
						if err != nil {
							t.Fatal(err)
						}
						checkText(t, c.text, reply.Text)
						checkRest(t, c.fault, one.wire, reply)
						return
					}
					var f *verbatim.Failure
					if !errors.As(err, &f) {
						t.Fatalf("%+v, %v: no failure", reply, err)
					}
					if f.Class != want || f.After != after {
						t.Errorf("%s, wait %v: %v; want %s, wait %v", f.Class, f.After, f, want, after)
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

// checkRest checks the finish reason and the token counts.
func checkRest(t *testing.T, fault, wire string, reply verbatim.Reply) {
	t.Helper()
	finish := verbatim.FinishStop
	switch fault {
	case "finish,word=eos_x":
		finish = verbatim.FinishOther
	case "finish,word=sensitive":
		finish = verbatim.FinishFilter
	}
	switch strings.Split(fault, ",")[0] {
	case "length":
		finish = verbatim.FinishLength
	case "filter":
		finish = map[string]verbatim.Finish{"anthropic": verbatim.FinishRefusal, "ollama": verbatim.FinishStop}[wire]
		if finish == "" {
			finish = verbatim.FinishFilter
		}
	case "refusal":
		finish = map[string]verbatim.Finish{"gemini": verbatim.FinishFilter, "ollama": verbatim.FinishStop}[wire]
		if finish == "" {
			finish = verbatim.FinishRefusal
		}
	}
	if reply.Finish != finish {
		t.Errorf("finish %s (%q), want %s", reply.Finish, reply.FinishRaw, finish)
	}
	prompt, completion := reply.Usage.Prompt, reply.Usage.Completion
	switch fault {
	case "usage-missing", "usage-null", "usage-huge":
		// Of Anthropic's three counts of the prompt those of the cache stay readable.
		if prompt != nil && wire != "anthropic" || completion != nil {
			t.Errorf("tokens %v, %v where none are known", prompt, completion)
		}
		return
	}
	var wantPrompt, wantCompletion int64 = int64(len(question)+3) / 4, int64(len(reply.Text)+3) / 4
	if fault == "usage-zero" {
		wantPrompt, wantCompletion = 0, 0
	}
	if fault == "filter" && wire == "gemini" {
		completion = new(int64) // Gemini leaves a count of 0 out
	}
	if fault == "not-utf8" {
		wantCompletion = int64(len(question)+1+3) / 4
	}
	if prompt == nil || *prompt != wantPrompt || completion == nil || *completion != wantCompletion {
		t.Errorf("tokens %v, %v, want %d, %d", prompt, completion, wantPrompt, wantCompletion)
	}
}
