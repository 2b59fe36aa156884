package wire

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/reasoning"
)

// FuzzRead reads any bytes: what is read has finite numbers, and ok is reported only
// for valid lists.
func FuzzRead(f *testing.F) {
	for _, s := range []string{`[{"token":"a","bytes":[97],"logprob":-0.1,"top_logprobs":[{"token":"b","logprob":-2}]}]`, `[{"token":"\ud800","logprob":-1e999}]`,
		`{"chosenCandidates":[{"token":"a","logProbability":-0.1}],"topCandidates":[{"candidates":[{"token":"b","logProbability":-1}]}]}`, `[{"token":1}]`, `[]`, `null`, `[{"token":"a","bytes":[300],"logprob":0}]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, read := range []func([]byte) ([]verbatim.Token, bool){readLogprobs, readGeminiLogprobs} {
			tokens, ok := read(text)
			if !ok {
				continue
			}
			for _, token := range tokens {
				for _, one := range append(token.Top, token) {
					if math.IsNaN(one.Logprob) || math.IsInf(one.Logprob, 0) {
						t.Fatalf("%q is read as %+v", text, tokens)
					}
				}
			}
		}
	})
}

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

// TestContentLimitCounts feeds texts in events of several sizes.
func TestContentLimitCounts(t *testing.T) {
	thought := "<think>" + strings.Repeat("hm ", 2000) + "</think>"
	for _, c := range []struct {
		name, text string
		size       int // bytes of an event
		want       int // bytes after which the text is too long; 0: it is not
	}{
		{"a digit an event", strings.Repeat("7", 100), 1, 11},
		{"ten events", strings.Repeat("7", 10), 1, 0},
		{"many bytes an event", strings.Repeat("abcd", 20), 20, 60},
		{"reasoning does not count", thought + "abcd", 3, 0},
		{"what follows does", thought + strings.Repeat("abcd", 200), 20, 6080},
		{"an opening tag in pieces", "<think>" + strings.Repeat("a", 100), 1, 0},
	} {
		l := limitedContent{Tokens: 10, Whole: 10_000}
		got := 0
		for end := c.size; got == 0 && end <= len(c.text); end += c.size {
			if l.exceeded([]byte(c.text[:end]), 0, true, reasoning.Tags{}) {
				got = end
			}
		}
		if got < c.want-20 || got > c.want+len(c.text)/16+20 || (got == 0) != (c.want == 0) {
			t.Errorf("%s: too long after %d bytes, want %d", c.name, got, c.want)
		}
	}
}

// TestIgnoredLimit feeds replies of servers that obey the token limit, which end by
// themselves, and of servers that ignore it.
func TestIgnoredLimit(t *testing.T) {
	const limit = 10
	for _, c := range []struct {
		name   string
		events int
		size   int // bytes of an event
		closed bool
	}{
		{"long tokens", limit, 12, false},
		{"a character an event", 4 * limit, 1, false},
		{"many tokens an event", 2, 60, false},
		{"a token more than the limit", limit + 1, 5, true},
		{"digits", 4*limit + 1, 1, true},
		{"all in one event", 1, 16*limit + 1, true},
	} {
		for _, thinks := range []bool{false, true} {
			l, closed := limitedContent{Tokens: limit, Whole: limit}, false
			for n := 1; n <= c.events; n++ {
				text, thought := strings.Repeat("7", n*c.size), 0
				if thinks {
					text, thought = "", len(text)
				}
				closed = l.exceeded([]byte(text), thought, !thinks, reasoning.Tags{})
			}
			if closed != c.closed {
				t.Errorf("%s, reasoning %t: closed %t, want %t", c.name, thinks, closed, c.closed)
			}
		}
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"model_not_found":               "model_not_found",
		"  two\n\twords \r\n":           "two words",
		"\x1b[31mred\x07":               `\x1b[31mred\a`,
		"a\u202eb\u200b\u0000\xff":      `a\u202eb\u200b\x00\xff`,
		"größe 漢 🙂 it's \"q\" a\\b":     "größe 漢 🙂 it's \"q\" a\\b",
		strings.Repeat("é", 50):         strings.Repeat("é", 40) + "…",
		strings.Repeat("x", 50):         strings.Repeat("x", 40) + "…",
		strings.Repeat(" ", 50) + "end": "end",
	} {
		if got := CleanLine(in, 40); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
