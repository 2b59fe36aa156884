package task

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
)

// TestSuites wants the numbers of items that the suites promise, and the quick one
// to be quick.
func TestSuites(t *testing.T) {
	for name, count := range map[string]int64{"quick": 84, "simpe": 300, "sortbench": 1440, "": 84} {
		for _, e := range []verbatim.Edition{verbatim.Standard, verbatim.Paper} {
			p, err := Plan(Request{Suite: name, Seed: 1, Edition: e})
			if err != nil || p.Count != count {
				t.Errorf("%q in %s: %d requests, %v", name, e, p.Count, err)
			}
			for _, c := range p.Cells {
				if (c.Grader == "sortbench") != (name == "sortbench") {
					t.Errorf("%q: %s is graded by %q", name, c.Family, c.Grader)
				}
				if err := checkLength(must(Find(c.Family)), c.Length, e); err != nil {
					t.Errorf("%q in %s: %v", name, e, err)
				}
			}
		}
	}
	for _, e := range verbatim.Editions() {
		p := must(Plan(Request{Suite: "quick", Seed: 1, Edition: e}))
		d := must(Open(p, nil))
		tokens, lengths := 0, map[string]map[verbatim.Lengths]bool{}
		for position, ok := d.Next(); ok; position, ok = d.Next() {
			it := must(d.Item(position))
			n := MaxTokens(it, 0)
			if n > 1000 {
				t.Errorf("%s may take %d tokens", it.ID, n)
			}
			tokens += n
			c := p.Cells[position.Cell]
			if lengths[c.Family] == nil {
				lengths[c.Family] = map[verbatim.Lengths]bool{}
			}
			lengths[c.Family][c.Length] = true
		}
		if len(lengths) != len(quickTasks()) {
			t.Errorf("the quick suite has items of %d tasks, and lists %d", len(lengths), len(quickTasks()))
		}
		if tokens > 9_800 { // 115 seconds at 85 a second
			t.Errorf("the quick suite may take %d tokens in %s", tokens, e)
		}
		t.Logf("the quick suite takes at most %d tokens in %s", tokens, e)
	}
}

// TestQuickHash pins the plan that saved runs of the quick suite have.
func TestQuickHash(t *testing.T) {
	const pinned = "5f65694764dd33e1d4ee448c57837cafc4d835c5ed4f8ebcecbcd1f4737c4834"
	if p := must(Plan(Request{Suite: "quick", Seed: 1})); p.Hash != pinned {
		t.Errorf("the plan is %s", p.Hash)
	}
}

// TestSimpE wants the lengths and bands of the documents, and the code's lengths
// in the reference edition.
func TestSimpE(t *testing.T) {
	for e, want := range map[verbatim.Edition]string{
		verbatim.Standard:  "reverse 2..30 [2..8 9..16 17..30]; copy 10..500 [10..50 51..200 201..500]; add 3..30 [3..10 11..20 21..30]; ",
		verbatim.Reference: "reverse 3..30 [3..8 9..16 17..30]; copy 10..600 [10..50 51..200 201..600]; add 3..30 [3..10 11..20 21..30]; ",
	} {
		got := ""
		for _, c := range must(Plan(Request{Suite: "simpe", Seed: 1, Edition: e})).Cells {
			var bands []string
			for _, b := range c.Bands {
				bands = append(bands, b.String())
			}
			got += c.Family + " " + c.Length.String() + " [" + strings.Join(bands, " ") + "]; "
			if c.N != 100 {
				t.Errorf("%d items of %s", c.N, c.Family)
			}
		}
		if got != want {
			t.Errorf("%s: %s\nwant %s", e, got, want)
		}
	}
}

