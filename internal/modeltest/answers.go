package modeltest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
)

func number(n int64) *int64 { return &n }

func testAnswer(t *testing.T, h Harness) {
	want := h.counts(verbatim.Usage{Prompt: number(12), Completion: number(3)})
	r := answer(t, h, Scene{Text: []string{"one ", "two ", "three"}, Finish: verbatim.FinishStop, Usage: []verbatim.Usage{want}})
	if r.Text != "one two three" {
		t.Errorf("text %q", r.Text)
	}
	if r.Finish != verbatim.FinishStop || r.FinishRaw == "" {
		t.Errorf("finish %q, raw %q", r.Finish, r.FinishRaw)
	}
	if got := show(r.Usage); got != show(want) {
		t.Errorf("usage %s, want %s", got, show(want))
	}
	if r.Reasoning != "" || r.ReasoningField != "" {
		t.Errorf("reasoning %q in field %q out of nothing", r.Reasoning, r.ReasoningField)
	}
	if len(r.Attempts) != 1 {
		t.Fatalf("%d attempts, want 1", len(r.Attempts))
	}
	if a := r.Attempts[0]; a.Class != "" || a.Err != "" || a.Status != 200 || a.Bytes == 0 || a.Start.IsZero() || a.Total != r.Times.Total {
		t.Errorf("attempt %+v", a)
	}
	if r.Times.Start.IsZero() || r.Times.Total <= 0 || r.Times.FirstByte == nil || *r.Times.FirstByte > r.Times.Total {
		t.Errorf("times %+v", r.Times)
	}
	if r.Times.FirstReasoning != nil {
		t.Errorf("a time of reasoning, though there was none")
	}
	switch first := r.Times.FirstContent; {
	case h.Stream && (first == nil || *first < *r.Times.FirstByte || *first > r.Times.Total):
		t.Errorf("first content %v of %v", first, r.Times.Total)
	case !h.Stream && first != nil:
		t.Errorf("a time of the first text of a reply in one piece")
	}
}

func testFinish(t *testing.T, h Harness) {
	for _, finish := range []verbatim.Finish{verbatim.FinishStop, verbatim.FinishLength, verbatim.FinishFilter} {
		r := answer(t, h, Scene{Text: []string{"abc"}, Finish: finish})
		if r.Finish != finish || r.FinishRaw == "" || r.Text != "abc" {
			t.Errorf("%s: finish %q, raw %q, text %q", finish, r.Finish, r.FinishRaw, r.Text)
		}
	}
}

// A reply without text is a reply, also one that the token limit or a filter ended.
func testEmpty(t *testing.T, h Harness) {
	for _, finish := range []verbatim.Finish{verbatim.FinishStop, verbatim.FinishLength, verbatim.FinishFilter} {
		r := answer(t, h, Scene{Finish: finish})
		if r.Text != "" || r.Finish != finish || r.Times.FirstContent != nil {
			t.Errorf("%s: text %q, finish %q, first content %v", finish, r.Text, r.Finish, r.Times.FirstContent)
		}
	}
}

func testRefusal(t *testing.T, h Harness) {
	if h.NoRefusal {
		t.Skip("the protocol has no place for a refusal")
	}
	r := answer(t, h, Scene{Refusal: "I cannot help with that.", Finish: verbatim.FinishStop})
	if r.Finish != verbatim.FinishRefusal || r.Text != "I cannot help with that." {
		t.Errorf("finish %q, text %q", r.Finish, r.Text)
	}
}

func testReasoning(t *testing.T, h Harness) {
	if h.NoReasoning {
		t.Skip("the protocol has no place for reasoning")
	}
	usage := verbatim.Usage{Completion: number(9), Reasoning: number(7)}
	r := answer(t, h, Scene{Reasoning: []string{"hm ", "so"}, Text: []string{"42"}, Finish: verbatim.FinishStop, Usage: []verbatim.Usage{usage}})
	if r.Text != "42" || r.Reasoning != "hm so" || r.ReasoningField == "" {
		t.Errorf("text %q, reasoning %q in field %q", r.Text, r.Reasoning, r.ReasoningField)
	}
	if got, want := show(r.Usage), show(h.counts(usage)); got != want {
		t.Errorf("usage %s, want %s", got, want)
	}
	if h.Stream && (r.Times.FirstReasoning == nil || r.Times.FirstContent == nil || *r.Times.FirstReasoning > *r.Times.FirstContent) {
		t.Errorf("times %+v", r.Times)
	}
}

