package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"verbatim/internal/fake"
	"verbatim/internal/store"
	"verbatim/internal/wire"
)

// wordSecret is a secret that a server knows from an earlier request: none of these
// requests carries it. It begins with another one.
const wordSecret = headerSecret + "-AND-MORE-of-it-Xy7"

// An echo is a server that answers well, and writes all secrets that it was ever
// sent into every place where it can say something.
type echo struct {
	fake     http.Handler
	disguise func(string) string
	names    bool // also into the keys of objects
	heard    atomic.Pointer[[]string]
	echoed   atomic.Int64 // strings
}

// listen records the secrets of a request.
func (e *echo) listen(r *http.Request) {
	reported := heard(r)
	all := []string{wordSecret}
	for _, s := range []string{keySecret, headerSecret, passwordSecret, querySecret} {
		if strings.Contains(reported, s) {
			all = append(all, s)
		}
	}
	e.heard.Store(&all)
}

// reported returns the secrets as the server writes them.
func (e *echo) reported() string {
	var parts []string
	for _, s := range *e.heard.Load() {
		parts = append(parts, e.disguise(s))
	}
	return strings.Join(parts, " | ")
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.listen(r)
	rec := httptest.NewRecorder()
	e.fake.ServeHTTP(rec, r)
	h := w.Header()
	for name, values := range rec.Header() {
		h[name] = values
	}
	h.Del("Content-Length")
	// Headers hold printable ASCII only.
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, e.reported())
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Generation-Id", "X-Ratelimit-Limit-Requests", "Anthropic-Ratelimit-Tokens-Reset", "Server", "Openai-Organization"} {
		h.Set(name, plain)
	}
	for _, s := range *e.heard.Load() {
		h.Set("X-Ratelimit-"+s, "1")
		h.Set("X-"+s, s)
	}
	h.Set("Trailer", "X-Trailer")
	body := e.spoil(rec.Body.Bytes(), strings.Contains(r.URL.Path, "models") || strings.Contains(r.URL.Path, "tags"))
	w.WriteHeader(rec.Code)
	w.Write(body)
	h.Set("X-Trailer", plain)
}

// spoil writes the secrets into a document, into its lines or into its events.
func (e *echo) spoil(body []byte, list bool) []byte {
	var doc any
	if json.Unmarshal(body, &doc) == nil {
		return e.document(body, list)
	}
	var out bytes.Buffer
	for line := range bytes.Lines(body) {
		line = bytes.TrimRight(line, "\n")
		data, event := bytes.CutPrefix(line, []byte("data: "))
		switch {
		case event && data[0] == '{':
			fmt.Fprintf(&out, ": %s\n", strings.ReplaceAll(e.reported(), "\n", "\n: "))
			fmt.Fprintf(&out, "data: %s\n", e.document(data, list))
		case len(line) > 0 && line[0] == '{':
			fmt.Fprintf(&out, "%s\n", e.document(line, list))
		default:
			fmt.Fprintf(&out, "%s\n", line)
		}
	}
	return out.Bytes()
}

func (e *echo) document(data []byte, list bool) []byte {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		return data
	}
	if o, ok := doc.(map[string]any); ok {
		o["x_note"] = e.reported()
	}
	out, _ := json.Marshal(e.walk("", doc, list))
	return out
}

// needed are the members that a protocol depends on.
var needed = []string{"type", "object", "role", "custom_id", "status", "processing_status", "state", "key", "displayName", "metadata", "output_file_id", "error_file_id",
	"done_reason", "finish_reason", "finishReason", "stop_reason", "@type", "promptTokenCount", "input_file_id", "endpoint", "delta.type"}

func (e *echo) walk(name string, v any, list bool) any {
	switch v := v.(type) {
	case string:
		if slices.Contains(needed, name) && !(name == "finish_reason" && !e.names) || !e.names && slices.Contains([]string{"id", "name", "model"}, name) && (list || name != "model") {
			return v
		}
		e.echoed.Add(1)
		return v + " " + e.reported()
	case []any:
		for i := range v {
			v[i] = e.walk(name, v[i], list)
		}
	case map[string]any:
		for k := range v {
			if k != "metadata" {
				v[k] = e.walk(k, v[k], list)
			}
		}
	}
	return v
}

// echoForms are the ways in which the server writes a secret.
var echoForms = []struct {
	name string
	form func(string) string
}{
	{"as it is", func(s string) string { return s }},
	{"its end", func(s string) string { return "..." + s[len(s)-20:] }},
	{"its beginning", func(s string) string { return s[:12] + "..." }},
	{"in capitals", strings.ToUpper},
	{"in JSON", func(s string) string { return eachByte(s, `\u%04x`) }},
	{"in a URL", func(s string) string { return eachByte(s, "%%%02x") }},
	{"in base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte("u:" + s)) }},
	{"in hexadecimal", func(s string) string { return hex.EncodeToString([]byte(s)) }},
}

func eachByte(s, format string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, format, s[i])
	}
	return b.String()
}

// runs returns how any 12 characters of a secret can be found in data.
func runs(data []byte, secret string) string {
	data = bytes.ToLower(data)
	for at := 0; at+12 <= len(secret); at++ {
		run := strings.ToLower(secret[at : at+12])
		exact := secret[at : at+12]
		forms := []string{run, eachByte(exact, `\u%04x`), eachByte(exact, "%%%02x"), hex.EncodeToString([]byte(exact)), hex.EncodeToString([]byte(run)), url.QueryEscape(run)}
		for shift := range 3 {
			text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + exact))
			forms = append(forms, text[(shift*8+5)/6:(shift+12)*8/6])
		}
		for _, form := range forms {
			form = strings.ToLower(form)
			if i := bytes.Index(data, []byte(form)); i >= 0 {
				return fmt.Sprintf("%s: …%q…", form, data[max(0, i-80):min(len(data), i+len(form)+20)])
			}
		}
	}
	return ""
}