// TestHash wants every part of a request to change the plan's hash, and nothing
// else to.
func TestHash(t *testing.T) {
	base := Request{Tasks: []string{"reverse"}, Lengths: must(ParseLengths("8")), Items: 5, Seed: 1}
	variants := []func(*Request){
		func(q *Request) {},
		func(q *Request) { q.Seed = 2 },
		func(q *Request) { q.Items = 6 },
		func(q *Request) { q.Trials = 2 },
		func(q *Request) { q.Lengths = must(ParseLengths("9")) },
		func(q *Request) { q.Lengths = []verbatim.Lengths{{Min: 8, Max: 9}} },
		func(q *Request) { q.Tasks = []string{"copy"} },
		func(q *Request) { q.Edition = verbatim.Paper },
		func(q *Request) { *q = Request{File: &verbatim.ItemFile{Name: "a", SHA256: "01", N: 5}} },
		func(q *Request) { *q = Request{File: &verbatim.ItemFile{Name: "a", SHA256: "02", N: 5}} },
		func(q *Request) { *q = Request{Lists: &verbatim.ItemFile{Name: "a", SHA256: "01", N: 5}} },
	}
	seen := map[string]int{}
	for i, change := range variants {
		q := base
		change(&q)
		p := must(Plan(q))
		if j, ok := seen[p.Hash]; ok {
			t.Errorf("variants %d and %d have one hash", i, j)
		}
		seen[p.Hash] = i
		if again := must(Plan(q)); again.Hash != p.Hash {
			t.Errorf("variant %d has two hashes", i)
		}
	}
	same := []struct{ a, b Request }{
		{base, Request{Tasks: []string{"reversal", "reverse"}, Lengths: []verbatim.Lengths{fixedLength(8), fixedLength(8)}, Items: 5, Seed: 1, Trials: 1, Edition: verbatim.Standard}},
		{Request{Seed: 1}, Request{Suite: "quick", Seed: 1}},
		{Request{File: &verbatim.ItemFile{Name: "a", SHA256: "01", N: 5}, Seed: 1}, Request{File: &verbatim.ItemFile{Name: "b", SHA256: "01", N: 5}, Seed: 2}},
	}
	for i, q := range same {
		if a, b := must(Plan(q.a)), must(Plan(q.b)); a.Hash != b.Hash {
			t.Errorf("pair %d is two plans", i)
		}
	}
	// The name of the plan of the base request must never change.
	if p, want := must(Plan(base)), "e9d37285927f"; p.Hash[:12] != want {
		t.Errorf("the plan is %s, want %s: saved plans would not be found again", p.Hash[:12], want)
	}
}

