package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/httpconn"
)

// A biller answers the first request on each connection. It reads and bills later
// requests on the same connection, and closes it without a reply.
type biller struct {
	*httptest.Server
	mu     sync.Mutex
	seen   map[string]int // by the address of the connection's other end
	billed int
}

func newBiller(t *testing.T, secure bool) *biller {
	b := &biller{seen: map[string]int{}}
	b.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.ReadAll(r.Body)
		b.mu.Lock()
		b.billed++
		b.seen[r.RemoteAddr]++
		first := b.seen[r.RemoteAddr] == 1
		b.mu.Unlock()
		if !first {
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, `{"model":"m","choices":[{"index":0,"message":{"content":"yes"},"finish_reason":"stop"}],"usage":{"prompt_tokens":4,"completion_tokens":1}}`)
	}))
	if secure {
		b.StartTLS()
	} else {
		b.Start()
	}
	t.Cleanup(b.Close)
	return b
}

// bill returns how many requests were billed.
func (b *biller) bill() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.billed
}

// Every request that the server has billed has an attempt, and each request that was
// sent again was allowed, whatever the transport.
func TestResendIsAsked(t *testing.T) {
	for name, secure := range map[string]bool{"direct": false, "net/http": false, "TLS": true} {
		for _, allow := range []bool{true, false} {
			for _, header := range []string{"", "Idempotency-Key"} {
				b := newBiller(t, secure)
				transport := b.Client().Transport.(*http.Transport)
				transport.IdleConnTimeout = time.Minute
				e := Endpoint{BaseURL: b.URL + "/v1", Model: "m", Transport: transport}
				if name == "direct" {
					e.Transport = httpconn.NewDirect(transport)
				}
				if header != "" {
					e.Headers = http.Header{header: {"one"}}
				}
				attempts, asked := 0, 0
				for range 2 {
					ctx := verbatim.WithResend(t.Context(), func() bool { asked++; return allow })
					reply, err := Chat().SendPrompt(ctx, e, question("a question"), 10, verbatim.Params{})
					var f *verbatim.Failure
					if errors.As(err, &f) {
						reply.Attempts = f.Attempts
					}
					attempts += len(reply.Attempts)
				}
				want := 2 // the second request is on a connection in use
				if allow {
					want = 3
				}
				if billed := b.bill(); billed != want || attempts != want || asked != 1 {
					t.Errorf("%s, %s, allowed %v: %d are billed, of %d attempts, permission requested %d times; want %d", name, header, allow, billed, attempts, asked, want)
				}
			}
		}
	}
}

// A request that was not written whole is sent again without permission: the server has
// not seen it.
func TestResendUnsent(t *testing.T) {
	b := newBiller(t, false)
	transport := b.Client().Transport.(*http.Transport)
	transport.IdleConnTimeout = time.Minute
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &closing{Conn: c}, err
	}
	e := Endpoint{BaseURL: b.URL + "/v1", Model: "m", Transport: httpconn.NewDirect(transport)}
	for i := range 2 {
		ctx := verbatim.WithResend(t.Context(), func() bool { t.Error("asked"); return false })
		reply, err := Chat().SendPrompt(ctx, e, question("a question"), 10, verbatim.Params{})
		if err != nil || len(reply.Attempts) != i+1 {
			t.Errorf("%+v, %v", reply.Attempts, err)
		}
	}
	if b.bill() != 2 {
		t.Errorf("%d are billed", b.bill())
	}
}

// A closing connection takes one write.
type closing struct {
	net.Conn
	wrote bool
}

func (c *closing) Write(b []byte) (int, error) {
	if c.wrote {
		return 0, net.ErrClosed
	}
	c.wrote = true
	return c.Conn.Write(b)
}

// A cost in another currency does not count.
func TestCostCurrency(t *testing.T) {
	for raw, want := range map[string]string{
		`{"cost":0.25}`:                            "0.25",
		`{"cost":0.25,"currency":"USD"}`:           "0.25",
		`{"cost":0.25,"currency":null}`:            "0.25",
		`{"currency":"EUR","cost":0.25}`:           "",
		`{"cost":"0.25"}`:                          "",
		`{"cost":{"usd":0.25}}`:                    "",
		`{"cost":-1}`:                              "",
		`{"cost":1e18}`:                            "",
		`{"cost":0.2500000000000000001}`:           "0.25",
		`{"cost":1000000}`:                         "1000000",
		`{"cost":` + strings.Repeat("9", 50) + `}`: "",
	} {
		var a partialReply
		a.addUsage(json.RawMessage(raw))
		if got := a.cost; got == nil && want != "" || got != nil && got.Decimal() != want {
			t.Errorf("%s: %v, want %s", raw, got, want)
		}
	}
}

