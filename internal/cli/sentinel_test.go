package cli

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/fake"
	"verbatim/internal/obedient"
	"verbatim/internal/report"
)

// A changing server answers as one endpoint, and later as another.
type changing struct{ now atomic.Pointer[http.Handler] }

func (c *changing) become(t *testing.T, knobs url.Values, disobeys string) {
	t.Helper()
	model, err := obedient.New(knobs)
	if err != nil {
		t.Fatal(err)
	}
	config := fake.Config{Model: model, Any: true, Item: func(verbatim.Prompt) *verbatim.Item { return nil }}
	if disobeys != "" {
		if config.Disobeys, err = fake.ParseContracts([]string{disobeys}); err != nil {
			t.Fatal(err)
		}
	}
	server, err := fake.New(config)
	if err != nil {
		t.Fatal(err)
	}
	var h http.Handler = server
	c.now.Store(&h)
}

func (c *changing) ServeHTTP(w http.ResponseWriter, r *http.Request) { (*c.now.Load()).ServeHTTP(w, r) }

// TestSentinel watches an endpoint over every protocol until it changes, begins a new watch, and
// loses the server.
func TestSentinel(t *testing.T) {
	t.Parallel()
	for wire, path := range map[string]string{"": "/v1#m", "responses+": "/v1#m", "anthropic+": "#m", "gemini+": "/v1beta#m", "ollama+": "#m"} {
		if wire != "" && (underRace || !exhaustive.All()) {
			continue // the protocols share what runs concurrently; scripts/check exhaustive has all
		}
		t.Run("wire "+wire, func(t *testing.T) {
			t.Parallel()
			c := &changing{}
			c.become(t, nil, "")
			s := httptest.NewServer(c)
			defer s.Close()
			model, db := wire+s.URL+path, filepath.Join(t.TempDir(), "x.db")
			run := func(want int, args ...string) ran {
				t.Helper()
				r := invoke(t, db, append([]string{"sentinel"}, args...)...)
				if r.code != want {
					t.Fatalf("%q: exit code %d, want %d\n%s%s", args, r.code, want, r.out, r.err)
				}
				return r
			}
			run(Usage, "run", model, "-q")
			run(exitDone, "init", model, "-q")
			if r := run(Usage, "init", model, "-q"); !strings.Contains(r.err, "is watched since") {
				t.Error(r.err)
			}
			if r := run(exitDone, "run", model, "-q"); !strings.HasPrefix(r.out, "QUIET  ") || !strings.Contains(r.out, "0 of 12 calls deviate") {
				t.Error(r.out)
			}
			run(exitDone, "status")
			change := url.Values{"sigma": {"30"}, "build": {"3"}}
			c.become(t, change, "")
			r := run(Worse, "run", model, "-q", "--json")
			var doc report.Watched
			if err := json.Unmarshal([]byte(r.out), &doc); err != nil || doc.Word != "alarm" || doc.Alarm == nil || doc.Capital < 100 || len(doc.Days) != 1 {
				t.Errorf("%+v, %v", doc, err)
			}
			if r := run(Worse, "status"); !strings.Contains(r.out, "ALARM") || !strings.Contains(r.out, "The cause is not known") {
				t.Error(r.out)
			}
			if wire != "" {
				return // the rest has nothing to do with the protocol
			}
			c.become(t, url.Values{"sigma": {"1"}, "build": {"3"}}, "")
			run(exitDone, "accept", model, "-q")
			run(exitDone, "run", model, "-q")
			c.become(t, url.Values{"sigma": {"1"}, "build": {"3"}}, "usage")
			if r := run(Worse, "run", model, "-q"); !strings.Contains(r.out, "another number of tokens") {
				t.Error(r.out)
			}
		})
	}
}

