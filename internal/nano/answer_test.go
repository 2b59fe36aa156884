package nano

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"verbatim"
)

var update = flag.Bool("update", false, "write the golden answers again; read the difference before you commit it")

// A request is what TestAnswer sends.
type request struct {
	prompt    verbatim.Prompt
	maxTokens int
	sampling  Sampling
}

// requests are of all kinds that people may send.
func requests(t testing.TB) []request {
	var list []request
	for _, text := range []string{
		"", "hello", "What is 2 + 2?", "Say it: one two", `"`, `""`, "[]", "Sort: [3, 1, 2",
		`Repeat this: "naïve — “quoted” 😀"`, "Reverse the text \"a \"b\"\n\tc\".", "Copy \"\xff\x00\"",
		`Sort ['b', "it's", 'a']`, strings.Repeat("the ", 300) + `"x"`,
	} {
		list = append(list, request{userSays(text), 40, Sampling{}})
	}
	for _, family := range []string{"copy", "reverse", "add", "sort-int", "sort-word"} {
		list = append(list, request{draw(t, family, 5, 1, "")[0].prompt, 100, Sampling{}})
	}
	few := verbatim.Prompt{
		message("system", "You are a helpful assistant."),
		message("user", `Reverse this: "abc"`), message("assistant", "cba"),
		message("user", "Sort [2, 1]"), message("assistant", "[1, 2]"),
		message("user", `Reverse this: "wxyz"`),
	}
	copying := userSays(`Copy this text: "Hello, World"`)
	return append(list,
		request{nil, 10, Sampling{}},
		request{few, 60, Sampling{}},
		request{copying, 3, Sampling{}},
		request{copying, 40, Sampling{Temperature: 0.7, Seed: 1}},
		request{copying, 40, Sampling{Temperature: 1, TopP: 0.9, Seed: 1}},
		request{copying, 40, Sampling{Temperature: 2, Seed: 2}},
	)
}

