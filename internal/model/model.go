package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/input"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// A Model is a model that is a program: it reads one JSON line for every
// request,
//
//	{"id": "reverse@1/len=16/seed=1/7", "trial": 0, "messages": [{"role": "user", "content": "…"}], "max_tokens": 80}
//
// with "params" if sampling parameters are set, and writes one line for the answer,
//
//	{"text": "…", "reasoning": "…", "finish_reason": "stop", "usage": {"prompt_tokens": 12, "completion_tokens": 3}}
//
// in which only the text is required, or {"error": "…", "retry": true}; retry may be a number of
// seconds to wait. If an answer has an id, it must be that of the request.
//
// There are as many copies of the program as requests at the same time. A copy answers one request
// after the other; if it ends, another one is started for the next request. The end of its error
// output is shown if it fails. It is stopped by closing its input, and killed if it does not end.
type CommandModel struct {
	Timeout time.Duration // the time limit of one answer; 0: no limit
	Env     []string      // the environment of the program; nil: that of this process

	args     []string
	mu       sync.Mutex
	launcher launcher
	idle     []*child
	closed   bool
}

// newCommand returns the model of a command line, which Split splits. The program must exist; it is started
// by the first request.
func newCommand(command string) (*CommandModel, error) {
	args, err := SplitCommand(command)
	name := "exec:" + wire.CleanLine(command, 200)
	if err != nil {
		return nil, &input.NameError{Name: name, Reason: err.Error(), Advice: "close it, or write a backslash before a quote that is a part of the text"}
	}
	if len(args) == 0 {
		return nil, &input.NameError{Name: name, Reason: "there is no command", Advice: "write exec:COMMAND, such as exec:'python3 model.py'"}
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return nil, &input.NameError{Name: name, Reason: fmt.Sprintf("there is no program %q that can be run", wire.CleanLine(args[0], 80)),
			Advice: "look at its spelling, its path and its permission to be run; no shell is involved"}
	}
	return &CommandModel{args: args}, nil
}

// errClosed is the error of a Model that was closed.
var errClosed = errors.New("the model was closed")

// Ask implements verbatim.Model.
func (c *CommandModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	x := attempt{n: r.Attempt, start: time.Now(), who: "exec:" + wire.CleanLine(c.args[0], 80)}
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("no answer within %v", c.Timeout))
		defer cancel()
	}
	line, err := requestLine(r)
	if err != nil {
		return x.fail(verbatim.Failure{Class: verbatim.BadAsk, Err: err})
	}
	return c.ask(ctx, &x, line, r, reply)
}

// ask hands the line to a child and reads its answer. If a child that has answered before fails, another
// one gets the line: some programs answer one request and end.
func (c *CommandModel) ask(ctx context.Context, x *attempt, line []byte, r *verbatim.Request, reply *verbatim.Reply) error {
	for {
		k, err := c.take()
		if err != nil {
			return x.fail(verbatim.Failure{Class: verbatim.Transport, Err: err})
		}
		used := k.answers > 0
		out, err := k.exchange(ctx, line)
		switch {
		case ctx.Err() != nil && err != nil:
			k.kill()
			reason := ctx.Err()
			if reason == context.DeadlineExceeded {
				reason = context.Cause(ctx) // it says which limit
			}
			return x.fail(verbatim.Failure{Class: verbatim.Deadline, Err: reason})
		case errors.Is(err, errExtraLine):
			k.kill()
			return x.fail(verbatim.Failure{Class: verbatim.Content, Err: err,
				Hint: "it has to write exactly one line for every line that it reads"})
		case err != nil && used:
			k.kill()
			continue
		case err != nil:
			k.kill()
			return x.fail(verbatim.Failure{Class: verbatim.Transport, Err: k.withStderr(err),
				Hint: "run the command by itself and give it one line of input"})
		}
		x.received = int64(len(out))
		got, f := parseAnswer(out, r.Item.ID)
		if f == nil {
			c.put(k)
			*reply = x.succeed(got)
			return nil
		}
		if f.Class == verbatim.Content {
			// Its further answers may be those of other requests.
			f.Err = fmt.Errorf("line %d of its output: %w", k.answers, f.Err)
			k.kill()
		} else {
			c.put(k)
		}
		return x.fail(*f)
	}
}

// take returns an idle child, or a new one.
func (c *CommandModel) take() (*child, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errClosed
	}
	if n := len(c.idle); n > 0 {
		k := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return k, nil
	}
	return startChild(&c.launcher, c.args, c.Env)
}

// put makes a child idle.
func (c *CommandModel) put(k *child) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		k.kill()
		return
	}
	c.idle = append(c.idle, k)
}

// Close stops the idle children and returns when they have ended. The others end with their request.
func (c *CommandModel) Close() error {
	c.mu.Lock()
	idle := c.idle
	c.idle, c.closed = nil, true
	c.launcher.stop()
	c.mu.Unlock()
	var all sync.WaitGroup
	for _, k := range idle {
		all.Go(k.stop)
	}
	all.Wait()
	return nil
}