// TestSentinelOutage looks at a watched endpoint that does not answer: that is no evidence.
func TestSentinelOutage(t *testing.T) {
	t.Parallel()
	c := &changing{}
	c.become(t, nil, "")
	s := httptest.NewServer(c)
	defer s.Close()
	db := filepath.Join(t.TempDir(), "x.db")
	if r := invoke(t, db, "sentinel", "init", s.URL+"/v1#m", "-q"); r.code != exitDone {
		t.Fatal(r.err)
	}
	var broken http.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	c.now.Store(&broken)
	if r := invoke(t, db, "sentinel", "run", s.URL+"/v1#m", "-q", "--max-attempts", "1"); r.code != Failed && r.code != Undecided {
		t.Errorf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	if r := invoke(t, db, "sentinel", "status"); r.code != exitDone || strings.Contains(r.out, "ALARM") {
		t.Errorf("exit code %d: %s", r.code, r.out)
	}
}

// TestSentinelWebhook posts an alarm, and retries what is not accepted.
func TestSentinelWebhook(t *testing.T) {
	t.Parallel()
	c := &changing{}
	c.become(t, nil, "")
	s := httptest.NewServer(c)
	defer s.Close()
	var posts atomic.Int64
	bodies := make(chan string, 9)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if posts.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		bodies <- string(body)
	}))
	defer hook.Close()
	db := filepath.Join(t.TempDir(), "x.db")
	for _, args := range [][]string{{"sentinel", "init", s.URL + "/v1#m", "-q"}, {"sentinel", "run", s.URL + "/v1#m", "-q", "--webhook", hook.URL}} {
		if r := invoke(t, db, args...); r.code != exitDone {
			t.Fatal(r.err)
		}
	}
	if posts.Load() != 0 {
		t.Error("a quiet day is posted")
	}
	c.become(t, url.Values{"sigma": {"30"}, "build": {"3"}}, "")
	if r := invoke(t, db, "sentinel", "run", s.URL+"/v1#m", "-q", "--webhook", hook.URL); r.code != Worse {
		t.Fatalf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	if body := <-bodies; posts.Load() != 2 || !strings.Contains(body, `"verdict":"alarm"`) || !strings.Contains(body, `"format":"verbatim/alarm/1"`) {
		t.Errorf("%d posts, the last %s", posts.Load(), body)
	}
}

// TestSentinelAllAsksNobody looks at all watches of a database whose models no command of this
// user has opened: nothing is sent to them.
func TestSentinelAllAsksNobody(t *testing.T) {
	t.Parallel()
	c := &changing{}
	c.become(t, nil, "")
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		c.ServeHTTP(w, r)
	}))
	defer s.Close()
	db := filepath.Join(t.TempDir(), "x.db")
	if r := invoke(t, db, "sentinel", "init", s.URL+"/v1#m", "-q"); r.code != exitDone {
		t.Fatal(r.err)
	}
	before := requests.Load()
	if r := invoke(t, db, "sentinel", "run", "--all", "-q"); r.code != Usage || !strings.Contains(r.err, "does not decide what is executed") || requests.Load() != before {
		t.Errorf("exit code %d after %d requests: %s", r.code, requests.Load()-before, r.err)
	}
}

