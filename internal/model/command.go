package model

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/input"
	"verbatim/internal/memory"
	"verbatim/internal/rawjson"
	"verbatim/internal/redact"
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
// There are as many copies of the program as requests at the same time. A copy whose answers have ids
// answers one request after the other; if it ends, another one is started for the next request. An
// answer without an id may be that of an earlier request, if the program wrote a line too many, and
// nobody could see that. So it counts only as the first and only line of its copy: the input of the
// copy is closed, and a further line before its end makes the answer an outage. A copy that writes a
// line without being asked is killed, and the request that meets it is an outage.
//
// A line has the size limit of a reply of a server. The end of the error output is shown if a copy
// fails. It is stopped by closing its input, and killed if it does not end.
type CommandModel struct {
	Timeout time.Duration // the time limit of one answer; 0: no limit
	Env     []string      // the environment of the program; nil: that of this process
	// MaxReply and Memory are as in Options. Log gets a line if answers have no ids; nil: no log.
	MaxReply int64
	Memory   *memory.Limit
	Log      io.Writer

	args     []string
	noID     sync.Once // writes to Log
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
		size := wire.NewSizeLimit(r.MaxTokens, r.Params.Logprobs, c.MaxReply)
		out := &answer{ctx: ctx, size: size, reserved: c.Memory.Reserve()}
		err = k.exchange(line, out)
		x.took = time.Since(x.start)
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
			return x.fail(verbatim.Failure{Class: verbatim.Content, Err: err, Hint: oneLine})
		case isTooLarge(err):
			k.kill()
			return x.fail(verbatim.Failure{Class: verbatim.Content, Err: err})
		case err != nil && used:
			k.kill()
			continue
		case err != nil:
			k.kill()
			return x.fail(verbatim.Failure{Class: verbatim.Transport, Err: k.withStderr(err),
				Hint: "run the command by itself and give it one line of input"})
		}
		defer out.reserved.Release()
		x.received = int64(len(out.line))
		got, f := parseAnswer(out.line, r.Item.ID)
		switch {
		case f != nil && f.Class == verbatim.Content:
			// Its further answers may be those of other requests.
			f.Err = fmt.Errorf("line %d of its output: %w", k.answers, f.Err)
			k.kill()
		case int64(len(got.Text)) > size.Text:
			f = &verbatim.Failure{Class: verbatim.Content, Err: wire.TooLarge{MaxBytes: size.Text, Limit: size}}
			k.kill()
		case rawjson.IsSet(rawjson.Member(out.line, "id")):
			c.put(k)
		default:
			f = cmp.Or(c.onlyLine(ctx, k, used), f)
		}
		if f != nil {
			return x.fail(*f)
		}
		*reply = x.succeed(got)
		return nil
	}
}

// onlyLine ends a child whose answer had no id. It returns the failure of the answer if it is not the
// first and only line of the child.
func (c *CommandModel) onlyLine(ctx context.Context, k *child, used bool) *verbatim.Failure {
	if used {
		k.kill()
		return &verbatim.Failure{Class: verbatim.Content, Err: errors.New("it answered without an id after answers with one: the answer may be that of another request"), Hint: oneLine}
	}
	c.noID.Do(func() {
		if c.Log != nil {
			fmt.Fprintf(c.Log, "exec:%s answers without \"id\": a new copy is started for each request; write the id of the request into the answer to keep the copies\n", wire.CleanLine(c.args[0], 80))
		}
	})
	defer context.AfterFunc(ctx, k.kill)()
	k.stop()
	if errors.Is(k.err, errExtraLine) {
		return &verbatim.Failure{Class: verbatim.Content, Err: errExtraLine, Hint: oneLine}
	}
	return nil
}

// oneLine is the hint for a program whose lines are not the answers of its requests.
const oneLine = `it has to write exactly one line for every line that it reads; answers with the "id" of their request show it`

