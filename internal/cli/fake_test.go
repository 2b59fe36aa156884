package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"verbatim/internal/fake"
	"verbatim/internal/nano"
)

// TestServedNano: with --model nano the server answers without knowing the items, in
// every protocol, and states the finish reason and the usage of an answer that the
// limit truncated.
func TestServedNano(t *testing.T) {
	var k fakeFlags
	cmd := &cobra.Command{}
	k.register(cmd)
	if err := cmd.ParseFlags([]string{"--model", "nano"}); err != nil {
		t.Fatal(err)
	}
	closeModel, err := k.configure(t.Context(), &Env{Getenv: func(string) string { return "" }, Err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer closeModel()
	s, err := fake.New(k.config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	network, err := nano.Load()
	if err != nil {
		t.Fatal(err)
	}
	const prompt = `Say it again, please: \"abcdefghijklmnopqrstuvwx\"` // longer than the least limit of the responses protocol
	message := `"messages":[{"role":"user","content":"` + prompt + `"}]`
	for _, c := range []struct{ path, body, finish, counted string }{
		{"/v1/chat/completions", `{"max_tokens":1,` + message + `}`, `"finish_reason":"length"`, `"completion_tokens":1,`},
		{"/v1/chat/completions", `{"max_tokens":1,` + message + `}`, `"system_fingerprint":"` + network.Fingerprint() + `"`, `"completion_tokens":1,`},
		{"/v1/chat/completions", `{"max_tokens":1,"stream":true,"stream_options":{"include_usage":true},` + message + `}`, `"finish_reason":"length"`, `"completion_tokens":1,`},
		{"/v1/responses", `{"max_output_tokens":16,"input":"` + prompt + `"}`, `"max_output_tokens"`, `"output_tokens":16,`},
		{"/v1/messages", `{"max_tokens":1,` + message + `}`, `"stop_reason":"max_tokens"`, `"output_tokens":1`},
		{"/v1/messages", `{"max_tokens":1,"stream":true,` + message + `}`, `"stop_reason":"max_tokens"`, `"output_tokens":1`},
		{"/v1beta/models/m:generateContent", `{"generationConfig":{"maxOutputTokens":1},"contents":[{"role":"user","parts":[{"text":"` + prompt + `"}]}]}`, `"finishReason":"MAX_TOKENS"`, `"candidatesTokenCount":1`},
		{"/api/chat", `{"model":"m","stream":false,"options":{"num_predict":1},` + message + `}`, `"done_reason":"length"`, `"eval_count":1`},
	} {
		req, err := http.NewRequestWithContext(t.Context(), "POST", server.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Anthropic-Version", "2023-06-01")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if text := string(body); err != nil || res.StatusCode != http.StatusOK || !strings.Contains(text, c.finish) || !strings.Contains(text, c.counted) {
			t.Errorf("%s %s: status %d, %v, want %s and %s in\n%s", c.path, c.body, res.StatusCode, err, c.finish, c.counted, text)
		}
	}
	res, err := http.Get(server.URL + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var list struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil || len(list.Data) != 1 || list.Data[0].ID != "nano" {
		t.Errorf("it serves %+v, %v", list, err)
	}
	if c := s.Counts(); c.Unknown != 0 || c.Answered != 8 {
		t.Errorf("%+v", c)
	}
}

// TestFakeAdoptsSelection: fake knows the items of the command that it wraps, unless it was
// given flags of its own.
func TestFakeAdoptsSelection(t *testing.T) {
	wrapped := []string{"verbatim", "run", "--model", "{url}/v1#m", "--db", "x.db", "--task", "add", "-n", "2"}
	for own, want := range map[string]string{"": "add", "--task=copy": "copy"} {
		var k fakeFlags
		cmd := &cobra.Command{}
		k.register(cmd)
		if own != "" {
			if err := cmd.ParseFlags([]string{own}); err != nil {
				t.Fatal(err)
			}
		}
		k.adoptSelection(cmd, wrapped)
		if len(k.sel.Tasks) != 1 || k.sel.Tasks[0] != want {
			t.Errorf("flags %q: tasks %v, want %s", own, k.sel.Tasks, want)
		}
	}
}
