package task

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/grade"
	"verbatim/internal/pylit"
)

// TestRight checks prompts, wanted answers and facts by computing them in another way
// than the families do.
func TestRight(t *testing.T) {
	everyLength(func(f verbatim.Family, k verbatim.Parameters) {
		if hasPackage(f) {
			return // the tests of its package check it
		}
		n := k.Length.Min
		it := mustDraw(t, f, k, 3, n)
		facts := map[string]string{verbatim.FactFamily: f.Name, verbatim.FactLength: strconv.Itoa(n), verbatim.FactEdition: string(k.Edition)}
		if f.Task != "" {
			facts[verbatim.FactTask], facts[verbatim.FactMode] = f.Task, f.Mode
		}
		if fmt.Sprint(it.Facts) != fmt.Sprint(facts) || it.ID != ID(f, k, 3, n) {
			t.Errorf("%s: facts %v, want %v", it.ID, it.Facts, facts)
		}
		check := checks()[f.Name]
		if f.Task != "" {
			check = checkSort
		}
		if check == nil {
			t.Fatalf("nothing checks the answers of %s: add a function to checks that computes them another way", f.Name)
		}
		check(t, it, n)
		if pylit.Strip(it.Want.Text) != it.Want.Text {
			t.Errorf("%s: the answer begins or ends with white space", it.ID)
		}
	})
}

// checks returns what computes the answer to an item of length n another way, by family. Those of
// sorting share checkSort.
func checks() map[string]func(t *testing.T, it verbatim.Item, n int) {
	return map[string]func(*testing.T, verbatim.Item, int){
		"copy":    checkString,
		"reverse": checkString,
		"add":     checkSum,
	}
}

// hasPackage reports whether a family is one of the packages exact and hard, whose tests check it.
func hasPackage(f verbatim.Family) bool {
	return slices.ContainsFunc(slices.Concat(exactFamilies(), hardFamilies()), func(g verbatim.Family) bool { return g.Name == f.Name })
}

// ofStudy reports whether a family is one of the published benchmarks.
func ofStudy(f verbatim.Family) bool {
	return slices.Contains([]string{"copy", "reverse", "add"}, f.Name) || slices.Contains([]string{"basic", "advanced", "debug"}, f.Mode)
}

func checkString(t *testing.T, it verbatim.Item, n int) {
	t.Helper()
	prompt := `Repeat the following string exactly without modifying it. Don't output anything else. Only output the string without anything additional, not even quotes: "%s"`
	want := it.Source.Text
	if it.Facts[verbatim.FactFamily] == "reverse" {
		prompt = `Provide the following text in reverse order. Don't output anything else. Only output the reversed string without anything additional, not even quotes: "%s"`
		b := []byte(want)
		slices.Reverse(b)
		want = string(b)
	}
	if len(want) != n || it.Want.Text != want || len(it.Prompt) != 1 || asked(it) != fmt.Sprintf(prompt, it.Source.Text) || it.Grader != "" {
		t.Errorf("%s asks %q and wants %q", it.ID, asked(it), it.Want.Text)
	}
}

func checkSum(t *testing.T, it verbatim.Item, n int) {
	t.Helper()
	const prompt = `Provide the sum of the two numbers. Don't output anything else. Only output the sum of the two numbers without anything additional. Only output the final number, no calculation, no explanation, just the final number without any text.: "%v" "%v"`
	a, b := it.Source.List[0], it.Source.List[1]
	sum := new(big.Int)
	for _, v := range it.Source.List {
		x, ok := new(big.Int).SetString(fmt.Sprint(v), 10)
		reference := it.Facts[verbatim.FactEdition] == "reference"
		if digits := len(fmt.Sprint(v)); !ok || digits > n || digits < n && !reference {
			t.Errorf("%s adds %v, which has not %d digits", it.ID, v, n)
		}
		sum.Add(sum, x)
	}
	if it.Want.Text != sum.String() || len(it.Prompt) != 1 || asked(it) != fmt.Sprintf(prompt, a, b) || len(it.Source.List) != 2 {
		t.Errorf("%s asks %q and wants %s", it.ID, asked(it), it.Want.Text)
	}
	grader := "integer"
	if it.Facts[verbatim.FactEdition] == "reference" {
		grader = "integer-reference"
	}
	if it.Grader != grader {
		t.Errorf("%s has the grader %q, want %q", it.ID, it.Grader, grader)
	}
}

