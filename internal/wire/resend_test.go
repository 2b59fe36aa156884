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