// requestLine returns the line for a request.
func requestLine(r *verbatim.Request) ([]byte, error) {
	for _, m := range r.Prompt {
		for _, p := range m.Content {
			if p.Image != nil && p.Image.Path == "" && len(p.Image.Bytes) == 0 {
				return nil, errors.New("an image without a file cannot be handed to a command")
			}
			if !utf8.ValidString(p.Text) {
				return nil, errors.New("the prompt is not valid UTF-8 and cannot be sent unchanged")
			}
		}
	}
	in := struct {
		ID        string           `json:"id"`
		Trial     int              `json:"trial"`
		Messages  verbatim.Prompt  `json:"messages"`
		MaxTokens int              `json:"max_tokens"`
		Params    *verbatim.Params `json:"params,omitempty"`
	}{ID: r.Item.ID, Trial: r.Trial, Messages: r.Prompt, MaxTokens: r.MaxTokens}
	if p := r.Params; p.Temperature != nil || p.TopP != nil || p.Seed != nil || p.Effort != "" || p.ReasoningBudget != nil || p.Logprobs > 0 || len(p.Extra) > 0 {
		in.Params = &p
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(in)
	return b.Bytes(), err
}

// parseAnswer reads the line of an answer to the request with that id.
func parseAnswer(line []byte, id string) (verbatim.Reply, *verbatim.Failure) {
	var out struct {
		ID        json.RawMessage `json:"id"`
		Text      json.RawMessage `json:"text"`
		Reasoning json.RawMessage `json:"reasoning"`
		Finish    string          `json:"finish_reason"`
		Usage     json.RawMessage `json:"usage"`
		Error     string          `json:"error"`
		Retry     json.RawMessage `json:"retry"`
	}
	unreadable := func(format string, args ...any) (verbatim.Reply, *verbatim.Failure) {
		return verbatim.Reply{}, &verbatim.Failure{Class: verbatim.Content, Err: fmt.Errorf(format, args...),
			Hint: `it has to write one JSON object per line: {"text": …} or {"error": …}`}
	}
	if err := json.Unmarshal(line, &out); err != nil {
		return unreadable("%s: %s", wire.CleanLine(err.Error(), 200), wire.CleanLine(string(line[:min(len(line), 400)]), 100))
	}
	if other, ok := rawjson.Text(out.ID); ok && other != id {
		return unreadable("it answers %q, but the request was %q", wire.CleanLine(other, 100), id)
	}
	if out.Error != "" {
		f := &verbatim.Failure{Class: verbatim.BadAsk, Err: errors.New(wire.CleanLine(out.Error, 400))}
		var seconds float64
		switch retry := strings.TrimSpace(string(out.Retry)); {
		case retry == "true":
			f.Class = verbatim.Overload
		case json.Unmarshal(out.Retry, &seconds) == nil && retry != "null" && seconds >= 0:
			f.Class = verbatim.Overload
			f.After = time.Duration(min(seconds, 86400) * float64(time.Second))
		}
		return verbatim.Reply{}, f
	}
	reply := verbatim.Reply{Finish: wire.Finish(out.Finish), FinishRaw: wire.CleanLine(out.Finish, 200), Usage: wire.ParseUsage(out.Usage)}
	var ok bool
	if reply.Text, ok = rawjson.Text(out.Text); !ok {
		return unreadable(`the answer has neither "text" nor "error"`)
	}
	if err := wire.FinishFailure(out.Finish); err != nil {
		return verbatim.Reply{}, &verbatim.Failure{Class: verbatim.Overload, Err: err, Attempts: []verbatim.Attempt{{Partial: reply.Text}}}
	}
	if reply.Reasoning, ok = rawjson.Text(out.Reasoning); ok && reply.Reasoning != "" {
		reply.ReasoningField = "reasoning"
	}
	return reply, nil
}

// An attempt is one attempt at one request.
type attempt struct {
	n        int // as Request.Attempt
	start    time.Time
	who      string // as Failure.Who
	received int64  // bytes
}

func (x *attempt) record() verbatim.Attempt {
	return verbatim.Attempt{N: x.n, Start: x.start, Total: time.Since(x.start), Bytes: x.received}
}

func (x *attempt) succeed(r verbatim.Reply) verbatim.Reply {
	a := x.record()
	r.Attempts = []verbatim.Attempt{a}
	r.Times = verbatim.Times{Start: x.start, Total: a.Total}
	return r
}

func (x *attempt) fail(f verbatim.Failure) error {
	a := x.record()
	a.Class, a.Err = f.Class, f.Err.Error()
	if len(f.Attempts) > 0 {
		a.Partial = f.Attempts[0].Partial
	}
	f.Who, f.Attempts = x.who, []verbatim.Attempt{a}
	return &f
}
