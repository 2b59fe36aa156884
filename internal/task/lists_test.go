package task

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/draw"
)

// TestRanges draws many items and finds the ends of every range of integers, and
// nothing beyond any range.
func TestRanges(t *testing.T) {
	tests := []struct {
		family    string
		edition   verbatim.Edition
		low, high float64
	}{
		{"sort-int", verbatim.Standard, 0, 1000},
		{"sort-int", verbatim.Paper, 0, 1000},
		{"sort-int", verbatim.Reference, 0, 999},
		{"sort-int-sorted", verbatim.Standard, 0, 1000},
		{"sort-int-sorted", verbatim.Reference, 0, 999},
		{"sort-int-duplicate", verbatim.Standard, 0, 1000},
		{"sort-int-duplicate", verbatim.Reference, 0, 999},
		{"sort-int-large", verbatim.Standard, 10_000_000, 10_001_000},
		{"sort-int-large", verbatim.Reference, 10_000_000, 10_000_999},
		{"sort-int-negative", verbatim.Standard, -1000, 1000},
		{"sort-int-negative", verbatim.Reference, -10000, 999},
		{"sort-float", verbatim.Standard, 0, 1000},
		{"sort-float-sorted", verbatim.Standard, 0, 1000},
		{"sort-float-duplicate", verbatim.Standard, 0, 1000},
		{"sort-float-negative", verbatim.Standard, -1000, 1000},
		{"sort-float-negative", verbatim.Reference, -10000, 1000},
		{"sort-float-small", verbatim.Standard, 0, 0.0001},
		{"sort-float-large", verbatim.Standard, 10_000_000, 10_001_000},
		{"sort-float-large", verbatim.Paper, 10_000_000, 10_001_000},
	}
	for _, test := range tests {
		f := must(Find(test.family))
		low, high := test.high, test.low
		for index := range 250 {
			it := mustDraw(t, f, parameters(256, test.edition), 5, index)
			for _, v := range []any{it.Want.List[0], it.Want.List[255]} {
				x := must(strconv.ParseFloat(fmt.Sprint(v), 64))
				low, high = min(low, x), max(high, x)
			}
		}
		whole := strings.Contains(test.family, "int") || test.edition == verbatim.Paper
		near := (test.high - test.low) / 1000
		if low < test.low || high > test.high || whole && (low != test.low || high != test.high) || low > test.low+near || high < test.high-near {
			t.Errorf("%s, %s: values of %v to %v, want %v to %v", test.family, test.edition, low, high, test.low, test.high)
		}
	}
}

// TestPaperFloats wants plain decimal notation that 32 bits can hold, and the
// value that the prompt shows.
func TestPaperFloats(t *testing.T) {
	for _, name := range []string{"sort-float", "sort-float-small", "sort-float-large", "sort-float-negative"} {
		for index := range 50 {
			it := mustDraw(t, must(Find(name)), parameters(64, verbatim.Paper), 1, index)
			text := strings.Trim(strings.TrimPrefix(asked(it), "Sort the following list: "), "[]")
			for i, s := range strings.Split(text, ", ") {
				x, err := strconv.ParseFloat(s, 32)
				if err != nil || strings.ContainsAny(s, "eE") || !strings.Contains(s, ".") || plainDecimal(x, 32) != s {
					t.Errorf("%s: %s is not a 32-bit float in plain decimal notation", it.ID, s)
				}
				if it.Source.List[i] != must(strconv.ParseFloat(s, 64)) {
					t.Errorf("%s: the prompt shows %s for %v", it.ID, s, it.Source.List[i])
				}
			}
		}
	}
}

// TestAllPaperFloats draws a list of all 32-bit floats of the range; one more is
// refused.
func TestAllPaperFloats(t *testing.T) {
	f := must(Find("sort-float-large"))
	for index := range 20 {
		it := mustDraw(t, f, parameters(1001, verbatim.Paper), 1, index)
		for i, v := range it.Want.List {
			if v != 10_000_000+float64(i) {
				t.Fatalf("%s: item %d is %v", it.ID, i, v)
			}
		}
	}
	if _, err := drawItem(f, parameters(1002, verbatim.Paper), 1, 0); err == nil || !strings.Contains(err.Error(), "1002 different 32-bit floats of 10000000 to 10001000") {
		t.Error(err)
	}
	if n := float32s(-1, 1); n != 2*0x3f800000+1 {
		t.Errorf("there are %d floats of -1 to 1", n)
	}
}

