package metamorphic

import (
	"bufio"
	"bytes"
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
	"verbatim/internal/fault"
	"verbatim/internal/shell"
	"verbatim/internal/sim"
)

// A lab executes the scripts of one test. Its servers stay, so that a model has the same name, which has
// the address, in all executions.
type lab struct {
	t       testing.TB
	program string
	servers []*server // of the models, as far as they were needed
	folders int
	trap    trap
	plain   map[string]history // of scripts without operations
}

func newLab(t testing.TB) *lab {
	l := &lab{t: t, program: filepath.Join(t.TempDir(), "verbatim"), plain: map[string]history{}}
	here, err := os.Executable()
	if err == nil {
		err = os.Symlink(here, l.program)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A server serves one model. Batches survive a change of its faults.
type server struct {
	*httptest.Server
	mu             sync.Mutex
	calls, batches http.Handler
	command        string
}

func (s *server) serve(calls, batches http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls = calls; batches != nil {
		s.batches = batches
	}
}

func (s *server) handler(r *http.Request) http.Handler {
	s.mu.Lock()
	defer s.mu.Unlock()
	if path := strings.ToLower(r.URL.Path); strings.Contains(path, "batch") || strings.Contains(path, "/files") {
		return s.batches
	}
	return s.calls
}

// server returns the server of the i-th model.
func (l *lab) server(i int) *server {
	for len(l.servers) <= i {
		s := &server{}
		s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			l.trap.spring(beforeRequest)
			l.trap.spring(duringRequest)
			s.handler(r).ServeHTTP(w, r)
			l.trap.spring(afterReply)
		}))
		l.t.Cleanup(s.Close)
		l.servers = append(l.servers, s)
	}
	return l.servers[i]
}

// A trap ends a process at a point.
type trap struct {
	mu   sync.Mutex
	end  end
	kill func()
}

func (p *trap) set(e end, kill func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end, p.kill = e, kill
}

// spring counts an event.
func (p *trap) spring(at point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kill == nil || p.end.at != at {
		return
	}
	if p.end.n--; p.end.n > 0 {
		return
	}
	kill := p.kill
	p.kill = nil
	if at == beforeRequest || at == atRecord {
		kill()
	} else {
		time.AfterFunc(200*time.Microsecond, kill)
	}
}

// An execution is a script at work.
type execution struct {
	*lab
	*script
	dir       string
	index     *fake.Index
	db, older string          // names of database files; older is before the last move
	files     int             // databases and exports so far
	answered  map[string]bool // reported as saved with an answer
	commands  []string        // for a person to type
	oddities  []string        // what must never be
}

// execute executes a script and returns its history, with the commands.
func (l *lab) execute(s script) (history, []string) {
	l.t.Helper()
	l.folders++
	e := &execution{lab: l, script: &s, dir: filepath.Join(l.t.TempDir(), strconv.Itoa(l.folders)), db: "1.db", older: "1.db", answered: map[string]bool{}, files: 1}
	err := os.Mkdir(e.dir, 0o755)
	if err == nil {
		e.index, err = s.plan.index()
	}
	if err != nil {
		l.t.Fatal(err)
	}
	for _, s := range l.servers {
		s.command = ""
	}
	e.serve(nil, true)
	last := op{verb: check}
	for _, o := range s.ops {
		if o.verb == check {
			last = o
		} else {
			e.do(o)
		}
	}
	e.finish()
	h := e.history(last)
	os.RemoveAll(e.dir)
	return h, e.commands
}

func (e *execution) odd(format string, args ...any) {
	e.oddities = append(e.oddities, fmt.Sprintf(format, args...))
}

// pure is a simulated model that answers all trials of an item alike, as a server must that knows no trials.
type pure struct{ verbatim.Model }

func (p pure) Ask(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
	r.Trial = 0
	return p.Model.Ask(ctx, r)
}

