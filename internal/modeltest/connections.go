package modeltest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/httpconn"
	"verbatim/internal/wire"
)

// connected returns an endpoint at a URL that is reached through real connections.
func connected(t *testing.T, h Harness, url string) wire.Endpoint {
	transport := httpconn.NewDirect(httpconn.NewTransport())
	t.Cleanup(transport.CloseIdleConnections)
	e := endpoint(h, transport)
	e.BaseURL = url
	return e
}

// Some servers close the connection after every stream without announcing it. A request that is
// written on it at that moment must not fail and not be served twice, whether it is short or too
// long for the buffers of the network.
func testClosedUnannounced(t *testing.T, h Harness) {
	b := h.Answer(Scene{Text: []string{"abc"}, Finish: verbatim.FinishStop})
	raw := Response(200, b.Type, b.Bytes)
	s := serve(t, func(w io.Writer, r *http.Request) bool {
		w.Write(raw)
		return false
	})
	e := connected(t, h, s.url)
	asked := int64(0)
	for _, c := range []struct {
		bytes, workers, times int
	}{{10, 1, exhaustive.Of(40, 150)}, {10, 4, exhaustive.Of(15, 50)}, {2 << 20, 1, exhaustive.Of(4, 10)}} {
		question := prompt(strings.Repeat("x", c.bytes))
		var workers sync.WaitGroup
		for range c.workers {
			workers.Go(func() {
				for range c.times {
					if r, err := h.Ask(t.Context(), e, question); err != nil || r.Text != "abc" {
						t.Errorf("%d bytes, %d workers: text %q, %v", c.bytes, c.workers, r.Text, err)
						return
					}
				}
			})
		}
		workers.Wait()
		asked += int64(c.workers * c.times)
	}
	if n := s.requests.Load(); n != asked && !t.Failed() {
		t.Errorf("the server answered %d requests, %d were asked", n, asked)
	}
}

// A request to a server that reads it and closes the connection is not sent again.
func testClosedUnanswered(t *testing.T, h Harness) {
	s := serve(t, func(w io.Writer, r *http.Request) bool { return false })
	e := connected(t, h, s.url)
	_, err := h.Ask(t.Context(), e, prompt("q"))
	failure(t, err, verbatim.Transport)
	if n := s.requests.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// A request whose response has begun is not sent again either.
func testClosedInHeader(t *testing.T, h Harness) {
	b := h.Answer(Scene{Text: []string{"abc"}, Finish: verbatim.FinishStop})
	var served atomic.Int64
	s := serve(t, func(w io.Writer, r *http.Request) bool {
		if served.Add(1) > 1 {
			io.WriteString(w, "HTTP/1.1 200 O")
			return false
		}
		w.Write(Response(200, b.Type, b.Bytes))
		return true
	})
	e := connected(t, h, s.url)
	if _, err := h.Ask(t.Context(), e, prompt("q")); err != nil {
		t.Fatal(err)
	}
	_, err := h.Ask(t.Context(), e, prompt("q"))
	failure(t, err, verbatim.Transport)
	if n := s.requests.Load(); n != 2 {
		t.Errorf("%d requests", n)
	}
}

// A connection that the server keeps is used again. The time to make one would be a part of every
// measured time.
func testKeepsConnection(t *testing.T, h Harness) {
	b := h.Answer(Scene{Text: []string{"abc"}, Finish: verbatim.FinishStop})
	s := serve(t, func(w io.Writer, r *http.Request) bool {
		// The end of the body comes on its own and a little later, as many servers
		// send it.
		w.Write(append(chunkedHead(200, b.Type), chunks(b.Bytes, false)...))
		time.Sleep(5 * time.Millisecond)
		w.Write([]byte("0\r\n\r\n"))
		return true
	})
	e := connected(t, h, s.url)
	for range 20 {
		if r, err := h.Ask(t.Context(), e, prompt("q")); err != nil || r.Text != "abc" {
			t.Fatalf("text %q, %v", r.Text, err)
		}
	}
	// The end is waited for a fifth of a second, which a busy machine may exceed now and then.
	if n := s.conns.Load(); n > 4 {
		t.Errorf("%d connections for 20 requests", n)
	}
}

// events returns the response of a scene in pieces: its header, and parts of its body, each after a
// pause.
func events(h Harness, s Scene, pause time.Duration) []Piece {
	b := h.Answer(s)
	pieces := []Piece{{Bytes: chunkedHead(200, b.Type)}}
	step := len(b.Bytes)/8 + 1
	for i := 0; i < len(b.Bytes); i += step {
		pieces = append(pieces, Piece{After: pause, Bytes: chunks(b.Bytes[i:min(i+step, len(b.Bytes))], false)})
	}
	return append(pieces, Piece{Bytes: []byte("0\r\n\r\n")})
}

func testCancel(t *testing.T, h Harness) {
	scene := Scene{Text: []string{"abc", "def"}, Finish: verbatim.FinishStop}
	for _, keep := range []int{0, 1, 5} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Minute, cancel)
			pieces := append(events(h, scene, time.Second)[:keep:keep], Piece{Hang: true})
			start := time.Now()
			_, err := h.Ask(ctx, endpoint(h, Tape(pieces...)), prompt("q"))
			if failure(t, err, verbatim.Deadline); !errors.Is(err, context.Canceled) {
				t.Errorf("after %d pieces: %v does not say that it was stopped", keep, err)
			}
			if d := time.Since(start); d != time.Minute {
				t.Errorf("after %d pieces: it came back after %v", keep, d)
			}
		})
	}
}

