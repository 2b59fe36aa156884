package fake_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/fake"
)

// A writer is a model that writes its reply in pieces. It goes on with the next one when the client
// has the last one.
type writer struct {
	reasoning, text []string
	err             error // after the last piece
	final           string
	next            chan struct{}
	left            chan struct{} // closed when Ask has returned
}

func (m *writer) Ask(ctx context.Context, _ *verbatim.Request, reply *verbatim.Reply) error {
	defer close(m.left)
	var parts [2]string
	for i, pieces := range [][]string{m.reasoning, m.text} {
		for _, piece := range pieces {
			if parts[i] += piece; verbatim.Partial(ctx) != nil {
				verbatim.Partial(ctx)([]byte(parts[1]), []byte(parts[0]))
			}
			select {
			case <-m.next:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	completion := int64(7)
	*reply = verbatim.Reply{Text: parts[1] + m.final, Reasoning: parts[0], Finish: verbatim.FinishLength, Usage: verbatim.Usage{Completion: &completion}}
	return m.err
}

// A reading is a body that is read as it comes.
type reading struct {
	chunks chan string
	got    string
	err    error // at the end, except io.EOF
}

func readAsItComes(body io.Reader) *reading {
	r := &reading{chunks: make(chan string, 1000)}
	go func() {
		defer close(r.chunks)
		for buffer := make([]byte, 1<<10); ; {
			n, err := body.Read(buffer)
			if r.chunks <- string(buffer[:n]); err != nil {
				if err != io.EOF {
					r.err = err
				}
				return
			}
		}
	}()
	return r
}

// until waits for a text, or for the end if that does not come.
func (r *reading) until(text string) {
	for text == "" || !strings.Contains(r.got, text) {
		chunk, more := <-r.chunks
		if r.got += chunk; !more {
			return
		}
	}
}

// A stream passes on what the model writes as it comes, in every protocol: reasoning and text, in whole
// characters. The end says what the model says, also that it failed.
func TestPassedOnAsItComes(t *testing.T) {
	for _, c := range clients() {
		for _, m := range []*writer{
			{text: []string{"one ", "two å"[:5], "å three"[1:]}},
			{reasoning: []string{"hm ", "so "}, text: []string{"one ", "two"}, final: "!"},
			{text: []string{"one ", "two"}, err: &verbatim.Failure{Class: verbatim.Cut, Err: errors.New("broken off")}},
		} {
			synctest.Test(t, func(t *testing.T) {
				m.next, m.left = make(chan struct{}), make(chan struct{})
				s := ready(t, fake.Config{Model: m, Any: true})
				transport, stop := inMemory(s)
				defer stop()
				res, err := c.send(t, transport, "http://fake.test", "q", true)
				if err != nil {
					t.Fatal(err)
				}
				defer res.Body.Close()
				body := readAsItComes(res.Body)
				for _, piece := range slices.Concat(m.reasoning, m.text) {
					if utf8.ValidString(piece) && len(piece) > 0 && strings.TrimSpace(piece) == strings.TrimRight(piece, " ") { // a whole one
						body.until(strings.TrimSpace(piece))
					}
					m.next <- struct{}{}
				}
				body.until("")
				if body.err != nil {
					t.Fatal(body.err)
				}
				a, err := c.read([]byte(body.got), true)
				counts := s.Counts()
				if m.err != nil {
					if err == nil || !strings.Contains(body.got, "broken off") || counts.Answered != 0 || counts.Broken != 1 {
						t.Errorf("%s: the failure is not passed on: %v, %+v, %s", c.name, err, counts, body.got)
					}
					return
				}
				finishes := map[string]string{"chat": "length", "responses": "incomplete", "anthropic": "max_tokens", "gemini": "MAX_TOKENS", "ollama": "length"}
				if err != nil || a.text != strings.Join(m.text, "")+m.final || a.reasoning != strings.Join(m.reasoning, "") || a.finish != finishes[c.name] || !a.counted {
					t.Errorf("%s: %+v, %v in %s", c.name, a, err, body.got)
				}
				if counts.Answered != 1 || counts.Broken != 0 || counts.CompletionTokens != 7 {
					t.Errorf("%s: counted as %+v", c.name, counts)
				}
			})
		}
	}
}

// A model that fails before its first piece is answered with a status. A client that leaves ends the model.
func TestEndsOfWhatComes(t *testing.T) {
	c := clients()[0]
	start := func(t *testing.T, m *writer) (*http.Response, *fake.Server, func()) {
		m.next, m.left = make(chan struct{}), make(chan struct{})
		s := ready(t, fake.Config{Model: m, Any: true})
		transport, stop := inMemory(s)
		res, err := c.send(t, transport, "http://fake.test", "q", true)
		if err != nil {
			t.Fatal(err)
		}
		return res, s, stop
	}
	synctest.Test(t, func(t *testing.T) {
		res, s, stop := start(t, &writer{err: &verbatim.Failure{Class: verbatim.Rate, Status: 429, Err: errors.New("slow down")}})
		defer stop()
		if body := get(t, res, nil); res.StatusCode != 429 || !strings.Contains(body, "slow down") || s.Counts().Refused != 1 {
			t.Errorf("status %d: %s", res.StatusCode, body)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		m := &writer{text: []string{"one", "two"}}
		res, s, stop := start(t, m)
		readAsItComes(res.Body).until("one")
		res.Body.Close()
		stop()
		<-m.left
		synctest.Wait()
		if n := s.Counts(); n.Broken != 1 || n.Answered != 0 {
			t.Errorf("%+v", n)
		}
	})
}
