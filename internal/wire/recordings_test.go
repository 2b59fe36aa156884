package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/oracle"
	"verbatim/internal/wire"
)

// A recording is a response of a real server, byte for byte.
type recording struct {
	name   string // "llama-server/chat_sort"
	expect string // what a client should read, according to the index
	raw    []byte
	stream bool
	bound  int // max_output_tokens of the request
}

// recordings reads the index of every recorded server.
func recordings(t *testing.T) []recording {
	t.Helper()
	root := oracle.Path(t, "wires")
	indexes, err := filepath.Glob(filepath.Join(root, "*", "INDEX.md"))
	if err != nil || len(indexes) == 0 {
		t.Fatalf("no index below %s: %v", root, err)
	}
	var all []recording
	for _, index := range indexes {
		data, err := os.ReadFile(index)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			cells := strings.Split(line, "|")
			if len(cells) != 8 || strings.Contains(line, "---") || strings.TrimSpace(cells[1]) == "case" {
				continue
			}
			r := recording{
				name:   filepath.Base(filepath.Dir(index)) + "/" + strings.TrimSpace(cells[1]),
				expect: strings.TrimSpace(cells[6]),
			}
			file := filepath.Join(root, filepath.FromSlash(r.name))
			if r.raw, err = os.ReadFile(file + ".resp"); err != nil {
				t.Fatal(err)
			}
			var request struct {
				Stream bool
				Bound  int `json:"max_output_tokens"`
			}
			body, _ := os.ReadFile(file + ".req.json")
			json.Unmarshal(body, &request) // some requests are broken on purpose
			r.stream, r.bound = request.Stream, request.Bound
			all = append(all, r)
		}
	}
	if len(all) < 100 {
		t.Fatalf("only %d recordings below %s", len(all), root)
	}
	return all
}

// A wireFunc is one of the protocols, as a function.
type wireFunc = func(context.Context, wire.Endpoint, verbatim.Prompt, int, verbatim.Params) (verbatim.Reply, error)

// wire returns the protocol of the request, nil for other protocols. Their errors are
// read as chat: they look the same.
func (r recording) wire() wireFunc {
	_, name, _ := strings.Cut(r.name, "/")
	for _, w := range []struct {
		prefix string
		ask    wireFunc
	}{
		{"chat_", wire.Chat().SendPrompt}, {"err_", wire.Chat().SendPrompt}, {"forced_", wire.Chat().SendPrompt}, {"par_", wire.Chat().SendPrompt},
		{"anthropic", wire.Anthropic().SendPrompt}, {"responses", r.askResponses}, {"ollama_chat", wire.Ollama().SendPrompt},
	} {
		if strings.HasPrefix(name, w.prefix) && r.expect != "–" {
			return w.ask
		}
	}
	if strings.HasPrefix(r.expect, "error") {
		return wire.Chat().SendPrompt
	}
	return nil
}

// askResponses sends the token limit of the recorded request: it decides how an answer
// ends.
func (r recording) askResponses(ctx context.Context, e wire.Endpoint, p verbatim.Prompt, _ int, params verbatim.Params) (verbatim.Reply, error) {
	return wire.SendResponses(ctx, e, p, r.bound)
}

func (r recording) play(t *testing.T, at ...int) (verbatim.Reply, error) {
	return r.ask(t, modeltest.Cut(r.raw, at...)...)
}

func (r recording) ask(t *testing.T, pieces ...modeltest.Piece) (verbatim.Reply, error) {
	e := wire.Endpoint{BaseURL: "http://model.test/v1", Model: "m", Stream: r.stream, Transport: modeltest.Tape(pieces...)}
	ask := r.wire()
	if ask == nil {
		ask = wire.Chat().SendPrompt
	}
	return ask(t.Context(), e, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}}, 64, verbatim.Params{})
}

// body returns the response's body as far as it was recorded, and where in raw
// the end marker of its stream is complete, or its document; 0 where neither is.
func (r recording) body(t *testing.T) (body []byte, end int) {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(r.raw)), nil)
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	body, _ = io.ReadAll(res.Body) // some were broken off
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return body, len(r.raw)
	}
	for _, mark := range []string{"data: [DONE]\n\n", "data: {\"type\":\"message_stop\"}\n\n", "event: response.completed\n"} {
		if i := bytes.Index(r.raw, []byte(mark)); i >= 0 {
			return body, i + bytes.Index(r.raw[i:], []byte("\n\n")) + 2 // which ends the event
		}
	}
	return body, 0
}

// text reads the content of a body in the simplest way.
func (r recording) text(t *testing.T, body []byte) string {
	var text strings.Builder
	add := func(data string) {
		if strings.Contains(data, "\"response") {
			text.WriteString(responsesText(t, data))
			return
		}
		var c struct {
			Choices []struct {
				Index          int
				Delta, Message struct{ Content string }
			}
			Content []struct{ Text string } // of Anthropic's messages
			Delta   struct{ Text string }   // of their events
		}
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		for _, choice := range c.Choices {
			if choice.Index == 0 {
				text.WriteString(choice.Delta.Content + choice.Message.Content)
			}
		}
		for _, block := range c.Content {
			text.WriteString(block.Text)
		}
		text.WriteString(c.Delta.Text)
	}
	if bytes.HasPrefix(body, []byte("{")) {
		add(string(body))
		return text.String()
	}
	for line := range strings.Lines(string(body)) {
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok && data != "[DONE]" {
			add(data)
		}
	}
	return text.String()
}

// responsesText reads the text of an event of the Responses API, or of a response in
// one piece.
func responsesText(t *testing.T, data string) (text string) {
	var c struct {
		Type   string
		Delta  any
		Output []struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(data), &c); err != nil {
		t.Fatal(err)
	}
	if c.Type == "response.output_text.delta" {
		text = c.Delta.(string)
	}
	for _, item := range c.Output {
		for _, part := range item.Content {
			text += part.Text
		}
	}
	return text
}