// TestSecretEchoes asks servers that answer well and repeat every secret in every
// string of their replies, in all forms, and looks for 12 characters of one in
// everything that the program has written and printed.
func TestSecretEchoes(t *testing.T) {
	t.Parallel()
	index := &fake.Index{}
	for _, it := range reversals(t, 2) {
		index.Add(it.Prompt, &it)
	}
	well, err := fake.New(fake.Config{Item: index.Item})
	if err != nil {
		t.Fatal(err)
	}
	for w, wire := range wire.Protocols() {
		if w > 1 && !exhaustive() {
			continue // secrets are removed after the protocols have read them
		}
		t.Run(wire.Name, func(t *testing.T) {
			e := &echo{fake: well}
			server := httptest.NewServer(e)
			defer server.Close()
			dir := t.TempDir()
			h := &household{t: t, dir: dir, env: map[string]string{"VERBATIM_DISCOVER": strings.TrimPrefix(server.URL, "http://"), "VERBATIM_API_KEY": keySecret, "OWN_KEY": keySecret,
				"OWN_TOKEN": headerSecret, "GROQ_API_KEY": wordSecret, "VERBATIM_CONFIG": filepath.Join(dir, "verbatim.toml"), "VERBATIM_DB": filepath.Join(dir, "x.db")}}
			config := fmt.Sprintf("[models.own]\nbase_url = \"%s%s\"\nwire = \"%s\"\nmodel = \"m\"\nkey_env = \"OWN_KEY\"\n[models.own.headers]\nX-Token = \"env:OWN_TOKEN\"\n", server.URL, basePath(wire.Name), wire.Name)
			if err := os.WriteFile(filepath.Join(dir, "verbatim.toml"), []byte(config), 0o600); err != nil {
				t.Fatal(err)
			}
			// While somebody else has the database open, its log is not folded into it.
			open, err := store.Create(t.Context(), filepath.Join(dir, "x.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer open.Close()
			if _, err := open.Runs(t.Context()); err != nil {
				t.Fatal(err)
			}
			address := wire.Name + "+" + strings.Replace(server.URL, "://", "://joe:"+passwordSecret+"@", 1) + basePath(wire.Name)
			answered := 0
			forms := echoForms
			if !exhaustive() {
				forms = forms[:2]
			}
			for i, f := range forms {
				e.disguise = f.form
				for j, name := range []string{"own", address + "?token=" + querySecret + "#m"} {
					for k, more := range [][]string{{"--json"}, {"--no-stream"}, {"--batch"}} {
						if j == 1 && k != i%2 || k == 2 && (wire.Name == "ollama" || i%3 != 0) {
							continue
						}
						args := []string{"run", "--new", "--model", name, "--task", "reverse", "--length", "12", "--items", "2", "--max-attempts", "1"}
						if code := h.run(append(args, more...)...); code != 0 {
							t.Errorf("%s, %v: exit code %d", f.name, more, code)
						}
						answered++
					}
				}
				e.names = true
				h.run("run", "--new", "--model", address, "--task", "reverse", "--length", "12", "--items", "2", "--max-attempts", "1")
				h.run("run", "--new", "--model", "own", "--batch", "--task", "reverse", "--length", "12", "--items", "2", "--max-attempts", "1")
				h.run("models")
				h.run("models", "--json")
				h.run("run", "--new", "--task", "reverse", "--length", "12", "--items", "2", "--max-attempts", "1")
				e.names = false
			}
			report := h.heard.Len()
			for _, args := range [][]string{{"runs"}, {"runs", "--json"}, {"report", "1", "2"}, {"report", "1", "--format", "md"}, {"report", "1", "--format", "csv"}, {"report", "1", "--format", "json"},
				{"report", "1", "--format", "junit"}, {"report", "1", "--format", "html", "-o", filepath.Join(dir, "1.html")}, {"report", "1", "--format", "latex"}, {"report", "1", "--group-by", "served_model"},
				{"compare", "1", "2"}, {"compare", "1", "2", "--json"}, {"show", "1", "--all"}, {"show", "1"}, {"show", "1", "--json"}, {"plan", "--model", "own"}, {"plan", "--model", "own", "--json"},
				{"export", "1", "2"}, {"export", "1", "--format", "csv"}, {"export", "1", "--format", "inspect"}, {"export", "1", "2", "3", "4", "5", "-o", filepath.Join(dir, "all.jsonl")},
				{"report", address}, {"regrade", "1"}, {"export", "1", "--format", "lm-eval", "-o", filepath.Join(dir, "lm-eval")}} {
				h.run(args...)
			}
			printed := h.heard.String()[report:]
			if !strings.Contains(printed, "secret_removed") || !strings.Contains(printed, "repeated a secret") {
				t.Errorf("no message about the secrets that were removed: %.3000s", printed)
			}
			if e.echoed.Load() < int64(10*answered) {
				t.Errorf("only %d strings held a secret", e.echoed.Load())
			}
			if err := os.WriteFile(filepath.Join(dir, "heard.txt"), h.heard.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"x.db", "x.db-wal", "1.html", "all.jsonl", "heard.txt", "lm-eval"} {
				if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
					t.Error(err)
				}
			}
			err = filepath.WalkDir(dir, func(path string, f fs.DirEntry, err error) error {
				if err != nil || f.IsDir() {
					return err
				}
				data, err := os.ReadFile(path)
				for _, s := range []string{wordSecret, headerSecret, passwordSecret, querySecret} {
					if found := runs(data, s); found != "" {
						t.Errorf("%s: %s", f.Name(), found)
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
