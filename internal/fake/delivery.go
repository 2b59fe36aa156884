package fake

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"strconv"
	"time"

	"verbatim/internal/rawjson"
)

// A delivery sends a script.
type delivery struct {
	config   *Config
	clock    clock
	counts   *counter
	w        http.ResponseWriter
	ctx      context.Context
	request  *request
	script   *script
	slowness float64
	whole    bool // the script is a whole answer

	announced  int           // the Content-Length; -1: no such header
	end        string        // as Fault.End
	stallAt    int           // the index of the piece before which it stalls; -1: none
	stallFor   time.Duration // 0 is endless
	every      time.Duration // the wait before each piece or comment
	comment    string        // sent endlessly instead of the script; "": the script is sent
	closeAfter bool          // the connection is closed afterwards

	next int   // the index of the first piece that is not sent
	sent int   // bytes of the script
	err  error // of what was sent while the script was written
}

// follow sends the pieces of a script while it is written, as long as the model writes the reply. The
// others come after the end: only then the last one is known.
func (d *delivery) follow(r *reply) {
	l := r.live
	if l == nil {
		return
	}
	d.script.flushed = func() {
		if d.err == nil && !l.over {
			d.err = d.sendPieces(false)
		}
	}
}

// deliver sends the script and counts the answer.
func (d *delivery) deliver() {
	if !d.whole {
		d.counts.Broken.Add(1)
	}
	if err := d.send(); err != nil {
		if d.whole {
			d.counts.Broken.Add(1)
		}
		return
	}
	switch {
	case d.end == "reset":
		closeConnection(d.w, true)
	case d.end == "short" && d.announced < 0:
		closeConnection(d.w, false)
	}
}

func (d *delivery) send() error {
	switch {
	case d.comment != "":
		return d.sendComments()
	case d.closeAfter:
		return d.sendAndClose()
	}
	if d.announced >= 0 {
		d.w.Header()["Content-Length"] = []string{strconv.Itoa(d.announced)}
	}
	if d.err != nil {
		return d.err
	}
	return d.sendPieces(true)
}

// sendPieces sends the pieces that are not sent yet. ended says that no others follow.
func (d *delivery) sendPieces(ended bool) error {
	if d.next == 0 {
		d.w.WriteHeader(http.StatusOK)
	}
	control := http.NewResponseController(d.w)
	for ; d.next < len(d.script.pieces); d.next++ {
		p := d.script.pieces[d.next]
		if err := d.wait(d.next, p); err != nil {
			return err
		}
		last := ended && d.whole && d.next == len(d.script.pieces)-1
		if last {
			d.counts.addAnswered(d.request.key, 1)
		}
		_, err := d.w.Write(d.script.b[d.sent:p.end])
		if err == nil {
			err = control.Flush()
		}
		if err != nil {
			if last {
				d.counts.addAnswered(d.request.key, -1)
			}
			return err
		}
		d.sent = p.end
	}
	return nil
}

// wait waits before the piece p with the index i.
func (d *delivery) wait(i int, p piece) error {
	if i == d.stallAt {
		if err := d.stall(); err != nil {
			return err
		}
	}
	if d.every > 0 {
		if err := Sleep(d.ctx, d.every); err != nil {
			return err
		}
	}
	if token := d.config.Pace.Token; token > 0 && p.tokens > 0 {
		return d.clock.Sleep(d.ctx, scale(time.Duration(p.tokens)*token, d.slowness))
	}
	return nil
}

func (d *delivery) stall() error {
	if d.stallFor > 0 {
		return Sleep(d.ctx, d.stallFor)
	}
	<-d.ctx.Done()
	return d.ctx.Err()
}

// sendComments sends comments until the client goes away.
func (d *delivery) sendComments() error {
	control := http.NewResponseController(d.w)
	for {
		if _, err := d.w.Write([]byte(d.comment)); err != nil {
			return err
		}
		if err := control.Flush(); err != nil {
			return err
		}
		if err := Sleep(d.ctx, d.every); err != nil {
			return err
		}
	}
}

