package conformance

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"verbatim/internal/modeltest"
)

// A sample is an answer that both sides read.
type sample struct {
	name   string
	stream bool   // whether a stream was asked for
	media  string // "" is the one that belongs to the form
	body   string
	// short is the number of bytes that are in the Content-Length but are not sent.
	short int
	want  reading // the right reading, which is ours
	// why is the name of a divergence, "" for none: the SDK reads theirs.
	why    string
	theirs reading
}

// differ serves every sample to both sides, from a server on loopback.
func (p pair) differ(t *testing.T, samples []sample) {
	if len(samples) < 10 {
		t.Fatalf("only %d samples", len(samples))
	}
	named, seen := 0, map[string]bool{}
	for _, c := range samples {
		form := map[bool]string{true: "stream", false: "plain"}[c.stream]
		if seen[form+c.name] {
			t.Errorf("%s: two samples of this name", c.name)
		}
		seen[form+c.name] = true
		t.Run(form+"/"+c.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(c.serve))
			defer s.Close()
			transport := &http.Transport{DisableCompression: true}
			defer transport.CloseIdleConnections()
			ours := p.readOurs(t.Context(), s.URL, transport, plain(c.stream))
			theirs := p.readTheirs(t.Context(), s.URL, transport, plain(c.stream))
			if !ours.same(c.want) || ours.Failed != c.want.Failed {
				t.Errorf("we read\n\t%v,\nwant\n\t%v", ours, c.want)
			}
			switch {
			case c.why == "" && !theirs.same(c.want):
				t.Errorf("%s reads\n\t%v,\nwant\n\t%v", p.sdk, theirs, c.want)
			case c.why != "" && theirs.same(c.want):
				t.Errorf("%q is gone: %s reads it as we do; remove the divergence from the list", c.why, p.sdk)
			case c.why != "" && !theirs.same(c.theirs):
				t.Errorf("%q: %s reads\n\t%v,\nwant\n\t%v", c.why, p.sdk, theirs, c.theirs)
			}
		})
		if c.why != "" {
			named++
		}
	}
	t.Logf("%s: %d samples, %d of them with a divergence of %s", p.name, len(samples), named, p.sdk)
}

// serve sends the sample.
func (c sample) serve(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	media := c.media
	if media == "" {
		media = map[bool]string{true: "text/event-stream", false: "application/json"}[c.stream]
	}
	w.Header().Set("Content-Type", media)
	if c.short > 0 {
		w.Header().Set("Content-Length", fmt.Sprint(len(c.body)+c.short))
	}
	io.WriteString(w, c.body)
}

// events returns server-sent events that have only data.
func events(data ...string) string {
	return "data: " + strings.Join(data, "\n\ndata: ") + "\n\n"
}

// quote returns s as a JSON string.
func quote(s string) string { return modeltest.JSONText(s) }
