package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite"
)

// A lure is an attacker's server, to which files try to direct the program: it records
// everything that it is sent.
type lure struct {
	mu   sync.Mutex
	sent bytes.Buffer
}

func (l *lure) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	fmt.Fprintf(&l.sent, "%s %s\n", heard(r), body)
	l.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(r.URL.Path, "/models") {
		io.WriteString(w, `{"object":"list","data":[{"id":"exec:touch PWNED"}]}`)
		return
	}
	io.WriteString(w, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`)
}

// A trapper runs the program as a user does, in a folder that an attacker has filled.
type trapper struct {
	t       *testing.T
	program string
	dir     string
	lure    *lure
	url     string // of the lure
}

func newTrapper(t *testing.T, program string) *trapper {
	l := &lure{}
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	return &trapper{t, program, t.TempDir(), l, server.URL}
}

// run runs a command and returns its exit code and what it printed.
func (p *trapper) run(args ...string) (int, string) {
	p.t.Helper()
	cmd := exec.Command(p.program, args...)
	cmd.Dir = p.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(p.dir, "home"), "VERBATIM_DISCOVER=off", "VERBATIM_API_KEY=" + keySecret, "OPENAI_API_KEY=" + keySecret,
		"AZURE_OPENAI_API_KEY=" + keySecret, "AWS_SECRET_ACCESS_KEY=" + keySecret}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		p.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func (p *trapper) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *trapper) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// unharmed fails where something was executed, the lure was sent a key, or a file
// was written above the folder of the outputs.
func (p *trapper) unharmed(after []string) {
	p.t.Helper()
	err := filepath.WalkDir(filepath.Dir(p.dir), func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), "PWNED") {
			p.t.Errorf("after %q there is %s", after, path)
			os.RemoveAll(path)
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := os.Stat("/tmp/PWNED"); err == nil {
		p.t.Errorf("after %q there is /tmp/PWNED", after)
	}
	p.lure.mu.Lock()
	defer p.lure.mu.Unlock()
	if found := leaks(p.lure.sent.Bytes(), keySecret); found != "" {
		p.t.Errorf("after %q the server has the key: %s", after, found)
	}
	p.lure.sent.Reset()
}

// hostileModels are names of models with which a file tries to execute a command, or to
// send a key to the attacker's server.
func (p *trapper) hostileModels() []string {
	host := strings.TrimPrefix(p.url, "http://")
	names := []string{"exec:touch PWNED", "EXEC:touch PWNED", " exec:touch PWNED", "exec:sh -c 'touch PWNED'", "lure", p.url + "/v1", p.url + "/v1#m", "http://joe@" + host + "/v1#m",
		"azure:127.0.0.1/m", "openai:m", "$(touch PWNED)", "`touch PWNED`", "; touch PWNED", "../../PWNED", "/tmp/PWNED", "..\\PWNED", "-m=exec:touch PWNED", "--model=exec:touch PWNED"}
	for _, wire := range []string{"chat", "responses", "anthropic", "gemini", "ollama"} {
		names = append(names, wire+"+"+p.url+"#m")
	}
	return names
}

// TestHostileData gives every command files, a database and a configuration of an
// attacker, in which every name of a model would execute a command or send a key away.
// Nothing is executed and no key is sent.
func TestHostileData(t *testing.T) {
	t.Parallel()
	program := build(t)
	p := newTrapper(t, program)
	p.setUp()
	commands := p.commands()
	covered := map[string]bool{"help": true, "completion": true, "selfcheck": true} // they read nothing
	models := p.hostileModels()
	if exhaustive() {
		commands = append(commands, []string{"aa", "--run", "1", "--db", "evil.db"}) // its name is like that of a file, and the command takes long
	} else {
		models = []string{models[0], models[6]}
	}
	for i, name := range models {
		p.infect(name)
		for _, args := range commands {
			covered[args[0]] = true
			if i > 0 && !slices.Contains([]string{"check", "export", "import"}, args[0]) {
				continue // it opens no model of a file, whatever its name
			}
			code, out := p.run(args...)
			if code < 0 || strings.Contains(out, "panic:") {
				t.Errorf("%q with a model called %q: exit code %d\n%s", args, name, code, out)
			}
			p.unharmed(append(args, name))
		}
	}
	_, list := p.run("__complete", "")
	for line := range strings.Lines(list) {
		name, _, described := strings.Cut(line, "\t")
		if described && !covered[name] {
			t.Errorf("no command line of this test calls %s", name)
		}
	}
}

// setUp makes harmless files of every kind, which the attacker then changes.
func (p *trapper) setUp() {
	p.t.Helper()
	for _, args := range [][]string{
		{"run", "-q", "--task", "reverse,copy", "--length", "8", "--items", "2", "--trials", "2", "--model", "sim:perfect"},
		{"export", "1", "-o", "honest.jsonl"},
		{"export", "1", "--format", "inspect", "-o", "honest.json"},
		{"export", "1", "--format", "lm-eval", "-o", "honest-lm"},
		{"export", "1", "--format", "simpe", "-o", "honest-simpe"},
	} {
		if code, out := p.run(args...); code != 0 {
			p.t.Fatalf("%q: exit code %d\n%s", args, code, out)
		}
	}
	p.write("honest.toml", fmt.Sprintf(`[models.lure]
base_url = %q
model = "m"
key_env = "VERBATIM_API_KEY"
[models.header]
base_url = %[1]q
model = "m"
headers = { X-A = "env:AWS_SECRET_ACCESS_KEY" }
[models.proxied]
provider = "openai"
model = "m"
proxy = %[2]q
tls = { insecure_skip_verify = true }
`, p.url+"/v1", p.url))
	p.write("prices.json", `{"format":"verbatim/prices/1","source":"s","as_of":"2026-11-21","models":[{"provider":"`+p.url+`/v1","model":"exec:touch PWNED","input":1,"output":1}]}`)
	p.write("items.jsonl", `{"id":"a","prompt":"say a","want":"a","facts":{"family":"../../PWNED","model":"exec:touch PWNED"}}`+"\n")
	p.write("texts.jsonl", `{"want":"a","reply":"exec:touch PWNED","model":"exec:touch PWNED","id":"../../PWNED"}`+"\n")
}

// infect writes the files and the database with that name of a model everywhere.
func (p *trapper) infect(name string) {
	p.t.Helper()
	quoted := strings.Trim(fmt.Sprintf("%q", name), `"`)
	for from, to := range map[string]string{"honest.jsonl": "evil.jsonl", "honest.json": "evil.json"} {
		text := strings.ReplaceAll(p.read(from), "sim:perfect", quoted)
		p.write(to, text)
	}
	p.write("verbatim.toml", p.read("honest.toml"))
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(filepath.Join(p.dir, "evil.db"+suffix))
	}
	if code, out := p.run("import", "--db", "evil.db", "honest.jsonl"); code != 0 {
		p.t.Fatalf("%d %s", code, out)
	}
	db, err := sql.Open("sqlite", filepath.Join(p.dir, "evil.db"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`UPDATE run SET model = ?, name = '../../PWNED', proof = '1:' || hex(zeroblob(32))`, name); err != nil {
		p.t.Fatal(err)
	}
	p.infectFolder("honest-lm", "evil-lm/m", quoted)
	p.infectFolder("honest-simpe", "evil-simpe", quoted)
}

