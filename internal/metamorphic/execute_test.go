package metamorphic

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/fake"

	"verbatim/internal/sim"
	"verbatim/internal/terminal"
)

// A lab executes the scripts of one test. Its servers stay, so that a model has the same name, which has
// the address, in all executions.
type lab struct {
	testing.TB
	program string
	servers []*server          // of the models, as far as they were needed
	plain   map[string]history // of scripts without operations
	trap    trap
}

func newLab(t testing.TB) *lab {
	l := &lab{TB: t, program: filepath.Join(t.TempDir(), "verbatim"), plain: map[string]history{}}
	here, err := os.Executable()
	l.must(cmp.Or(err, os.Symlink(here, l.program)))
	return l
}

// must ends the test if the lab itself fails.
func (l *lab) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// compare executes a script plainly and as it is, and returns the difference, with the commands.
func (l *lab) compare(s script) (string, []string) {
	plain := script{plan: s.plan, models: s.models}
	key := fmt.Sprint(plain)
	if l.plain[key] == nil {
		l.plain[key], _ = l.execute(plain)
	}
	got, commands := l.execute(s)
	return difference(l.plain[key], got), commands
}

// A server serves one model. Its batches survive a change of its faults.
type server struct {
	*httptest.Server
	mu             sync.Mutex
	calls, batches *fake.Server
	command        string // that starts it
}

func (s *server) set(calls, batches *fake.Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls, s.batches = calls, cmp.Or(batches, s.batches)
}

// server returns the server of the i-th model.
func (l *lab) server(i int) *server {
	for len(l.servers) <= i {
		s := &server{}
		s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			h := s.calls
			if path := strings.ToLower(r.URL.Path); strings.Contains(path, "batch") || strings.Contains(path, "/files") {
				h = s.batches
			}
			s.mu.Unlock()
			l.trap.spring(beforeRequest)
			l.trap.spring(duringRequest)
			h.ServeHTTP(w, r)
			l.trap.spring(afterReply)
		}))
		l.Cleanup(s.Close)
		l.servers = append(l.servers, s)
	}
	return l.servers[i]
}

// A trap ends a process at a point.
type trap struct {
	sync.Mutex
	end  end
	kill func()
}

func (p *trap) set(e end, kill func()) {
	p.Lock()
	defer p.Unlock()
	p.end, p.kill = e, kill
}

// spring counts an event.
func (p *trap) spring(at point) {
	p.Lock()
	defer p.Unlock()
	if p.kill == nil || p.end.at != at {
		return
	}
	if p.end.n--; p.end.n > 0 {
		return
	}
	if at == beforeRequest || at == atRecord {
		p.kill()
	} else { // it takes a moment to answer, and until the answer arrives
		time.AfterFunc(200*time.Microsecond, p.kill)
	}
	p.kill = nil
}

// An execution is a script at work.
type execution struct {
	*lab
	script
	dir      string
	index    *fake.Index
	db       string          // the name of the current database file
	files    int             // databases and exports so far
	answered map[string]bool // reported as saved with an answer
	sent     map[string]bool // items with their answers, as a server has them
	batched  bool            // a batch may be pending
	commands []string        // for a person to type
	oddities history         // what must never be
}

// execute executes a script and returns its history, with the commands.
func (l *lab) execute(s script) (history, []string) {
	dir, err := os.MkdirTemp(filepath.Dir(l.program), "")
	l.must(err)
	defer os.RemoveAll(dir)
	e := &execution{lab: l, script: s, dir: dir, db: "1.db", answered: map[string]bool{}, sent: map[string]bool{}, files: 1}
	e.index, err = s.plan.index()
	l.must(err)
	for i, m := range s.models {
		if m.wire != "" {
			l.server(i).set(nil, e.fake(m, fake.Config{Batch: fake.Batch{Failed: 0.1, Lost: 0.1}}))
			l.server(i).command = ""
		}
	}
	for _, o := range s.ops {
		e.do(o)
	}
	e.finish()
	h := e.history()
	return append(h, e.oddities...), e.commands
}

func (e *execution) odd(format string, args ...any) {
	e.oddities = append(e.oddities, fmt.Sprintf("! "+format, args...))
}

// pure is a simulated model that answers all trials of an item alike, as a server must that knows no trials.
type pure struct {
	verbatim.Model
	*execution
}

func (p pure) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	first := *r
	first.Trial = 0
	err := p.Model.Ask(ctx, &first, reply)
	p.trap.Lock()
	defer p.trap.Unlock()
	p.sent[r.Item.ID+": "+reply.Text] = true
	return err
}

