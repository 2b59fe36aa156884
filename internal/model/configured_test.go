package model

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/input"
	"verbatim/internal/reasoning"
	"verbatim/internal/recordtest"
	"verbatim/internal/redact"
)

// openOwnOf opens a model of a file in which nothing is wrong.
func openOwnOf(t *testing.T, text, name string, o Options) Handle {
	t.Helper()
	o.Config = trustedFile(t, text)
	m, err := Open(t.Context(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func TestOpenOwn(t *testing.T) {
	n := &network{pages: map[string]string{"h/v1/chat/completions": answered}}
	m := openOwnOf(t, `
[models.box]
base_url = "https://h/v1"
model = "m"
key_env = "BOX_KEY"
auth_header = "x-key"
headers = { X-Team = "evals", X-Token = "env:BOX_TOKEN" }
stream = false
max_tokens_field = "limit"
seed_field = "random_seed"
context = 1000
limits.concurrency = 3
params.temperature = 0
price = { input = 1, output = 2 }
`, "box", func() Options {
		o := options(n, "BOX_KEY=key-0123456789", "BOX_TOKEN=token-0123456789", "VERBATIM_API_KEY=other-0123456789")
		o.Stream = true
		return o
	}())
	if m.Name != "box" || m.Note != "box is at https://h/v1, model m, as verbatim.toml says" || *m.Context != 1000 || m.Limits.Concurrency != 3 || *m.Params.Temperature != 0 || m.Price.Output != 2*verbatim.Dollar {
		t.Errorf("%+v", m)
	}
	r := request("q")
	seed := int64(7)
	r.Params.Seed = &seed
	if _, err := recordtest.Ask(t.Context(), m.Model, r); err != nil {
		t.Fatal(err)
	}
	h := n.asked[0].Header
	if h.Get("X-Key") != "key-0123456789" || h.Get("Authorization") != "" || h.Get("X-Team") != "evals" || h.Get("X-Token") != "token-0123456789" {
		t.Errorf("sent with %v", h)
	}
	for _, want := range []string{`"limit":`, `"random_seed":7`} {
		if !strings.Contains(n.sent[0], want) || strings.Contains(n.sent[0], "stream") {
			t.Errorf("sent %s", n.sent[0])
		}
	}
}

// A provider's model under another name has the provider's address, key, rules,
// price and context.
func TestOpenOwnOfProvider(t *testing.T) {
	n := &network{pages: map[string]string{"api.openai.com/v1/chat/completions": answered}}
	const file = "[models.cheap]\nprovider = \"openai\"\nmodel = \"gpt-4o-mini\"\n[models.named]\nprovider = \"openai\"\nmodel = \"gpt-4o\"\nkey_env = \"OTHER\"\nprice = { input = 0, output = 0 }\n"
	m := openOwnOf(t, file, "cheap", options(n, "OPENAI_API_KEY=sk-0123456789"))
	if m.Name != "cheap" || m.Price == nil || m.Price.Input.Decimal() != "0.15" || m.Context == nil || *m.Context != 128000 {
		t.Errorf("%+v", m)
	}
	if _, err := recordtest.Ask(t.Context(), m.Model, request("q")); err != nil || n.asked[0].Header.Get("Authorization") != "Bearer sk-0123456789" || !strings.Contains(n.sent[0], "max_completion_tokens") {
		t.Errorf("%v, %s", err, n.sent)
	}
	m = openOwnOf(t, file, "named", options(n, "OPENAI_API_KEY=sk-0123456789", "OTHER=sk-other"))
	if m.Price.Input != 0 || m.Price.Source != "verbatim.toml" || *m.Context != 128000 {
		t.Errorf("%+v", m)
	}
	if _, err := recordtest.Ask(t.Context(), m.Model, request("q")); err != nil || n.asked[1].Header.Get("Authorization") != "Bearer sk-other" {
		t.Errorf("%v, %v", err, n.asked[1].Header)
	}
}

// A model of the file gets no key that its entry does not name, streams only where
// both want it, and is free only where it is a server on this machine.
func TestOpenOwnTakesNothingForGranted(t *testing.T) {
	for _, c := range []struct {
		lines          string
		stream         bool
		key, streaming bool
		free           bool
	}{
		{"base_url = \"https://h/v1\"", true, false, true, false},
		{"base_url = \"https://h/v1\"\nstream = false", true, false, false, false},
		{"base_url = \"https://h/v1\"\nstream = true", false, false, false, false},
		{"base_url = \"https://h/v1\"\nkey_env = \"K\"", false, true, false, false},
		{"provider = \"llamacpp\"\nbase_url = \"https://h/v1\"", false, false, false, false},
		{"provider = \"llamacpp\"", false, false, false, true},
		{"provider = \"openai\"\nbase_url = \"https://h/v1\"", false, false, false, false},
		{"provider = \"openai\"\nbase_url = \"https://h/v1\"\nkey_env = \"K\"", false, true, false, false},
	} {
		n := &network{pages: map[string]string{"h/v1/chat/completions": answered, "127.0.0.1:8080/v1/chat/completions": answered}}
		o := options(n, "VERBATIM_API_KEY=any-0123456789", "K=key-0123456789", "OPENAI_API_KEY=key-0123456789")
		o.Stream = c.stream
		m := openOwnOf(t, "[models.x]\nmodel = \"m\"\n"+c.lines+"\n", "x", o)
		if _, err := recordtest.Ask(t.Context(), m.Model, request("q")); err != nil {
			t.Errorf("%s: %v", c.lines, err)
			continue
		}
		want := map[bool]string{true: "Bearer key-0123456789"}[c.key]
		if got := n.asked[0].Header.Get("Authorization"); got != want {
			t.Errorf("%s: sent %q, want %q", c.lines, got, want)
		}
		if got := strings.Contains(n.sent[0], `"stream":true`); got != c.streaming {
			t.Errorf("%s: sent %s", c.lines, n.sent[0])
		}
		if got := m.Price != nil; got != c.free {
			t.Errorf("%s: price %+v", c.lines, m.Price)
		}
	}
}

// A model that gets no request needs no key.
func TestOpenUnasked(t *testing.T) {
	const file = "[models.x]\nprovider = \"openai\"\nmodel = \"gpt-4o-mini\"\nkey_env = \"OTHER\"\nheaders.X = \"env:TOKEN\"\n"
	for _, name := range []string{"openai:gpt-4o-mini", "x"} {
		o := options(nil)
		o.Config = trustedFile(t, file)
		if _, err := Open(t.Context(), name, o); err == nil || !strings.Contains(err.Error(), "is not set") {
			t.Errorf("%s without a key: %v", name, err)
		}
		o.NoRequests = true
		m, err := Open(t.Context(), name, o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m.Close(); m.Price == nil || m.Price.Input.Decimal() != "0.15" {
			t.Errorf("%s: price %+v", name, m.Price)
		}
	}
}

func TestOpenOwnErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"key_env = \"BOX_KEY\"", "verbatim.toml:3:1: BOX_KEY is not set"},
		{"headers.X = \"env:TOKEN\"", "verbatim.toml:3:9: TOKEN is not set"},
		{"headers.X = \"env:LINES\"", "verbatim.toml:3:9: the value of LINES is not one line"},
		{"tls.ca_file = \"none.pem\"", "verbatim.toml:3:5: the certificates cannot be read"},
		{"tls.ca_file = \"configured_test.go\"", "verbatim.toml:3:5: there is no certificate in PEM form"},
		{"tls = { cert_file = \"configured_test.go\", key_file = \"configured_test.go\" }", "verbatim.toml:3:9: the client's certificate cannot be read"},
		{"proxy = \"env:PROXY\"", "verbatim.toml:3:1: PROXY is not set"},
		{"proxy = \"env:LINES\"", "verbatim.toml:3:1: LINES holds no address of a proxy"},
		{"proxy = \"env:FTP\"", "verbatim.toml:3:1: FTP holds no address of a proxy"},
	} {
		o := options(nil, "LINES=a\nb", "FTP=ftp://h")
		o.Transport = nil
		o.Config = trustedFile(t, "[models.x]\nbase_url = \"https://h/v1\"\n"+c.text+"\nmodel = \"m\"\n")
		_, err := Open(t.Context(), "x", o)
		var f *input.FileError
		if !errors.As(err, &f) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	o := options(&network{})
	o.Config = trustedFile(t, "[models.x]\nbase_url = \"http://h/v1\"\nmodel = \"m\"\n")
	var e *input.NameError
	if _, err := Open(t.Context(), "x", o); !errors.As(err, &e) || !strings.Contains(e.Advice, "plain_http") || e.Name != "x" {
		t.Errorf("%v", err)
	}
	o.Config = trustedFile(t, "[models.x]\nbase_url = \"http://h/v1\"\nmodel = \"m\"\nplain_http = true\n")
	if _, err := Open(t.Context(), "x", o); err != nil {
		t.Errorf("%v", err)
	}
}

// Keys and secret headers show nowhere: not in what is opened, not in errors, not
// in what servers repeat, and they do not follow redirects.
func TestSecretsShowNowhere(t *testing.T) {
	const key, token = "zq-key-0123456789", "zq-token-0123456789"
	followed := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		echo := "you sent " + r.Header.Get("X-Token") + " and " + r.Header.Get("Authorization")
		switch {
		case strings.HasPrefix(r.URL.Path, "/away"):
			followed++
		case strings.HasPrefix(r.URL.Path, "/redirect"):
			w.Header().Set("Location", "/away?"+r.Header.Get("X-Token")+r.Header.Get("Authorization"))
			w.WriteHeader(http.StatusTemporaryRedirect)
		case strings.HasPrefix(r.URL.Path, "/stream"):
			w.Header().Set("Content-Type", "text/event-stream")
			b, _ := json.Marshal(map[string]any{"error": map[string]string{"message": echo}})
			fmt.Fprintf(w, "data: %s\n\n", b)
		default:
			w.WriteHeader(http.StatusUnauthorized)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": echo}})
		}
	}))
	defer s.Close()
	getenv := func(name string) string {
		return map[string]string{"K": key, "T": token, "VERBATIM_API_KEY": key}[name]
	}
	var echo []string
	for _, path := range []string{"/v1", "/redirect/v1", "/stream/v1"} {
		for _, model := range []string{"model = \"m\"\n", ""} {
			c := trustedFile(t, "[models.x]\nbase_url = \""+s.URL+path+"\"\nkey_env = \"K\"\nheaders.X-Token = \"env:T\"\n"+model)
			echo = append(echo, fmt.Sprintf("%+v %#v", c, c.Models()))
			for _, name := range []string{"x", s.URL + path + "#m", s.URL + path} {
				o := Options{Stream: true, Getenv: getenv, Config: c}
				m, err := Open(t.Context(), name, o)
				if err == nil {
					echo = append(echo, fmt.Sprintf("%s %s %v %+v %#v", m.Name, m.Note, m.Model, m.Model, m.Model))
					var reply verbatim.Reply
					reply, err = recordtest.Ask(t.Context(), m.Model, request("q"))
					echo = append(echo, fmt.Sprintf("%+v", reply))
					m.Close()
				}
				if err == nil {
					t.Fatalf("%s%s answered", name, path)
				}
				var f *verbatim.Failure
				if errors.As(err, &f) {
					b, _ := json.Marshal(f)
					echo = append(echo, fmt.Sprintf("%v %+v %#v %s %v %s %+v", err, *f, *f, f.Hint, f.Err, b, f.Attempts))
				}
				echo = append(echo, fmt.Sprintf("%v %+v", err, err))
			}
		}
	}
	if len(echo) < 50 {
		t.Fatalf("only %d texts were echoed", len(echo))
	}
	for _, s := range echo {
		if strings.Contains(s, key) || strings.Contains(s, token) {
			t.Errorf("a secret is shown: %.400s", s)
		}
	}
	if followed != 0 {
		t.Error("a redirect was followed")
	}
}