// infectFolder writes the files of a folder, or of the one in it, into another one
// with that name of a model.
func (p *trapper) infectFolder(from, to, quoted string) {
	p.t.Helper()
	var files []string
	for _, pattern := range []string{"*.json*", "*/*.json*"} {
		found, err := filepath.Glob(filepath.Join(p.dir, from, pattern))
		if err != nil {
			p.t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		p.t.Fatalf("%s is empty", from)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			p.t.Fatal(err)
		}
		p.write(filepath.Join(to, strings.Replace(filepath.Base(path), "sim_perfect", "m", 1)), strings.ReplaceAll(string(data), "sim:perfect", quoted))
	}
}

// commands are command lines of every command, none of which names a model that is
// not inside the program.
func (p *trapper) commands() [][]string {
	db := []string{"--db", "evil.db"}
	with := func(args ...string) []string { return append(slices.Clone(args), db...) }
	return [][]string{
		with("check", "-q", "--baseline", "evil.jsonl"), with("check", "-q", "--baseline", "1"), with("check", "-q", "--baseline", "last", "--json"), with("check", "-q", "--baseline", "last", "--new"),
		{"check", "-q", "--db", "fresh.db", "--baseline", "evil.jsonl"}, {"check", "-q", "--baseline", "evil.jsonl", "--model", "lure"}, {"check", "-q", "--baseline", "evil.jsonl", "--model", "header"},
		{"check", "-q", "--baseline", "evil.jsonl", "--model", "proxied", "--max-attempts", "1"},
		with("run", "-q", "--task", "reverse", "--length", "8", "--items", "1"), with("run", "-q", "--task", "reverse,copy", "--length", "8", "--items", "2", "--trials", "2"),
		with("run", "-q", "--until-verdict", "--baseline", "evil.jsonl"), with("run", "-q", "--until-verdict", "--baseline", "1"), with("run", "-q", "--items", "items.jsonl"),
		with("run", "-q", "--items", "items.jsonl", "--model", "sim:perfect", "--prices", "prices.json"), with("run", "-q", "--task", "copy", "--length", "4", "--items", "1", "--model", "lure", "--max-attempts", "1"),
		with("run", "-q", "--task", "copy", "--length", "4", "--items", "1", "--model", "header", "--max-attempts", "1"),
		with("preflight", "-q", "lure", "--max-attempts", "1"),
		with("sentinel", "init", "-q", "lure", "--max-attempts", "1"),
		with("smoke", "-q", "lure", "--max-attempts", "1"),
		with("verify", "-q", "sim:careful", "lure", "--task", "reverse", "--length", "4", "--items", "1", "--max-attempts", "1"),
		with("horizon", "-q", "--task", "reverse", "--items", "2"), with("horizon", "-q", "--task", "reverse", "--items", "2", "--model", "lure", "--max-attempts", "1"),
		with("aa", "--run", "evil.jsonl"), with("aa", "-q", "1", "--task", "copy", "--length", "4", "--items", "1"), with("aa", "lure", "-q", "--task", "copy", "--length", "4", "--items", "1", "--max-attempts", "1"),
		with("plan", "--task", "reverse"), with("plan", "--model", "lure", "--task", "reverse"), {"models"}, {"models", "lure"}, {"models", "--json"},
		{"fake", "--for", "100ms", "--items", "items.jsonl"},
		with("report", "1"), with("report", "evil.jsonl", "--format", "html"), with("report", "1", "--figures", "figs"), with("report", "1", "--format", "md"), with("report", "1", "--format", "latex"),
		with("report", "1", "--preset", "simpe", "-o", "simpe-report"), with("report", "1", "--preset", "sortbench", "-o", "sort-report"),
		with("compare", "1", "evil.jsonl"), with("compare", "1", "1"), with("runs"), with("runs", "--json"), with("show", "1"), with("show", "last", "--json"),
		with("tasks"), with("suites"), with("items", "--items", "items.jsonl"), {"items", "--layout", "sortbench", "-o", "lists", "--task", "sort-int"}, with("grade", "texts.jsonl"), with("regrade", "1"),
		{"import", "--db", "new.db", "evil.jsonl"}, {"import", "inspect", "--db", "new.db", "evil.json"}, {"import", "simpe", "--db", "new.db", "evil-simpe"},
		{"import", "lm-eval", "--db", "new.db", "evil-lm"},
		{"check", "-q", "--db", "new.db", "--baseline", "1"}, {"check", "-q", "--db", "new.db", "--baseline", "last"},
		with("export", "1"), with("export", "1", "--format", "inspect", "-o", "out/in/"), with("export", "1", "--format", "lm-eval", "-o", "out/lm"), with("export", "1", "--format", "simpe", "-o", "out/simpe"),
		with("export", "1", "--format", "csv", "-o", "out.csv"),
	}
}

// The model names that a server lists are text: a run without --model sends them in its
// requests, and nothing is executed.
func TestHostileServer(t *testing.T) {
	t.Parallel()
	p := newTrapper(t, build(t))
	for _, args := range [][]string{
		{"run", "-q", "--task", "copy", "--length", "4", "--items", "1"}, {"check", "-q", "--baseline", "last"}, {"models"},
		{"run", "-q", "--task", "copy", "--length", "4", "--items", "1", "--model", p.url + "/v1"}, {"export", "1", "--format", "lm-eval", "-o", "out"},
	} {
		cmd := exec.Command(p.program, args...)
		cmd.Dir = p.dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "VERBATIM_DISCOVER=" + strings.TrimPrefix(p.url, "http://")}
		if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 4 {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
		p.unharmed(args)
	}
}
