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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"verbatim/internal/cli"
	"verbatim/internal/fake"
	"verbatim/internal/store"
	"verbatim/internal/wire"
)

// The secrets that the program is given, each in another way. No other text looks like
// one of them.
const (
	keySecret      = "sk-KEYSECRETkeysecret0123456789"
	headerSecret   = "tok-HEADERSECRETheadersecret98765"
	passwordSecret = "PASSWORDsecretPASSWORDsecret4711"
	querySecret    = "QUERYsecretQUERYsecretQUERY0815"
)

// A gossip is a server that repeats whatever it is sent, in the ways in which servers
// do so by mistake.
type gossip struct {
	fake  http.Handler
	other string // a server that should get no request
	way   string
	got   sync.Map // of the secrets, those that it was sent
}

// heard returns everything that a request holds apart from its body.
func heard(r *http.Request) string {
	var b strings.Builder
	r.Header.Write(&b)
	user, password, _ := r.BasicAuth()
	return fmt.Sprintf("%s %s %s %s", strings.ReplaceAll(b.String(), "\r\n", " "), user, password, r.URL)
}

func (g *gossip) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reported := heard(r)
	for _, secret := range []string{keySecret, headerSecret, passwordSecret, querySecret} {
		if strings.Contains(reported, secret) {
			g.got.Store(secret, true)
		}
	}
	short := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	for _, name := range []string{"X-Api-Key", "X-Goog-Api-Key", "Api-Key"} {
		if v := r.Header.Get(name); v != "" {
			short = v
		}
	}
	for name, value := range map[string]string{"X-Request-Id": short, "Request-Id": short, "X-Ratelimit-Limit-Requests": reported[:min(len(reported), 150)], "Retry-After-Ms": "1"} {
		w.Header().Set(name, strings.ReplaceAll(value, "\n", " "))
	}
	quoted, _ := json.Marshal(reported)
	brief, _ := json.Marshal("Incorrect API key provided: " + short)
	status, _ := strconv.Atoi(g.way)
	switch {
	case g.way == "well":
		g.fake.ServeHTTP(&chatty{w, short, false}, r)
	case status >= 300 && status < 400:
		w.Header().Set("Location", g.other+"/next?key="+url.QueryEscape(reported))
		w.WriteHeader(status)
		fmt.Fprintf(w, "moved to %s with %s", g.other, reported)
	case g.way == "page":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<html><title>Hello %s</title>%s</html>", reported, reported)
	case g.way == "words":
		http.Error(w, "no: "+reported, http.StatusBadRequest)
	case g.way == "inside":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"error": {"message": %s, "code": %s, "type": %s}}`, brief, quoted, quoted)
	case g.way == "garbage":
		fmt.Fprintf(w, "data: %s\n\n", reported)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error": {"message": %s, "code": %s, "param": %s, "status": %s, "type": "x"}}`, brief, brief, quoted, brief)
	}
}

// A chatty response has the key of its request as its id.
type chatty struct {
	http.ResponseWriter
	id       string
	reported bool
}

func (c *chatty) WriteHeader(status int) {
	c.reported = true
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Generation-Id"} {
		c.Header().Set(name, c.id)
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *chatty) Write(p []byte) (int, error) {
	if !c.reported {
		c.WriteHeader(http.StatusOK)
	}
	return c.ResponseWriter.Write(p)
}

func (c *chatty) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// leaks returns how a secret can be found in data: as it is, with escapes, in
// hexadecimal or in base64 at any place of a longer text.
func leaks(data []byte, secret string) string {
	forms := map[string]string{"as it is": secret, "in a URL": url.QueryEscape(secret), "in hexadecimal": hex.EncodeToString([]byte(secret))}
	for shift := range 3 {
		for name, e := range map[string]*base64.Encoding{"base64": base64.RawStdEncoding, "base64 of URLs": base64.RawURLEncoding} {
			text := e.EncodeToString([]byte(strings.Repeat("x", shift) + secret))
			forms[fmt.Sprint(name, " ", shift)] = text[(shift*8+5)/6 : len(text)-2]
		}
	}
	for name, form := range forms {
		if i := bytes.Index(data, []byte(form)); i >= 0 {
			return fmt.Sprintf("%s: …%q…", name, data[max(0, i-80):min(len(data), i+len(form)+20)])
		}
	}
	return ""
}

func TestLeaks(t *testing.T) {
	for _, text := range []string{keySecret, base64.StdEncoding.EncodeToString([]byte("ab:" + keySecret + "!")), base64.URLEncoding.EncodeToString([]byte("u" + keySecret)),
		hex.EncodeToString([]byte(keySecret)), "Basic " + base64.StdEncoding.EncodeToString([]byte("joe:"+keySecret))} {
		if leaks([]byte("<"+text+">"), keySecret) == "" {
			t.Errorf("it is not found in %s", text)
		}
	}
	if found := leaks([]byte(headerSecret+passwordSecret), keySecret); found != "" {
		t.Error(found)
	}
}

// A household is the program in one directory, with what it has printed.
type household struct {
	t     *testing.T
	dir   string
	env   map[string]string
	heard bytes.Buffer
}

func (h *household) run(args ...string) int {
	h.t.Helper()
	fmt.Fprintf(&h.heard, "\n$ (a command)\n") // the arguments are the user's own, and may hold secrets
	return cli.Main(args, cli.Env{In: strings.NewReader(""), Out: &h.heard, Err: &h.heard, Getenv: func(name string) string { return h.env[name] },
		Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }})
}

