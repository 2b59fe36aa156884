package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/oracle"
	"verbatim/internal/wire"
)

// check compares what the wire read from a recording with what the index expects.
func (r recording) check(t *testing.T, reply verbatim.Reply, err error) {
	t.Helper()
	var f *verbatim.Failure
	errors.As(err, &f)
	kind, _, _ := strings.Cut(strings.Trim(strings.TrimPrefix(r.expect, "error"), "()"), ",")
	expect, _, _ := strings.Cut(r.expect, " (only")
	if r.name == "llama-server/responses" || r.name == "llama-server/responses_stream" {
		// It ended by itself, but with the last token that it had: the count, which
		// is all that this server gives, cannot tell that from a cut.
		expect = "limit"
	}
	if r.name == "llama-server/err_image_part" {
		// The index classifies by the status; the text says that the model takes no images.
		r.expect, kind = "error(unsupported)", "unsupported"
	}
	switch {
	case expect == "ok" || expect == "limit":
		want := map[string]verbatim.Finish{"ok": verbatim.FinishStop, "limit": verbatim.FinishLength}[expect]
		if err != nil || reply.Finish != want {
			t.Errorf("%s: finish %q, %v; want %q", r.name, reply.Finish, err, want)
		}
	case r.expect == "cut" || strings.Contains(r.expect, "hung up"):
		if f == nil || f.Class != verbatim.Cut {
			t.Errorf("%s: %v, want a cut", r.name, err)
		}
	case strings.HasPrefix(r.expect, "error"):
		if f == nil || string(f.Class) != kind {
			t.Errorf("%s: %v, want %s", r.name, err, r.expect)
		} else if f.Err == nil || len(f.Err.Error()) > 1000 || strings.ContainsAny(f.Error(), "\n\x1b") {
			t.Errorf("%s: unfit message %q", r.name, f.Error())
		}
	default:
		t.Errorf("%s: the index expects %q, which this test does not know", r.name, r.expect)
	}
}

// Every recorded answer is read as the index says, with the text that is in it,
// whole and in pieces of any size.
func TestReplay(t *testing.T) {
	played := map[string]int{}
	texts := map[string]string{}
	r := rand.New(rand.NewPCG(1, 2))
	for _, rec := range recordings(t) {
		reply, err := rec.play(t)
		if rec.wire() == nil {
			if rec.expect != "–" {
				t.Errorf("%s: no wire speaks its protocol: %q, %v", rec.name, reply.Text, err)
			}
			played["no answer"]++
			continue
		}
		rec.check(t, reply, err)
		kind, _, _ := strings.Cut(rec.expect, "(")
		played[strings.TrimSpace(kind)]++
		body, _ := rec.body(t)
		if err == nil {
			texts[rec.name] = reply.Text
			if want := rec.text(t, body); reply.Text != want {
				t.Errorf("%s: text %q, want %q", rec.name, reply.Text, want)
			}
			counted := bytes.Contains(body, []byte(`"completion_tokens"`)) || bytes.Contains(body, []byte(`"output_tokens"`))
			if counted != (reply.Usage.Completion != nil) {
				t.Errorf("%s: completion tokens %v", rec.name, reply.Usage.Completion)
			}
		}
		for range 10 {
			var at []int
			for i := 0; i < len(rec.raw); i += 1 + r.IntN(1<<r.IntN(9)) {
				at = append(at, i)
			}
			again, err2 := rec.play(t, at...)
			if again.Text != reply.Text || again.Finish != reply.Finish || fmt.Sprint(err2) != fmt.Sprint(err) {
				t.Errorf("%s in %d pieces: %q, %v", rec.name, len(at), again.Text, err2)
			}
		}
	}
	if played["ok"] < 30 || played["limit"] < 30 || played["cut"] < 2 || played["error"] < 40 {
		t.Errorf("played %v: that is too little", played)
	}
	t.Logf("played %v", played)
	pairs := 0
	for name, text := range texts {
		plain, ok := texts[strings.TrimSuffix(name, "_stream")]
		// A token that the limit cuts within a character is missing in a stream; in
		// a document it ends in U+FFFD, or keeps what came before the character.
		// The answers of the second server differ from one to the next.
		if !ok || !strings.HasSuffix(name, "_stream") || !strings.HasPrefix(name, "llama-server/") {
			continue
		}
		pairs++
		cut := strings.TrimRight(plain, "\uFFFD")
		byLimit := strings.Contains(name, "unicode_length") || strings.Contains(name, "emoji_cut")
		if cut != text && !(byLimit && strings.HasPrefix(cut, text) && len(cut)-len(text) <= 4) {
			t.Errorf("%s: %q, but in one piece %q", name, text, plain)
		}
	}
	if pairs < 10 {
		t.Errorf("only %d answers were recorded streamed and in one piece", pairs)
	}
}

