package fake_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/httpconn"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// On a socket a reset is a reset, before an answer and within one, and a closed
// connection ends without one.
func TestResets(t *testing.T) {
	for _, c := range []struct {
		fault  string
		reset  bool
		status int
	}{{"reset", true, 0}, {"hangup", false, 0}, {"cut,at=100,end=reset", true, 200}, {"cut,at=100,end=short", false, 200}} {
		for _, stream := range []string{"false", "true"} {
			base := onLoopback(t, ready(t, fake.Config{Echo: true, Faults: faults(t, c.fault)}))
			transport := &http.Transport{}
			res, err := (&http.Client{Transport: transport}).Post(base+"/v1/chat/completions", "", strings.NewReader(`{"stream":`+stream+`,"messages":[{"role":"user","content":"`+strings.Repeat("long ", 400)+`"}]}`))
			status := 0
			if err == nil {
				status = res.StatusCode
				_, err = io.ReadAll(res.Body)
				res.Body.Close()
			}
			if err == nil || errors.Is(err, syscall.ECONNRESET) != c.reset || status != c.status {
				t.Errorf("%s, stream %s: status %d, %v", c.fault, stream, status, err)
			}
			transport.CloseIdleConnections()
		}
	}
}

// A connection that is closed behind the client's back is not a server that
// is away: our client asks again on another one.
func TestCloses(t *testing.T) {
	for _, stream := range []bool{false, true} {
		s := ready(t, fake.Config{Echo: true, Faults: faults(t, "closes:0.5")})
		base := onLoopback(t, s)
		transport := httpconn.NewDirect(httpconn.NewTransport())
		for i := range 40 {
			text := strings.Repeat("x", i+1)
			reply, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, base, stream), says(text), 0, verbatim.Params{})
			if err != nil || reply.Text != text {
				t.Errorf("request %d: %q, %v", i, reply.Text, err)
			}
		}
		transport.CloseIdleConnections()
		if c := s.Counts(); c.Answered != 40 || c.Faults["closes"] < 8 {
			t.Errorf("%+v", c)
		}
	}
}

// Many at once lose nothing and count right.
func TestManyAtOnce(t *testing.T) {
	s := ready(t, fake.Config{Echo: true, Faults: faults(t, "500:0.2,tries=1 cut:0.1,tries=1")})
	base := onLoopback(t, s)
	transport := httpconn.NewDirect(httpconn.NewTransport())
	defer transport.CloseIdleConnections()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 25 {
				text := strings.Repeat("y", w*25+i+1)
				for attempt := 0; ; attempt++ {
					reply, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, base, i%2 == 0), says(text), 0, verbatim.Params{})
					if err == nil && reply.Text == text {
						break
					}
					if attempt > 0 {
						t.Errorf("try %d: %v", attempt, err)
						break
					}
				}
			}
		})
	}
	wg.Wait()
	c := s.Counts()
	if c.Answered != 200 || c.Prompts != 200 || c.Twice != 0 || c.Refused != c.Faults["500"] || c.Broken != c.Faults["cut"] || c.Requests != 200+c.Refused+c.Broken || c.Peak > 8 {
		t.Errorf("%+v", c)
	}
}
