package httpconn

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A Direct is an http.RoundTripper for plain HTTP/1.1. It writes a request in one piece
// and reads the response in the caller's goroutine. net/http's Transport has two
// goroutines for each connection and passes each request and response between them. For a
// short reply of a server nearby, that costs as much as everything else. Requests over TLS
// or through proxies, and those with long bodies, are left to that Transport.
//
// A connection is checked before it is used again. It is closed if the server has closed
// it or has sent bytes without a request.
type direct struct {
	other *http.Transport
	dial  func(ctx context.Context, network, address string) (net.Conn, error)

	outs sync.Pool // of *[]byte: for requests while they are written
	ins  sync.Pool // of *bufio.Reader: for responses from their first byte on

	mu   sync.Mutex
	idle map[string][]*conn // by host, the last used at the end
	near map[string]bool    // by host: whether it is reached without a proxy
}

// maxBody is the longest body that is written in one piece, in bytes. To a longer one a server may
// reply before it has read all of it.
const maxBody = 64 << 10

// NewDirect returns a Direct that dials as t does and leaves other requests to t.
func NewDirect(t *http.Transport) *direct {
	dial := t.DialContext
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	return &direct{other: t, dial: dial, idle: map[string][]*conn{}, near: map[string]bool{}}
}

// CloseIdleConnections closes the connections that are not in use.
func (d *direct) CloseIdleConnections() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for host, conns := range d.idle {
		for _, c := range conns {
			c.Close()
		}
		delete(d.idle, host)
	}
	d.other.CloseIdleConnections()
}

// RoundTrip implements http.RoundTripper.
func (d *direct) RoundTrip(req *http.Request) (*http.Response, error) {
	plain := req.URL.Scheme == "http" && req.ContentLength >= 0 && req.ContentLength <= maxBody && len(req.TransferEncoding) == 0
	if !plain || !d.isNear(req) || !isSendable(req.Header) {
		return d.other.RoundTrip(req)
	}
	ctx := req.Context()
	c, err := d.take(ctx, req.URL, req.Close)
	if err != nil {
		closeBody(req)
		return nil, err
	}
	trace := httptrace.ContextClientTrace(ctx)
	if trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{Conn: c.Conn, Reused: c.used})
	}
	// A deadline in the past ends every read and write of the connection.
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(time.Unix(1, 0)) })
	res, err := c.exchange(req, trace)
	if err != nil {
		stop()
		c.Close()
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	res.Body = &body{r: res.Body, conn: c, owner: d, stop: stop, keep: !res.Close && !req.Close}
	return res, nil
}

// isNear reports whether the host of the request is reached without a proxy.
func (d *direct) isNear(req *http.Request) bool {
	d.mu.Lock()
	near, known := d.near[req.URL.Host]
	d.mu.Unlock()
	if !known {
		near = true
		if d.other.Proxy != nil {
			proxy, err := d.other.Proxy(req)
			near = proxy == nil && err == nil
		}
		d.mu.Lock()
		d.near[req.URL.Host] = near
		d.mu.Unlock()
	}
	return near
}

// isSendable reports whether headers can be written as they are. For others the Transport returns
// errors.
func isSendable(h http.Header) bool {
	for name, values := range h {
		if name == "" || strings.ContainsAny(name, " \t\r\n\x00:") {
			return false
		}
		for _, v := range values {
			if strings.ContainsAny(v, "\r\n\x00") {
				return false
			}
		}
	}
	return true
}

// take returns a connection to the host: an idle one that is still open, or a new one.
// fresh excludes idle ones.
func (d *direct) take(ctx context.Context, u *url.URL, fresh bool) (*conn, error) {
	for !fresh {
		d.mu.Lock()
		conns := d.idle[u.Host]
		if len(conns) == 0 {
			d.mu.Unlock()
			break
		}
		c := conns[len(conns)-1]
		conns[len(conns)-1] = nil
		d.idle[u.Host] = conns[:len(conns)-1]
		d.mu.Unlock()
		if time.Since(c.since) < d.other.IdleConnTimeout && c.isQuiet() {
			return c, nil
		}
		c.Close()
	}
	address := u.Host
	if u.Port() == "" {
		address = net.JoinHostPort(u.Hostname(), "80")
	}
	tcp, err := d.dial(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: tcp, host: u.Host, outs: &d.outs, ins: &d.ins}
	c.bounded.R = tcp
	if s, ok := tcp.(syscall.Conn); ok {
		if raw, err := s.SyscallConn(); err == nil {
			c.raw = newRawReader(raw, tcp)
			c.bounded.R = c.raw
		}
	}
	return c, nil
}