func TestPlanErrors(t *testing.T) {
	lists := &verbatim.ItemFile{Name: publishedName, SHA256: "1", N: 1440}
	file := &verbatim.ItemFile{Name: "x.jsonl", SHA256: "1", N: 1}
	at := func(s string) []verbatim.Lengths { return must(ParseLengths(s)) }
	tests := []struct {
		q    Request
		want string
	}{
		{Request{Suite: "quik"}, `"quik"`},
		{Request{Suite: "quik"}, `did you mean "quick"`},
		{Request{Tasks: []string{"sort-int"}, Lengths: at("1002")}, "1002"},
		{Request{Tasks: []string{"sort-int"}, Lengths: at("1001"), Edition: verbatim.Reference}, "1001 different integers"},
		{Request{Tasks: []string{"sort-int-duplicate"}, Lengths: at("7")}, "7 items"},
		{Request{Tasks: []string{"sort-int-duplicate"}, Lengths: []verbatim.Lengths{{Min: 2, Max: 8}}}, "3 items"},
		{Request{Tasks: []string{"sort-int-duplicate"}, Lengths: at("2004")}, "there are 1001"},
		{Request{Tasks: []string{"sort-float-large"}, Lengths: at("1002"), Edition: verbatim.Paper}, "there are 1001"},
		{Request{Tasks: []string{"sort-number-words"}, Lengths: at("1001")}, "1001 number words"},
		{Request{Tasks: []string{"reverse"}, Lengths: at("0")}, "no items of 0 characters"},
		{Request{Tasks: []string{"sort-word"}, Lengths: at("100001")}, "no items of 100001 items"},
		{Request{Tasks: []string{"add"}, Lengths: at("4001")}, "1 to 4000 digits"},
		{Request{Tasks: []string{"copy"}, Lengths: []verbatim.Lengths{{Min: 9, Max: 8}}}, "9..8"},
		{Request{Tasks: []string{"zzz-*"}}, `"zzz-*"`},
		{Request{Tasks: []string{"[x"}}, `"[x"`},
		{Request{Suite: "simpe", Tasks: []string{"sort-int"}}, "the suite simpe has no task sort-int"},
		{Request{Suite: "hard", Lengths: at("3")}, "the suite hard has no length 3"},
		{Request{Suite: "hard", Tasks: []string{"sort-*"}}, "the suite hard has no task sort-*"},
		{Request{Lengths: at("7")}, "the suite quick has no length 7"},
		{Request{Suite: "sortbench", Edition: verbatim.Reference}, "--lists"},
		{Request{Edition: "new"}, `"new"`},
		{Request{Trials: -1}, "-1"},
		{Request{Items: -1, Tasks: []string{"copy"}}, "-1"},
		{Request{Tasks: []string{"*"}, Items: math.MaxInt}, strconv.Itoa(math.MaxInt)},
		{Request{Trials: math.MaxInt}, strconv.Itoa(math.MaxInt)},
		{Request{Tasks: []string{"copy"}, Items: 100_000_000}, "100000000 requests"},
		{Request{Tasks: []string{"copy"}, Lengths: at("8"), Items: 20_000, Trials: 20_000}, "20000 items with 20000 trials"},
		{Request{File: &verbatim.ItemFile{Name: "x.jsonl"}}, "x.jsonl holds no items"},
		{Request{File: file, Lists: lists}, "together"},
		{Request{File: file, Suite: "quick"}, "leave out --suite"},
		{Request{File: file, Tasks: []string{"copy"}}, "leave out --task"},
		{Request{File: file, Edition: verbatim.Paper}, "leave out --edition"},
		{Request{Lists: lists, Suite: "quick"}, "not quick"},
		{Request{Lists: lists, Edition: verbatim.Paper}, "--edition reference"},
	}
	for _, test := range tests {
		_, err := Plan(test.q)
		if err == nil {
			t.Errorf("%+v is a plan", test.q)
			continue
		}
		var fault interface {
			Hint() string
			Misuse() bool
		}
		if !errors.As(err, &fault) || !fault.Misuse() || fault.Hint() == "" {
			t.Errorf("the error %v is no misuse with a hint", err)
			continue
		}
		if text := err.Error() + " | " + fault.Hint(); !strings.Contains(text, test.want) {
			t.Errorf("%+v: %s: it does not say %q", test.q, text, test.want)
		}
	}
}

// TestShortLists wants lists of no item and of one only where these lengths are
// requested by number: default lengths begin at two.
func TestShortLists(t *testing.T) {
	for _, f := range Families() {
		if f.Mode == "" || f.Mode == hardMode {
			continue
		}
		for n := range 2 {
			p, err := Plan(Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{fixedLength(n)}, Items: 1})
			if odd := n == 1 && strings.HasSuffix(f.Name, "-duplicate"); odd != (err != nil) {
				t.Errorf("%s at length %d: %v", f.Name, n, err)
			}
			if err != nil {
				continue
			}
			it := must(must(Open(p, nil)).Item(Position{}))
			if len(it.Want.List) != n || !it.Want.IsList() || n == 0 && asked(*it) != "Sort the following list: []" {
				t.Errorf("%s asks %q and wants %v", it.ID, asked(*it), it.Want)
			}
		}
	}
}

