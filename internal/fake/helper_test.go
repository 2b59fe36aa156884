package fake_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/fake"

	"verbatim/internal/wire"
)

// A memory is a listener whose connections are pipes, so that servers and clients
// live inside a synctest bubble.
type memory struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error   { m.once.Do(func() { close(m.done) }); return nil }
func (m *memory) Addr() net.Addr { return &net.UnixAddr{Name: "memory"} }

func (m *memory) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case m.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inMemory serves s and returns a transport to it and what ends both.
func inMemory(s *fake.Server) (*http.Transport, func()) {
	m := &memory{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: s}
	go server.Serve(m)
	t := &http.Transport{DialContext: m.dial, DisableCompression: true}
	return t, func() {
		t.CloseIdleConnections()
		server.Close()
	}
}

// onLoopback serves s on a socket until the test ends and returns its base URL.
func onLoopback(t *testing.T, s *fake.Server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: s}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(l)
	}()
	t.Cleanup(func() {
		server.Close()
		<-done
	})
	return "http://" + l.Addr().String()
}

// ready returns a server, which must be configured as it should.
func ready(t *testing.T, c fake.Config) *fake.Server {
	t.Helper()
	s, err := fake.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func faults(t *testing.T, text string) []fake.Fault {
	t.Helper()
	f, err := fake.ParseFaults(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// says is a prompt of one message.
func says(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}

// copied is an item whose right answer is its question.
func copied(text string) verbatim.Item {
	return verbatim.Item{ID: text, Prompt: says(text), Want: verbatim.TextAnswer(text)}
}

func endpoint(t http.RoundTripper, base string, stream bool) wire.Endpoint {
	return wire.Endpoint{BaseURL: base + "/v1", Model: "m", Stream: stream, Transport: t}
}

// get reads a body whole.
func get(t *testing.T, res *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// asJSON says that the body of a request is JSON.
func asJSON(r *http.Request) *http.Request {
	r.Header.Set("Content-Type", "application/json")
	return r
}

// parsed parses a JSON object.
func parsed(t *testing.T, body string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return v
}

// keys reads a path such as "error.details.0.retryDelay".
func keys(path string) (out []any) {
	for p := range strings.SplitSeq(path, ".") {
		if n, err := strconv.Atoi(p); err == nil {
			out = append(out, n)
		} else {
			out = append(out, p)
		}
	}
	return out
}