// An answer that is cut at any byte is no answer, and one that is split at any
// byte is the same answer. Short recordings are cut at every byte, long ones at
// some; all at every byte when VERBATIM_EXHAUSTIVE is set, all at some with -short.
func TestReplayCut(t *testing.T) {
	list := recordings(t) // where there are none, all of this is passed over
	var cuts, splits atomic.Int64
	t.Run("recordings", func(t *testing.T) {
		for _, rec := range list {
			if rec.wire() == nil {
				continue
			}
			t.Run(rec.name, func(t *testing.T) {
				t.Parallel()
				whole, err := rec.play(t)
				_, end := rec.body(t)
				if err != nil {
					end = len(rec.raw) + 1
				}
				for _, i := range positions(len(rec.raw), end) {
					cuts.Add(1)
					got, cutErr := rec.ask(t, modeltest.Piece{Bytes: rec.raw[:i]})
					switch {
					case cutErr == nil && i < end:
						t.Fatalf("cut at %d of %d: answer %q", i, len(rec.raw), got.Text)
					case cutErr == nil && (got.Text != whole.Text || got.Finish != whole.Finish):
						t.Fatalf("cut at %d of %d, after its end: %q", i, len(rec.raw), got.Text)
					case cutErr != nil && i >= end:
						t.Fatalf("cut at %d of %d, after its end: %v", i, len(rec.raw), cutErr)
					}
					if len(rec.raw) > 400 && os.Getenv("VERBATIM_EXHAUSTIVE") == "" {
						continue
					}
					splits.Add(1)
					got, splitErr := rec.play(t, i)
					if got.Text != whole.Text || got.Finish != whole.Finish || fmt.Sprint(splitErr) != fmt.Sprint(err) {
						t.Fatalf("split at %d of %d: %q, %v", i, len(rec.raw), got.Text, splitErr)
					}
				}
			})
		}
	})
	t.Logf("%d cuts, %d splits", cuts.Load(), splits.Load())
	least := int64(3000)
	if testing.Short() {
		least = 1000
	}
	if cuts.Load() < 5000 || splits.Load() < least {
		t.Errorf("only %d cuts and %d splits were tried", cuts.Load(), splits.Load())
	}
}

// positions returns the places in a recording of n bytes that are tried: all of
// a short one, some of a long one, and all around its end.
func positions(n, end int) []int {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	var at []int
	for i := 1; i < n; i++ {
		if n <= 400 && !testing.Short() || os.Getenv("VERBATIM_EXHAUSTIVE") != "" || r.IntN(n) < 30 || i > end-20 && i < end+20 {
			at = append(at, i)
		}
	}
	return at
}

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

// Of partial texts the head and the tail are saved, whole characters each, and how
// much is missing.
func TestHeadAndTail(t *testing.T) {
	for _, n := range []int{0, 1, 8192, 8292} {
		if s := strings.Repeat("a", n); wire.HeadAndTail(s) != s {
			t.Errorf("%d bytes are not saved whole", n)
		}
	}
	for shift := range 4 {
		s := strings.Repeat("a", shift) + strings.Repeat("😀", 5000)
		got := wire.HeadAndTail(s)
		if len(got) > 8300 || strings.ToValidUTF8(got, "?") != got || !strings.HasPrefix(got, s[:4000]) || !strings.HasSuffix(got, s[len(s)-4000:]) {
			t.Errorf("shift %d: %d bytes", shift, len(got))
		}
	}
}
