package fake_test

import (
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/fake"
)

// A page of another site that makes a browser send requests gets no answer of any protocol, and no
// permission to send other ones: an answer may cost money.
func TestPagesOfOtherSites(t *testing.T) {
	s := ready(t, fake.Config{Echo: true, Hosts: []string{"tunnel.example"}})
	base := onLoopback(t, s)
	here := strings.TrimPrefix(base, "http://")
	forms := map[string]string{"chat": "error.type", "responses": "error.type", "anthropic": "error.type", "gemini": "error.status", "ollama": "error"}
	for _, c := range clients() {
		for _, a := range []struct {
			name, method string
			headers      map[string]string
			status       int
		}{
			{"as a client", "POST", nil, 200},
			{"of the server's own page", "POST", map[string]string{"Origin": base}, 200},
			{"by the name of this machine", "POST", map[string]string{"Host": strings.Replace(here, "127.0.0.1", "localhost", 1)}, 200},
			{"by a name that the user allows", "POST", map[string]string{"Host": "Tunnel.example", "Origin": "https://tunnel.example"}, 200},
			{"JSON with a character set", "POST", map[string]string{"Content-Type": "application/json; charset=utf-8"}, 200},
			{"of another site", "POST", map[string]string{"Origin": "https://site.example"}, 403},
			{"of another port", "POST", map[string]string{"Origin": "http://127.0.0.1:1"}, 403},
			{"of a page without origin", "POST", map[string]string{"Origin": "null"}, 403},
			{"by a name that another site gave to this machine", "POST", map[string]string{"Host": "site.example", "Origin": "http://site.example"}, 403},
			{"by that name from a client", "POST", map[string]string{"Host": "site.example:8080"}, 403},
			{"by an address of another machine", "POST", map[string]string{"Host": "192.0.2.1"}, 403},
			{"of a form", "POST", map[string]string{"Content-Type": "text/plain"}, 415},
			{"without a content type", "POST", map[string]string{"Content-Type": ""}, 415},
			{"for permission", "OPTIONS", map[string]string{"Origin": "https://site.example", "Access-Control-Request-Method": "POST"}, 403},
			{"for permission of the own page", "OPTIONS", map[string]string{"Origin": base, "Access-Control-Request-Method": "POST"}, 405},
		} {
			r, err := http.NewRequestWithContext(t.Context(), a.method, base+c.path[0], strings.NewReader(strings.NewReplacer("%s", `"q"`, "%v", "false").Replace(c.body)))
			if err != nil {
				t.Fatal(err)
			}
			asJSON(r).Header.Set("Anthropic-Version", "2023-06-01")
			for name, value := range a.headers {
				r.Header.Set(name, value)
			}
			if host := a.headers["Host"]; host != "" {
				r.Host = host
			}
			if r.Header.Get("Content-Type") == "" {
				r.Header.Del("Content-Type")
			}
			answered := s.Counts().Answered
			res, err := http.DefaultClient.Do(r)
			body := get(t, res, err)
			if res.StatusCode != a.status || (s.Counts().Answered > answered) != (a.status == 200) {
				t.Errorf("%s, a request %s: status %d, want %d\n%s", c.name, a.name, res.StatusCode, a.status, body)
			}
			for name := range res.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s, a request %s: header %s", c.name, a.name, name)
				}
			}
			if a.status != 200 && str(parsed(t, body), keys(forms[c.name])...) == "" {
				t.Errorf("%s, a request %s: not an error of this protocol:\n%s", c.name, a.name, body)
			}
		}
	}
}