// fake returns a server of a model.
func (e *execution) fake(m model, c fake.Config) *fake.Server {
	name, knobs, _ := strings.Cut(strings.TrimPrefix(m.kind, "sim:"), "?")
	values, err := url.ParseQuery(knobs)
	e.must(err)
	answers, err := sim.New(name, values)
	e.must(err)
	c.Item, c.Model, c.Seed = e.index.Item, pure{answers, e}, 1
	s, err := fake.New(c)
	e.must(err)
	return s
}

// serve gives the servers other options.
func (e *execution) serve(options []option) {
	for i, m := range e.models {
		if m.wire == "" {
			continue
		}
		s, c := e.server(i), fake.Config{}
		words := []string{"verbatim", "fake", "--port", s.URL[strings.LastIndex(s.URL, ":")+1:], "--model", m.kind}
		words = append(words, e.plan.asked()...)
		for _, o := range options {
			faults, err := fake.ParseFaults(o.faults)
			e.must(err)
			c.Faults = append(c.Faults, faults...)
			for f := range strings.FieldsSeq(o.faults) {
				words = append(words, "--fault", f)
			}
			if o.serve != nil {
				o.serve(&c)
				words = append(words, strings.Fields(o.fake)...)
			}
		}
		if line := terminal.ShellWords(words...) + " &"; line != s.command {
			s.command = line
			e.commands = append(e.commands, line)
		}
		s.set(e.fake(m, c), nil)
	}
}

// address returns the name of the i-th model.
func (e *execution) address(i int) string {
	m := e.models[i]
	switch m.wire {
	case "":
		return m.kind
	case "chat":
		return e.server(i).URL + "/v1#m"
	case "gemini", "ollama":
		return m.wire + "+" + e.server(i).URL + "#m"
	}
	return m.wire + "+" + e.server(i).URL + "/v1#m"
}

// do does an operation. A check comes last: see history.
func (e *execution) do(o op) {
	names := e.names()
	switch {
	case o.verb == run:
		e.ask(e.runs(o.only), o)
	case len(names) == 0: // nothing was asked yet
	case o.verb == move:
		e.carry(names, e.newFile(".db"), o.end)
	case o.verb == back:
		home := e.db
		e.carry(names, e.newFile(".db"), end{})
		e.ask(e.runs(o.only), o)
		e.carry(e.names(), home, end{})
	case o.verb == regrade:
		for _, name := range names {
			e.need("regrade", name, "--db", e.db)
		}
	case o.verb == read:
		e.need(append([]string{"report", "--db", e.db}, names...)...)
		e.need("runs", "--verify", "--db", e.db)
	}
}

// carry exports runs and imports them into another database, at first by a process that ends early.
func (e *execution) carry(names []string, into string, early end) {
	file := e.newFile(".jsonl")
	e.need(append([]string{"export", "--db", e.db, "-o", file}, names...)...)
	command := []string{"import", file, "--db", into}
	if early.at != "" {
		e.start(process{args: command, end: early})
	}
	e.need(command...)
	e.db = into
}

func (e *execution) newFile(kind string) string {
	e.files++
	return strconv.Itoa(e.files) + kind
}

// runs returns the command that asks what is missing: of one model, from 1, or of all.
func (e *execution) runs(only int) []string {
	args := []string{"run", "--db", e.db, "--json", "-q"}
	for i := range e.models {
		if only == 0 || only == i+1 || only > len(e.models) {
			args = append(args, "-m", e.address(i))
		}
	}
	return append(args, e.plan.flags()...)
}

// ask runs a command that asks models, with the options and the end of an operation.
func (e *execution) ask(command []string, o op) result {
	e.serve(o.options)
	p := process{args: slices.Clone(command), end: o.end}
	twice, whole := false, command[0] == "run" && o.end.at == "" // whole: each request has an answer
	batch := slices.ContainsFunc(o.options, func(o option) bool { return o.group == "batch" }) && !slices.ContainsFunc(e.models, model.hasNoBatches)
	e.batched = e.batched || batch
	whole = whole && !e.batched
	for _, o := range o.options {
		if o.group == "batch" && !batch || o.group == "warm-up" && batch {
			continue // the program refuses it
		}
		p.args = append(p.args, strings.Fields(o.flags)...)
		p.env = append(p.env, strings.Fields(o.env)...)
		twice = twice || o.twice
		whole = whole && !slices.Contains([]string{"faults", "time", "warm-up", "processes"}, o.group)
	}
	if !twice {
		r := e.start(p)
		if n := e.requests(); whole && n >= 0 && n != bytes.Count(r.out, []byte(`{"kind":"saved"`)) {
			e.odd("%s sent %d requests without faults: %s", p.args[0], n, r.errs)
		}
		return r
	}
	done := make(chan result)
	go func() { done <- e.start(process{args: p.args, env: p.env, quiet: true}) }()
	defer func() { <-done }()
	return e.start(p)
}

