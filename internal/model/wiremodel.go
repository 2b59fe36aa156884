package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"verbatim"
	"verbatim/internal/batch"
	"verbatim/internal/wire"
)

// A wireModel is a model behind a wire.
type wireModel struct {
	wire     *wire.Protocol
	endpoint wire.Endpoint
	refiner
	log      io.Writer   // nil: no log
	noSystem atomic.Bool // the server has refused a system message
}

// Ask implements verbatim.Model.
func (a *wireModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	if err := a.send(a.partial(ctx), r, reply); err != nil {
		err = a.redactor.Error(err)
		if f, ok := errors.AsType[*verbatim.Failure](err); ok {
			number(f.Attempts, r.Attempt)
		}
		return err
	}
	a.refine(reply)
	number(reply.Attempts, r.Attempt)
	return nil
}

// send sends a request. The system text goes into the first user message if the parameters say so,
// or if the server refuses the system role. Reply.Sent records it.
func (a *wireModel) send(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	inUser := a.noSystem.Load() || r.Params.SystemAs == SystemAsUser
	if !inUser {
		err := a.wire.Send(ctx, &a.endpoint, r, reply)
		if !refusesSystem(err) || !hasSystem(r.Prompt) {
			return err
		}
		if a.noSystem.CompareAndSwap(false, true) && a.log != nil {
			fmt.Fprintf(a.log, "%s refuses the system role: the system text is sent in the first user message, as with --system-as user\n", a.endpoint.Who())
		}
	}
	prompt, moved := SystemInUser(r.Prompt)
	if !moved {
		return a.wire.Send(ctx, &a.endpoint, r, reply)
	}
	other := *r
	other.Prompt = prompt
	if err := a.wire.Send(ctx, &a.endpoint, &other, reply); err != nil {
		return err
	}
	markSystemInUser(reply)
	return nil
}

// number sets the number of attempts.
func number(attempts []verbatim.Attempt, n int) {
	for i := range attempts {
		attempts[i].N = n
	}
}

// A batchModel is a model behind a wire that takes batches too.
type batchModel struct {
	*wireModel
	api *batch.API
}

// newWireModel returns the model behind an endpoint. It is a verbatim.Batcher too if the protocol has
// batches. A server without them returns an error to the first one.
func newWireModel(p *wire.Protocol, e wire.Endpoint, by refiner, log io.Writer) verbatim.Model {
	m := &wireModel{wire: p, endpoint: e, refiner: by, log: log}
	if api := batch.For(p.Name); api != nil {
		return batchModel{m, api}
	}
	return m
}

// prompted returns the requests of a batch, with their system text where the parameters say.
func prompted(requests []verbatim.Request) []verbatim.Request {
	requests = slices.Clone(requests)
	for i := range requests {
		if r := &requests[i]; r.Params.SystemAs == SystemAsUser {
			r.Prompt, _ = SystemInUser(r.Prompt)
		}
	}
	return requests
}

// Fits implements verbatim.Batcher.
func (b batchModel) Fits(requests []verbatim.Request) (int, error) {
	return b.api.Fits(b.endpoint, prompted(requests))
}

// Submit implements verbatim.Batcher.
func (b batchModel) Submit(ctx context.Context, key string, requests []verbatim.Request) (string, error) {
	id, err := b.api.Submit(ctx, b.endpoint, key, prompted(requests))
	if err != nil {
		return id, b.redactor.Error(err)
	}
	return b.redactor.ID("id of the batch", id, b.endpoint.Who())
}

// Find implements verbatim.Batcher.
func (b batchModel) Find(ctx context.Context, key string) (string, error) {
	id, err := b.api.Find(ctx, b.endpoint, key)
	if err != nil {
		return id, b.redactor.Error(err)
	}
	return b.redactor.ID("id of the batch", id, b.endpoint.Who())
}

// Collect implements verbatim.Batcher.
func (b batchModel) Collect(ctx context.Context, id string, answer func(int64, verbatim.Reply, error) error) (verbatim.BatchState, error) {
	state, err := b.api.Collect(ctx, b.endpoint, id, func(seq int64, reply verbatim.Reply, err error) error {
		b.refine(&reply)
		return answer(seq, reply, b.redactor.Error(err))
	})
	state.Raw, state.FirstForeign = b.redactor.Text(state.Raw), b.redactor.Text(state.FirstForeign)
	return state, b.redactor.Error(err)
}

// SystemAsUser is the value of Params.SystemAs that sends the system text in the first user
// message.
const SystemAsUser = "user"

// systemRefusal matches messages of servers whose model has no system role, such as "System
// role not supported" and "'messages[0].role' does not support 'system'".
var systemRefusal = regexp.MustCompile(`(?i)\b(system|developer)\b.{0,60}(\bnot|n't|\bun)\W?(supported|enabled|allowed|accepted)|(not|n't) (support|accept|allow)\b.{0,60}\b(system|developer)\b`)

func hasSystem(p verbatim.Prompt) bool {
	return slices.ContainsFunc(p, func(m verbatim.Message) bool { return m.Role == "system" })
}

// refusesSystem reports whether an error says that the model has no system role.
func refusesSystem(err error) bool {
	var f *verbatim.Failure
	return errors.As(err, &f) && f.Status >= 400 && systemRefusal.MatchString(f.Error())
}

// SystemInUser returns the prompt with the text of its system messages at the beginning of the first
// user message, and whether there was such text.
func SystemInUser(p verbatim.Prompt) (verbatim.Prompt, bool) {
	var system []string
	var rest verbatim.Prompt
	for _, m := range p {
		if m.Role != "system" {
			rest = append(rest, m)
			continue
		}
		for _, part := range m.Content {
			system = append(system, part.Text)
		}
	}
	if len(system) == 0 {
		return p, false
	}
	first := verbatim.Part{Text: strings.Join(system, "\n\n")}
	for i, m := range rest {
		if m.Role != "user" {
			continue
		}
		content := slices.Clone(m.Content)
		if len(content) > 0 && content[0].Image == nil {
			content[0].Text = first.Text + "\n\n" + content[0].Text
		} else {
			content = slices.Insert(content, 0, first)
		}
		rest[i].Content = content
		return rest, true
	}
	return slices.Insert(rest, 0, verbatim.Message{Role: "user", Content: []verbatim.Part{first}}), true
}

// markSystemInUser records in a reply that the system text was in the first user message.
func markSystemInUser(reply *verbatim.Reply) {
	members, ok := strings.CutPrefix(reply.Sent, "{")
	if !ok {
		return
	}
	if strings.TrimSpace(members) != "}" {
		members = "," + members
	}
	reply.Sent = `{"system_as":"` + SystemAsUser + `"` + members
}