func TestParseLengths(t *testing.T) {
	for s, want := range map[string][]int{"16": {16}, "8..256": {8, 16, 32, 64, 128, 256}, "3..20": {3, 6, 12, 20}, "5..5": {5}, "4, 8,4": {4, 8}, "2..8,5": {2, 4, 8, 5}, "0": {0}, "1..1000000000": nil} {
		got, err := ParseLengths(s)
		var ns []int
		for _, l := range got {
			ns = append(ns, l.Min)
			if l.Min != l.Max {
				t.Errorf("%q holds the range %s", s, l)
			}
		}
		if err != nil || want != nil && !slices.Equal(ns, want) || len(got) > 40 {
			t.Errorf("%q is %v, %v", s, ns, err)
		}
	}
	for _, s := range []string{"", "x", "8..", "..8", "9..8", "-1", "8...16", "0..4", "1e3", "99999999999", "8-256", ","} {
		got, err := ParseLengths(s)
		fault, ok := errors.AsType[*questionError](err)
		if !ok || fault.Hint() == "" {
			t.Errorf("%q is %v, %v", s, got, err)
		}
	}
}

func TestMaxTokens(t *testing.T) {
	for _, test := range []struct {
		want verbatim.Answer
		n    int
	}{{verbatim.TextAnswer("aé"), 67}, {verbatim.TextAnswer(""), 64}, {verbatim.ListAnswer(nil), 66}, {verbatim.ListAnswer([]any{int64(1), 2.5, "x"}), 64 + len("[1, 2.5, 'x']")}} {
		if n := MaxTokens(&verbatim.Item{Want: test.want}, 0); n != test.n {
			t.Errorf("%v has %d tokens, want %d", test.want, n, test.n)
		}
		if n := MaxTokens(&verbatim.Item{Want: test.want}, 8192); n != test.n+8192 {
			t.Errorf("%v has %d tokens for a reasoning model", test.want, n)
		}
	}
}

func TestSearchPlan(t *testing.T) {
	lengths := func(family string) (out []int) {
		p, err := SearchPlan(family, Request{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if p.Trials != 1 || p.Hash == "" || p.Count != int64(len(p.Cells)*searchItems) {
			t.Errorf("%s: %d trials, %d requests, hash %q", family, p.Trials, p.Count, p.Hash)
		}
		if _, err := Open(p, nil); err != nil {
			t.Error(err)
		}
		for _, c := range p.Cells {
			if c.Length.Min != c.Length.Max || c.Family != family || c.N != searchItems {
				t.Errorf("%s: cell %+v", family, c)
			}
			out = append(out, c.Length.Min)
		}
		return out
	}
	for family, want := range map[string][]int{
		"reverse": {2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048, 2896, 4096, 5793, 8192,
			11585, 16384, 23170, 32768, 46341, 65536},
		"sort-int":           {2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724},
		"sort-int-duplicate": {2, 4, 6, 8, 12, 16, 24, 32, 46, 64, 92, 128, 182, 256, 362, 512, 724, 1024, 1448},
	} {
		if got := lengths(family); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", family, got, want)
		}
	}
	if got := lengths("add"); got[len(got)-1] != 2896 {
		t.Errorf("add ends at %d digits", got[len(got)-1])
	}
	if got := lengths("sort-float"); got[len(got)-1] != longestList {
		t.Errorf("sort-float ends at %d items", got[len(got)-1])
	}
}

func TestSearchPlanRefuses(t *testing.T) {
	if _, err := SearchPlan("revers", Request{}); err == nil {
		t.Error("a family that is not there has a plan")
	}
	if _, err := SearchPlan("reverse", Request{Edition: "first"}); err == nil {
		t.Error("an edition that is not there has a plan")
	}
	plain, err := SearchPlan("reverse", Request{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	put, err := SearchPlan("reverse", Request{Seed: 1, Variant: verbatim.Variant{Shots: 2}})
	if err != nil || put.Hash == plain.Hash {
		t.Errorf("with examples: hash %.6s, without %.6s, %v", put.Hash, plain.Hash, err)
	}
}