func checkSort(t *testing.T, it verbatim.Item, n int) {
	t.Helper()
	const system = "Your task is to sort a list according to the common sorting of the used data type in Python. The output must only contain the sorted list and nothing else. The format of the list must stay the same."
	given, ok := strings.CutPrefix(asked(it), "Sort the following list: ")
	if !ok || len(it.Prompt) != 2 || it.Prompt[0].Role != "system" || it.Prompt[0].Content[0].Text != system || it.Grader != "" {
		t.Errorf("%s asks %+v", it.ID, it.Prompt)
	}
	if it.Facts[verbatim.FactEdition] != "paper" && given != pylit.Format(it.Source.List) {
		t.Errorf("%s: the prompt holds %s", it.ID, given)
	}
	if len(it.Want.List) != n || len(it.Source.List) != n {
		t.Fatalf("%s: %d items wanted of %d", it.ID, len(it.Want.List), n)
	}
	times := map[any]int{}
	for i, v := range it.Want.List {
		times[v]++
		if i > 0 && !inOrder(it.Want.List[i-1], v) {
			t.Errorf("%s: item %d is out of order", it.ID, i)
		}
	}
	kind := it.Facts[verbatim.FactFamily]
	for i, v := range it.Source.List {
		if c := times[v]; c != 1 && !strings.HasSuffix(kind, "-duplicate") || c != 2 && strings.HasSuffix(kind, "-duplicate") {
			t.Errorf("%s: %v is in the answer %d times", it.ID, v, c)
		}
		if strings.HasSuffix(kind, "-duplicate") && v != it.Source.List[i^1] {
			t.Errorf("%s: the two of %v are not neighbours", it.ID, v)
		}
		if strings.HasSuffix(kind, "-sorted") && v != it.Want.List[i] {
			t.Errorf("%s: item %d is not sorted already", it.ID, i)
		}
	}
}

// inOrder reports whether Python would leave a before b.
func inOrder(a, b any) bool {
	switch a := a.(type) {
	case int64:
		return a <= b.(int64)
	case float64:
		return a <= b.(float64)
	}
	return slices.Compare([]rune(a.(string)), []rune(b.(string))) <= 0
}

// TestDrawnLengths draws items of a range of lengths and finds all of them, the
// ends included, about equally often.
func TestDrawnLengths(t *testing.T) {
	for _, name := range []string{"reverse", "sort-int"} {
		f := must(Find(name))
		k := verbatim.Parameters{Length: verbatim.Lengths{Min: 2, Max: 9}, Edition: verbatim.Standard}
		counts := map[int]int{}
		for index := range 4000 {
			it := mustDraw(t, f, k, 1, index)
			n := max(len(it.Want.Text), len(it.Want.List))
			if it.Facts[verbatim.FactLength] != strconv.Itoa(n) {
				t.Fatalf("%s has length %d and says %s", it.ID, n, it.Facts[verbatim.FactLength])
			}
			counts[n]++
		}
		for n := 2; n <= 9; n++ {
			if counts[n] < 400 || counts[n] > 600 { // 500 are expected; five standard deviations are 105
				t.Errorf("%s: %d of 4000 items have length %d", name, counts[n], n)
			}
		}
		if len(counts) != 8 {
			t.Errorf("%s: lengths %v", name, counts)
		}
	}
}

// TestWrappedAnswers: the right answer of every text task, at every length, is found in what
// models write around it.
func TestWrappedAnswers(t *testing.T) {
	eachLine := func(mark func(i int) string) func(string) string {
		return func(w string) string {
			lines := strings.Split(w, "\n")
			for i := range lines {
				lines[i] = mark(i) + lines[i]
			}
			return strings.Join(lines, "\n")
		}
	}
	around := func(form string) func(string) string {
		return func(w string) string { return strings.ReplaceAll(form, "%", w) }
	}
	asJSON := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for name, form := range map[string]struct {
		write func(string) string
		ids   bool // only lines of identifiers are right in this form
	}{
		"after a sentence":    {around("Here is the result:\n\n%"), false},
		"after a word":        {around("Sure!\n\n%"), false},
		"before a sentence":   {around("%\n\nLet me know if you need anything else!"), false},
		"named":               {around("The answer is:\n\n%\n\nI hope this helps."), false},
		"in a block":          {around("```\n%\n```"), false},
		"block after talk":    {around("Here is the result:\n\n```\n%\n```"), false},
		"block with language": {around("Sure!\n\n```text\n%\n```\n\nLet me know if you need anything else."), false},
		"heading":             {around("**Result:**\n\n%"), false},
		"tags":                {around("<answer>\n%\n</answer>"), false},
		"final answer":        {around("Let me work through it.\n\n**Final answer:**\n```\n%\n```"), false},
		"JSON":                {func(w string) string { return asJSON(map[string]string{"answer": w}) }, false},
		"numbers":             {eachLine(func(i int) string { return fmt.Sprint(i+1, ". ") }), true},
		"bullets":             {eachLine(func(int) string { return "- " }), true},
		"JSON list":           {func(w string) string { return asJSON(strings.Split(w, "\n")) }, true},
	} {
		for _, f := range exactFamilies() {
			for _, length := range f.DefaultLengths {
				it := drawn(t, f, draw.Rand(f.Name, f.Version, "wrapped", 1, uint64(length)), length)
				if it.Want.IsList() || it.Grader == "json" || it.Grader == "text-raw" || form.ids && f.Name != "copy-ids" || strings.Contains(it.Want.Text, "<<<") {
					continue
				}
				reply := form.write(it.Want.Text)
				if g := grade.Of(it, reply, verbatim.FinishStop); !g.Extracted || g.Exact {
					t.Errorf("%s, %s at %d: %s (%s), rule %q: %.200q", name, f.Name, length, g.Label, g.Detail, g.Rule, reply)
				}
			}
		}
	}
}
