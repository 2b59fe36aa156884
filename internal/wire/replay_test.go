package wire_test

import (
	"bufio"
	"bytes"
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
	"verbatim/internal/wire"
)

// A recording is a response of a real server, byte for byte.
type recording struct {
	name   string // "llama-server/chat_sort"
	expect string // what a client should make of it, as the index has it
	raw    []byte
	stream bool
}

// recordings reads the index of every recorded server.
func recordings(t *testing.T) []recording {
	t.Helper()
	root := oracle(t, "wires")
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
			var request struct{ Stream bool }
			body, _ := os.ReadFile(file + ".req.json")
			json.Unmarshal(body, &request) // some requests are broken on purpose
			r.stream = request.Stream
			all = append(all, r)
		}
	}
	if len(all) < 100 {
		t.Fatalf("only %d recordings below %s", len(all), root)
	}
	return all
}

// oracle finds the reference data beside the repository.
func oracle(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for filepath.Dir(dir) != dir {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(dir, "..", "shared", "oracle", name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatalf("the reference data is required: %v", err)
		}
		t.Skipf("no reference data beside this checkout: %v", err)
	}
	return path
}

// isChat reports whether the answer, if it is one, is a chat completion.
func (r recording) isChat() bool {
	_, name, _ := strings.Cut(r.name, "/")
	for _, prefix := range []string{"chat_", "err_", "forced_", "par_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return strings.HasPrefix(r.expect, "error")
}

func (r recording) play(t *testing.T, at ...int) (verbatim.Reply, error) {
	return r.ask(t, modeltest.Cut(r.raw, at...)...)
}

func (r recording) ask(t *testing.T, pieces ...modeltest.Piece) (verbatim.Reply, error) {
	e := wire.Endpoint{BaseURL: "http://model.test/v1", Model: "m", Stream: r.stream, Transport: modeltest.Tape(pieces...)}
	return wire.Chat(t.Context(), e, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}}, 64, verbatim.Params{})
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
	const mark = "data: [DONE]\n\n"
	if i := bytes.Index(r.raw, []byte(mark)); i >= 0 {
		return body, i + len(mark)
	}
	return body, 0
}

// text reads the content out of a body in the plainest way.
func (r recording) text(t *testing.T, body []byte) string {
	var text strings.Builder
	add := func(data string) {
		var c struct {
			Choices []struct {
				Index          int
				Delta, Message struct{ Content string }
			}
		}
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		for _, choice := range c.Choices {
			if choice.Index == 0 {
				text.WriteString(choice.Delta.Content + choice.Message.Content)
			}
		}
	}
	if !bytes.HasPrefix(body, []byte("data:")) {
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

// check compares what the wire made of a recording with what the index expects.
func (r recording) check(t *testing.T, reply verbatim.Reply, err error) {
	t.Helper()
	var f *verbatim.Failure
	errors.As(err, &f)
	kind, _, _ := strings.Cut(strings.Trim(strings.TrimPrefix(r.expect, "error"), "()"), ",")
	switch {
	case r.expect == "ok" || r.expect == "limit":
		want := map[string]verbatim.Finish{"ok": verbatim.FinishStop, "limit": verbatim.FinishLength}[r.expect]
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

// Every recorded chat completion is read as the index says, with the text that
// is in it, whole and in pieces of any size.
func TestReplay(t *testing.T) {
	played := map[string]int{}
	texts := map[string]string{}
	r := rand.New(rand.NewPCG(1, 2))
	for _, rec := range recordings(t) {
		reply, err := rec.play(t)
		if !rec.isChat() {
			if err == nil && rec.expect != "–" {
				t.Errorf("%s: another protocol's answer passed: %q", rec.name, reply.Text)
			}
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
			if bytes.Contains(body, []byte(`"completion_tokens"`)) != (reply.Usage.Completion != nil) {
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
		t.Errorf("only %d answers are there in both forms", pairs)
	}
}

// An answer that is cut at any byte is no answer, and one that is split at any
// byte is the same answer. Short recordings are cut at every byte, long ones at
// some; all at every byte when VERBATIM_EXHAUSTIVE is set, all at some with -short.
func TestReplayCut(t *testing.T) {
	var cuts, splits atomic.Int64
	t.Run("recordings", func(t *testing.T) {
		for _, rec := range recordings(t) {
			if !rec.isChat() {
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
					if len(rec.raw) > 800 && os.Getenv("VERBATIM_EXHAUSTIVE") == "" {
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
	if cuts.Load() < 5000 || splits.Load() < 3000 {
		t.Errorf("only %d cuts and %d splits were tried", cuts.Load(), splits.Load())
	}
}

// positions returns the places in a recording of n bytes that are tried: all of
// a short one, some of a long one, and all around its end.
func positions(n, end int) []int {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	var at []int
	for i := 1; i < n; i++ {
		if n <= 800 && !testing.Short() || os.Getenv("VERBATIM_EXHAUSTIVE") != "" || r.IntN(n) < 60 || i > end-20 && i < end+20 {
			at = append(at, i)
		}
	}
	return at
}