func isTooLarge(err error) bool {
	_, is := errors.AsType[wire.TooLarge](err)
	return is
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
	if c.closed { // the guard is ended once
		c.mu.Unlock()
		return nil
	}
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
	line, _ = wire.ReadJSON(line)
	if err := json.Unmarshal(line, &out); err != nil {
		return unreadable("%s: %s", wire.CleanLine(err.Error(), 200), wire.CleanLine(string(line[:min(len(line), 400)]), 100))
	}
	if other, ok := rawjson.Text(out.ID); rawjson.IsSet(out.ID) && (!ok || other != id) {
		return unreadable("it answers %q, but the request was %q", wire.CleanLine(cmp.Or(other, string(out.ID)), 100), id)
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
	took     time.Duration
}

func (x *attempt) record() verbatim.Attempt {
	return verbatim.Attempt{N: x.n, Start: x.start, Total: cmp.Or(x.took, time.Since(x.start)), Bytes: x.received}
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

const stopWait = 2 * time.Second // how long a child may run after its input was closed

var (
	errExtraLine  = errors.New("it wrote more than one line for a request")
	errNoLine     = errors.New("it ended without an answer")
	errNotReading = errors.New("it does not read its input")
)

// A child is one running copy of a command. It serves one request at a time.
type child struct {
	launcher *launcher
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      io.ReadCloser
	stderr   tail
	asked    chan *answer  // of the request that it is to answer; empty while it is idle
	lines    chan *answer  // those of asked, with their lines
	quit     chan struct{} // closed when no caller reads lines any more
	ended    chan struct{} // closed when it has ended and was waited for
	err      error         // why it ended; set before ended is closed
	answers  int           // the number of lines that were read as answers

	releaseOnce sync.Once // closes quit
	mu          sync.Mutex
	collected   bool // its process id may be that of another process
}

// startChild starts a child by a launcher, with the environment env.
func startChild(by *launcher, args, env []string) (*child, error) {
	k := &child{
		launcher: by,
		cmd:      exec.Command(args[0], args[1:]...),
		asked:    make(chan *answer, 1),
		lines:    make(chan *answer),
		quit:     make(chan struct{}),
		ended:    make(chan struct{}),
	}
	k.cmd.Env = env
	k.cmd.Stderr = &k.stderr
	// Processes that the child started may keep its error output open after its end.
	k.cmd.WaitDelay = time.Second
	setProcessGroup(k.cmd)
	var err error
	if k.in, err = k.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if k.out, err = k.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := by.start(k.cmd); err != nil {
		return nil, err
	}
	go k.read()
	return k, nil
}

// An answer is the line that answers a request, with the memory that is reserved for it.
type answer struct {
	ctx      context.Context // of the request
	size     wire.SizeLimit
	line     []byte
	reserved memory.Reservation // released by the child, or by who has received the line
}

// read passes a line of output to lines for each request, until the output ends or has something that
// answers no request, and waits for the child.
func (k *child) read() {
	in := bufio.NewReaderSize(k.out, 64<<10)
	var err error
	for err == nil {
		var first []byte
		if first, err = in.Peek(1); err != nil {
			break
		}
		if len(bytes.TrimSpace(first)) == 0 { // blank lines are no answers
			in.Discard(1)
			continue
		}
		select {
		case a := <-k.asked:
			err = k.readAnswer(in, a)
		default:
			err = errExtraLine
		}
	}
	if err != errExtraLine && !isTooLarge(err) {
		err = errNoLine
	}
	k.mu.Lock()
	// Processes that the child started end with it. After this the group gets no signal any
	// more, because its number may become that of another one.
	killGroup(k.cmd)
	k.launcher.guard.forget(k.cmd)
	k.collected = true
	k.mu.Unlock()
	if waitErr := k.cmd.Wait(); waitErr != nil && err == errNoLine {
		err = fmt.Errorf("%w (%v)", errNoLine, waitErr)
	}
	k.err = err
	k.launcher.children.Done()
	close(k.ended)
}

// readAnswer passes the next line to lines.
func (k *child) readAnswer(in *bufio.Reader, a *answer) error {
	err := a.read(in)
	if err == nil {
		select {
		case k.lines <- a:
			return nil
		case <-k.quit:
		}
	}
	a.reserved.Release()
	return err
}

// read reads the line. A last line without line feed counts if it is JSON.
func (a *answer) read(in *bufio.Reader) error {
	for {
		part, err := in.ReadSlice('\n')
		a.line = append(a.line, part...)
		n := int64(len(a.line))
		if n > a.size.Document() {
			return wire.TooLarge{MaxBytes: a.size.Document(), Limit: a.size}
		}
		// The line grows by doubling, and its text is copied twice.
		if err := a.reserved.Grow(a.ctx, 4*n); err != nil {
			return err
		}
		switch {
		case err == nil, err == io.EOF && json.Valid(a.line):
			return nil
		case err != bufio.ErrBufferFull:
			return err
		}
	}
}

// exchange writes the line of a request and waits for the line of its answer.
func (k *child) exchange(line []byte, a *answer) error {
	k.asked <- a
	wrote := make(chan error, 1)
	go func() {
		_, err := k.in.Write(line)
		wrote <- err
	}()
	var notReading <-chan time.Time
	for {
		select {
		case <-k.lines:
			k.answers++
			return nil
		case <-k.ended:
			return k.err
		case <-a.ctx.Done():
			return a.ctx.Err()
		case err := <-wrote:
			if err != nil {
				// It has ended, and ended will be closed in a moment; or it has only closed
				// its input.
				notReading = time.After(stopWait)
			}
		case <-notReading:
			return errNotReading
		}
	}
}

// release closes the child's input, and its output is ignored from now on.
func (k *child) release() {
	k.releaseOnce.Do(func() {
		close(k.quit)
		k.in.Close()
	})
}

// kill ends the child at once.
func (k *child) kill() {
	k.release()
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.collected {
		killGroup(k.cmd)
		k.out.Close()
	}
}

// stop closes the child's input, kills the child if it does not end, and returns when it has ended.
func (k *child) stop() {
	k.release()
	select {
	case <-k.ended:
	case <-time.After(stopWait):
		k.kill()
		<-k.ended
	}
}

// withStderr adds the end of the child's error output to the reason of its end.
func (k *child) withStderr(err error) error {
	if text := k.stderr.String(); text != "" {
		return fmt.Errorf("%w; its error output ends: %s", err, text)
	}
	return err
}

// A tail is an io.Writer that keeps the end of what is written.
type tail struct {
	mu  sync.Mutex
	end []byte
}

// maxTail is how many bytes a tail keeps.
const maxTail = 400

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p[max(0, len(p)-maxTail):]...)
	t.end = bytes.Clone(t.end[max(0, len(t.end)-maxTail):])
	return len(p), nil
}

