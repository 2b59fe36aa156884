package cli

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/fake"
	"verbatim/internal/obedient"
)

// TestFailingUpstream: a router one of whose upstreams refuses every request, so that the other one
// answers the retries. Every format of a report names the one that failed, and so does verify.
func TestFailingUpstream(t *testing.T) {
	t.Parallel()
	var list []fake.Upstream
	for _, up := range []string{"north", "east", "west"} {
		list = append(list, fake.Upstream{Name: up})
	}
	model, err := obedient.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := fake.New(fake.Config{Model: model, Any: true, Upstreams: append(list, fake.Upstream{Name: "south", Fails: true})})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	db := filepath.Join(t.TempDir(), "x.db")
	name := server.URL + "/v1#m"
	if r := invoke(t, db, "run", "--model", name, "--task", "copy", "--length", "4", "--items", "40", "--concurrency", "12", "-q"); r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	for format, want := range map[string][]string{
		"text": {"upstreams east", "south 0 answers, ", " failed (overload ", "! Upstream south answered no request: "},
		"md":   {"south 0 answers, ", "Upstream south answered no request: "},
		"csv":  {",upstream,failed_requests,failed_attempts,failed_classes", ",south,", ",overload:"},
		"json": {`"name": "south"`, `"failed": {`, `"name": "overload"`, `"kind": "upstream_failed"`},
		"html": {"failed attempts", "south", "overload"},
	} {
		r := invoke(t, db, "report", "1", "--format", format)
		for _, w := range want {
			if !strings.Contains(r.out, w) {
				t.Errorf("%s lacks %q", format, w)
			}
		}
	}
	if r := invoke(t, db, "show", "1", "--full"); !strings.Contains(r.out, "overload (HTTP 503) · by south") {
		t.Error("show does not say which upstream failed an attempt")
	}
	r := invoke(t, db, "verify", "sim:obedient", name, "--items", "20", "--task", "copy", "--length", "4", "--no-logprobs", "--mix-upstreams", "--json")
	if want := `An upstream of ` + name + ` failed: south: `; !strings.Contains(r.out, want) {
		t.Errorf("verify lacks %q in %s", want, r.out)
	}
}
