package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A measurement is worthless if the server does not answer with the copy.
func TestCopies(t *testing.T) {
	for _, text := range []string{"a", strings.Repeat("0123456789abcdef", 12) + "12345678", "naïve – 文字 🙂", `back\slash	tab`} {
		for _, stream := range []bool{false, true} {
			s := &server{piece: 1 << 10, asked: &prompts{times: map[uint64]int{}}}
			if strings.Trim(text, "0123456789abcdef") == "" {
				s.piece = 16
			}
			if got := ask(t, s, text, stream, http.StatusOK); got != text {
				t.Errorf("stream %v: %q was answered by %q", stream, text, got)
			}
			ask(t, s, text, stream, http.StatusOK)
			if s.answered.Load() != 2 || s.asked.again != 1 || len(s.asked.times) != 1 {
				t.Errorf("stream %v: %d answers, %d of them to repeated prompts, %d prompts; want 2, 1, 1", stream, s.answered.Load(), s.asked.again, len(s.asked.times))
			}
		}
	}
}

// The share of failing prompts is as configured, and a prompt that fails always fails.
func TestFailing(t *testing.T) {
	s := &server{piece: 16, failing: 0.3}
	failed := 0
	for i := range 1000 {
		text := fmt.Sprintf("text number %d of a thousand", i)
		if !fails([]byte(text), s.failing) {
			continue
		}
		failed++
		if i%10 == 0 {
			ask(t, s, text, false, http.StatusInternalServerError)
			ask(t, s, text, true, http.StatusInternalServerError)
		}
	}
	if failed < 250 || failed > 350 {
		t.Errorf("%d of 1000 prompts fail; want about 300", failed)
	}
	if s.answered.Load() != 0 || s.failed.Load() == 0 {
		t.Errorf("of the prompts that must fail, %d were answered and %d failed", s.answered.Load(), s.failed.Load())
	}
}

// ask requests a copy and reads the reply without code of the server.
func ask(t *testing.T, s *server, text string, stream bool, status int) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"model": "m", "stream": stream, "messages": []map[string]string{{"role": "user", "content": `Repeat: "` + text + `"`}}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	s.chat(w, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(string(body))))
	if w.Code != status {
		t.Fatalf("%q: status %d; want %d", text, w.Code, status)
	}
	type choice struct {
		Message, Delta struct{ Content string }
	}
	var got strings.Builder
	lines := bufio.NewScanner(w.Body)
	for lines.Scan() {
		line := strings.TrimPrefix(lines.Text(), "data: ")
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var answer struct{ Choices []choice }
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for _, c := range answer.Choices {
			got.WriteString(c.Message.Content + c.Delta.Content)
		}
	}
	return got.String()
}