// String returns the end as one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return wire.CleanLine(string(t.end), maxTail)
}

// secretWord matches names of variables whose values are secrets, by a word between underscores.
var secretWord = regexp.MustCompile(`(?i)(^|_)([A-Z0-9]*(KEY|KEYS|TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWORDS|PASSWD|PASSPHRASE|CREDENTIAL|CREDENTIALS|COOKIE|COOKIES|AUTH)|PASS|PAT|PWD|DSN)(_|$)`)

// workingFolders are variables that match secretWord and are not secrets.
var workingFolders = []string{"PWD", "OLDPWD"}

// isSecret reports whether a variable of the environment is a secret: by its name, because the
// configuration file takes a secret from it, or because its value is an address with a user.
func (o Options) isSecret(name, value string) bool {
	if slices.Contains(workingFolders, name) {
		return false
	}
	if name == anyKeyEnv || secretWord.MatchString(name) || slices.Contains(o.Config.secretVariables(), name) {
		return true
	}
	for _, p := range Providers() {
		if slices.Contains(p.KeyEnv, name) {
			return true
		}
	}
	u, err := url.Parse(strings.TrimSpace(value))
	return err == nil && u.User != nil
}

// childEnv returns the environment of a command: that of this process without its secrets, except
// for those in o.PassEnv.
func (o Options) childEnv() (env []string, err error) {
	missing := slices.Clone(o.PassEnv)
	for _, v := range o.environ() {
		name, value, _ := strings.Cut(v, "=")
		passed := slices.Contains(o.PassEnv, name)
		missing = slices.DeleteFunc(missing, func(m string) bool { return m == name })
		if passed || name == "" || !o.isSecret(name, value) {
			env = append(env, v)
		}
	}
	if len(missing) > 0 {
		return nil, &input.NameError{Name: "exec:", Reason: missing[0] + " is to be passed to the command, and is not set", Advice: "set it, or leave it out of --pass-env"}
	}
	return env, nil
}