// give makes a connection idle, for the next request.
func (d *direct) give(c *conn) {
	c.used, c.since = true, time.Now()
	c.putReader()
	d.mu.Lock()
	defer d.mu.Unlock()
	if conns := d.idle[c.host]; len(conns) < idleConnections {
		d.idle[c.host] = append(conns, c)
		return
	}
	c.Close()
}

// A conn is a connection and the response that is being read from it.
type conn struct {
	net.Conn
	host    string
	raw     *rawReader    // nil if the connection has no file descriptor
	in      *bufio.Reader // nil while no response is being read
	bounded io.LimitedReader
	outs    *sync.Pool // those of Direct
	ins     *sync.Pool
	used    bool      // it has carried a request before
	since   time.Time // when it became idle
}

// maxHeader is the size of the longest header of a response, in bytes.
const maxHeader = 1 << 20

var errLongHeader = errors.New("the header of the response is longer than 1 MiB")

// exchange writes a request and reads the header of its response.
func (c *conn) exchange(req *http.Request, trace *httptrace.ClientTrace) (*http.Response, error) {
	err := c.write(req)
	if trace != nil && trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{Err: err})
	}
	if err != nil {
		return nil, err
	}
	c.bounded.N = maxHeader
	if err := c.await(); err != nil {
		return nil, err
	}
	if trace != nil && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
	for {
		res, err := http.ReadResponse(c.in, req)
		switch {
		case err != nil && c.bounded.N <= 0:
			return nil, errLongHeader
		case err != nil:
			return nil, err
		case res.StatusCode >= 200:
			c.bounded.N = math.MaxInt64
			return res, nil
		case res.StatusCode == http.StatusSwitchingProtocols:
			return nil, fmt.Errorf("the server changes the protocol to %.40q, which was not requested", res.Header.Get("Upgrade"))
		}
		// Other informational responses come before the response itself.
	}
}

// await waits for the first byte of a response. It takes a buffer only then, because
// thousands of requests may wait.
func (c *conn) await() (err error) {
	if c.raw != nil {
		return c.raw.await(c.peek)
	}
	return c.peek()
}

// peek reads the beginning of a response into a buffer, and returns the buffer to the pool if nothing
// has arrived.
func (c *conn) peek() error {
	if c.in, _ = c.ins.Get().(*bufio.Reader); c.in == nil {
		c.in = bufio.NewReader(nil)
	}
	c.in.Reset(&c.bounded)
	_, err := c.in.Peek(1)
	if err != nil {
		c.putReader()
	}
	return err
}

// putReader returns the buffer to the pool.
func (c *conn) putReader() {
	c.in.Reset(nil)
	c.ins.Put(c.in)
	c.in = nil
}

// write writes the request in one piece.
func (c *conn) write(req *http.Request) error {
	out, _ := c.outs.Get().(*[]byte)
	if out == nil {
		out = new([]byte)
	}
	defer c.outs.Put(out)
	b := append((*out)[:0], req.Method...)
	b = append(append(b, ' '), req.URL.RequestURI()...)
	b = append(append(b, " HTTP/1.1\r\nHost: "...), req.Host...)
	b = append(b, "\r\n"...)
	for name, values := range req.Header {
		for _, v := range values {
			b = append(append(b, name...), ": "...)
			b = append(append(b, v...), "\r\n"...)
		}
	}
	if req.Close {
		b = append(b, "Connection: close\r\n"...)
	}
	if req.Body != nil && req.Body != http.NoBody {
		b = fmt.Appendf(b, "Content-Length: %d\r\n", req.ContentLength)
	}
	b = append(b, "\r\n"...)
	if req.Body != nil {
		start := len(b)
		b = append(b, make([]byte, req.ContentLength)...)
		_, err := io.ReadFull(req.Body, b[start:])
		req.Body.Close()
		if err != nil {
			return fmt.Errorf("the body of the request is shorter than %d bytes: %w", req.ContentLength, err)
		}
	}
	*out = b
	_, err := c.Conn.Write(b)
	return err
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}