// The time limit of an attempt holds also while new events arrive.
func testTotal(t *testing.T, h Harness) {
	synctest.Test(t, func(t *testing.T) {
		e := endpoint(h, Tape(events(h, Scene{Text: strings.Split("abcdefghij", ""), Finish: verbatim.FinishStop}, time.Minute)...))
		e.Total = 3*time.Minute + time.Second
		start := time.Now()
		_, err := h.Ask(t.Context(), e, prompt("q"))
		f := failure(t, err, verbatim.Deadline)
		if f.Hint == "" || errors.Is(err, context.Canceled) || !strings.Contains(f.Error(), "3m1s") {
			t.Errorf("%v, hint %q", f, f.Hint)
		}
		if d := time.Since(start); d != e.Total {
			t.Errorf("it came back after %v", d)
		}
	})
}

// The idle limit ends a silent stream, not a slow one. Events that only keep the connection alive
// count as silence.
func testIdle(t *testing.T, h Harness) {
	if !h.Stream {
		t.Skip("a plain answer comes in one piece")
	}
	scene := Scene{Text: strings.Split("abcdefghij", ""), Finish: verbatim.FinishStop}
	synctest.Test(t, func(t *testing.T) {
		e := endpoint(h, Tape(events(h, scene, 25*time.Second)...))
		e.Idle = time.Minute
		if r, err := h.Ask(t.Context(), e, prompt("q")); err != nil || r.Text != "abcdefghij" {
			t.Errorf("slow: text %q, %v", r.Text, err)
		}
	})
	for _, keep := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := h.Answer(scene)
			pieces := []Piece{{Bytes: chunkedHead(200, b.Type)}}
			if keep {
				whole := bytes.LastIndexByte(b.Bytes[:len(b.Bytes)/2], '\n') + 1
				pieces = append(pieces, Piece{Bytes: chunks(b.Bytes[:whole], false)})
			}
			for range 100 {
				pieces = append(pieces, Piece{After: 10 * time.Second, Bytes: chunks(h.KeepAlive, false)})
			}
			e := endpoint(h, Tape(pieces...))
			e.Idle = time.Minute
			start := time.Now()
			_, err := h.Ask(t.Context(), e, prompt("q"))
			f := failure(t, err, verbatim.Deadline)
			if d := time.Since(start); d != time.Minute {
				t.Errorf("it came back after %v: %v", d, err)
			}
			if p := f.Attempts[0].Partial; keep && p == "" || !strings.HasPrefix("abcdefghij", p) {
				t.Errorf("what had arrived became %q", p)
			}
		})
	}
}