// A server with a certificate of its own is reached by its authority's file, under
// its own name, or, with a warning, unchecked; a client shows its certificate.
func TestOwnTLS(t *testing.T) {
	var shown int
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown = len(r.TLS.PeerCertificates)
		fmt.Fprint(w, answered)
	}))
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	dir := t.TempDir()
	write := func(name, kind string, der []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("ca.pem", "CERTIFICATE", s.Certificate().Raw)
	writeClient(t, write)
	for _, c := range []struct {
		name, tls string
		ok        bool
		shown     int
		note      string
	}{
		{"nothing", "", false, 0, ""},
		{"authority", "ca_file = \"ca.pem\"", true, 0, ""},
		{"authority and name", "ca_file = \"ca.pem\"\nserver_name = \"example.com\"", true, 0, ""},
		{"another name", "ca_file = \"ca.pem\"\nserver_name = \"other.test\"", false, 0, ""},
		{"unchecked", "insecure_skip_verify = true", true, 0, "not checked"},
		{"client", "ca_file = \"ca.pem\"\ncert_file = \"client.pem\"\nkey_file = \"client.key\"", true, 1, ""},
	} {
		c1, err := ReadConfig(filepath.Join(dir, "verbatim.toml"), []byte("[models.x]\nbase_url = \""+s.URL+"/v1\"\nmodel = \"m\"\n[models.x.tls]\n"+c.tls+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		c1.Trusted = true
		m, err := Open(t.Context(), "x", Options{Config: c1, Getenv: func(string) string { return "" }})
		if err != nil {
			t.Fatal(err)
		}
		shown = 0
		_, err = recordtest.Ask(t.Context(), m.Model, request("q"))
		if (err == nil) != c.ok || shown != c.shown || !strings.Contains(m.Note, c.note) || (c.note == "") == strings.Contains(m.Note, "checked") {
			t.Errorf("%s: %v, %d certificates, note %q", c.name, err, shown, m.Note)
		}
		m.Close()
	}
}

// A proxy of the file carries the requests, and "direct" bypasses it.
func TestOwnProxy(t *testing.T) {
	proxied := 0
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxied++
		if r.URL.Host != "far.test" {
			t.Errorf("the proxy got a request for %s", r.URL)
		}
		io.WriteString(w, answered)
	}))
	defer proxy.Close()
	for i, line := range []string{"proxy = \"" + proxy.URL + "\"", "proxy = \"env:P\""} {
		m := openOwnOf(t, "[models.x]\nbase_url = \"http://far.test/v1\"\nplain_http = true\nmodel = \"m\"\n"+line+"\n", "x",
			Options{Getenv: func(name string) string { return map[string]string{"P": proxy.URL}[name] }})
		if _, err := recordtest.Ask(context.Background(), m.Model, request("q")); err != nil || proxied != i+1 {
			t.Errorf("%s: %v, %d through the proxy", line, err, proxied)
		}
	}
	o := trustedFile(t, "[models.x]\nbase_url = \"http://far.test/v1\"\nproxy = \"direct\"\n")
	if tr, err := o.Models()[0].Transport(func(string) string { return "" }); err != nil || tr.Proxy != nil {
		t.Errorf("direct: %v", err)
	}
}

