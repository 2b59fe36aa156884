package watching

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestSend sends to servers that accept a notice at once, later, or never.
func TestSend(t *testing.T) {
	for _, c := range []struct {
		name     string
		key      string
		statuses []int
		posts    int
		err      string
	}{
		{"accepted", "k", []int{200}, 1, ""},
		{"without a key", "", []int{204}, 1, ""},
		{"accepted later", "k", []int{503, 500, 202}, 3, ""},
		{"never accepted", "k", []int{500, 404, 302}, 3, "HTTP 302"},
	} {
		posts := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			mac := hmac.New(sha256.New, []byte(c.key))
			mac.Write(body)
			want := "sha256=" + hex.EncodeToString(mac.Sum(nil))
			if c.key == "" {
				want = ""
			}
			if got := r.Header.Get(signatureHeader); got != want || string(body) != "{}" || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s: %s %q with the signature %q, want %q", c.name, r.Method, body, got, want)
			}
			w.WriteHeader(c.statuses[posts])
			posts++
		}))
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		err := sendNotice(t.Context(), client, s.URL, c.key, []byte("{}"), time.Millisecond)
		s.Close()
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) || posts != c.posts {
			t.Errorf("%s: %d posts, %v", c.name, posts, err)
		}
	}
}

// TestErrorsHideTheAddress: an address may hold a secret, and no error prints it.
func TestErrorsHideTheAddress(t *testing.T) {
	for _, address := range []string{"http://127.0.0.1:1/secret", "http://127.0.0.1:port/secret", "nosuch://127.0.0.1/secret"} {
		if err := sendNotice(t.Context(), http.DefaultClient, address, "", nil, 0); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
