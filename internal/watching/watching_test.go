package watching

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/exhaustive"
	"verbatim/internal/fake"
	"verbatim/internal/obedient"
	"verbatim/internal/testmain"
	"verbatim/internal/verdict/sentinel"
)

func TestMain(m *testing.M) { testmain.Main(m) }

// exec executes a statement on the database of the program, past the program.
func exec(t *testing.T, a *app.App, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", a.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// TestRunReadsNoEarlierRecord looks at an endpoint after the records of the enrolment
// and of the earlier days were deleted: reading one would be an error. This shows that
// the time of a run does not grow with the calls of the watch. Without the saved
// states, the records are read.
func TestRunReadsNoEarlierRecord(t *testing.T) {
	t.Parallel()
	s := serve(t)
	a, o := program(t, s)
	if doc, err := Enrol(t.Context(), t.Context(), a, o, standard()); err != nil || doc.Refusal != "" {
		t.Fatalf("%+v, %v", doc, err)
	}
	clock := time.Date(2027, 1, 1, 6, 0, 0, 0, time.UTC)
	for day := range 3 {
		if _, err := today(t.Context(), t.Context(), a, o, clock.AddDate(0, 0, day)); err != nil {
			t.Fatal(err)
		}
	}
	exec(t, a, `DELETE FROM reply`)
	doc, err := today(t.Context(), t.Context(), a, o, clock.AddDate(0, 0, 3))
	if err != nil || doc.Word != sentinel.Quiet || len(doc.Days) != 4 || doc.Spent.Days != 4*sentinel.Usual || doc.Items != 24 {
		t.Fatalf("%+v, %v", doc, err)
	}
	exec(t, a, `UPDATE run SET test = json_remove(test, '$.state')`)
	if _, err := today(t.Context(), t.Context(), a, o, clock.AddDate(0, 0, 4)); err == nil {
		t.Error("neither states nor records are read")
	}
}

// TestStatesAndRecords reads watches from their saved states and from their records: both are the
// same, with alarms, bursts, distances, several runs on a day and contracts that are broken.
func TestStatesAndRecords(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct {
		settings  Settings
		rate      float64
		disobeys  []string
		wantAlarm bool
	}{
		"quiet":     {standard(), 0.05, nil, false},
		"distances": {Settings{Alpha: 0.01, Tolerance: 0.05, Horizon: 365, Seed: 1, Distances: true, Texts: true}, 0.05, nil, false},
		"deviates":  {standard(), 0.5, nil, true},
		"contract":  {standard(), 0, []string{"stop"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if (name == "quiet" || name == "contract") && !exhaustive.All() {
				t.Skip("VERBATIM_EXHAUSTIVE=1 runs it; scripts/check exhaustive does")
			}
			s := serve(t)
			a, o := program(t, s)
			m := newWavering(t, 1)
			s.become(t, m, nil)
			if doc, err := Enrol(t.Context(), t.Context(), a, o, change.settings); err != nil || doc.Refusal != "" {
				t.Fatalf("%+v, %v", doc, err)
			}
			m.become(change.rate)
			s.become(t, m, change.disobeys)
			clock := time.Now().UTC()
			runs := 7
			if change.wantAlarm {
				runs = 12
			}
			for run := range runs {
				if _, err := today(t.Context(), t.Context(), a, o, clock.AddDate(0, 0, run*2/3)); err != nil {
					t.Fatal(err)
				}
			}
			read := func() *Saved {
				w, err := find(t.Context(), a, s.url+"/v1#m")
				if err != nil || w == nil {
					t.Fatal(err)
				}
				if _, alarm := w.Alarm(); alarm != change.wantAlarm {
					t.Errorf("an alarm: %t, want %t", alarm, change.wantAlarm)
				}
				w.Run.Test, w.Upstream = nil, nil
				return w
			}
			states := read()
			exec(t, a, `UPDATE run SET test = json_remove(test, '$.state')`)
			if records := read(); !reflect.DeepEqual(records, states) {
				t.Errorf("from states:\n%+v\nfrom records:\n%+v", Status(states), Status(records))
			}
		})
	}
}

// TestSend sends to servers that accept a notice at once, later, or never.
func TestSend(t *testing.T) {
	for _, c := range []struct {
		name     string
		key      string
		statuses []int
		posts    int
		err      string
	}{
		{"accepted", "k", []int{200}, 1, ""},
		{"without a key", "", []int{204}, 1, ""},
		{"accepted later", "k", []int{503, 500, 202}, 3, ""},
		{"never accepted", "k", []int{500, 404, 302}, 3, "HTTP 302"},
	} {
		posts := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			mac := hmac.New(sha256.New, []byte(c.key))
			mac.Write(body)
			want := "sha256=" + hex.EncodeToString(mac.Sum(nil))
			if c.key == "" {
				want = ""
			}
			if got := r.Header.Get(signatureHeader); got != want || string(body) != "{}" || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s: %s %q with the signature %q, want %q", c.name, r.Method, body, got, want)
			}
			w.WriteHeader(c.statuses[posts])
			posts++
		}))
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		err := sendNotice(t.Context(), client, s.URL, c.key, []byte("{}"), time.Millisecond)
		s.Close()
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) || posts != c.posts {
			t.Errorf("%s: %d posts, %v", c.name, posts, err)
		}
	}
}