// TestSecrets asks servers that repeat what they are sent, by every wire and in
// every way to hand over a secret, and looks for the secrets in everything that
// the program has written and printed.
func TestSecrets(t *testing.T) {
	t.Parallel()
	var strayed atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strayed.Add(1) }))
	defer other.Close()
	items := reversals(t, 2)
	index := &fake.Index{}
	for _, it := range items {
		index.Add(it.Prompt, &it)
	}
	well, err := fake.New(fake.Config{Item: index.Item})
	if err != nil {
		t.Fatal(err)
	}
	wires := wire.Protocols()
	if len(wires) < 3 {
		t.Fatalf("only %d wires", len(wires))
	}
	for w, wire := range wires {
		t.Run(wire.Name, func(t *testing.T) {
			g := &gossip{fake: well, other: other.URL}
			server := httptest.NewServer(g)
			defer server.Close()
			host := strings.TrimPrefix(server.URL, "http://")
			dir := t.TempDir()
			h := &household{t: t, dir: dir, env: map[string]string{"VERBATIM_DISCOVER": "off", "VERBATIM_API_KEY": keySecret, "OWN_KEY": keySecret, "OWN_TOKEN": headerSecret,
				"VERBATIM_CONFIG": filepath.Join(dir, "verbatim.toml"), "VERBATIM_DB": filepath.Join(dir, "x.db")}}
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
			base := wire.Name + "+http://"
			for n, way := range []string{"well", "300", "301", "302", "303", "307", "308", "400", "401", "403", "404", "429", "500", "page", "words", "inside", "garbage"} {
				if !exhaustive() && n > 0 && (n+w)%6 != 0 {
					continue // each way on some wires
				}
				g.way = way
				for i, name := range []string{"own", base + host + basePath(wire.Name) + "#m", base + "joe:" + passwordSecret + "@" + host + basePath(wire.Name) + "#m",
					base + host + basePath(wire.Name) + "?token=" + querySecret + "#m", base + "joe:" + passwordSecret + "@" + host + basePath(wire.Name)} {
					for _, more := range [][]string{{"--json"}, {"--no-stream"}, {"--batch"}} {
						if i > 1 && more[0] != "--json" || more[0] == "--batch" && wire.Name == "ollama" {
							continue
						}
						code := h.run(append([]string{"run", "--new", "--model", name, "--task", "reverse", "--length", "12", "--items", "2", "--max-attempts", "1"}, more...)...)
						if (way == "well") != (code == 0) && i != 4 {
							t.Errorf("%s, %v, %v: exit code %d", way, name, more, code)
						}
					}
				}
			}
			if w == 0 || exhaustive() {
				h.run("plan", "--model", "own")
				h.run("plan", "--model", base+"joe:"+passwordSecret+"@"+host+basePath(wire.Name)+"?token="+querySecret+"#m")
			}
			for _, args := range [][]string{{"runs"}, {"runs", "--json"}, {"report", "last"}, {"report", "1", "2", "3"}, {"report", "1", "--format", "md"}, {"report", "1", "--format", "csv"}, {"report", "1", "--format", "json"},
				{"show", "last"}, {"show", "20", "--json"}, {"export", "last"}, {"export", "1", "--format", "csv"}, {"export", "30"}, {"export", "--all", "-o", filepath.Join(dir, "all.jsonl")}, {"models"}, {"models", "own"}} {
				h.run(args...)
			}
			if err := os.WriteFile(filepath.Join(dir, "heard.txt"), h.heard.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, secret := range []string{keySecret, headerSecret, passwordSecret, querySecret} {
				if _, sent := g.got.Load(secret); !sent {
					t.Errorf("the server was never sent %s", secret)
				}
			}
			if log, err := os.Stat(filepath.Join(dir, "x.db-wal")); err != nil || log.Size() == 0 {
				t.Errorf("no log of the database: %v", err)
			}
			wantNoSecrets(t, dir, keySecret, headerSecret, passwordSecret, querySecret)
		})
	}
	if n := strayed.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// wantNoSecrets reads every file of a folder.
func wantNoSecrets(t *testing.T, dir string, secrets ...string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range secrets {
			if found := leaks(data, s); found != "" {
				t.Errorf("%s: a secret is found %s", f.Name(), found)
			}
		}
	}
}

// Plain http to another machine is refused before anything is sent.
func TestPlainHTTPIsRefused(t *testing.T) {
	for _, wire := range wire.Protocols() {
		dir := t.TempDir()
		h := &household{t: t, dir: dir, env: map[string]string{"VERBATIM_API_KEY": keySecret, "VERBATIM_CONFIG": "off", "VERBATIM_DB": filepath.Join(dir, "x.db")}}
		if code := h.run("run", "--model", wire.Name+"+http://joe:"+passwordSecret+"@192.0.2.1/v1#m", "--task", "reverse", "--length", "8"); code != 2 {
			t.Errorf("%s: exit code %d", wire.Name, code)
		}
		if !strings.Contains(h.heard.String(), "--plain-http") {
			t.Errorf("%s: %s", wire.Name, &h.heard)
		}
		for _, s := range []string{keySecret, passwordSecret} {
			if found := leaks(h.heard.Bytes(), s); found != "" {
				t.Error(found)
			}
		}
	}
}

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