// trustedFile reads a file of models that must be right.
func trustedFile(t *testing.T, text string) ConfigFile {
	t.Helper()
	f, err := ReadConfig("verbatim.toml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	f.Trusted = true
	return f
}

// writeClient makes a certificate for a client and its key.
func writeClient(t *testing.T, write func(name, kind string, der []byte)) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write("client.pem", "CERTIFICATE", cert)
	write("client.key", "EC PRIVATE KEY", secret)
}

const testKey = "sk-proj-Zq7rT2mXv9LpWc4Jh8Yb3Nd6Fg1Ks5"

// holdsKey reports whether a text has 12 characters of testKey in a row, or all of it in another form.
func holdsKey(s string) bool {
	for at := 0; at+12 <= len(testKey); at++ {
		if strings.Contains(s, testKey[at:at+12]) {
			return true
		}
	}
	secrets := &redact.Secrets{}
	secrets.Add("KEY", testKey)
	return redact.New(secrets).Holds(s)
}

// A model that is printed, as in a trace of a panic, shows no secret.
func TestModelDoesNotPrint(t *testing.T) {
	env := map[string]string{"VERBATIM_API_KEY": testKey, "HTTPS_PROXY": "http://joe:" + testKey + "@proxy.example:1"}
	o := Options{Getenv: func(name string) string { return env[name] }, Tags: reasoning.Tags{Open: "<think>", Close: "</think>"}}
	for _, name := range []string{"http://127.0.0.1:9/v1#m", "http://joe:" + testKey + "@127.0.0.1:9/v1?token=" + testKey + "#m", "anthropic+http://127.0.0.1:9?key=" + testKey + "#m"} {
		opened, err := Open(t.Context(), name, o)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		if shown := fmt.Sprintf("%v %+v %#v %+v", opened, opened, opened, opened.Model); holdsKey(shown) || !strings.Contains(shown, "127.0.0.1") {
			t.Error(shown)
		}
	}
}

// A name that holds a key is refused, and its error does not repeat it.
func TestNamesHoldNoSecrets(t *testing.T) {
	o := Options{Getenv: func(name string) string { return map[string]string{"OPENAI_API_KEY": testKey}[name] }}
	for _, name := range []string{"openai:" + testKey, "openai:ft-" + testKey, "http://127.0.0.1:9/" + testKey + "/v1#m", "http://127.0.0.1:9/v1#sk-ant-api03-R2D2C3PO1234567890abcd"} {
		_, err := Open(t.Context(), name, o)
		if err == nil || holdsKey(err.Error()) || strings.Contains(err.Error(), "R2D2") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"openai:gpt-4o-mini-2024-07-18", "openai:ft:gpt-4o-mini-2024-07-18:acme::AbCdEf12", "http://127.0.0.1:9/v1#Qwen2.5-0.5B-Instruct-Q4_K_M.gguf"} {
		opened, err := Open(t.Context(), name, o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		opened.Close()
	}
}
