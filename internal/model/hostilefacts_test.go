package model

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/wire"
)

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