// TestSentinelWebhookFails shows an alarm although it cannot be posted.
func TestSentinelWebhookFails(t *testing.T) {
	t.Parallel()
	c := &changing{}
	c.become(t, nil, "")
	s := httptest.NewServer(c)
	defer s.Close()
	db := filepath.Join(t.TempDir(), "x.db")
	if r := invoke(t, db, "sentinel", "init", s.URL+"/v1#m", "-q"); r.code != exitDone {
		t.Fatal(r.err)
	}
	c.become(t, url.Values{"sigma": {"30"}, "build": {"3"}}, "")
	const hook = "http://127.0.0.1:1/secret"
	r := invoke(t, db, "sentinel", "run", s.URL+"/v1#m", "-q", "--webhook", hook)
	if r.code != Worse || !strings.HasPrefix(r.out, "ALARM  ") || !strings.Contains(r.err, "was not posted") || strings.Contains(r.err, "secret") {
		t.Errorf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	if r := invoke(t, db, "sentinel", "run", s.URL+"/v1#m", "-q", "--webhook", "nowhere"); r.code != Usage || !strings.Contains(r.err, "--webhook") {
		t.Errorf("exit code %d: %s%s", r.code, r.out, r.err)
	}
}

// TestSentinelWebhookSigned computes the signature of a posted alarm as its receiver does.
func TestSentinelWebhookSigned(t *testing.T) {
	t.Parallel()
	c := &changing{}
	c.become(t, nil, "")
	s := httptest.NewServer(c)
	defer s.Close()
	signed := make(chan bool, 9)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, []byte("k3y"))
		mac.Write(body)
		signed <- r.Header.Get("X-Verbatim-Signature") == "sha256="+hex.EncodeToString(mac.Sum(nil)) && len(body) > 0
	}))
	defer hook.Close()
	db := filepath.Join(t.TempDir(), "x.db")
	if r := invoke(t, db, "sentinel", "init", s.URL+"/v1#m", "-q"); r.code != exitDone {
		t.Fatal(r.err)
	}
	c.become(t, url.Values{"sigma": {"30"}, "build": {"3"}}, "")
	env := Env{
		In: strings.NewReader(""), Out: io.Discard, Err: io.Discard,
		Getenv: func(name string) string {
			return map[string]string{"VERBATIM_DISCOVER": "off", "VERBATIM_DB": db, "VERBATIM_WEBHOOK_KEY": "k3y"}[name]
		},
		Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} },
	}
	if code := Main([]string{"sentinel", "run", s.URL + "/v1#m", "-q", "--webhook", hook.URL}, env); code != Worse {
		t.Fatalf("exit code %d", code)
	}
	if !<-signed {
		t.Error("the signature is another one")
	}
}

// TestSentinelTwice looks at an endpoint while another process does: that is refused, and its calls
// are those of one.
func TestSentinelTwice(t *testing.T) {
	t.Parallel()
	c := &changing{}
	c.become(t, nil, "")
	hold, held := make(chan struct{}), make(chan struct{})
	var slow, holding atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slow.Load() && r.Method == http.MethodPost && holding.CompareAndSwap(false, true) {
			close(held)
			<-hold
		}
		c.ServeHTTP(w, r)
	}))
	defer s.Close()
	db := filepath.Join(t.TempDir(), "x.db")
	if r := invoke(t, db, "sentinel", "init", s.URL+"/v1#m", "-q"); r.code != exitDone {
		t.Fatal(r.err)
	}
	slow.Store(true)
	first := make(chan ran)
	go func() { first <- invoke(t, db, "sentinel", "run", s.URL+"/v1#m", "-q") }()
	<-held
	second := invoke(t, db, "sentinel", "run", s.URL+"/v1#m", "-q")
	close(hold)
	if r := <-first; r.code != exitDone || !strings.Contains(r.out, "0 of 12 calls deviate") {
		t.Errorf("the first: exit code %d: %s%s", r.code, r.out, r.err)
	}
	if second.code != Failed || second.out != "" || !strings.Contains(second.err, "is being written by process") {
		t.Errorf("the second: exit code %d: %s%s", second.code, second.out, second.err)
	}
}

// TestWatchCode: one alarm of a fleet is an alarm, whatever the others are.
func TestWatchCode(t *testing.T) {
	for _, c := range []struct {
		words string
		want  int
	}{{"quiet", exitDone}, {"quiet,too few answers", Undecided}, {"too few answers,alarm,quiet", Worse}} {
		var list []*report.Watched
		for word := range strings.SplitSeq(c.words, ",") {
			list = append(list, &report.Watched{Word: word})
		}
		if got := watchCode(list); got != c.want {
			t.Errorf("%s: exit code %d, want %d", c.words, got, c.want)
		}
	}
}