// serve gives the servers other options.
func (e *execution) serve(options []option, first bool) {
	for i, m := range e.models {
		if m.wire == "" {
			continue
		}
		s := e.server(i)
		name, knobs, _ := strings.Cut(strings.TrimPrefix(m.kind, "sim:"), "?")
		values, err := url.ParseQuery(knobs)
		if err != nil {
			e.t.Fatal(err)
		}
		answers, err := sim.New(name, values)
		if err != nil {
			e.t.Fatal(err)
		}
		c := fake.Config{Item: e.index.Item, Model: pure{answers}, Seed: 1}
		words := []string{"verbatim", "fake", "--port", s.URL[strings.LastIndex(s.URL, ":")+1:], "--model", m.kind}
		words = append(words, e.plan.fakeFlags()...)
		for _, o := range options {
			faults, err := fault.Parse(o.faults)
			if err != nil {
				e.t.Fatal(err)
			}
			c.Faults = append(c.Faults, faults...)
			for f := range strings.FieldsSeq(o.faults) {
				words = append(words, "--fault", f)
			}
			if o.serve != nil {
				o.serve(&c)
				words = append(words, strings.Fields(o.fake)...)
			}
		}
		calls, err := fake.New(c)
		if err != nil {
			e.t.Fatal(err)
		}
		var batches http.Handler
		if first {
			b := fake.Config{Item: c.Item, Model: c.Model, Seed: 1, Batch: fake.Batch{Failed: 0.1, Lost: 0.1}}
			if batches, err = fake.New(b); err != nil {
				e.t.Fatal(err)
			}
		}
		s.serve(calls, batches)
		if line := shell.Words(words...) + " &"; line != s.command {
			s.command = line
			e.commands = append(e.commands, line)
		}
	}
}

// fakeFlags returns the flags of fake that select the plan.
func (p plan) fakeFlags() (words []string) {
	all := p.flags()
	for i := 0; i < len(all); i += 2 {
		switch all[i] {
		case "--no-system":
			i--
		case "-t", "-l", "-n", "--trials", "--seed", "--shots", "--paraphrase":
			words = append(words, all[i], all[i+1])
		}
	}
	return words
}

// address returns the name of the i-th model, for --model.
func (e *execution) address(i int) string {
	m := e.models[i]
	switch m.wire {
	case "":
		return m.kind
	case "gemini", "ollama":
		return m.wire + "+" + e.server(i).URL + "#m"
	}
	return m.wire + "+" + e.server(i).URL + "/v1#m"
}