// requests returns how many requests the servers got since serve; -1 if a model needs none.
func (e *execution) requests() (n int) {
	for i, m := range e.models {
		if m.wire == "" {
			return -1
		}
		n += int(e.server(i).calls.Counts().Requests)
	}
	return n
}

// plainly is the way to ask that others are compared with.
func plainly() op { return op{verb: run, options: []option{{flags: "-j 1"}}} }

// finish asks plainly until every request has an answer.
func (e *execution) finish() {
	for range 8 {
		if e.ask(e.runs(0), plainly()).code == 0 {
			return
		}
	}
	e.odd("the run does not finish")
}

// names returns the names of the runs of the plan, in the order of the models.
func (e *execution) names() (names []string) {
	var listed struct {
		Runs []struct{ Name, Model string }
	}
	json.Unmarshal(e.start(process{args: []string{"runs", "--json", "--db", e.db}, quiet: true}).out, &listed) // there may be none
	for i := range e.models {
		for _, r := range listed.Runs {
			if r.Model == e.address(i) {
				names = append(names, r.Name)
			}
		}
	}
	return names
}

// A process is one process of the program.
type process struct {
	args, env []string
	end       end
	quiet     bool // it is no command of the script
}

type result struct {
	out  []byte
	errs string
	code int // -1: it was killed
}

// need runs a command that must succeed.
func (e *execution) need(args ...string) []byte { return e.succeed(process{args: args}) }

// look runs a command that reads the current database.
func (e *execution) look(args ...string) []byte {
	return e.succeed(process{args: append(args, "--db", e.db), quiet: true})
}

func (e *execution) succeed(p process) []byte {
	r := e.start(p)
	if r.code != 0 {
		e.odd("%s: exit code %d: %s", p.args[0], r.code, r.errs)
	}
	return r.out
}

// start runs a process to its end.
func (e *execution) start(p process) (r result) {
	if !p.quiet {
		line := strings.Join(append(p.env, terminal.ShellWords(append([]string{"verbatim"}, p.args...)...)), " ")
		if p.end.at != "" {
			line += fmt.Sprintf(" # SIG%s %s %d", p.end.signal, p.end.at, p.end.n)
		}
		e.commands = append(e.commands, line)
	}
	cmd := exec.Command(e.program, p.args...)
	cmd.Dir = e.dir
	cmd.Env = append(append(os.Environ(), "XDG_CONFIG_HOME="+e.dir, "HOME="+e.dir, "VERBATIM_DISCOVER=off", "VERBATIM_CONFIG=off"), p.env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	e.must(cmp.Or(err, cmd.Start()))
	if p.end.at != "" {
		signal := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[p.end.signal]
		e.trap.set(p.end, func() { cmd.Process.Signal(signal) })
		defer e.trap.set(end{}, nil)
		if p.end.at == atTime {
			defer time.AfterFunc(time.Duration(p.end.n)*time.Millisecond, func() { cmd.Process.Signal(signal) }).Stop()
		}
	}
	late := time.AfterFunc(3*time.Minute, func() { cmd.Process.Signal(syscall.SIGQUIT) })
	r.out = e.listen(bufio.NewReader(pipe))
	cmd.Wait() // its error says no more than the code
	late.Stop()
	r.code, r.errs = cmd.ProcessState.ExitCode(), errs.String()
	if p.args[0] == "run" && !slices.Contains([]int{-1, 0, 1, 130}, r.code) || strings.Contains(r.errs, "goroutine ") {
		e.odd("%s: exit code %d: %s", p.args[0], r.code, r.errs)
	}
	return r
}

// listen reads what a process prints. What is reported as saved with an answer is never asked again.
func (e *execution) listen(lines *bufio.Reader) []byte {
	var all bytes.Buffer
	for {
		line, err := lines.ReadBytes('\n')
		all.Write(line)
		if err != nil {
			return all.Bytes() // a line that a kill cut in two counts for nothing
		}
		if !bytes.HasPrefix(line, []byte(`{"kind":"saved"`)) {
			continue
		}
		var saved struct {
			Run, Item string
			Outcome   verbatim.Outcome
			Trial     int
		}
		e.must(json.Unmarshal(line, &saved))
		if what := fmt.Sprintf("%s %s trial %d", saved.Run, saved.Item, saved.Trial); saved.Outcome.Answered() {
			e.trap.Lock() // two processes may report at the same time
			if e.answered[what] {
				e.odd("%s was saved with an answer and asked again", what)
			}
			e.answered[what] = true
			e.trap.Unlock()
		}
		e.trap.spring(atRecord)
	}
}
