package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
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