// childSecrets returns the secrets that are removed from the replies of a command, also those that
// are not passed to it: it may be able to read the environment of this process.
func (o Options) childSecrets() *redact.Secrets {
	s := o.secrets()
	for _, v := range o.environ() {
		if name, value, _ := strings.Cut(v, "="); name != "" && o.isSecret(name, value) {
			s.AddVariable(name, value)
		}
	}
	return s
}

// A launcher starts the children of a command. A guard watches them, from the first start to the end of
// the last child.
type launcher struct {
	guarded  bool // the guard was started
	guard    guard
	children sync.WaitGroup
}

// start starts a child. It must not be called at the same time as stop, or after it. Call
// children.Done when the child has been waited for.
func (l *launcher) start(c *exec.Cmd) error {
	if !l.guarded {
		l.guard, l.guarded = startGuard(), true
	}
	if err := c.Start(); err != nil {
		return err
	}
	l.children.Add(1)
	l.guard.watch(c)
	return nil
}

// stop ends the guard when the last child has ended.
func (l *launcher) stop() {
	go func() {
		l.children.Wait()
		l.guard.close()
	}()
}

// A guard is a small process that outlives this one. When this one ends, even by SIGKILL, the input of
// the guard ends, and it kills the process groups of the children that are running. The zero value
// guards nothing.
type guard struct {
	process *exec.Cmd
	in      io.WriteCloser
}

// startGuard starts a guard. If that is not possible, such as without a shell, it returns the zero
// value. Most children still end when their input ends.
func startGuard() guard {
	c := guardCommand()
	if c == nil {
		return guard{}
	}
	in, err := c.StdinPipe()
	if err != nil || c.Start() != nil {
		return guard{}
	}
	return guard{c, in}
}

// watch adds the process group of a running command to those that the guard kills.
func (g guard) watch(c *exec.Cmd) { g.send('+', c) }

// forget removes the process group of a command. It must be called before the command is waited for:
// after that the number may be that of another group.
func (g guard) forget(c *exec.Cmd) { g.send('-', c) }

func (g guard) send(sign rune, c *exec.Cmd) {
	if g.in != nil {
		fmt.Fprintf(g.in, "%c %d\n", sign, c.Process.Pid)
	}
}

// close ends the guard. No child may be left.
func (g guard) close() {
	if g.in != nil {
		g.in.Close()
		g.process.Wait()
	}
}

// SplitCommand splits a command line into words, similar to a shell: at white space, but not within quotes.
// Single quotes keep everything. Outside single quotes, a quote, a backslash or a space after a
// backslash is an ordinary character. Before anything else a backslash is an ordinary character
// itself, so that paths of Windows need no escapes. Nothing is expanded. The error is a quote that is
// not closed.
func SplitCommand(line string) ([]string, error) {
	var all []string
	var word strings.Builder
	open, quote := false, byte(0) // within a word; within quotes
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == 0 && strings.IndexByte(" \t\r\n", c) >= 0:
			if open {
				all = append(all, word.String())
				word.Reset()
				open = false
			}
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(line) && strings.IndexByte(`"'\ `, line[i+1]) >= 0:
			i++
			word.WriteByte(line[i])
			open = true
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if open {
		all = append(all, word.String())
	}
	return all, nil
}
