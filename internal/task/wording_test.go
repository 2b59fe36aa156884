package task

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim"
	"verbatim/internal/grade"
)

// underVariant opens a plan of one item of a family at a length under a variant, and
// returns the deck and the item.
func underVariant(t testing.TB, f verbatim.Family, k verbatim.Parameters, v verbatim.Variant) (*Deck, *verbatim.Item) {
	t.Helper()
	p, err := Plan(Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{k.Length}, Items: 1, Seed: 1, Edition: k.Edition, Variant: v})
	if err != nil {
		t.Fatal(err)
	}
	d := must(Open(p, nil))
	return d, must(d.Item(Position{}))
}

func inQuick(name string) bool {
	return slices.ContainsFunc(quickTasks(), func(q quickTask) bool { return q.family == name })
}

// TestWordings wants at least three paraphrases of every family, no two alike, and every wording to
// show all inputs byte for byte.
func TestWordings(t *testing.T) {
	n := 0
	for _, f := range Families() {
		if len(f.Wordings) < 4 {
			t.Fatalf("%s has %d wordings, want 4 or more: the official one and three paraphrases", f.Name, len(f.Wordings))
		}
		for _, e := range verbatim.Editions() {
			seen := map[string]bool{}
			for i := range f.Wordings {
				name := WordingName(i)
				d, it := underVariant(t, f, parameters(within(f, 8), e), verbatim.Variant{Paraphrase: name})
				p := d.Prompt(it)
				user := p[len(p)-1]
				text := user.Content[0].Text
				for input, value := range it.Inputs {
					if user.Role != "user" || !strings.Contains(text, value) {
						t.Errorf("%s in wording %q does not show %s: %q", it.ID, name, input, text)
					}
				}
				texts, _ := f.Wordings[i].Split()
				for _, rest := range texts {
					if inQuick(f.Name) && strings.ContainsAny(strings.Trim(rest, `"`), `"[]0123456789`) && rest != `" "` {
						t.Errorf("%s: %q of wording %q could be taken for an input", f.Name, rest, name)
					}
				}
				if seen[f.Wordings[i].Text] {
					t.Errorf("%s: wording %q is another's", f.Name, name)
				}
				seen[f.Wordings[i].Text] = true
				if (len(p) == 2) != (len(it.Prompt) == 2) || len(p) == 2 && (p[0].Role != "system" || name != "" && p[0].Content[0].Text == it.Prompt[0].Content[0].Text) {
					t.Errorf("%s in wording %q has the messages %+v", it.ID, name, p)
				}
				if name == "" && string(must(json.Marshal(p))) != string(must(json.Marshal(it.Prompt))) {
					t.Errorf("%s: the official wording is not the item's", it.ID)
				}
				n++
			}
		}
	}
	if n < 21*3*4 {
		t.Errorf("only %d wordings were looked at", n)
	}
}

// TestGoldenPrompts pins the prompt of an item of every family: the same plan must
// always send the same. Written down, the items are read back as they were sent.
func TestGoldenPrompts(t *testing.T) {
	n := 0
	for _, f := range Families() {
		var b bytes.Buffer
		var sent []verbatim.Prompt
		variants := []verbatim.Variant{{Shots: 2}, {System: NoSystem}}
		if len(f.Wordings) > 1 {
			variants = append(variants, verbatim.Variant{System: "Be brief.", Shots: 1, Paraphrase: "1"})
		}
		for i := 1; i < len(f.Wordings); i++ {
			variants = append(variants, verbatim.Variant{Paraphrase: WordingName(i)})
		}
		for _, v := range variants {
			d, it := underVariant(t, f, parameters(f.DefaultLengths[0], verbatim.Standard), v)
			line := *it
			line.ID, line.Prompt = variantID(&v)+"/"+it.ID, d.Prompt(it)
			if err := WriteItem(&b, &line); err != nil {
				t.Fatal(err)
			}
			sent = append(sent, line.Prompt)
			n++
		}
		_, back, err := ReadItems("x", b.Bytes(), ".", grade.Check)
		if err != nil || len(back) != len(sent) {
			t.Fatalf("%s: %d of %d items are read back: %v", f.Name, len(back), len(sent), err)
		}
		for i := range back {
			if !reflect.DeepEqual(back[i].Prompt, sent[i]) {
				t.Errorf("%s would be sent as %+v", back[i].ID, back[i].Prompt)
			}
		}
		golden(t, filepath.Join("testdata", "prompts", f.Name+".jsonl"), pinPixels(t, b.Bytes()), "put the old wording back and add yours to the end, or raise the family's Version")
	}
	if n < 21*6 {
		t.Errorf("only %d prompts were compared", n)
	}
}

// TestParaphraseAll: items are spread over the wordings, each as a run with this wording
// alone has it, its examples in the same words.
func TestParaphraseAll(t *testing.T) {
	request := Request{Tasks: []string{"copy"}, Lengths: []verbatim.Lengths{{Min: 8, Max: 8}}, Items: 8, Variant: verbatim.Variant{Shots: 2, Paraphrase: AllWordings}}
	all := must(Open(must(Plan(request)), nil))
	var alone []*Deck
	for i := range 4 {
		request.Variant.Paraphrase = WordingName(i)
		alone = append(alone, must(Open(must(Plan(request)), nil)))
	}
	seen := make([]int, 4)
	for p, ok := all.Next(); ok; p, ok = all.Next() {
		it := must(all.Item(p))
		w := verbatim.WordingOf(it.ID, 4)
		seen[w]++
		if diff := cmp.Diff(alone[w].Prompt(it), all.Prompt(it)); diff != "" {
			t.Errorf("%s: %s", it.ID, diff)
		}
	}
	for w, n := range seen {
		if n != 2 {
			t.Errorf("wording %d has %d of 8 items", w, n)
		}
	}
}

// TestSpreadOver: items are spread over the wordings that every family has.
func TestSpreadOver(t *testing.T) {
	two, three := verbatim.Family{Name: "two", Wordings: make([]verbatim.Wording, 2)}, verbatim.Family{Name: "three", Wordings: make([]verbatim.Wording, 3)}
	if got, err := spreadOver([]verbatim.Family{three, two}); err != nil || got != verbatim.SpreadOver(2) {
		t.Errorf("%q, %v", got, err)
	}
	one := verbatim.Family{Name: "one", Wordings: make([]verbatim.Wording, 1)}
	if _, err := spreadOver([]verbatim.Family{two, one}); err == nil || !strings.Contains(err.Error(), "of one") {
		t.Errorf("%v", err)
	}
}
