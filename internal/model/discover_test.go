package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim/internal/input"
	"verbatim/internal/wire"
)

func TestDiscover(t *testing.T) {
	const (
		llamacpp = "127.0.0.1:8080/v1/models"
		vllm     = "127.0.0.1:8000/v1/models"
		lmstudio = "127.0.0.1:1234/v1/models"
		ollama   = "127.0.0.1:11434/api/tags"
		sglang   = "127.0.0.1:30000/v1/models"
		page     = "<!DOCTYPE html><title>Jenkins</title>"
		loading  = `503 {"error":{"message":"Loading model","type":"unavailable_error","code":503}}`
	)
	for _, c := range []struct {
		name  string
		pages map[string]string
		want  []string // what Choose says of each
	}{
		{"nothing", nil, nil},
		{"the order", map[string]string{ollama: oneTag, lmstudio: oneModel, sglang: oneModel, vllm: oneModel, llamacpp: oneModel},
			[]string{"http://127.0.0.1:8080/v1#tiny", "http://127.0.0.1:8000/v1#tiny", "http://127.0.0.1:30000/v1#tiny", "http://127.0.0.1:1234/v1#tiny", "ollama+http://127.0.0.1:11434#tiny"}},
		{"a web page on 8080", map[string]string{llamacpp: page, ollama: oneTag}, []string{"ollama+http://127.0.0.1:11434#tiny"}},
		{"a web page with an error", map[string]string{llamacpp: "503 " + page}, nil},
		{"plain words with an error", map[string]string{llamacpp: "503 Service Unavailable"}, nil},
		{"JSON of another kind", map[string]string{llamacpp: `{"status":"UP"}`, vllm: `404 {"error":"no"}`}, nil},
		{"an empty Ollama", map[string]string{ollama: `{"models":[]}`}, nil},
		{"a locked server", map[string]string{llamacpp: `401 {"error":"key"}`}, nil},
		{"several models", map[string]string{ollama: twoTags}, []string{"several models: tiny, org/big:8b"}},
		{"several, one loaded", map[string]string{ollama: twoTags, "127.0.0.1:11434/api/ps": `{"models":[{"name":"org/big:8b"}]}`},
			[]string{"ollama+http://127.0.0.1:11434#org/big:8b"}},
		{"loading for ever", map[string]string{llamacpp: loading}, nil},
		{"loading behind one that is ready", map[string]string{llamacpp: oneModel, vllm: loading}, []string{"http://127.0.0.1:8080/v1#tiny"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := &network{pages: c.pages}
			start := time.Now()
			found, err := Discover(t.Context(), options(n, "VERBATIM_API_KEY=sk-0123456789"))
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if took, wait := time.Since(start), c.name == "loading for ever"; wait != (took > time.Second) || took > loadingWait {
				t.Errorf("%s: it took %v", c.name, took)
			}
			var got []string
			for _, f := range found {
				name, err := f.Choose()
				var e *input.NameError
				if err != nil && (!errors.As(err, &e) || !strings.Contains(e.Hint(), "#tiny")) {
					t.Errorf("%s: %v", c.name, err)
				} else if err != nil {
					name = e.Reason[strings.Index(e.Reason, "several"):]
				}
				got = append(got, name)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
			for _, r := range n.asked {
				if r.Header.Get("Authorization") != "" || r.Method != "GET" {
					t.Errorf("%s: %s %s with %v", c.name, r.Method, r.URL, r.Header)
				}
			}
		})
	}
}

func TestDiscoverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const at = "127.0.0.1:8080/v1/models"
		n := &network{pages: map[string]string{at: `503 {"error":{"message":"Loading model"}}`, "127.0.0.1:11434/api/tags": oneTag}}
		defer time.AfterFunc(5*time.Second, func() { n.set(at, oneModel) }).Stop()
		found, err := Discover(t.Context(), options(n))
		if err != nil || len(found) != 2 || found[0].Title != "llama.cpp" || found[0].Model != "tiny" {
			t.Errorf("%+v, %v: the first in the order was not waited for", found, err)
		}
	})
}

