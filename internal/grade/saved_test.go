package grade_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/draw"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/grade/traits"
)

var update = flag.Bool("update", false, "rewrite golden files and generated pages")

// A verdictLine is a line of testdata/verdicts.jsonl: a reply and the grade that it got.
type verdictLine struct {
	Grader string          `json:"grader"`
	Item   *verbatim.Item  `json:"item"`
	Reply  string          `json:"reply,omitempty"`
	Finish verbatim.Finish `json:"finish,omitempty"`
	Label  string          `json:"label,omitempty"`
	Detail string          `json:"detail,omitempty"`
	Digest string          `json:"digest,omitempty"` // of the whole grade without its version
}

// TestSavedGrades grades a fixed set of replies again. -update saves other grades, and replies to labels
// that no saved line has.
func TestSavedGrades(t *testing.T) {
	path := filepath.Join("testdata", "verdicts.jsonl")
	saved, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var now bytes.Buffer
	encoder := json.NewEncoder(&now)
	covered := map[string]bool{}
	for text := range bytes.Lines(saved) {
		var line verdictLine
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		was := line
		line = graded(t, line)
		covered[line.Grader+" "+line.Label] = true
		if line.Digest != was.Digest && !*update {
			t.Errorf("%s: %q was %s (%s), is %s (%s)", line.Item.ID, line.Reply, was.Label, was.Detail, line.Label, line.Detail)
		}
		if err := encoder.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range missingVerdicts(t, covered) {
		if err := encoder.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	switch {
	case bytes.Equal(now.Bytes(), saved):
	case !*update:
		t.Errorf("%s is outdated: if this is intended, run 'go test ./internal/grade -run TestSavedGrades -update' and read the difference", path)
	default:
		if err := os.WriteFile(path, now.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// graded returns the line with the grade that its reply gets now.
func graded(t *testing.T, line verdictLine) verdictLine {
	t.Helper()
	g := grade.Of(line.Item, line.Reply, line.Finish)
	line.Grader, _, _ = strings.Cut(g.Grader, "/")
	g.Grader = ""
	data, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	line.Label, line.Detail, line.Digest = g.Label, g.Detail, hex.EncodeToString(sum[:6])
	return line
}

// missingVerdicts makes replies for the labels that no saved line has. Few items allow
// every mistake, so that each spoiler gets several; a label that none of them reaches has
// no line, as "case" of sums.
func missingVerdicts(t *testing.T, covered map[string]bool) (lines []verdictLine) {
	t.Helper()
	for _, name := range grade.Names() {
		for _, s := range damage.Spoilers(name) {
			if covered[name+" "+s.Label] {
				continue
			}
			r := rand.New(rand.NewPCG(1, 2))
			found := 0
			for n := 0; n < 200 && found < 6; n++ {
				it := fixtureItem(name, n)
				foresee(&it, s.Label)
				reply, ok := s.Spoil(r, &it)
				if !ok {
					continue
				}
				it.ID = fmt.Sprintf("%s/%s/%d", name, s.Label, n)
				line := graded(t, verdictLine{Item: &it, Reply: reply, Finish: verbatim.FinishStop})
				if line.Label != s.Label {
					continue
				}
				found++
				lines = append(lines, line)
				for _, finish := range []verbatim.Finish{verbatim.FinishLength, verbatim.FinishFilter} {
					if found == 1 {
						lines = append(lines, graded(t, verdictLine{Item: &it, Reply: reply, Finish: finish}))
					}
				}
			}
		}
		if covered[name+" pass"] {
			continue
		}
		for i, form := range written() {
			it := fixtureItem(name, 0)
			it.ID = fmt.Sprintf("%s/written/%d", name, i)
			lines = append(lines, graded(t, verdictLine{Item: &it, Reply: strings.ReplaceAll(form, "%", damage.Right(&it)), Finish: verbatim.FinishStop}))
		}
	}
	return lines
}

// written lists replies with the right answer in place of "%": the forms that the
// graders read one by one.
func written() []string {
	forms := []string{"%", " %\n", "`%`", `"%"`, "'%'", "“%”", "‘%’", "«%»", "„%“", "```\n%\n```", "```python\n%\n```", "**%**", "$%$", "\\boxed{%}",
		"The answer is %.", "% is the answer", "Answer:\n%", "<think>x</think>%", "<think>x", "x</think>\n%", "%\n%", "%.", "%,", "(%)", "[%]", "{%}",
		"%" + strings.Repeat("abc", 40), strings.Repeat("ab", 40), "Привет", "\ufffd%", "\u200b%", "&lt;%", "\\%", "1. %", "- %", "= %", "1 + 1 = %", "%.0", "+%", "0%"}
	for _, phrase := range []string{"I'm sorry", "Im sorry", "I can’t", "I cannot", "I am unable", "I'm unable", "I won't", "As an AI", "It cannot help", "We cannot assist", "It cannot comply", "Unable to"} {
		forms = append(forms, phrase+" do that.")
	}
	return forms
}

// foresee gives an item a mistake with the label, where that is one of those that only an
// item can foresee.
func foresee(it *verbatim.Item, label string) {
	if label == "other_number" { // what only a count or a root has
		it.Source = &verbatim.Answer{List: []any{"1" + it.Want.Text}}
	}
	if !slices.ContainsFunc(traits.Foreseen(), func(l traits.Label) bool { return l.Name == label }) {
		return
	}
	m := verbatim.Mistake{Label: label, Detail: "foreseen", Answer: verbatim.TextAnswer(it.Want.Text + "7")}
	if it.Want.IsList() {
		m.Answer = verbatim.ListAnswer(append(slices.Clone(it.Want.List), it.Want.List[0]))
	}
	it.Mistakes = []verbatim.Mistake{m}
}

// fixtureItem draws the n-th item for a grader: reversals, sums, and lists of integers,
// floats, words and number words.
func fixtureItem(grader string, n int) verbatim.Item {
	r := draw.Rand(grader, 1, "fixture", 1, uint64(n))
	switch {
	case grader == "json":
		text := fmt.Sprintf(`{"id": %q, "n": %d.50, "rows": [{"s": "a\t\"é\" %s"}, null, true], "k": %d}`,
			draw.String(r, draw.Alphanumeric, 8), 10+n, draw.String(r, draw.Letters, 6), 100+n)
		return verbatim.Item{Grader: grader, Want: verbatim.TextAnswer(text)}
	case grader == "text-raw":
		return verbatim.Item{Grader: grader, Want: verbatim.TextAnswer("\t" + draw.String(r, draw.Alphanumeric, 12+n%20) + " \n")}
	case grader == "text":
		text := []byte(draw.String(r, draw.Alphanumeric, 12+n%20))
		source := string(text)
		slices.Reverse(text)
		return verbatim.Item{Want: verbatim.TextAnswer(string(text)), Source: &verbatim.Answer{Text: source}}
	case strings.HasPrefix(grader, "integer"):
		a, _ := new(big.Int).SetString(draw.String(r, draw.Digits[1:], 6+n%10), 10)
		b, _ := new(big.Int).SetString(draw.String(r, draw.Digits[1:], 6+n%10), 10)
		return verbatim.Item{Grader: grader, Want: verbatim.TextAnswer(new(big.Int).Add(a, b).String()), Source: &verbatim.Answer{List: []any{a, b}}}
	}
	list := make([]any, 6+n%6)
	for i := range list {
		switch n % 4 {
		case 0:
			list[i] = int64(r.IntN(2000) - 1000)
		case 1:
			list[i] = float64(r.IntN(100_000)) / 100
		case 2:
			list[i] = draw.Words().Draw(r)
		case 3:
			list[i] = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}[(i*5+n)%12]
		}
	}
	want := slices.Clone(list)
	slices.SortFunc(want, func(a, b any) int {
		switch a := a.(type) {
		case int64:
			return int(a - b.(int64))
		case float64:
			return int(100*a - 100*b.(float64))
		}
		return strings.Compare(a.(string), b.(string))
	})
	return verbatim.Item{Grader: grader, Want: verbatim.ListAnswer(want), Source: &verbatim.Answer{List: list}}
}

// TestMemoryHoldsNothing: a grade is the same whatever the memory was used for before. The replies
// are of texts, numbers and lists in random order, each also cut at the end.
func TestMemoryHoldsNothing(t *testing.T) {
	all := readJudged(t)
	r := rand.New(rand.NewPCG(3, 3))
	r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	if !exhaustive.All() {
		all = all[:len(all)/4]
	}
	var m grade.Memory
	for i := range all {
		it := all[i].item(t)
		text, _, _ := all[i].reply()
		for _, c := range []struct {
			text   string
			finish verbatim.Finish
		}{{text, all[i].Finish}, {text[:r.IntN(len(text)+1)], verbatim.FinishLength}, {text + "\n" + text, ""}, {"The sorted list is:\n[1, 2, [3, 4]", ""}} {
			if got, want := m.Of(it, c.text, c.finish), grade.Of(it, c.text, c.finish); !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %+v, with fresh memory %+v", c.text, got, want)
			}
		}
	}
}

// TestTryAfterPanic: a panic is an error that names a defect, and leaves nothing in the memory.
func TestTryAfterPanic(t *testing.T) {
	numbers := verbatim.Item{Want: verbatim.ListAnswer([]any{int64(1), int64(2)}), Source: &verbatim.Answer{List: []any{int64(2), int64(1)}}}
	var m grade.Memory
	if g, err := m.Try(&numbers, "Sorted: [1, 2]", verbatim.FinishStop); err != nil || !g.Extracted {
		t.Fatalf("%+v, %v", g, err)
	}
	if reflect.ValueOf(&m).Elem().IsZero() {
		t.Fatal("the memory holds nothing before the panic, so that this shows nothing")
	}
	if _, err := m.Try(nil, "text", verbatim.FinishStop); err == nil || !strings.Contains(err.Error(), "a defect of verbatim") {
		t.Errorf("no item: %v", err)
	}
	if !reflect.ValueOf(&m).Elem().IsZero() {
		t.Error("the memory is not clear after a panic")
	}
}