func testUsage(t *testing.T, h Harness) {
	first := verbatim.Usage{Prompt: number(5), Completion: number(2)}
	full := verbatim.Usage{Prompt: number(5), Completion: number(4), Cached: number(0)}
	for _, c := range []struct {
		name  string
		scene Scene
		want  verbatim.Usage
	}{
		{"absent", Scene{}, verbatim.Usage{}},
		{"null", Scene{NullUsage: true}, verbatim.Usage{}},
		{"zero is not missing", Scene{Usage: []verbatim.Usage{{Completion: number(0)}}}, verbatim.Usage{Completion: number(0)}},
		{"what was cached is part of the prompt", Scene{Usage: []verbatim.Usage{{Prompt: number(33), Completion: number(8), Cached: number(32)}}},
			verbatim.Usage{Prompt: number(33), Completion: number(8), Cached: number(32)}},
		{"reasoning is part of the completion", Scene{Usage: []verbatim.Usage{{Completion: number(8), Reasoning: number(8)}}},
			verbatim.Usage{Completion: number(8), Reasoning: number(8)}},
		{"the later report counts", Scene{Usage: []verbatim.Usage{first, full}}, full},
		{"a poorer later report takes nothing away", Scene{Usage: []verbatim.Usage{full, first}}, verbatim.Usage{Prompt: number(5), Completion: number(2), Cached: number(0)}},
	} {
		if len(c.scene.Usage) > 1 && !h.Stream {
			continue // one document has room for one report
		}
		c.scene.Text, c.scene.Finish = []string{"a", "b"}, verbatim.FinishStop
		if got, want := show(answer(t, h, c.scene).Usage), show(h.counts(c.want)); got != want {
			t.Errorf("%s: usage %s, want %s", c.name, got, want)
		}
	}
}

func show(u verbatim.Usage) string {
	s := ""
	for _, n := range []*int64{u.Prompt, u.Completion, u.Reasoning, u.Cached} {
		if n == nil {
			s += " -"
		} else {
			s += fmt.Sprint(" ", *n)
		}
	}
	return s
}

// strange returns texts that careless readers change.
func strange() []string {
	return []string{
		"\x00\x01\x1b[2J\x1b]0;title\x07\x7f", "\xff\xfe\xc3", "\xc3\x28", "\uFFFD", "\uFEFF", "a\r\nb\rc\n\nd",
		`"\u0041" \ / `, "data: [DONE]\n\n", "</think>", "\u2028\u2029", "\u202E\u200B", "é e\u0301 漢 🙂 \U0010FFFF",
		" lead and trail \t ", "\xed\xb0\x80", "\xed\xa0\x80", `[1, 'two', "3"]`,
	}
}

func testAnyBytes(t *testing.T, h Harness) {
	for _, text := range strange() {
		r := answer(t, h, Scene{Text: []string{text}, Finish: verbatim.FinishStop})
		if r.Text != text {
			t.Errorf("text %q, want %q", r.Text, text)
		}
	}
	// The halves of a character join, also across events.
	if r := answer(t, h, Scene{Text: []string{"a\xed\xa0\xbd", "\xed\xb8\x80b"}, Finish: verbatim.FinishStop}); r.Text != "a😀b" {
		t.Errorf("text %q, want a😀b", r.Text)
	}
	all := strange()
	if r := answer(t, h, Scene{Text: all, Reasoning: all, Finish: verbatim.FinishStop}); r.Text != strings.Join(all, "") || r.Reasoning != h.reasoning(r.Text) {
		t.Errorf("text %q, reasoning %q", r.Text, r.Reasoning)
	}
}

func splitScene() (Scene, string) {
	return Scene{Text: []string{"aé漢", "🙂b\n", "\x00c"}, Reasoning: []string{"ü"}, Finish: verbatim.FinishStop,
		Usage: []verbatim.Usage{{Prompt: number(1), Completion: number(2)}}}, "aé漢🙂b\n\x00c"
}

