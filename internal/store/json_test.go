package store

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/store/storetest"
)

// TestJSONAgreesWithEncodingJSON: what jsonText writes, encoding/json reads as what was
// meant, and so does the fast path where it applies.
func TestJSONAgreesWithEncodingJSON(t *testing.T) {
	short := 0
	rapid.Check(t, func(t *rapid.T) {
		text := storetest.AnyBytes().Draw(t, "text")
		var j jsonText
		j.quote(text)
		var got string
		if err := json.Unmarshal(j.b, &got); err != nil {
			t.Fatal(err)
		}
		if j.invalid == utf8.ValidString(text) || !j.invalid && got != text {
			t.Fatalf("%q: %s is %q, invalid %v", text, j.b, got, j.invalid)
		}
		if plain, ok := plainText(string(j.b)); ok && plain != text {
			t.Fatalf("%s: %q", j.b, plain)
		}

		var blobs []blob
		images := func(string) ([]byte, error) { return nil, nil }
		p := storetest.Prompts().Draw(t, "prompt")
		j = jsonText{}
		j.prompt(p, &blobs)
		long, err := anyPrompt(string(j.b), images)
		if err != nil {
			t.Fatal(err)
		}
		if plain, ok := plainPrompt(string(j.b)); ok {
			short++
			if d := storetest.Diff(long, plain); d != "" {
				t.Fatal(d)
			}
		}
	})
	if short == 0 {
		t.Error("no prompt was read by the fast path")
	}
}

// FuzzPlain: whatever the fast path accepts, encoding/json reads as the same.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{`[{"role":"user","content":"x\"\\\n"}]`, `[{"role":"a","content":"b"},{"role":"c","content":""}]`, `[`, `"a\u0000"`, `"a\\"`, `"a\`, `"`, `""x`, `[{"role":"user","content":"x"}],`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, ok := plainPrompt(s); ok && json.Valid([]byte(s)) {
			want, err := anyPrompt(s, func(string) ([]byte, error) { return nil, errors.New("no image") })
			if err != nil || storetest.Diff(want, p) != "" {
				t.Errorf("%q: %v, want %v, %v", s, p, want, err)
			}
		}
		if text, ok := plainText(s); ok && json.Valid([]byte(s)) {
			var want string
			if err := json.Unmarshal([]byte(s), &want); err != nil || text != want {
				t.Errorf("%q: %q, want %q, %v", s, text, want, err)
			}
		}
	})
}

func TestPlainIsShort(t *testing.T) {
	it := storetest.Typical(0).Item
	row, err := encodeItem(it)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := plainPrompt(row.Prompt); !ok {
		t.Errorf("a typical prompt is not read by the fast path: %s", row.Prompt)
	}
	if _, ok := plainText(row.Want); !ok {
		t.Errorf("a typical answer is not read by the fast path: %s", row.Want)
	}
}

func TestNumbers(t *testing.T) {
	big, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	for want, list := range map[string][]any{
		`[1,-2,9223372036854775807]`:            {int64(1), int64(-2), int64(1<<63 - 1)},
		`[-123456789012345678901234567890]`:     {big},
		`[1.0,0.5,10000000.5,100000000.0,-0.0]`: {1.0, 0.5, 10000000.5, 1e8, math.Copysign(0, -1)},
		`[1e+21]`:                               {1e21},
		`[0.000021,1e-07,1.5e+300]`:             {2.1e-05, 1e-7, 1.5e300},
		`[true,false,null,["a\u0000\n",[]]]`:    {true, false, nil, []any{"a\x00\n", []any{}}},
	} {
		var j jsonText
		j.answer(verbatim.ListAnswer(list))
		if string(j.b) != want || j.err != nil {
			t.Errorf("%s, %v, want %s", j.b, j.err, want)
		}
		if a, err := decodeAnswer(want); err != nil || storetest.Diff(verbatim.ListAnswer(list), a) != "" {
			t.Errorf("%s reads as %v, %v", want, a.List, err)
		}
	}
	var j jsonText
	if j.answer(verbatim.ListAnswer([]any{struct{}{}})); j.err == nil {
		t.Error("a list of structs has a JSON form")
	}
}

// TestItemHash: it changes with everything that an item says.
func TestItemHash(t *testing.T) {
	seen := map[int64]string{}
	for name, change := range map[string]func(*verbatim.Item){
		"nothing": func(*verbatim.Item) {},
		"id":      func(it *verbatim.Item) { it.ID += "0" },
		"prompt":  func(it *verbatim.Item) { it.Prompt = append(it.Prompt, verbatim.Message{}) },
		"role":    func(it *verbatim.Item) { it.Prompt = verbatim.Prompt{{Role: "system", Content: it.Prompt[0].Content}} },
		"want":    func(it *verbatim.Item) { it.Want.Text += " " },
		"list":    func(it *verbatim.Item) { it.Want = verbatim.ListAnswer([]any{int64(1)}) },
		"float":   func(it *verbatim.Item) { it.Want = verbatim.ListAnswer([]any{1.0}) },
		"source":  func(it *verbatim.Item) { it.Source = nil },
		"accept":  func(it *verbatim.Item) { it.Accept = []verbatim.Answer{verbatim.TextAnswer("x")} },
		"two": func(it *verbatim.Item) {
			it.Accept = []verbatim.Answer{verbatim.TextAnswer("x"), verbatim.TextAnswer("y")}
		},
		"mistake": func(it *verbatim.Item) { it.Mistakes = []verbatim.Mistake{{Label: "x"}} },
		"detail":  func(it *verbatim.Item) { it.Mistakes = []verbatim.Mistake{{Label: "x", Detail: "y"}} },
		"facts":   func(it *verbatim.Item) { it.Facts = map[string]string{"a": "b"} },
		"grader":  func(it *verbatim.Item) { it.Grader = "list" },
	} {
		it := *storetest.Typical(0).Item
		change(&it)
		row, err := encodeItem(&it)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[row.Hash]; ok {
			t.Errorf("%s and %s have one hash", name, other)
		}
		seen[row.Hash] = name
	}
}

func TestCut(t *testing.T) {
	for id, want := range map[string]any{
		"reverse@1/len=16/seed=1/7": int64(7), "a/007": "007", "a/": "", "": "", "7": int64(7), "a/-7": int64(-7), "a/+7": "+7", "a/-0": "-0",
		"a/9223372036854775807": int64(1<<63 - 1), "a/9223372036854775808": "9223372036854775808", "a/list_3": "list_3",
	} {
		series, tail := splitID(id)
		if tail != want || joinID(series, tail) != id || strings.Contains(joinID("", tail), "/") {
			t.Errorf("%q: %q, %v", id, series, tail)
		}
	}
}