func TestDiscoverPlaces(t *testing.T) {
	n := &network{pages: map[string]string{"h1:99/v1/models": oneModel, "[::1]:7/v1/models": oneModel, "127.0.0.1:8080/v1/models": oneModel}}
	found, err := Discover(t.Context(), options(n, "VERBATIM_DISCOVER= [::1]:7, h1:99,h2:1 "))
	if err != nil || len(found) != 2 || found[0].BaseURL != "http://[::1]:7/v1" || found[1].BaseURL != "http://h1:99/v1" {
		t.Errorf("%+v, %v", found, err)
	}
	n.asked = nil
	if found, err := Discover(t.Context(), options(n, "VERBATIM_DISCOVER=off")); err != nil || found != nil || len(n.asked) != 0 {
		t.Errorf("off: %+v, %v, %d requests", found, err, len(n.asked))
	}
	for _, bad := range []string{"here", "h:1,", "http://h:1", ":80", "h:", "a b:1", "joe:pw@h:1/x"} {
		var e *input.NameError
		if _, err := Discover(t.Context(), options(n, "VERBATIM_DISCOVER="+bad)); !errors.As(err, &e) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Over a real network: a server, a port that is closed, and one that
// takes connections and sends nothing.
func TestDiscoverListens(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, oneModel)
	}))
	defer s.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	const closed = "127.0.0.1:1" // never handed to another test's server
	o := Options{Getenv: func(string) string {
		return closed + "," + silent.Addr().String() + "," + strings.TrimPrefix(s.URL, "http://")
	}}
	found, err := Discover(t.Context(), o)
	if err != nil || len(found) != 1 || found[0].BaseURL != s.URL+"/v1" {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestReadWaiting: the queue of four servers, and pages that do not say it.
func TestReadWaiting(t *testing.T) {
	for _, c := range []struct {
		name, page string
		want       int // below 0: unknown
	}{
		{"vLLM", "# HELP vllm:num_requests_waiting Number of requests waiting to be processed.\n# TYPE vllm:num_requests_waiting gauge\nvllm:num_requests_running{engine=\"0\",model_name=\"m\"} 8.0\nvllm:num_requests_waiting{engine=\"0\",model_name=\"m\"} 3.0\nvllm:num_requests_waiting{engine=\"1\",model_name=\"m}\"} 2.0 1700000000\n", 5},
		{"SGLang", "sglang:num_running_reqs{model_name=\"m\"} 4\nsglang:num_queue_reqs{model_name=\"m\"} 1e1\n", 10},
		{"TGI", "tgi_batch_current_size 4\r\ntgi_queue_size 0\r\n", 0},
		{"llama.cpp", "llamacpp:requests_deferred 7", 7},
		{"others", "process_cpu_seconds_total 3\nvllm:num_requests_waiting_total 9\n", -1},
		{"not a number", "tgi_queue_size NaN\n", -1},
		{"infinite", "tgi_queue_size +Inf\n", -1},
		{"negative", "tgi_queue_size -1\n", -1},
		{"no value", "tgi_queue_size \nsglang:num_queue_reqs{", -1},
		{"empty", "", -1},
	} {
		if n, ok := readWaiting(c.page); ok != (c.want >= 0) || ok && n != c.want {
			t.Errorf("%s: %d %t, want %d", c.name, n, ok, c.want)
		}
	}
}

// TestHostileFacts: what a server says of itself does no harm, whatever it is. It is read in
// bounded time and size, and is unknown where it makes no sense.
func TestHostileFacts(t *testing.T) {
	endless := func(first, piece string) func(io.Writer) {
		return func(w io.Writer) {
			_, err := io.WriteString(w, first)
			for err == nil {
				_, err = io.WriteString(w, piece)
			}
		}
	}
	text := func(body string) func(io.Writer) { return func(w io.Writer) { io.WriteString(w, body) } }
	for name, body := range map[string]func(io.Writer){
		"endless JSON":    endless(`{"total_slots":"`, strings.Repeat("x", 1<<16)),
		"endless metrics": endless("", strings.Repeat("# HELP x\n", 1<<13)),
		"web page":        text("<html><body>vllm:num_requests_waiting</body></html>"),
		"negative":        text(`{"total_slots":-4,"default_generation_settings":{"n_ctx":-1},"data":[{"id":"m","max_model_len":-1}]}`),
		"strings":         text(`{"total_slots":"4","default_generation_settings":{"n_ctx":"4096"},"data":[{"id":"m","max_model_len":"1"}]}`),
		"overflow":        text(`{"total_slots":1e99,"default_generation_settings":{"n_ctx":1e99}}`),
		"another shape":   text(`[[[]]]`),
		"nothing":         text(""),
		"negative queue":  text("vllm:num_requests_waiting -3\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body(writerFunc(func(p []byte) (int, error) {
					n, err := w.Write(p)
					sent.Add(int64(n))
					return n, err
				}))
			}))
			defer server.Close()
			e := wire.Endpoint{BaseURL: server.URL + "/v1", Model: "m"}
			if n := slots(context.Background(), e); n != 0 {
				t.Errorf("%d slots", n)
			}
			if n, ok := waiting(context.Background(), e); ok {
				t.Errorf("%d requests wait", n)
			}
			for _, p := range wire.Protocols() {
				if s := askServed(context.Background(), p, e); s.Context != nil {
					t.Errorf("%s: a context of %d", p.Name, *s.Context)
				}
			}
			// Some 4 MiB of a page of metrics and 8 MiB of each of some 20 documents may be read.
			if n := sent.Load(); n > 400<<20 {
				t.Errorf("%d MiB were read", n>>20)
			}
		})
	}
}

// TestSilentFacts: a server that takes requests and never answers holds nothing up for long.
func TestSilentFacts(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stop }))
	defer server.Close()
	defer close(stop)
	e := wire.Endpoint{BaseURL: server.URL + "/v1", Model: "m"}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if n := slots(ctx, e); n != 0 {
		t.Errorf("%d slots", n)
	}
	if n, ok := waiting(ctx, e); ok {
		t.Errorf("%d requests wait", n)
	}
	if ctx.Err() != nil {
		t.Error("it was the test that ended the wait")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
