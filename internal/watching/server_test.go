package watching

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/fake"

	"verbatim/internal/obedient"
	"verbatim/internal/verdict/sentinel"
)

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