func testSplit(t *testing.T, h Harness) {
	scene, want := splitScene()
	b := h.Answer(scene)
	raw := Response(200, b.Type, b.Bytes)
	for i := range raw {
		r, err := play(t, h, Cut(raw, i)...)
		if err != nil || r.Text != want || r.Reasoning != h.reasoning("ü") {
			t.Fatalf("split at %d of %d: text %q, reasoning %q, %v", i, len(raw), r.Text, r.Reasoning, err)
		}
	}
	every := make([]int, len(raw))
	for i := range every {
		every[i] = i
	}
	if r, err := play(t, h, Cut(raw, every...)...); err != nil || r.Text != want {
		t.Fatalf("a byte a read: text %q, %v", r.Text, err)
	}
}

// A cut reply is a failure: when the connection breaks, and when the server ends the body as if it
// were complete.
func testCut(t *testing.T, h Harness) {
	scene, want := splitScene()
	b := h.Answer(scene)
	if b.End <= 0 || b.End > len(b.Bytes) {
		t.Fatalf("the harness says that the answer ends at %d of %d", b.End, len(b.Bytes))
	}
	for name, frame := range map[string]func([]byte) []byte{
		"ended by the server": func(body []byte) []byte { return Response(200, b.Type, body) },
		"broken off in a chunk": func(body []byte) []byte {
			return append(chunkedHead(200, b.Type), chunks(body, false)...)
		},
		"ended by closing": func(body []byte) []byte { return append(head(200, b.Type, "Connection: close"), body...) },
		"short of its length": func(body []byte) []byte {
			return append(head(200, b.Type, fmt.Sprint("Content-Length: ", len(b.Bytes))), body...)
		},
	} {
		step := exhaustive.Of(3, 1)
		if name == "ended by the server" { // the most frequent case
			step = 1
		}
		for i := 0; i <= len(b.Bytes); i += step {
			r, err := play(t, h, Piece{Bytes: frame(b.Bytes[:i])})
			whole := i >= b.End
			switch {
			case whole && err == nil:
				if r.Text != want {
					t.Fatalf("%s at %d: text %q", name, i, r.Text)
				}
				continue
			case whole && (h.Stream && !h.NoMark || name != "broken off in a chunk"):
				t.Fatalf("%s at %d, after the end: %v", name, i, err)
			}
			f := failure(t, err, verbatim.Cut)
			if p := f.Attempts[0].Partial; !strings.HasPrefix(want, p) {
				t.Fatalf("%s at %d: partial %q", name, i, p)
			}
		}
	}
}

func testLong(t *testing.T, h Harness) {
	pieces := exhaustive.Of(1<<10, 4<<10)
	piece := strings.Repeat("0123456789abcde\n", 64)
	want := strings.Repeat(piece, pieces)
	for form, text := range map[string][]string{"in pieces": slices.Repeat([]string{piece}, pieces), "in one piece": {want}} {
		b := h.Answer(Scene{Text: text, Finish: verbatim.FinishStop})
		e := endpoint(h, Tape(Piece{Bytes: Response(200, b.Type, b.Bytes)}))
		e.MaxReply = int64(len(want)) // more than the token limit allows
		r, err := h.Ask(t.Context(), e, prompt("q"))
		if err != nil {
			t.Fatalf("%s: no answer: %v", form, err)
		}
		if r.Text != want {
			t.Errorf("%s: %d bytes came, want %d", form, len(r.Text), len(want))
		}
	}
}

// The reading of a reply without end is given up.
func testTooLong(t *testing.T, h Harness) {
	if testing.Short() {
		t.Skip("reads 65 MiB")
	}
	run := bytes.Repeat([]byte("x"), 1<<20)
	b := h.Answer(Scene{Text: []string{string(run)}, Finish: verbatim.FinishStop})
	begin, _, _ := bytes.Cut(b.Bytes, run)
	pieces := []Piece{{Bytes: append(chunkedHead(200, b.Type), chunks(begin, false)...)}}
	more := chunks(run, false)
	for range 65 {
		pieces = append(pieces, Piece{Bytes: more})
	}
	_, err := play(t, h, pieces...)
	failure(t, err, verbatim.Content)
}
