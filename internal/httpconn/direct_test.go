package httpconn

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/wire"
)

// talk starts a server that hands every connection to f, with its number.
func talk(t *testing.T, f func(n int64, conn net.Conn, in *bufio.Reader)) (base string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var n atomic.Int64
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				f(n.Add(1), conn, bufio.NewReader(conn))
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// get sends one request and reads the reply to its end.
func get(t *testing.T, d *direct, ctx context.Context, address string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader("question"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := d.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

func newTestDirect(t *testing.T) *direct {
	d := NewDirect(NewTransport())
	t.Cleanup(d.CloseIdleConnections)
	return d
}

// What is sent is what net/http sends, but for the order of the headers.
func TestDirectSendsAsNetHTTP(t *testing.T) {
	var got []*http.Request
	var bodies []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got, bodies = append(got, r), append(bodies, string(body))
	}))
	defer s.Close()
	e := wire.Endpoint{BaseURL: s.URL + "/a%2Fb/v1?x=1&y=%20", Model: "m", Key: wire.NewKey("secret-key"), Headers: http.Header{"X-Twice": {"a", "b"}}}
	for _, transport := range []http.RoundTripper{newTestDirect(t), NewTransport()} {
		e.Transport = transport
		q := &verbatim.Request{MaxTokens: 5, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "größer \U0001F600"}}}}}
		wire.Chat().Send(t.Context(), &e, q, new(verbatim.Reply))
	}
	if len(got) != 2 {
		t.Fatalf("%d requests", len(got))
	}
	a, b := got[0], got[1]
	a.Header.Del("Date")
	if a.Method != b.Method || a.RequestURI != b.RequestURI || a.Host != b.Host || bodies[0] != bodies[1] || a.ContentLength != b.ContentLength {
		t.Errorf("%s %s %s\n%s\nis not\n%s %s %s\n%s", a.Method, a.Host, a.RequestURI, bodies[0], b.Method, b.Host, b.RequestURI, bodies[1])
	}
	if x, y := headersOf(a.Header), headersOf(b.Header); x != y {
		t.Errorf("headers\n%s\nare not\n%s", x, y)
	}
}

func headersOf(h http.Header) string {
	var b strings.Builder
	h.Write(&b)
	return b.String()
}

// A connection that was closed, or on which the server sent something unasked, is not
// used again; a good one is.
func TestDirectLooksBeforeUse(t *testing.T) {
	const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	for name, after := range map[string]string{"closed": "", "unasked": "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"} {
		d := newTestDirect(t)
		done := make(chan struct{}, 10)
		base := talk(t, func(n int64, conn net.Conn, in *bufio.Reader) {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
			in.Discard(len("question"))
			io.WriteString(conn, answer)
			if n == 1 {
				io.WriteString(conn, after)
				conn.Close()
				done <- struct{}{}
				return
			}
			http.ReadRequest(in)
			io.WriteString(conn, answer)
		})
		for i := range 3 {
			if got, err := get(t, d, t.Context(), base); err != nil || got != "ok" {
				t.Errorf("%s, request %d: %q, %v", name, i, got, err)
			}
			if i == 0 {
				<-done
				time.Sleep(10 * time.Millisecond) // the close is on its way
			}
		}
	}
}

func TestDirectBounds(t *testing.T) {
	for name, c := range map[string]struct{ head, want string }{
		"header without end":  {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2<<20), "longer than"},
		"other protocol":      {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", "changes the protocol"},
		"no web server":       {"SSH-2.0-x\r\n\r\n", "malformed HTTP"},
		"short of its length": {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", "unexpected EOF"},
	} {
		base := talk(t, func(_ int64, conn net.Conn, in *bufio.Reader) {
			http.ReadRequest(in)
			io.WriteString(conn, c.head)
		})
		if got, err := get(t, newTestDirect(t), t.Context(), base); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	base := talk(t, func(_ int64, conn net.Conn, in *bufio.Reader) {
		http.ReadRequest(in)
		io.WriteString(conn, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	})
	if got, err := get(t, newTestDirect(t), t.Context(), base); err != nil || got != "ok" {
		t.Errorf("announced: %q, %v", got, err)
	}
}

// Cancelling ends every stage at once, and the error says so.
func TestDirectCancel(t *testing.T) {
	for name, head := range map[string]string{"before the header": "", "in the header": "HTTP/1.1 200 O", "in the body": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"} {
		arrived := make(chan struct{})
		base := talk(t, func(_ int64, conn net.Conn, in *bufio.Reader) {
			http.ReadRequest(in)
			io.WriteString(conn, head)
			close(arrived)
			io.Copy(io.Discard, in)
		})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-arrived
			cancel()
		}()
		_, err := get(t, newTestDirect(t), ctx, base)
		var timeout net.Error
		if err == nil || !errors.Is(err, context.Canceled) && !(errors.As(err, &timeout) && timeout.Timeout()) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Proxies, long bodies and odd headers are left to http.Transport.
func TestDirectLeavesToTransport(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked = append(asked, r.URL.String()) }))
	defer proxy.Close()
	u, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	through := NewTransport()
	through.Proxy = http.ProxyURL(u)
	d := NewDirect(through)
	defer d.CloseIdleConnections()
	for range 2 {
		if _, err := get(t, d, t.Context(), "http://model.test/v1"); err != nil {
			t.Error(err)
		}
	}
	if len(asked) != 2 || asked[0] != "http://model.test/v1" {
		t.Errorf("the proxy got the request %q", asked)
	}
	req, _ := http.NewRequest(http.MethodPost, proxy.URL, nil)
	req.Header["X-Bad"] = []string{"a\r\nInjected: 1"}
	if _, err := newTestDirect(t).RoundTrip(req); err == nil {
		t.Error("a header with a line end was sent")
	}
}
