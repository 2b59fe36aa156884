package task

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/pylit"
)

var update = flag.Bool("update", false, "rewrite the golden items")

func knobs(n int, e verbatim.Edition) verbatim.Knobs {
	return verbatim.Knobs{Length: verbatim.Lengths{Min: n, Max: n}, Edition: e}
}

func mustDraw(t testing.TB, f verbatim.Family, k verbatim.Knobs, seed uint64, index int) verbatim.Item {
	t.Helper()
	it, err := drawItem(f, k, seed, index)
	if err != nil {
		t.Fatalf("%s: %v", ID(f, k, seed, index), err)
	}
	return it
}

// TestGolden pins items of every family and edition: the same id must be the
// same item for ever.
func TestGolden(t *testing.T) {
	for _, f := range Families() {
		var b bytes.Buffer
		for _, e := range verbatim.Editions() {
			for _, k := range []verbatim.Knobs{knobs(f.Ladder[0], e), knobs(8, e), {Length: verbatim.Lengths{Min: 6, Max: 30}, Edition: e}} {
				for index := range 2 {
					if strings.HasSuffix(f.Name, "-duplicate") && k.Length.Min != k.Length.Max {
						continue
					}
					it := mustDraw(t, f, k, 1, index)
					if err := WriteItem(&b, &it); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		path := filepath.Join("testdata", "golden", f.Name+".jsonl")
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s draws other items than those in %s: raise its Version, then run with -update", f.Name, path)
		}
	}
}

// TestRight checks wanted answers by another way than the families find them.
func TestRight(t *testing.T) {
	for _, f := range Families() {
		for _, e := range verbatim.Editions() {
			for _, n := range f.Ladder {
				it := mustDraw(t, f, knobs(n, e), 3, n)
				if it.ID == "" || it.Facts[verbatim.FactFamily] != f.Name || it.Facts[verbatim.FactLength] != strconv.Itoa(n) || it.Facts[verbatim.FactEdition] != string(e) {
					t.Errorf("%s: facts %v", it.ID, it.Facts)
				}
				asked := it.Prompt[len(it.Prompt)-1].Content[0].Text
				switch {
				case f.Task != "":
					checkSorted(t, it, asked, n)
				case f.Name == "add":
					sum := new(big.Int)
					for _, v := range it.Source.List {
						x, ok := new(big.Int).SetString(fmt.Sprint(v), 10)
						if !ok || !strings.Contains(asked, `"`+x.String()+`"`) {
							t.Errorf("%s: the prompt does not hold %v", it.ID, v)
						}
						sum.Add(sum, x)
					}
					if sum.String() != it.Want.Text {
						t.Errorf("%s: want %s, the sum is %s", it.ID, it.Want.Text, sum)
					}
				default:
					want := []byte(it.Source.Text)
					if f.Name == "reverse" {
						slices.Reverse(want)
					}
					if it.Want.Text != string(want) || len(want) != n || !strings.Contains(asked, `"`+it.Source.Text+`"`) {
						t.Errorf("%s: source %q, want %q", it.ID, it.Source.Text, it.Want.Text)
					}
				}
				if strings.TrimSpace(it.Want.Text) != it.Want.Text {
					t.Errorf("%s: the answer begins or ends with white space", it.ID)
				}
			}
		}
	}
}

func checkSorted(t *testing.T, it verbatim.Item, asked string, n int) {
	t.Helper()
	text, ok := strings.CutPrefix(asked, "Sort the following list: ")
	if !ok || len(it.Want.List) != n || len(it.Source.List) != n {
		t.Fatalf("%s: %d items wanted of %d: %s", it.ID, len(it.Want.List), n, asked)
	}
	parsed, err := pylit.Parse(text)
	if err != nil {
		t.Fatalf("%s: the prompt is no Python list: %v", it.ID, err)
	}
	_ = parsed
	count := map[any]int{}
	for i := range n {
		count[it.Source.List[i]]++
		count[it.Want.List[i]]--
		if i > 0 && compare(it.Want.List[i-1], it.Want.List[i]) > 0 {
			t.Errorf("%s: item %d is out of order", it.ID, i)
		}
	}
	for v, c := range count {
		if c != 0 {
			t.Errorf("%s: %v stands %d times more in the source than in the answer", it.ID, v, c)
		}
	}
	double := strings.HasSuffix(it.Facts[verbatim.FactFamily], "-duplicate")
	if different := len(count); !double && different != n || double && different != n/2 {
		t.Errorf("%s: %d different items of %d", it.ID, different, n)
	}
}

// TestSeedsShareNothing draws the items of two seeds, and of the indexes of one,
// and finds none twice.
func TestSeedsShareNothing(t *testing.T) {
	for _, f := range Families() {
		n := f.Ladder[len(f.Ladder)-1]
		seen := map[string]string{}
		for seed := uint64(1); seed <= 2; seed++ {
			for index := range 20 {
				it := mustDraw(t, f, knobs(n, verbatim.Standard), seed, index)
				asked, err := json.Marshal(it.Prompt)
				if err != nil {
					t.Fatal(err)
				}
				if other := seen[string(asked)]; other != "" {
					t.Errorf("%s and %s ask the same", it.ID, other)
				}
				seen[string(asked)] = it.ID
			}
		}
	}
}

// TestRanges draws many items and finds the ends of every range of integers, and
// nothing beyond any range.
func TestRanges(t *testing.T) {
	type bounds struct{ low, high float64 }
	tests := []struct {
		family  string
		edition verbatim.Edition
		bounds
	}{
		{"sort-int", verbatim.Standard, bounds{0, 1000}},
		{"sort-int", verbatim.Reference, bounds{0, 999}},
		{"sort-int-large", verbatim.Standard, bounds{10_000_000, 10_001_000}},
		{"sort-int-large", verbatim.Reference, bounds{10_000_000, 10_000_999}},
		{"sort-int-negative", verbatim.Standard, bounds{-1000, 1000}},
		{"sort-int-negative", verbatim.Reference, bounds{-10000, 999}},
		{"sort-float", verbatim.Standard, bounds{0, 1000}},
		{"sort-float-negative", verbatim.Standard, bounds{-1000, 1000}},
		{"sort-float-negative", verbatim.Reference, bounds{-10000, 1000}},
		{"sort-float-small", verbatim.Standard, bounds{0, 0.0001}},
		{"sort-float-large", verbatim.Paper, bounds{10_000_000, 10_001_000}},
	}
	for _, test := range tests {
		f, err := Find(test.family)
		if err != nil {
			t.Fatal(err)
		}
		low, high := test.high, test.low
		for index := range 400 {
			it := mustDraw(t, f, knobs(256, test.edition), 5, index)
			for _, v := range it.Want.List {
				x, err := strconv.ParseFloat(fmt.Sprint(v), 64)
				if err != nil {
					t.Fatal(err)
				}
				low, high = min(low, x), max(high, x)
			}
		}
		whole := strings.Contains(test.family, "int")
		if low < test.low || high > test.high || whole && (low != test.low || high != test.high) {
			t.Errorf("%s, %s: values of %v to %v, want %v to %v", test.family, test.edition, low, high, test.low, test.high)
		}
	}
}

// TestPaperFloats wants plain decimal notation that 32 bits can hold.
func TestPaperFloats(t *testing.T) {
	for _, name := range []string{"sort-float", "sort-float-small", "sort-float-large"} {
		f, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		it := mustDraw(t, f, knobs(64, verbatim.Paper), 1, 0)
		text := strings.Trim(strings.TrimPrefix(it.Prompt[1].Content[0].Text, "Sort the following list: "), "[]")
		for i, s := range strings.Split(text, ", ") {
			x, err := strconv.ParseFloat(s, 32)
			if err != nil || strings.ContainsAny(s, "eE") || !strings.Contains(s, ".") || plainDecimal(x, 32) != s {
				t.Errorf("%s: %s is not a 32-bit float in plain decimal notation", name, s)
			}
			if it.Source.List[i] != must(strconv.ParseFloat(s, 64)) {
				t.Errorf("%s: the prompt shows %s for %v", name, s, it.Source.List[i])
			}
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestNumberWords(t *testing.T) {
	for n, want := range map[int]string{0: "zero", 13: "thirteen", 40: "forty", 99: "ninety-nine", 100: "one hundred", 427: "four hundred and twenty-seven", 905: "nine hundred and five", 1000: "one thousand"} {
		if got := inWords(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{"reverse": "reverse", "rehearsal": "copy", "AsCiI": "sort-ascii-cased", "Int-0:1000": "sort-int", "Int-0-1000": "sort-int", "Float-n1000:1000": "sort-float-negative"} {
		if f, err := Find(name); err != nil || f.Name != want {
			t.Errorf("%q is %q, %v", name, f.Name, err)
		}
	}
	for name, near := range map[string]string{"revrese": "reverse", "sort-intt": "sort-int", "copie": "copy"} {
		_, err := Find(name)
		named, ok := err.(*NameError)
		if !ok || named.Nearest != near {
			t.Errorf("%q: %v", name, err)
		}
	}
	for alias, name := range aliases {
		if _, err := Find(alias); err != nil {
			t.Errorf("the alias %q of %q is not found", alias, name)
		}
	}
}

func TestWordCounts(t *testing.T) {
	if a, b := len(draw.Words()), len(draw.LetterWords()); a != 146015 || b != 77503 {
		t.Errorf("%d words, %d of letters only", a, b)
	}
}

func BenchmarkItem(b *testing.B) {
	for _, name := range []string{"reverse", "sort-int", "sort-float", "sort-word"} {
		f, err := Find(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				mustDraw(b, f, knobs(16, verbatim.Standard), 1, i)
			}
		})
	}
}

func ExampleID() {
	f, err := Find("reverse")
	if err != nil {
		panic(err)
	}
	fmt.Println(ID(f, knobs(16, verbatim.Standard), 1, 7))
	fmt.Println(ID(f, verbatim.Knobs{Length: verbatim.Lengths{Min: 2, Max: 30}, Edition: verbatim.Paper}, 1, 7))
	// Output:
	// reverse@1/len=16/seed=1/7
	// reverse@1/len=2..30/edition=paper/seed=1/7
}