// TestAnswer compares answers with the golden ones, which are the same on every
// machine. Other weights give others: write them with -update.
func TestAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes, in one goroutine")
	}
	n := load(t)
	var b strings.Builder
	for _, r := range requests(t) {
		for _, m := range r.prompt {
			fmt.Fprintf(&b, "%s: %.100q\n", m.Role, m.Content[0].Text)
		}
		a, err := n.Answer(t.Context(), r.prompt, r.maxTokens, r.sampling)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%+v\n\t%q\n\t%d tokens read, %d written, cut: %t\n\n", r.sampling, a.Text, a.Prompt, a.Completion, a.Cut)
	}
	golden := filepath.Join("testdata", "answers.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("the answers are not those of %s:\n%s", golden, firstDifference(got, string(want)))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d is\n%s\nwant\n%s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// TestConcurrent wants the same answers from many goroutines as from one.
func TestConcurrent(t *testing.T) {
	n := tiny(t)
	asked := requests(t)
	for i := range asked {
		asked[i].maxTokens = 5
	}
	want := make([]Answer, len(asked))
	for i, r := range asked {
		want[i] = checkAnswer(t, n, r.prompt, r.maxTokens, r.sampling)
	}
	var wg sync.WaitGroup
	for first := range 4 {
		wg.Go(func() {
			for i := range asked {
				i = (i + 3*first) % len(asked)
				r := asked[i]
				if got, err := n.Answer(t.Context(), r.prompt, r.maxTokens, r.sampling); err != nil || !reflect.DeepEqual(got, want[i]) {
					t.Errorf("request %d: %+v, %v, want %+v", i, got, err, want[i])
				}
			}
		})
	}
	wg.Wait()
}

// TestContext fills the context to the last token and refuses what goes beyond.
func TestContext(t *testing.T) {
	n := tiny(t)
	// USER, TEXT and ASSISTANT are around the bytes.
	for size, want := range map[int]int{Context - 3 - 1: 1, Context - 3 - 4: 4} {
		a := checkAnswer(t, n, userSays(`"`+strings.Repeat("x", size)), 0, Sampling{})
		if a.Prompt != size+3 || a.Completion > want {
			t.Errorf("%d tokens read and %d written, want %d and at most %d", a.Prompt, a.Completion, size+3, want)
		}
	}
	_, err := n.Answer(t.Context(), userSays(`"`+strings.Repeat("x", Context-3)), 1, Sampling{})
	var long *TooLong
	if !errors.As(err, &long) || long.Tokens != Context {
		t.Fatalf("the error is %v, want a TooLong of %d tokens", err, Context)
	}
	if want := "the prompt has 1024 tokens, and nano reads at most 1023"; err.Error() != want {
		t.Errorf("the error says %q, want %q", err, want)
	}
}

// TestImage refuses a prompt with an image, wherever it is.
func TestImage(t *testing.T) {
	p := verbatim.Prompt{message("user", "a"), {Role: "user", Content: []verbatim.Part{{Text: "b"}, {Image: &verbatim.Image{}}}}}
	if _, err := tiny(t).Answer(t.Context(), p, 1, Sampling{}); !errors.Is(err, ErrImage) {
		t.Errorf("the error is %v, want ErrImage", err)
	}
}

// A countdown is a context that is done after it was looked at so many times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancel stops while the prompt is read and while the answer is written.
func TestCancel(t *testing.T) {
	n := tiny(t)
	p := userSays(`"abc"`)
	whole := &countdown{t.Context(), 1000}
	a, err := n.Answer(whole, p, 5, Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	looks := 1000 - whole.left
	if looks != a.Prompt+4 && looks != a.Prompt+a.Completion {
		t.Errorf("the context was looked at %d times for %d and %d tokens", looks, a.Prompt, a.Completion)
	}
	for left := range looks {
		if a, err := n.Answer(&countdown{t.Context(), left}, p, 5, Sampling{}); !errors.Is(err, context.Canceled) || !reflect.DeepEqual(a, Answer{}) {
			t.Errorf("stopped at look %d: %+v, %v", left, a, err)
		}
	}
}

// checkAnswer answers twice and checks what is true of all answers.
func checkAnswer(t *testing.T, n *Network, p verbatim.Prompt, maxTokens int, s Sampling) Answer {
	t.Helper()
	a, err := n.Answer(context.Background(), p, maxTokens, s)
	count := n.Count(p)
	var long *TooLong
	if errors.As(err, &long) {
		if count != long.Tokens || count < Context {
			t.Fatalf("%v, and %d tokens were counted", err, count)
		}
		return a
	}
	if err != nil {
		t.Fatal(err)
	}
	limit := Context - count
	if maxTokens > 0 {
		limit = min(limit, maxTokens)
	}
	switch {
	case a.Prompt != count:
		t.Fatalf("%d tokens read, and %d counted", a.Prompt, count)
	case a.Completion > limit || a.Cut != (a.Completion == limit):
		t.Fatalf("%d tokens written of %d, cut: %t", a.Completion, limit, a.Cut)
	case len(a.Text) < a.Completion || len(a.Text) > 4*a.Completion:
		t.Fatalf("%d tokens for the %d bytes of %q", a.Completion, len(a.Text), a.Text)
	}
	if again, err := n.Answer(context.Background(), p, maxTokens, s); err != nil || !reflect.DeepEqual(again, a) {
		t.Fatalf("the second time: %+v, %v, want %+v", again, err, a)
	}
	return a
}

// FuzzAnswer answers any prompt, however its tokens are chosen.
func FuzzAnswer(f *testing.F) {
	f.Add("system", "Reverse it.", "user", `"ab"`, 5, 0.0, 0.0, uint64(0))
	f.Add("assistant", "[1, 'a']", "user", `[1, "2`, -1, 1.0, 0.5, uint64(7))
	f.Add("", "\xff", "tool", ":  ", 1<<40, math.Inf(1), math.NaN(), uint64(7))
	n := tiny(f)
	f.Fuzz(func(t *testing.T, role1, said1, role2, said2 string, maxTokens int, temperature, topP float64, seed uint64) {
		p := verbatim.Prompt{message(role1, said1), message(role2, said2)}
		checkAnswer(t, n, p, 1+int(uint(maxTokens)%20), Sampling{Temperature: temperature, TopP: topP, Seed: seed})
	})
}
