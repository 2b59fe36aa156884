package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/input"
	"verbatim/internal/memory"
	"verbatim/internal/recordtest"
	"verbatim/internal/redact"
)

// failed returns err as a *verbatim.Failure of the class.
func failed(t *testing.T, err error, class verbatim.Class) *verbatim.Failure {
	t.Helper()
	var f *verbatim.Failure
	if !errors.As(err, &f) || f.Class != class {
		t.Fatalf("error %v, want a failure of class %s", err, class)
	}
	if len(f.Attempts) != 1 || f.Attempts[0].N != 5 || f.Attempts[0].Class != class || f.Who == "" {
		t.Errorf("attempts %+v of %s", f.Attempts, f.Who)
	}
	return f
}

func TestExec(t *testing.T) {
	c := command(t, "echo")
	temperature := 0.0
	r := request("hi <there> & \"you\"\n漢\x00")
	reply, err := recordtest.Ask(t.Context(), c, r)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"reverse@1/len=3/seed=1/0","trial":2,"messages":[{"role":"user","content":"hi <there> & \"you\"\n漢\u0000"}],"max_tokens":80}`
	if reply.Text != want {
		t.Errorf("the command received\n%s, want\n%s", reply.Text, want)
	}
	if reply.Finish != verbatim.FinishStop || reply.FinishRaw != "stop" || reply.Reasoning != "r" || *reply.Usage.Prompt != 3 || *reply.Usage.Completion != 2 || reply.Usage.Cached != nil {
		t.Errorf("reply %+v", reply)
	}
	if len(reply.Attempts) != 1 || reply.Attempts[0].N != 5 || reply.Attempts[0].Bytes == 0 || reply.Times.Total <= 0 {
		t.Errorf("attempts %+v, times %+v", reply.Attempts, reply.Times)
	}
	r.Params = verbatim.Params{Temperature: &temperature, Effort: "low"}
	if reply, err = recordtest.Ask(t.Context(), c, r); err != nil || !strings.Contains(reply.Text, `"params":{"temperature":0,"effort":"low"}`) {
		t.Errorf("with parameters: %s, %v", reply.Text, err)
	}
	for want, params := range map[string]verbatim.Params{
		`"params":{"reasoning_budget":5}`: {ReasoningBudget: new(int64(5))},
		`"params":{"logprobs":2}`:         {Logprobs: 2},
	} {
		r.Params = params
		if reply, err = recordtest.Ask(t.Context(), c, r); err != nil || !strings.Contains(reply.Text, want) {
			t.Errorf("with %s: %s, %v", want, reply.Text, err)
		}
	}
}

// A request that cannot be handed over unchanged is refused.
func TestExecRefuses(t *testing.T) {
	c := command(t, "echo")
	_, err := recordtest.Ask(t.Context(), c, request("a\xff"))
	failed(t, err, verbatim.BadAsk)
	r := request("")
	r.Prompt[0].Content = []verbatim.Part{{Image: &verbatim.Image{}}}
	_, err = recordtest.Ask(t.Context(), c, r)
	failed(t, err, verbatim.BadAsk)
}

// TestExecImage wants a path handed over for an image of a file, and the bytes of one that
// was drawn.
func TestExecImage(t *testing.T) {
	c := command(t, "echo")
	r := request("")
	r.Prompt[0].Content = []verbatim.Part{
		{Image: &verbatim.Image{Path: "cat.png", Media: "image/png", Bytes: []byte("x")}},
		{Image: &verbatim.Image{Media: "image/png", Bytes: []byte("x")}},
	}
	reply, err := recordtest.Ask(t.Context(), c, r)
	if err != nil {
		t.Fatal(err)
	}
	if want := `"content":[{"image":"cat.png"},{"image":"data:image/png;base64,eA=="}]`; !strings.Contains(reply.Text, want) {
		t.Errorf("the command received %s, want %s in it", reply.Text, want)
	}
}

// Each worker has a child process, which lives as long as it is needed.
func TestExecPool(t *testing.T) {
	c := command(t, "pid")
	var mu sync.Mutex
	pids := map[string]int{}
	var workers sync.WaitGroup
	for range 3 {
		workers.Go(func() {
			for range 5 {
				reply, err := recordtest.Ask(t.Context(), c, request("q"))
				if err != nil {
					t.Error(err)
					return
				}
				pid, _, _ := strings.Cut(reply.Text, " ")
				mu.Lock()
				pids[pid]++
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	if len(pids) < 1 || len(pids) > 3 {
		t.Errorf("%d children for 3 workers: %v", len(pids), pids)
	}
	for range 3 {
		if _, err := recordtest.Ask(t.Context(), c, request("q")); err != nil {
			t.Error(err)
		}
	}
}

func TestExecAnswers(t *testing.T) {
	for out, c := range map[string]struct {
		class verbatim.Class // "" for an answer
		says  string
		after time.Duration
	}{
		`{"text":""}`: {},
		`{"text":"a","finish_reason":null,"usage":null,"more":1}`: {},
		`{"error":"try later","retry":true}`:                      {verbatim.Overload, "try later", 0},
		`{"error":"try later","retry":1.5}`:                       {verbatim.Overload, "try later", 1500 * time.Millisecond},
		`{"error":"no \u001b[31mway","retry":false}`:              {verbatim.BadAsk, `no \x1b[31mway`, 0},
		`{"text":"half","finish_reason":"network_error"}`:         {verbatim.Overload, "network_error", 0},
		`{"error":"no way"}`:                                      {verbatim.BadAsk, "no way", 0},
		`{"error":"no way","retry":null}`:                         {verbatim.BadAsk, "no way", 0},
		`not json`:                                                {verbatim.Content, "line 1", 0},
		`{"text":12}`:                                             {verbatim.Content, `"text"`, 0},
		`{}`:                                                      {verbatim.Content, `"text"`, 0},
		`["a"]`:                                                   {verbatim.Content, "line 1", 0},
		`{"text":"a","id":"another"}`:                             {verbatim.Content, `"another"`, 0},
		`{"text":"a","id":"reverse@1/len=3/seed=1/0"}`:            {},
	} {
		m := command(t, "says", out)
		reply, err := recordtest.Ask(t.Context(), m, request("q"))
		if c.class == "" {
			if err != nil || reply.Finish != verbatim.FinishUnknown || reply.Usage.Prompt != nil {
				t.Errorf("%s: %+v, %v", out, reply, err)
			}
			continue
		}
		f := failed(t, err, c.class)
		if !strings.Contains(f.Error(), c.says) || f.After != c.after {
			t.Errorf("%s: %v, wait %v", out, f, f.After)
		}
		if strings.Contains(out, "half") && f.Attempts[0].Partial != "half" {
			t.Errorf("%s: what came before is lost: %+v", out, f.Attempts)
		}
	}
	// The bytes arrive unchanged.
	m := command(t, "says", `{"text":"\u0000\u001b[2J\ud800 \ud83d\ude00\r"}`)
	if reply, err := recordtest.Ask(t.Context(), m, request("q")); err != nil || reply.Text != "\x00\x1b[2J\xed\xa0\x80 😀\r" {
		t.Errorf("%q, %v", reply.Text, err)
	}
}

func TestExecDies(t *testing.T) {
	c := command(t, "dies")
	for range 2 { // the second time it is started again
		_, err := recordtest.Ask(t.Context(), c, request("q"))
		f := failed(t, err, verbatim.Transport)
		if s := f.Error(); !strings.Contains(s, "exit status 3") || !strings.Contains(s, `out of \x1b[31mmemory`) || strings.Contains(s, "first words") || f.Hint == "" {
			t.Errorf("%v, hint %q", f, f.Hint)
		}
	}
	// A child that ends after an answer, or on its second request, is replaced.
	for _, kind := range []string{"once", "dies second"} {
		c := command(t, kind)
		for range 5 {
			if _, err := recordtest.Ask(t.Context(), c, request("q")); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
		}
	}
}

// Whatever a program writes and whenever, no line answers another request than its own: an answer is
// right or an outage. Extra lines come at once, between two requests and after the next request.
func TestExecOutOfStep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind        string
		ids, extras string // of the answers and of the lines too many: "id" or "bare"
		wait        string // before a line too many
		right       int    // at least, of 30
		wrong       int
	}{
		{"extra", "id", "id", "0s", 5, 1}, {"extra", "id", "bare", "0s", 5, 1}, {"extra", "id", "id", "200us", 5, 0}, {"extra", "id", "bare", "200us", 5, 0},
		{"extra", "bare", "bare", "0s", 5, 1}, {"extra", "bare", "id", "2ms", 5, 1},
		{"extra", "id", "none", "0s", 30, 0}, {"extra", "bare", "none", "0s", 30, 0},
		{"greets", "", "", "", 0, 30}, {"twice", "", "", "", 0, 30},
	} {
		m := command(t, c.kind, c.ids, c.extras, c.wait)
		right, wrong := 0, 0
		for n := range 30 {
			r := request("q")
			r.Item = &verbatim.Item{ID: fmt.Sprint("item ", n)}
			reply, err := recordtest.Ask(t.Context(), m, r)
			switch {
			case err != nil:
				failed(t, err, verbatim.Content)
				wrong++
			case reply.Text == r.Item.ID:
				right++
			default:
				t.Errorf("%+v: the answer to %s is %q", c, r.Item.ID, reply.Text)
			}
		}
		if right < c.right || wrong < c.wrong {
			t.Errorf("%+v: %d right, %d wrong", c, right, wrong)
		}
	}
}

// A program without ids is told once why it is started again and again.
func TestExecWithoutIDs(t *testing.T) {
	var log strings.Builder
	m := command(t, "extra", "bare", "none", "0s")
	m.Log = &log
	for range 3 {
		if _, err := recordtest.Ask(t.Context(), m, request("q")); err != nil {
			t.Error(err)
		}
	}
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `without "id"`) {
		t.Errorf("log: %q", got)
	}
}

func TestExecTimeout(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	c := command(t, "hangs", file)
	// A slow machine needs longer until the child has started its own.
	for c.Timeout = time.Second; c.Timeout <= time.Minute; c.Timeout *= 2 {
		_, err := recordtest.Ask(t.Context(), c, request("q"))
		if f := failed(t, err, verbatim.Deadline); !strings.Contains(f.Error(), c.Timeout.String()) {
			t.Error(f)
		}
		if _, err := os.Stat(file); err == nil {
			break
		}
	}
	gone(t, file)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	c.Timeout = 0
	_, err := recordtest.Ask(ctx, c, request("q"))
	if failed(t, err, verbatim.Deadline); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// gone waits until the process whose id is in the file has ended.
func gone(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("the child started no other: %v", err)
	}
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("this system has no /proc")
	}
	for range 200 {
		stat, err := os.ReadFile("/proc/" + string(data) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %s, which the child started, is still there", data)
}

func TestTail(t *testing.T) {
	var end tail
	for i := range 1000 {
		fmt.Fprintf(&end, "line %d\n", i)
	}
	if s := end.String(); len(end.end) != maxTail || !strings.HasSuffix(s, "line 998 line 999") {
		t.Errorf("%d bytes of the error output are saved: %s", len(end.end), s)
	}
}

// A line has the limit of a server's reply, and takes no more memory than that.
func TestExecLong(t *testing.T) {
	for _, c := range []struct {
		bytes    string
		maxReply int64
		says     string // "" for an answer
	}{{"1000000", 0, ""}, {"2000000", 0, "larger than 1048576"}, {"8000000", 0, "larger than 7340032"}, {"8000000", 9 << 20, ""}, {"endless", 0, "larger than 7340032"}} {
		m := command(t, "long", c.bytes)
		m.MaxReply, m.Memory = c.maxReply, memory.NewLimit(64<<20)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		reply, err := recordtest.Ask(t.Context(), m, request(strings.Repeat("x", 1<<20)))
		runtime.ReadMemStats(&after)
		if c.says == "" {
			if err != nil || fmt.Sprint(len(reply.Text)) != c.bytes {
				t.Errorf("%s: %d bytes, %v", c.bytes, len(reply.Text), err)
			}
			continue
		}
		if f := failed(t, err, verbatim.Content); !strings.Contains(f.Error(), c.says) {
			t.Error(f)
		}
		if made := after.TotalAlloc - before.TotalAlloc; made > 60<<20 {
			t.Errorf("%s: %d MiB were allocated", c.bytes, made>>20)
		}
	}
}

func TestExecClose(t *testing.T) {
	file := filepath.Join(t.TempDir(), "end")
	c := command(t, "mourns", file)
	if _, err := recordtest.Ask(t.Context(), c, request("q")); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error("the child was not left to end by itself")
	}
	_, err := recordtest.Ask(t.Context(), c, request("q"))
	failed(t, err, verbatim.Transport)
	c.Close()
}

func TestExecNames(t *testing.T) {
	for command, says := range map[string]string{
		"":                       "no command",
		"'a":                     "quote",
		"no-such-program-at-all": "no-such-program-at-all",
		"'' a":                   "program",
	} {
		_, err := newCommand(command)
		var name *input.NameError
		if !errors.As(err, &name) || !strings.Contains(err.Error(), says) || name.Hint() == "" {
			t.Errorf("%q: %v", command, err)
		}
	}
}

// A command inherits what it needs and no secret, but for those that are passed by
// name.
func TestChildEnv(t *testing.T) {
	plain := []string{"PATH=/bin", "HOME=/home/a", "LANG=C", "LC_ALL=C", "PWD=/w", "OLDPWD=/", "TMPDIR=/tmp", "SHELL=/bin/sh", "CUDA_VISIBLE_DEVICES=0", "TOKENIZERS_PARALLELISM=false",
		"PYTHONPATH=/p", "XDG_SESSION_TYPE=tty", "KEYBOARD=us", "AWS_PROFILE=a", "HTTP_PROXY=http://proxy:3128", "PASSAGE=x", "=C:=C:\\", "AUTHOR=a"}
	secret := []string{"VERBATIM_API_KEY=q7Zp4422xkLm90Wv", "AWS_SECRET_ACCESS_KEY=q7Zp4422xkLm90Wv", "AWS_ACCESS_KEY_ID=q7Zp4422xkLm90Wv", "HF_TOKEN=q7Zp4422xkLm90Wv", "githubtoken=q7Zp4422xkLm90Wv", "CI_JOB_TOKEN_2=q7Zp4422xkLm90Wv", "PGPASSWORD=q7Zp4422xkLm90Wv",
		"DB_PASSWD=q7Zp4422xkLm90Wv", "DB_PASS=q7Zp4422xkLm90Wv", "MYSQL_PWD=q7Zp4422xkLm90Wv", "SSH_AUTH_SOCK=/tmp/q7Zp4422xkLm90Wv", "GOOGLE_APPLICATION_CREDENTIALS=/q7Zp4422xkLm90Wv", "CLIENT_SECRET=q7Zp4422xkLm90Wv", "SESSION_COOKIE=q7Zp4422xkLm90Wv", "GITHUB_PAT=q7Zp4422xkLm90Wv",
		"SENTRY_DSN=q7Zp4422xkLm90Wv", "DATABASE_URL=postgres://joe:q7Zp4422xkLm90Wv@db/x", "ALL_PROXY=http://q7Zp4422xkLm90Wv@proxy:1", "MY_BOX=q7Zp4422xkLm90Wv", "MY_HEADER=q7Zp4422xkLm90Wv", "MY_PROXY=q7Zp4422xkLm90Wv"}
	for _, p := range Providers() {
		for _, name := range p.KeyEnv {
			secret = append(secret, name+"=q7Zp4422xkLm90Wv")
		}
	}
	o := Options{Environ: func() []string { return slices.Concat(plain, secret) }}
	o.Config = trustedFile(t, "[models.x]\nbase_url = \"https://h/v1\"\nkey_env = \"MY_BOX\"\nheaders = { X-A = \"env:MY_HEADER\" }\nproxy = \"env:MY_PROXY\"\n")
	env, err := o.childEnv()
	if err != nil || !slices.Equal(env, plain) {
		t.Errorf("%v\n%q\nwant\n%q", err, env, plain)
	}
	for _, v := range secret {
		alone := Options{Environ: func() []string { return []string{v} }, Config: o.Config}
		if _, value, _ := strings.Cut(v, "="); !redact.New(alone.childSecrets()).Holds("it says " + value + ".") {
			t.Errorf("%s: a command may repeat it", v)
		}
	}
	o.PassEnv = []string{"HF_TOKEN", "LANG"}
	if env, err := o.childEnv(); err != nil || len(env) != len(plain)+1 || !slices.Contains(env, "HF_TOKEN=q7Zp4422xkLm90Wv") {
		t.Errorf("%v, %q", err, env)
	}
	o.PassEnv = []string{"HF_TOKEN", "NOWHERE"}
	if _, err := o.childEnv(); err == nil || !strings.Contains(err.Error(), "NOWHERE") || strings.Contains(err.Error(), "HF_TOKEN") {
		t.Errorf("%v", err)
	}
}
