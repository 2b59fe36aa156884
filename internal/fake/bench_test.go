package fake_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/fake"
)

// A sink is a response that is thrown away.
type sink struct {
	header http.Header
	bytes  int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(int)             {}
func (s *sink) Write(p []byte) (int, error) { s.bytes += len(p); return len(p), nil }
func (s *sink) FlushError() error           { return nil }

// What the handler costs in addition to net/http, for a prompt of 500 bytes and an
// answer of 160: in one piece, and in ten.
func BenchmarkChat(b *testing.B) {
	text := strings.Repeat("abcdefghijklmno ", 10)
	prompt := strings.Repeat("Copy this text exactly as it stands. ", 9) + text
	it := copied(prompt)
	it.Want.Text = text
	s, err := fake.New(fake.Config{Item: fake.NewIndex(it).Item})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, stream string }{{"plain", "false"}, {"stream", "true"}} {
		b.Run(c.name, func(b *testing.B) {
			body := []byte(`{"model":"m","stream":` + c.stream + `,"stream_options":{"include_usage":true},"max_tokens":400,"messages":[{"role":"user","content":"` + prompt + `"}]}`)
			b.ReportAllocs()
			for b.Loop() {
				r, _ := http.NewRequest("POST", "http://fake.test/v1/chat/completions", io.NopCloser(bytes.NewReader(body)))
				w := &sink{header: http.Header{}}
				s.ServeHTTP(w, r)
				if w.bytes < len(text) {
					b.Fatal("no answer")
				}
			}
		})
	}
}
