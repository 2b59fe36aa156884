package cli

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A server that was found on a usual port is sent no key until a person names it: any
// program may listen there. This holds for a test against such a run, too.
func TestDiscoveredServerGetsNoKey(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:30000")
	if err != nil {
		t.Skip("the port is taken:", err)
	}
	const key = "vk-Zq7rT2mXv9LpWc4Jh8Yb3Nd6"
	var mu sync.Mutex
	keys, asked := 0, 0
	answer := answering("x")
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked++
		for _, values := range r.Header {
			if strings.Contains(strings.Join(values, " "), key) {
				keys++
			}
		}
		mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/models") {
			w.Write([]byte(`{"object":"list","data":[{"id":"m"}]}`))
			return
		}
		answer(w, r)
	})}}
	server.Start()
	defer server.Close()

	dir := t.TempDir()
	vars := map[string]string{"VERBATIM_DB": filepath.Join(dir, "x.db"), "XDG_CONFIG_HOME": dir, "VERBATIM_CONFIG": "off", "VERBATIM_API_KEY": key}
	call := func(args ...string) string {
		var out, errs bytes.Buffer
		Main(args, Env{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: func(name string) string { return vars[name] },
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }})
		return out.String() + errs.String()
	}
	run := []string{"run", "--task", "copy", "--length", "8", "--items", "1", "--new"}
	for _, c := range []struct {
		name, discover string
		args           []string
		sent           bool
		want           string
	}{
		{"found", "", run, false, "to send VERBATIM_API_KEY, name it: --model 'http://127.0.0.1:30000/v1#m'"},
		{"a check of it", "", []string{"check", "--baseline", "last", "--margin", "0.9"}, false, "items"},
		{"a check that names it", "", []string{"check", "--baseline", "1", "--margin", "0.9", "--new", "--model", "http://127.0.0.1:30000/v1#m"}, true, "items"},
		{"named by the environment", "127.0.0.1:30000", run, true, "found on this machine"},
		{"a check of what was named", "", []string{"check", "--baseline", "last", "--margin", "0.9", "--new"}, true, "items"},
	} {
		keys, asked = 0, 0
		vars["VERBATIM_DISCOVER"] = c.discover
		text := call(c.args...)
		if c.name == "found" && !strings.Contains(text, ":30000") {
			t.Skip("another server is found first")
		}
		if !strings.Contains(text, c.want) {
			t.Fatalf("%s: %s", c.name, text)
		}
		if asked == 0 || (keys > 0) != c.sent {
			t.Errorf("%s: %d of %d requests had the key\n%s", c.name, keys, asked, text)
		}
	}
}