// TestErrorsHideTheAddress: an address may hold a secret, and no error prints it.
func TestErrorsHideTheAddress(t *testing.T) {
	for _, address := range []string{"http://127.0.0.1:1/secret", "http://127.0.0.1:port/secret", "nosuch://127.0.0.1/secret"} {
		if err := sendNotice(t.Context(), http.DefaultClient, address, "", nil, 0); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A served endpoint answers as one server and later as another.
type served struct {
	url string
	now atomic.Pointer[fake.Server]
}

// become changes the server: its model, the contracts it breaks and the upstreams behind it.
func (s *served) become(t *testing.T, model verbatim.Model, disobeys []string, upstreams ...string) {
	t.Helper()
	if model == nil {
		var err error
		if model, err = obedient.New(url.Values{}); err != nil {
			t.Fatal(err)
		}
	}
	c := fake.Config{Model: model, Any: true, Item: func(verbatim.Prompt) *verbatim.Item { return nil }}
	for _, name := range upstreams {
		c.Upstreams = append(c.Upstreams, fake.Upstream{Name: name})
	}
	var err error
	if c.Disobeys, err = fake.ParseContracts(disobeys); err != nil {
		t.Fatal(err)
	}
	server, err := fake.New(c)
	if err != nil {
		t.Fatal(err)
	}
	s.now.Store(server)
}

func serve(t *testing.T) *served {
	t.Helper()
	s := &served{}
	s.become(t, nil, nil)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.now.Load().ServeHTTP(w, r) }))
	t.Cleanup(h.Close)
	s.url = h.URL
	return s
}

// program returns the program with a database of its own, and the options for a server.
func program(t *testing.T, s *served) (*app.App, app.Options) {
	t.Helper()
	a := &app.App{Database: filepath.Join(t.TempDir(), "x.db"), Note: func(line string) { t.Log(line) }, OnLock: func(string) {},
		Getenv: func(string) string { return "" }, AtExit: func(func()) func() { return func() {} }}
	o := app.Options{Models: []string{s.url + "/v1#m"}}
	o.Pace.Deadline, o.Pace.MaxAttempts = time.Minute, 2
	return a, o
}

func standard() Settings { return Settings{Alpha: 0.01, Tolerance: 0.05, Horizon: 365, Seed: 1} }

// TestUpstreamsOfRouter refuses a router with several upstreams, and does not count an upstream
// that was not enrolled.
func TestUpstreamsOfRouter(t *testing.T) {
	t.Parallel()
	s := serve(t)
	a, o := program(t, s)
	s.become(t, nil, nil, "north", "south", "east")
	doc, err := Enrol(t.Context(), t.Context(), a, o, standard())
	if err != nil || !strings.Contains(doc.Refusal, "upstreams answer") || doc.Calls > 20 {
		t.Fatalf("%+v, %v", doc, err)
	}
	s.become(t, nil, nil, "north")
	if doc, err = Enrol(t.Context(), t.Context(), a, o, standard()); err != nil || doc.Refusal != "" || len(doc.Upstreams) != 1 {
		t.Fatalf("%+v, %v", doc, err)
	}
	other, err := obedient.New(url.Values{"sigma": {"30"}, "build": {"7"}})
	if err != nil {
		t.Fatal(err)
	}
	s.become(t, other, nil, "south")
	day, err := today(t.Context(), t.Context(), a, o, time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC))
	if err != nil || day.Word != sentinel.TooFew || day.Days[0].Elsewhere != sentinel.Usual || day.Days[0].Deviations != 0 {
		t.Errorf("%+v, %v", day, err)
	}
	set := standard()
	set.MixUpstreams, set.Again = true, true
	s.become(t, nil, nil, "north", "south")
	if doc, err = Enrol(t.Context(), t.Context(), a, o, set); err != nil || doc.Refusal != "" || len(doc.Upstreams) != 2 {
		t.Errorf("%+v, %v", doc, err)
	}
}

// TestContractsOfServer tests contracts when a watch begins and once a week. A contract that held
// and is broken is an alarm.
func TestContractsOfServer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	a, o := program(t, s)
	if doc, err := Enrol(t.Context(), t.Context(), a, o, standard()); err != nil || doc.Refusal != "" {
		t.Fatalf("%+v, %v", doc, err)
	}
	s.become(t, nil, []string{"stop"})
	start := time.Now().UTC()
	if day, err := today(t.Context(), t.Context(), a, o, start.AddDate(0, 0, 2)); err != nil || day.Word != sentinel.Quiet || day.Days[0].Contracts != nil {
		t.Errorf("after two days: %+v, %v", day, err)
	}
	day, err := today(t.Context(), t.Context(), a, o, start.AddDate(0, 0, 8))
	if err != nil || day.Word != sentinel.Alarm || day.Alarm.Alarm != "a contract that held is broken: stop sequence" {
		t.Errorf("%+v, %v", day, err)
	}
	found, err := find(t.Context(), a, s.url+"/v1#m")
	if err != nil {
		t.Fatal(err)
	}
	if again := Status(found); again.Word != sentinel.Alarm || again.Days[1].Contracts == nil {
		t.Errorf("read again: %+v", again)
	}
}

// TestPinInherited sends the pin of an upstream that the enrolment had, on every later day.
func TestPinInherited(t *testing.T) {
	t.Parallel()
	s := serve(t)
	a, o := program(t, s)
	s.become(t, nil, nil, "north", "south")
	pinned := o
	pinned.Params.Extra = map[string]json.RawMessage{"provider": json.RawMessage(`{"only":["south"]}`)}
	if doc, err := Enrol(t.Context(), t.Context(), a, pinned, standard()); err != nil || doc.Refusal != "" || !slices.Equal(doc.Upstreams, []string{"south"}) {
		t.Fatalf("%+v, %v", doc, err)
	}
	for days := range 9 {
		day, err := today(t.Context(), t.Context(), a, o, time.Now().AddDate(0, 0, days))
		if err != nil || day.Word != sentinel.Quiet || day.Days[days].Elsewhere != 0 {
			t.Errorf("%+v, %v", day, err)
		}
	}
}