// do does an operation.
func (e *execution) do(o op) {
	switch o.verb {
	case run:
		e.ask(e.runs(o.only), o.options, o.end)
	case move, back:
		file := e.export()
		if file == "" {
			return
		}
		into := e.older
		if o.verb == move {
			e.files++
			into = strconv.Itoa(e.files) + ".db"
		}
		command := []string{"import", file, "--db", into}
		if o.end.at != "" {
			e.start(process{args: command, end: o.end})
		}
		e.must(command...)
		e.older, e.db = e.db, into
	case regrade:
		for _, name := range e.names() {
			e.must("regrade", name, "--db", e.db)
		}
	case read:
		if names := e.names(); len(names) > 0 {
			e.must(append([]string{"report", "--db", e.db}, names...)...)
			e.must("runs", "--verify", "--db", e.db)
		}
	}
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

// ask runs a command that asks models, and waits for it.
func (e *execution) ask(command []string, options []option, end end) result {
	e.serve(options, false)
	p := process{args: slices.Clone(command), end: end}
	twice := false
	for _, o := range options {
		p.args = append(p.args, strings.Fields(o.flags)...)
		if o.env != "" {
			p.env = append(p.env, o.env)
		}
		twice = twice || o.twice
	}
	if e.cannotBatch() {
		p.args = slices.DeleteFunc(p.args, func(a string) bool { return a == "--batch" })
	}
	if !twice {
		return e.start(p)
	}
	done := make(chan result)
	second := process{args: p.args, env: p.env, quiet: true}
	go func() { done <- e.start(second) }()
	first := e.start(p)
	<-done
	return first
}

// cannotBatch reports whether a model has no batches.
func (e *execution) cannotBatch() bool {
	return slices.ContainsFunc(e.models, func(m model) bool { return m.wire == "" || m.wire == "ollama" })
}

// plainly returns the options of the execution that others are compared with.
func plainly() []option { return []option{{flags: "-j 1"}} }

// finish asks plainly until every request has an answer.
func (e *execution) finish() {
	for range 8 {
		if e.ask(e.runs(0), plainly(), end{}).code == 0 {
			return
		}
	}
	e.odd("the run does not finish")
}

// export exports all runs and returns the name of the file; "": there are none.
func (e *execution) export() string {
	names := e.names()
	if len(names) == 0 {
		return ""
	}
	e.files++
	file := strconv.Itoa(e.files) + ".jsonl"
	e.must(append([]string{"export", "--db", e.db, "-o", file}, names...)...)
	return file
}

// names returns the names of the runs of the plan, in the order of the models.
func (e *execution) names() (names []string) {
	var listed struct {
		Runs []struct {
			Name, Model string
			Test        any
		}
	}
	out := e.start(process{args: []string{"runs", "--json", "--db", e.db}, quiet: true}).out
	if len(out) > 0 {
		if err := json.Unmarshal(out, &listed); err != nil {
			e.odd("runs --json: %v", err)
		}
	}
	for i := range e.models {
		for _, r := range listed.Runs {
			if at := strings.TrimPrefix(e.address(i), "chat+"); r.Model == e.address(i) || r.Model == at {
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

// look runs a command that only reads, and returns what it prints.
func (e *execution) look(args ...string) []byte {
	r := e.start(process{args: append(args, "--db", e.db), quiet: true})
	if r.code != 0 {
		e.odd("%s: exit code %d: %s", args[0], r.code, r.errs)
	}
	return r.out
}

// must runs a command that must succeed.
func (e *execution) must(args ...string) {
	if r := e.start(process{args: args}); r.code != 0 {
		e.odd("%s: exit code %d: %s", args[0], r.code, r.errs)
	}
}

// start runs a process to its end.
func (e *execution) start(p process) result {
	if !p.quiet {
		line := strings.Join(append(p.env, shell.Words(append([]string{"verbatim"}, p.args...)...)), " ")
		if p.end.at != "" {
			line += fmt.Sprintf(" # SIG%s %s %d", p.end.signal, p.end.at, p.end.n)
		}
		e.commands = append(e.commands, line)
	}
	cmd := exec.Command(e.program, p.args...)
	cmd.Dir = e.dir
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+e.dir, "HOME="+e.dir, "VERBATIM_DISCOVER=off", "VERBATIM_CONFIG=off")
	cmd.Env = append(cmd.Env, p.env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		e.t.Fatal(err)
	}
	signal := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[p.end.signal]
	kill := func() { cmd.Process.Signal(signal) }
	if p.end.at == atTime {
		timer := time.AfterFunc(time.Duration(p.end.n)*time.Millisecond, kill)
		defer timer.Stop()
	}
	if p.end.at != "" {
		e.trap.set(p.end, kill)
		defer e.trap.set(end{}, nil)
	}
	late := time.AfterFunc(time.Minute, func() { cmd.Process.Signal(syscall.SIGQUIT) })
	r := result{out: e.listen(pipe)}
	cmd.Wait() // its error says no more than the code
	if !late.Stop() {
		e.odd("%s does not end within a minute", p.args[0])
	}
	r.code, r.errs = cmd.ProcessState.ExitCode(), errs.String()
	if p.args[0] == "run" && !slices.Contains([]int{-1, 0, 1, 130}, r.code) || strings.Contains(r.errs, "goroutine ") {
		e.odd("%s: exit code %d: %s", p.args[0], r.code, r.errs)
	}
	return r
}

// listen reads what a process prints. An answer that is reported as saved is never asked for again.
func (e *execution) listen(pipe interface{ Read([]byte) (int, error) }) []byte {
	var all bytes.Buffer
	lines := bufio.NewReader(pipe)
	for {
		line, err := lines.ReadBytes('\n')
		all.Write(line)
		if err != nil {
			return all.Bytes()
		}
		if !bytes.HasPrefix(line, []byte(`{"kind":"saved"`)) {
			continue
		}
		var saved struct {
			Run, Item, Outcome string
			Trial              int
		}
		if err := json.Unmarshal(line, &saved); err != nil {
			e.odd("%s: %v", line, err)
		}
		e.note(fmt.Sprintf("%s %s trial %d", saved.Run, saved.Item, saved.Trial), verbatim.Outcome(saved.Outcome))
		e.trap.spring(atRecord)
	}
}

func (e *execution) note(what string, o verbatim.Outcome) {
	e.trap.mu.Lock() // two processes may report at the same time
	defer e.trap.mu.Unlock()
	if !o.Answered() {
		return
	}
	if e.answered[what] {
		e.odd("%s was saved with an answer and asked again", what)
	}
	e.answered[what] = true
}