// TestFailedUpstream: an attempt that failed keeps the server behind a router that its response
// names, in the body, in an event or in a header, without the key.
func TestFailedUpstream(t *testing.T) {
	const refused = `{"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"ERROR","provider_name":"Down"}}}`
	const key = "sk-0123456789-abcdefghij-0123456789"
	for _, c := range []struct {
		name   string
		status int
		header string // its name
		value  string
		body   string
		want   string
	}{
		{"OpenRouter's error", 502, "", "", refused, "Down"},
		{"OpenRouter's error with a status of success", 200, "", "", refused, "Down"},
		{"a list of errors", 502, "", "", "[" + refused + "]", "Down"},
		{"an error within a stream", 200, "", "", lines(`{"provider":"Down","choices":[{"index":0,"delta":{"content":"a"}}]}`, `{"provider":"Down","error":{"code":502,"message":"gone"}}`), "Down"},
		{"a stream that breaks off", 200, "", "", lines(`{"provider":"Down","choices":[{"index":0,"delta":{"content":"a"}}]}`), "Down"},
		{"LiteLLM's header", 500, "x-litellm-model-id", "deployment-1", `{"error":{"message":"no"}}`, "deployment-1"},
		{"a header before a stream that breaks off", 200, "x-inference-provider", "Down", lines(delta(`"content":"a"`)), "Down"},
		{"a web page", 502, "x-litellm-model-api-base", "http://127.0.0.1:1/v1", "<html>", "http://127.0.0.1:1/v1"},
		{"no name", 503, "", "", `{"error":{"message":"no","metadata":"none"}}`, ""},
		{"a name that is no text", 503, "", "", `{"error":{"message":"no","metadata":{"provider_name":null}}}`, ""},
		{"the key", 503, "x-inference-provider", "a " + key, "", "a " + NewKey(key).Hide(key)},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if c.header != "" {
				w.Header().Set(c.header, c.value)
			}
			if c.status == 200 && c.body[0] == 'd' {
				w.Header().Set("Content-Type", "text/event-stream")
			}
			w.WriteHeader(c.status)
			io.WriteString(w, c.body)
		}))
		var reply verbatim.Reply
		err := Chat().Send(context.Background(), &Endpoint{BaseURL: server.URL + "/v1", Model: "m", Key: NewKey(key), Stream: true},
			&verbatim.Request{Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "a"}}}}}, &reply)
		server.Close()
		var f *verbatim.Failure
		if !errors.As(err, &f) || len(f.Attempts) != 1 {
			t.Errorf("%s: %v", c.name, err)
		} else if got := f.Attempts[0].Upstream; got != c.want {
			t.Errorf("%s: upstream %q, want %q (%v)", c.name, got, c.want, err)
		}
	}
}

// A reply that is larger than its token limit allows is a failure of class content
// that says which limit; the limit can be raised. What is saved of it is its head and
// its tail.
func TestReplySize(t *testing.T) {
	long := strings.Repeat("x", 900<<10) + "é" + strings.Repeat("y", 900<<10)
	for name, body := range map[string]string{
		"document": `{"choices":[{"message":{"content":"` + long + `"},"finish_reason":"stop"}]}`,
		"stream":   lines(delta(`"content":"`+long+`"`), ends("stop"), done),
	} {
		for _, c := range []struct {
			tokens int
			most   int64
			fits   bool
		}{{100, 0, false}, {100, 2 << 20, true}, {100_000, 0, true}, {0, 0, true}} {
			e := Endpoint{BaseURL: "http://model.test/v1", Model: "m", Transport: sends{200, "", []byte(body)}, Stream: true, MaxReply: c.most}
			reply, err := Chat().SendPrompt(t.Context(), e, question("q"), c.tokens, verbatim.Params{})
			var f *verbatim.Failure
			switch {
			case c.fits && (err != nil || reply.Text != long):
				t.Errorf("%s, %d tokens, --max-reply %d: %d bytes, %v", name, c.tokens, c.most, len(reply.Text), err)
			case !c.fits && (!errors.As(err, &f) || f.Class != verbatim.Content || !strings.Contains(f.Error(), "reply larger than 1048576 bytes, the limit for 100 tokens; --max-reply raises it")):
				t.Errorf("%s, %d tokens: %v", name, c.tokens, err)
			case !c.fits:
				if p := f.Attempts[0].Partial; len(p) > 9<<10 || !strings.HasPrefix(p, "xxxx") || !strings.HasSuffix(p, "yyyy") || !strings.Contains(p, "bytes left out") {
					t.Errorf("%s: %d bytes are saved: %.20q", name, len(p), p)
				}
			}
		}
	}
}

// A line of a stream that never ends is given up at the limit of a document: it would fill the
// memory.
func TestEndlessLine(t *testing.T) {
	body := `{"message":{"content":"` + strings.Repeat("x", 20<<20) + "\n"
	e := Endpoint{BaseURL: "http://model.test", Model: "m", Transport: sends{200, "", []byte(body)}, Stream: true}
	_, err := Ollama().SendPrompt(t.Context(), e, question("q"), 100, verbatim.Params{})
	var f *verbatim.Failure
	if !errors.As(err, &f) || f.Class != verbatim.Content || !strings.Contains(f.Error(), "reply larger than") {
		t.Errorf("%.300v", err)
	}
}
