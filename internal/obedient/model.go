// Package obedient is a simulated model that does what a prompt says: it counts, copies, repeats
// a word, finds a code. It answers open prompts with words of a small language.
// The language has the properties of real models that tests of endpoints look for:
// each word has a probability, answers differ after the first different word, and other weights give
// other numbers.
//
// Start at Model.Ask (model.go). instruct.go reads prompts, language.go holds the language.
package obedient

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"verbatim"
)

// Name is the name of the kind of simulated model.
const Name = "obedient"

// Doc describes this kind of model in one line.
const Doc = "does what a prompt says, without knowing the right answers: to test preflight, smoke, verify and sentinel"

// A Model is a simulated verbatim.Model. It is safe for concurrent use.
type Model struct {
	language language
	demands  []demand
	calls    atomic.Uint64
}

// New returns a Model. It has these knobs: sigma is how far its log probabilities are from those of a
// model without knobs, in nats. build chooses these differences. jitter is how far the calls
// are from each other. With states=N, a process has N numeric states in each context; process
// chooses the one that it is in, and moves is the probability that a call is in a random one.
func New(knobs url.Values) (*Model, error) {
	m := &Model{demands: demands(), language: language{words: strings.Fields(words)}}
	l := &m.language
	numbers := map[string]*float64{"sigma": &l.sigma, "jitter": &l.jitter, "moves": &l.moves}
	counts := map[string]*uint64{"build": &l.build, "states": &l.states, "process": &l.process}
	for name, values := range knobs {
		number, count := numbers[name], counts[name]
		switch {
		case count != nil:
			n, err := strconv.ParseUint(values[0], 10, 32)
			if err != nil {
				return nil, fmt.Errorf("sim:%s: %s must be a number from 0, got %q", Name, name, values[0])
			}
			*count = n
		case number != nil:
			x, err := strconv.ParseFloat(values[0], 64)
			if err != nil || !(x >= 0 && x <= 100) {
				return nil, fmt.Errorf("sim:%s: %s must be a number from 0 to 100, got %q", Name, name, values[0])
			}
			*number = x
		default:
			return nil, fmt.Errorf("sim:%s has no knob %q: its knobs are sigma, build, jitter, states, process and moves", Name, name)
		}
	}
	return m, nil
}

// Ask implements verbatim.Model. Params.Extra may have a list "stop". Greedy answers depend on
// the prompt alone; others also on the number of calls before, or on the seed.
func (m *Model) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	start := time.Now()
	if err := ctx.Err(); err != nil {
		return &verbatim.Failure{Class: verbatim.Transport, Who: "sim:" + Name, Err: err}
	}
	call := m.calls.Add(1)
	a := writer{language: m.language, params: r.Params, limit: r.MaxTokens, draw: call, call: call, finish: verbatim.FinishStop, stopped: -1}
	if s := r.Params.Seed; s != nil {
		a.draw = uint64(*s)
	}
	if r.Params.Temperature != nil {
		a.temperature = *r.Params.Temperature
	}
	if answer, ok := m.obey(r.Prompt); ok {
		a.say(answer)
	} else {
		a.ramble(promptText(r.Prompt))
	}
	a.stop(stops(r.Params.Extra))
	prompt, completion := int64(len(strings.Fields(promptText(r.Prompt)))+4), int64(a.count)
	total := time.Since(start)
	*reply = verbatim.Reply{
		Text: a.text.String(), Tokens: a.tokens, Finish: a.finish, FinishRaw: string(a.finish),
		Usage:       verbatim.Usage{Prompt: &prompt, Completion: &completion},
		Times:       verbatim.Times{Start: start, Total: total},
		ServedModel: "sim:" + Name, Fingerprint: fmt.Sprintf("build-%d", m.language.build),
		Attempts: []verbatim.Attempt{{N: r.Attempt, Start: start, Total: total, Bytes: int64(a.text.Len())}},
	}
	if a.stopped >= 0 {
		reply.Text, reply.Finish, reply.FinishRaw = reply.Text[:a.stopped], verbatim.FinishStop, "stop"
		completion = int64(len(strings.Fields(reply.Text)))
	}
	return nil
}

// stops returns the stop sequences of a request.
func stops(extra map[string]json.RawMessage) []string {
	var list []string
	if json.Unmarshal(extra["stop"], &list) != nil {
		return nil
	}
	return list
}

// promptText returns all texts of a prompt.
func promptText(p verbatim.Prompt) string {
	var b strings.Builder
	for _, m := range p {
		for _, part := range m.Content {
			b.WriteString(part.Text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}