// TestNumberWords compares with the words that the published lists use, and finds
// the first and last number of each edition.
func TestNumberWords(t *testing.T) {
	for n, want := range map[int]string{0: "zero", 13: "thirteen", 40: "forty", 99: "ninety-nine", 100: "one hundred", 427: "four hundred and twenty-seven", 905: "nine hundred and five", 1000: "one thousand"} {
		if got := inWords(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	f := must(Find("sort-number-words"))
	for _, e := range verbatim.Editions() {
		have := map[any]bool{}
		for _, v := range mustDraw(t, f, parameters(1000, e), 1, 0).Want.List {
			have[v] = true
		}
		if paper := e == verbatim.Paper; have["zero"] == paper || have["one thousand"] != paper || !have["one"] || !have["nine hundred and ninety-nine"] {
			t.Errorf("%s has zero: %v, one thousand: %v", e, have["zero"], have["one thousand"])
		}
		if _, err := drawItem(f, parameters(1001, e), 1, 0); err == nil {
			t.Errorf("%s has 1001 number words", e)
		}
	}
}

// TestLetters wants five letters of the right case, and every letter at every position.
func TestLetters(t *testing.T) {
	for name, alphabet := range map[string]string{"sort-ascii": draw.Lower, "sort-ascii-cased": draw.Letters} {
		seen := map[string]bool{}
		for index := range 20 {
			for _, v := range mustDraw(t, must(Find(name)), parameters(64, verbatim.Standard), 1, index).Source.List {
				s := v.(string)
				if len(s) != 5 || strings.Trim(s, alphabet) != "" {
					t.Fatalf("%s draws %q", name, s)
				}
				for position := range s {
					seen[fmt.Sprint(position, s[position])] = true
				}
			}
		}
		if len(seen) != 5*len(alphabet) {
			t.Errorf("%s draws %d letters at five positions", name, len(seen))
		}
	}
}

// TestPrefixes wants all words of a list to begin with one letter three times, and all
// 52 letters in many lists.
func TestPrefixes(t *testing.T) {
	words := map[string]bool{}
	for w := range draw.Words().All() {
		words[w] = true
	}
	seen := map[byte]bool{}
	for index := range 600 {
		it := mustDraw(t, must(Find("sort-word-prefixed")), parameters(4, verbatim.Standard), 1, index)
		first := it.Source.List[0].(string)[0]
		seen[first] = true
		for _, v := range it.Source.List {
			if s := v.(string); s[:3] != strings.Repeat(string(first), 3) || !words[s[3:]] {
				t.Fatalf("%s holds %q", it.ID, s)
			}
		}
	}
	if len(seen) != 52 {
		t.Errorf("%d letters are prefixes", len(seen))
	}
}

// TestPaperWords wants letters only in the paper's edition, and other words too in
// the standard one.
func TestPaperWords(t *testing.T) {
	for _, name := range []string{"sort-word", "sort-word-prefixed", "sort-word-sorted", "sort-word-duplicate"} {
		for e, want := range map[verbatim.Edition]bool{verbatim.Standard: true, verbatim.Paper: false, verbatim.Reference: true} {
			others := false
			for _, v := range mustDraw(t, must(Find(name)), parameters(256, e), 1, 0).Source.List {
				others = others || strings.Trim(v.(string), draw.Letters) != ""
			}
			if others != want {
				t.Errorf("%s, %s: other characters than letters: %v", name, e, others)
			}
		}
	}
}

// TestOperands wants sums of every leading digit but zero, and shorter numbers in
// the reference edition alone.
func TestOperands(t *testing.T) {
	f := must(Find("add"))
	for _, e := range verbatim.Editions() {
		first, short := map[byte]bool{}, 0
		for index := range 300 {
			for _, v := range mustDraw(t, f, parameters(3, e), 1, index).Source.List {
				s := fmt.Sprint(v)
				first[s[0]] = true
				if len(s) < 3 {
					short++
				}
			}
		}
		if reference := e == verbatim.Reference; (short > 0) != reference || len(first) < 9 || first['0'] && !reference {
			t.Errorf("%s: %d of 600 numbers are shorter, %d leading digits", e, short, len(first))
		}
	}
}

// TestKnobs: the items of a family have the values that its knobs declare, and no others.
func TestKnobs(t *testing.T) {
	for _, f := range Families() {
		if len(f.Knobs) == 0 {
			continue
		}
		found := map[string]map[string]bool{}
		for _, n := range f.DefaultLengths[:min(4, len(f.DefaultLengths))] {
			count := 100
			if n > 8 || f.Unit == "shapes" { // long ones, and pictures
				count = 20
			}
			for index := range count {
				it := mustDraw(t, f, parameters(n, verbatim.Standard), 1, index)
				for _, knob := range f.Knobs {
					value := it.Facts[knob.Fact]
					if !slices.Contains(knob.Values, value) {
						t.Fatalf("%s: the knob %s does not declare %q", it.ID, knob.Fact, value)
					}
					if found[knob.Fact] == nil {
						found[knob.Fact] = map[string]bool{}
					}
					found[knob.Fact][value] = true
				}
			}
		}
		for _, knob := range f.Knobs {
			if got := len(found[knob.Fact]); got < len(knob.Values)*3/4 {
				t.Errorf("%s: %d of %d values of %s were drawn", f.Name, got, len(knob.Values), knob.Fact)
			}
		}
	}
}

// TestDifficulty adds up the places of an item's values.
func TestDifficulty(t *testing.T) {
	k := Knobs{"a": {{Fact: "x", Values: []string{"1", "2", "3"}}, {Fact: "y", Values: []string{"low", "high"}}}}
	for want, facts := range map[float64]map[string]string{
		-1: {"family": "a", "x": "1", "y": "low"}, 0.5: {"family": "a", "x": "2", "y": "high"}, 1: {"family": "a", "x": "3", "y": "high"}, 0: {"family": "b", "x": "3"},
	} {
		if got := k.Difficulty(&verbatim.Item{Facts: facts}); got != want {
			t.Errorf("%v: %v, want %v", facts, got, want)
		}
	}
	if first := k.First(&verbatim.Item{Facts: map[string]string{"family": "a", "x": "2"}}); first != "x=2" || k.Rank(first) != 1 || k.Rank("x=9") != -1 {
		t.Errorf("%q at %d", first, k.Rank(first))
	}
}
