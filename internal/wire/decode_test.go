package wire

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"verbatim"
)

// sends is a transport that always returns the same response.
type sends struct {
	status   int
	encoding string
	body     []byte
}

func (s sends) RoundTrip(*http.Request) (*http.Response, error) {
	h := http.Header{"Content-Type": {"application/json"}}
	if s.encoding != "" {
		h.Set("Content-Encoding", s.encoding)
	}
	return &http.Response{StatusCode: s.status, Header: h, Body: io.NopCloser(bytes.NewReader(s.body)), ContentLength: int64(len(s.body))}, nil
}

// packed compresses as an encoding is called.
func packed(t *testing.T, encoding, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if encoding == "deflate" {
		w = zlib.NewWriter(&b)
	}
	io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A reply that is compressed, though no compression was requested, is read if its
// header says how; otherwise it is a failure that names the encoding. A refusal keeps
// its class.
func TestEncodings(t *testing.T) {
	document := `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`
	stream := lines(delta(`"content":"a"`), ends("stop"), done)
	denied := `{"error":{"message":"no key","code":"invalid_api_key"}}`
	for _, c := range []struct {
		name  string
		sends sends
		class verbatim.Class // "" is the answer "a"
		says  string
	}{
		{"gzip", sends{200, "gzip", packed(t, "gzip", document)}, "", ""},
		{"gzip of a stream", sends{200, "x-gzip", packed(t, "gzip", stream)}, "", ""},
		{"deflate", sends{200, "deflate", packed(t, "deflate", document)}, "", ""},
		{"identity", sends{200, "Identity", []byte(document)}, "", ""},
		{"brotli", sends{200, "br", []byte("\x0b\x02\x80abc")}, verbatim.Content, "encoded as br"},
		{"zstd", sends{200, "zstd", []byte("\x28\xb5\x2f\xfd")}, verbatim.Content, "encoded as zstd"},
		{"two", sends{200, "gzip, br", []byte("x")}, verbatim.Content, "encoded as gzip, br"},
		{"not gzip", sends{200, "gzip", []byte(document)}, verbatim.Content, "not encoded as its header says"},
		{"gzip cut", sends{200, "gzip", packed(t, "gzip", document)[:40]}, verbatim.Cut, ""},
		{"gzip without a header", sends{200, "", packed(t, "gzip", document)}, verbatim.Content, "compressed"},
		{"a refusal in gzip", sends{401, "gzip", packed(t, "gzip", denied)}, verbatim.Auth, "no key"},
		{"a refusal in brotli", sends{429, "br", []byte("x")}, verbatim.Rate, ""},
		{"too much", sends{200, "gzip", packed(t, "gzip", `{"choices":[{"message":{"content":"`+strings.Repeat("a", maxBody)+`"},"finish_reason":"stop"}]}`)}, verbatim.Content, "--max-reply raises it"},
	} {
		e := Endpoint{BaseURL: "http://model.test/v1", Model: "m", Transport: c.sends, Stream: true}
		reply, err := Chat().SendPrompt(t.Context(), e, question("q"), 5, verbatim.Params{})
		var f *verbatim.Failure
		switch {
		case c.class == "" && (err != nil || reply.Text != "a"):
			t.Errorf("%s: %q, %v", c.name, reply.Text, err)
		case c.class != "" && (!errors.As(err, &f) || f.Class != c.class || !strings.Contains(f.Error(), c.says)):
			t.Errorf("%s: %q, %v, want %s", c.name, reply.Text, err, c.class)
		}
	}
}
