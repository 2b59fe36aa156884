package nano

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/pylit"
	"verbatim/internal/task"
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

// TestParity compares the tokens of prompts and of greedy answers with those of the
// program that trained the network, which computes in another way: every tenth of them
// without VERBATIM_EXHAUSTIVE.
func TestParity(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes, in one goroutine")
	}
	n := load(t)
	for i, r := range recordedReplies(t) {
		if !exhaustive.All() && i%10 != 0 {
			continue
		}
		s := n.sequence(r.Messages)
		if !slices.Equal(s.tokens, r.Tokens) {
			t.Errorf("line %d: the prompt has the tokens\n%d, want\n%d", i+1, s.tokens, r.Tokens)
			continue
		}
		st := n.newState()
		for i, tok := range s.tokens {
			n.read(st, tok, s.places[i], i == len(s.tokens)-1)
		}
		written, ended, err := n.write(t.Context(), st, newChooser(Sampling{}), 200)
		if err != nil {
			t.Fatal(err)
		}
		n.release(st)
		if !slices.Equal(written, r.Answer) || ended == r.Cut {
			t.Errorf("line %d: the answer has the tokens\n%d, cut: %t, want\n%d, cut: %t", i+1, written, !ended, r.Answer, r.Cut)
		}
	}
}

// A recordedReply is what the training program read and wrote.
type recordedReply struct {
	Messages verbatim.Prompt `json:"messages"`
	Tokens   []token         `json:"tokens"`
	Answer   []token         `json:"answer"`
	Cut      bool            `json:"cut"`
}

func recordedReplies(t *testing.T) []recordedReply {
	name := filepath.Join("testdata", "replies.jsonl")
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s is missing: write it with nano/parity.py", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []recordedReply
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recordedReply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s, line %d: %v", name, len(list)+1, err)
		}
		list = append(list, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(list) < 100 {
		t.Fatalf("%s has %d lines", name, len(list))
	}
	return list
}

// TestExactness asks the network what it was trained for, with items that it has
// never seen: it must be exact about as often as docs/nano.md says, and nearly so in
// wordings that it was never trained on. That takes 1,600 answers and half a minute.
func TestExactness(t *testing.T) {
	exhaustive.Only(t)
	n := load(t)
	for _, c := range []struct {
		family string
		length int
		least  float64 // share of exact answers
	}{
		{"copy", 64, 0.99},
		{"reverse", 32, 0.99},
		{"sort-int", 8, 0.95},
		{"sort-word", 4, 0.90},
		{"add", 4, 0.95},
	} {
		for wording, share := range map[string]float64{"": 1, "1": 0.8, "2": 0.8, "3": 0.8} {
			t.Run(fmt.Sprintf("%s-%d/wording%s", c.family, c.length, wording), func(t *testing.T) {
				t.Parallel()
				items := 40
				if wording == "" {
					items = 200 // a share of 99 % wants many
				}
				if os.Getenv("VERBATIM_EXHAUSTIVE") == "all" {
					items *= 2
				}
				exact, wrong := 0, ""
				for _, it := range draw(t, c.family, c.length, items, wording) {
					a, err := n.Answer(t.Context(), it.prompt, it.maxTokens, Sampling{})
					if err != nil {
						t.Fatal(err)
					}
					if a.Text == it.want {
						exact++
					} else {
						wrong = fmt.Sprintf("%.100q, want %q", a.Text, it.want)
					}
				}
				if least := share * c.least * float64(items); float64(exact) < least {
					t.Errorf("%d of %d answers are exact, want %.0f; the last wrong one is %s", exact, items, least, wrong)
				}
			})
		}
	}
}

func message(role, text string) verbatim.Message {
	return verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}}
}

func userSays(text string) verbatim.Prompt { return verbatim.Prompt{message("user", text)} }

func load(t testing.TB) *Network {
	t.Helper()
	n, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// tinyHeader describes a network that is small and complete.
func tinyHeader() header {
	return header{
		Layers: 2, Width: 32, Heads: 2, Hidden: 16, Base: 1000, Indexes: 6, Fields: 3, Rests: 5,
		Words:   []string{"a", "don't", "reverse", "the"},
		Phrases: []string{"Reverse it.", "Reverse it. Now:", "Sort the following list:"},
	}
}

// start writes a file of weights up to the tables.
func (h header) start(t testing.TB) []byte {
	t.Helper()
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	b := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	return append(b, text...)
}

// file writes a file of weights drawn from the seed.
func (h header) file(t testing.TB, seed uint64) []byte {
	t.Helper()
	b := h.start(t)
	r := rand.New(rand.NewPCG(seed, 0))
	floats := func(n int, value float32) {
		for range n {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(value))
		}
	}
	matrix := func(rows, columns int) {
		floats(rows, 0.004)
		for range rows * columns {
			b = append(b, byte(r.Uint32()))
		}
	}
	for _, rows := range []int{h.tokens(), h.Indexes, h.Fields, h.Rests} {
		matrix(rows, h.Width)
	}
	for range h.Layers {
		floats(h.Heads, 2)
		for range 4 {
			matrix(h.Width, h.Width)
		}
		matrix(h.Hidden, h.Width)
		matrix(h.Width, h.Hidden)
	}
	return b
}

// tiny returns a network of random weights. Its answers are noise, and end at
// times.
func tiny(t testing.TB) *Network {
	t.Helper()
	n, err := parse(tinyHeader().file(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// An item is a prompt with the answer that it wants.
type item struct {
	prompt    verbatim.Prompt
	want      string
	maxTokens int
}

// draw draws items of a family as 'verbatim items' does.
func draw(t testing.TB, family string, length, count int, paraphrase string) []item {
	t.Helper()
	p, err := task.Plan(task.Request{
		Tasks:   []string{family},
		Lengths: []verbatim.Lengths{{Min: length, Max: length}},
		Items:   count,
		Seed:    1 << 51, // far from the seeds of training and of runs
		Variant: verbatim.Variant{Paraphrase: paraphrase},
	})
	if err != nil {
		t.Fatal(err)
	}
	d, err := task.Open(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	var items []item
	for at, ok := d.Next(); ok; at, ok = d.Next() {
		it, err := d.Item(at)
		if err != nil {
			t.Fatal(err)
		}
		want := it.Want.Text
		if it.Want.IsList() {
			want = pylit.Format(it.Want.List)
		}
		items = append(items, item{d.Prompt(it), want, task.MaxTokens(it, 0)})
	}
	if len(items) != count {
		t.Fatalf("%d items of %s were drawn, want %d", len(items), family, count)
	}
	return items
}
