package modeltest

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

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