// sendAndClose sends the whole response and closes the connection. No header announces that.
func (d *delivery) sendAndClose() error {
	if err := Sleep(d.ctx, scale(time.Duration(d.script.tokens())*d.config.Pace.Token, d.slowness/d.clock.Factor)); err != nil {
		return err
	}
	conn, buffer, err := http.NewResponseController(d.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer conn.Close()
	d.counts.addAnswered(d.request.key, 1)
	h := d.w.Header()
	if d.announced >= 0 {
		h["Content-Length"] = []string{strconv.Itoa(d.announced)}
	} else {
		h["Transfer-Encoding"] = []string{"chunked"}
	}
	fmt.Fprint(buffer, "HTTP/1.1 200 OK\r\n")
	h.Write(buffer)
	fmt.Fprint(buffer, "\r\n")
	if d.announced >= 0 {
		buffer.Write(d.script.b)
	} else if err := writeChunks(buffer.Writer, d.script); err != nil {
		return err
	}
	return buffer.Flush()
}

func writeChunks(w *bufio.Writer, s *script) error {
	chunked := httputil.NewChunkedWriter(w)
	var errs []error
	s.eachPiece(func(text []byte, _ piece) {
		_, err := chunked.Write(text)
		errs = append(errs, err)
	})
	errs = append(errs, chunked.Close())
	_, err := w.WriteString("\r\n")
	return errors.Join(append(errs, err)...)
}

// closeConnection closes the connection without another byte: with a reset, or in the usual way.
func closeConnection(w http.ResponseWriter, reset bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if t, ok := conn.(*net.TCPConn); ok && reset {
		t.SetLinger(0)
	}
	conn.Close()
}

func scale(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }

// A Pace says how long answers take. The zero value takes no time.
type Pace struct {
	// Latency is the median of the time until the first byte. The time is log-normal; Spread
	// is the standard deviation of its logarithm.
	Latency time.Duration
	Spread  float64
	Token   time.Duration // for each token of the answer
	// Knee is the number of requests in flight above which all of these times grow in
	// proportion to it; 0: they do not grow.
	Knee int
	// clock is how many times faster than real time the clock runs; 0 is 1.
	Clock float64
}

// Delay draws the time until the first byte.
func (p *Pace) delay(rng *rand.Rand) time.Duration {
	if p.Latency <= 0 {
		return 0
	}
	d := float64(p.Latency)
	if p.Spread > 0 {
		d *= math.Exp(p.Spread * rng.NormFloat64())
	}
	return time.Duration(min(d, float64(24*time.Hour)))
}

// Slowness returns the factor of all times for a number of requests in flight.
func (p *Pace) slowness(inFlight int64) float64 {
	if p.Knee > 0 {
		return max(1, float64(inFlight)/float64(p.Knee))
	}
	return 1
}

// A script is the bytes of a response's body, and where they are flushed.
type script struct {
	b       []byte
	pieces  []piece
	flushed func() // called after each piece; nil: nobody waits for them
}

// A piece is a part of a script that is sent at once. It begins where the one before it ends.
type piece struct {
	end    int
	tokens int64 // of the answer, which take time
}

// flush ends a piece with a number of tokens of the answer, unless it has no bytes.
func (s *script) flush(tokens int64) {
	if n := len(s.pieces); n > 0 && s.pieces[n-1].end == len(s.b) {
		return
	}
	s.pieces = append(s.pieces, piece{len(s.b), tokens})
	if s.flushed != nil {
		s.flushed()
	}
}

func (s *script) add(parts ...string) {
	for _, p := range parts {
		s.b = append(s.b, p...)
	}
}

func (s *script) addString(text string) { s.b = rawjson.AppendString(s.b, text) }

// tokens returns the tokens of the answer in the whole script.
func (s *script) tokens() (n int64) {
	for _, p := range s.pieces {
		n += p.tokens
	}
	return n
}

// eachPiece calls do for each piece with its bytes.
func (s *script) eachPiece(do func(text []byte, p piece)) {
	start := 0
	for _, p := range s.pieces {
		do(s.b[start:p.end], p)
		start = p.end
	}
}

// appendText appends before, which ends in the name of a member, and text as a JSON string.
func appendText(b []byte, before, text string) []byte {
	return rawjson.AppendString(append(b, before...), text)
}
