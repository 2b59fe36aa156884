package modeltest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A Piece is a part of the bytes that a server sends: those of one read.
type Piece struct {
	After time.Duration // the wait before it
	Bytes []byte
	// Hang says that the connection is silent from here on, until it is closed.
	Hang bool
}

// Tape returns a transport with one connection, on which it plays the pieces of a response, header
// included, when a request is written. Each piece is a read of its own; then the connection ends.
// There is no network. So it is fast and works with the clock of package synctest.
func Tape(pieces ...Piece) http.RoundTripper {
	var once sync.Once
	return &http.Transport{
		DisableCompression: true,
		DialContext: func(context.Context, string, string) (conn net.Conn, err error) {
			err = errors.New("the tape is played only once")
			once.Do(func() {
				conn, err = &tape{pieces: pieces, asked: make(chan struct{}), closed: make(chan struct{})}, nil
			})
			return conn, err
		},
	}
}

// A tape is a connection that plays pieces.
type tape struct {
	pieces []Piece
	asked  chan struct{} // closed by the first write
	closed chan struct{}
	ask    sync.Once
	close  sync.Once
}

func (c *tape) Read(p []byte) (int, error) {
	select {
	case <-c.asked:
	case <-c.closed:
		return 0, net.ErrClosed
	}
	if len(c.pieces) == 0 {
		return 0, io.EOF
	}
	next := &c.pieces[0]
	if next.After > 0 || next.Hang {
		var wait <-chan time.Time
		if !next.Hang {
			wait = time.After(next.After)
		}
		select {
		case <-wait:
		case <-c.closed:
			return 0, net.ErrClosed
		}
		next.After = 0
	}
	n := copy(p, next.Bytes)
	if next.Bytes = next.Bytes[n:]; len(next.Bytes) == 0 {
		c.pieces = c.pieces[1:]
	}
	return n, nil
}

func (c *tape) Write(p []byte) (int, error) {
	c.ask.Do(func() { close(c.asked) })
	return len(p), nil
}

func (c *tape) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

func (c *tape) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (c *tape) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (c *tape) SetDeadline(time.Time) error      { return nil }
func (c *tape) SetReadDeadline(time.Time) error  { return nil }
func (c *tape) SetWriteDeadline(time.Time) error { return nil }

// Cut returns the pieces of raw that end at the positions.
func Cut(raw []byte, at ...int) []Piece {
	var pieces []Piece
	from := 0
	for _, to := range append(at, len(raw)) {
		if to > from {
			pieces = append(pieces, Piece{Bytes: raw[from:to]})
			from = to
		}
	}
	return pieces
}

// Response returns the bytes of a response in chunked form.
func Response(status int, media string, body []byte, header ...string) []byte {
	return append(chunkedHead(status, media, header...), chunks(body, true)...)
}

// chunkedHead returns the header of a response whose body comes in chunks.
func chunkedHead(status int, media string, header ...string) []byte {
	return head(status, media, append(header, "Transfer-Encoding: chunked")...)
}

// head returns the header of a response.
func head(status int, media string, header ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n", status, http.StatusText(status), media)
	for _, h := range header {
		b.WriteString(h + "\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// chunks returns a body in one chunk, with its end or without.
func chunks(body []byte, end bool) []byte {
	var b []byte
	if len(body) > 0 {
		b = append(b, strconv.FormatInt(int64(len(body)), 16)+"\r\n"...)
		b = append(b, body...)
		b = append(b, "\r\n"...)
	}
	if end {
		b = append(b, "0\r\n\r\n"...)
	}
	return b
}

// StopAfter returns a transport that calls stop when this many events of a stream, which end with blank
// lines, have been read. So a reply is stopped in its middle whatever the speed of the server. A time
// limit cannot do that.
func StopAfter(rt http.RoundTripper, events int, stop func()) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		res, err := rt.RoundTrip(r)
		if err == nil {
			res.Body = &stopping{ReadCloser: res.Body, left: events, stop: stop}
		}
		return res, err
	})
}

// A stopping is a body that calls stop after a number of events.
type stopping struct {
	io.ReadCloser
	last byte // that was read
	left int  // the number of events before stop
	stop func()
}

func (s *stopping) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	for _, b := range p[:n] {
		if b == '\n' && s.last == '\n' {
			if s.left--; s.left == 0 {
				s.stop()
			}
		}
		s.last = b
	}
	return n, err
}

// A server is a server on loopback that controls every byte of its responses.
type server struct {
	url      string
	requests atomic.Int64 // whose bodies were read to the end
	conns    atomic.Int64
}

// serve starts a server. handle writes the response to a request and reports whether the connection
// is kept.
func serve(t *testing.T, handle func(w io.Writer, r *http.Request) (keep bool)) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{url: "http://" + l.Addr().String() + "/v1"}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.conns.Add(1)
			open.Go(func() {
				defer conn.Close()
				// Closing the listener does not close the connections that it accepted.
				stop := make(chan struct{})
				defer close(stop)
				go func() {
					select {
					case <-t.Context().Done():
						conn.Close()
					case <-stop:
					}
				}()
				s.talk(conn, handle)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		open.Wait()
	})
	return s
}

// talk answers the requests of one connection.
func (s *server) talk(conn net.Conn, handle func(io.Writer, *http.Request) bool) {
	in := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		s.requests.Add(1)
		if !handle(conn, req) {
			return
		}
	}
}
