package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A day on which a server's list of models shuts a model down is shown by every command that reads the list.
func TestShutdownDay(t *testing.T) {
	t.Parallel()
	for member, shown := range map[string]bool{
		`"expiration_date":"2027-01-31"`: true, `"deprecation":"2027-01-31T12:00:00Z"`: true, `"deprecation_date":"2027-01-31"`: true,
		`"expiration_date":null,"deprecation":{"on":1}`: false, `"expiration_date":"soon\u001b[31m"`: false, `"x":1`: false,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				answering("an answer")(w, r)
				return
			}
			if r.URL.Path == "/v1/models" {
				fmt.Fprintf(w, `{"data":[{"id":"m",%s},{"id":"other"}]}`, member)
				return
			}
			http.NotFound(w, r)
		}))
		m, db := server.URL+"/v1#m", filepath.Join(t.TempDir(), "v.db")
		item := []string{"-m", m, "-t", "copy", "-l", "4", "-n", "2"}
		for _, args := range [][]string{append([]string{"plan"}, item...), append([]string{"run"}, item...), {"check", "-m", m, "--baseline", "1"},
			{"sentinel", "init", m}, {"sentinel", "run", m}} {
			r := invoke(t, db, args...)
			if got := strings.Contains(r.err, m+" is shut down on 2027-01-31"); got != shown || strings.Contains(r.err, "\x1b[31m") {
				t.Errorf("%s with %s: exit code %d: %s", args[0], member, r.code, r.err)
			}
		}
		var out bytes.Buffer
		env := Env{Out: &out, Err: &out, Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }, Getenv: func(name string) string {
			return map[string]string{"VERBATIM_DISCOVER": strings.TrimPrefix(server.URL, "http://")}[name]
		}}
		if code := Main([]string{"models"}, env); code != exitDone || strings.Contains(out.String(), m+", shut down on 2027-01-31") != shown {
			t.Errorf("models with %s: exit code %d: %s", member, code, &out)
		}
		server.Close()
	}
}
