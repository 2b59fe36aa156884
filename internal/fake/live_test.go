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

// readUntil reads a body until it has a text, and returns what it has read.
func readUntil(t *testing.T, r io.Reader, text string) string {
	t.Helper()
	var got []byte
	buffer := make([]byte, 1<<10)
	for !strings.Contains(string(got), text) {
		n, err := r.Read(buffer)
		if got = append(got, buffer[:n]...); err != nil {
			t.Fatalf("%v before %q came: %s", err, text, got)
		}
	}
	return string(got)
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
				body := ""
				for _, piece := range slices.Concat(m.reasoning, m.text) {
					if utf8.ValidString(piece) && len(piece) > 0 && strings.TrimSpace(piece) == strings.TrimRight(piece, " ") { // a whole one
						body += readUntil(t, res.Body, strings.TrimSpace(piece))
					}
					m.next <- struct{}{}
				}
				rest, err := io.ReadAll(res.Body)
				if err != nil {
					t.Fatal(err)
				}
				a, err := c.read([]byte(body+string(rest)), true)
				counts := s.Counts()
				if m.err != nil {
					if err == nil || !strings.Contains(string(rest), "broken off") || counts.Answered != 0 || counts.Broken != 1 {
						t.Errorf("%s: the failure is not passed on: %v, %+v, %s", c.name, err, counts, rest)
					}
					return
				}
				finishes := map[string]string{"chat": "length", "responses": "incomplete", "anthropic": "max_tokens", "gemini": "MAX_TOKENS", "ollama": "length"}
				if err != nil || a.text != strings.Join(m.text, "")+m.final || a.reasoning != strings.Join(m.reasoning, "") || a.finish != finishes[c.name] || !a.counted {
					t.Errorf("%s: %+v, %v in %s", c.name, a, err, body+string(rest))
				}
				if counts.Answered != 1 || counts.Broken != 0 || counts.CompletionTokens != 7 {
					t.Errorf("%s: counted as %+v", c.name, counts)
				}
			})
		}
	}
}

// A model that fails before its first piece is answered with a status; a stop sequence ends the model,
// and so does a client that leaves.
func TestEndsOfWhatComes(t *testing.T) {
	c := clients()[2] // Anthropic's, which names the stop sequence
	start := func(t *testing.T, m *writer, members string) (*http.Response, *fake.Server, func()) {
		m.next, m.left = make(chan struct{}), make(chan struct{})
		s := ready(t, fake.Config{Model: m, Any: true})
		transport, stop := inMemory(s)
		body := strings.Replace(c.with(`"stream":true`+members), `"stream":false,`, "", 1)
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://fake.test"+c.path[1], strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		asJSON(r).Header.Set("Anthropic-Version", "2023-06-01")
		res, err := transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		return res, s, stop
	}
	synctest.Test(t, func(t *testing.T) {
		res, s, stop := start(t, &writer{err: &verbatim.Failure{Class: verbatim.Rate, Status: 429, Err: errors.New("slow down")}}, "")
		defer stop()
		if body := get(t, res, nil); res.StatusCode != 429 || !strings.Contains(body, "rate_limit_error") || s.Counts().Refused != 1 {
			t.Errorf("status %d: %s", res.StatusCode, body)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		m := &writer{text: []string{"one tw", "o thr", "never"}}
		res, s, stop := start(t, m, `,"stop_sequences":["zz","two t"]`)
		defer stop()
		body := readUntil(t, res.Body, "one ")
		if strings.Contains(body, "tw") {
			t.Errorf("what may begin the stop sequence is passed on: %s", body)
		}
		m.next <- struct{}{}
		body += get(t, res, nil)
		<-m.left // though nobody let it go on
		a, err := c.read([]byte(body), true)
		if err != nil || a.text != "one " || a.finish != "stop_sequence" || !strings.Contains(body, `"stop_sequence":"two t"`) || s.Counts().Answered != 1 {
			t.Errorf("%+v, %v in %s", a, err, body)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		m := &writer{text: []string{"one", "two"}}
		res, s, stop := start(t, m, "")
		readUntil(t, res.Body, "one")
		res.Body.Close()
		stop()
		<-m.left
		synctest.Wait()
		if n := s.Counts(); n.Broken != 1 || n.Answered != 0 {
			t.Errorf("%+v", n)
		}
	})
}
