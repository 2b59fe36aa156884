package task

import (
	"bytes"
	"encoding/json"
	"errors"
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
		_, back, err := ReadItems("x", b.Bytes(), ".", new(Fields), grade.Check)
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

func roles(p verbatim.Prompt) string {
	var out []string
	for _, m := range p {
		out = append(out, m.Role[:1])
	}
	return strings.Join(out, "")
}

// TestSystem wants a system prompt of the variant instead of the items' own, and none
// where the variant removes it.
func TestSystem(t *testing.T) {
	for _, test := range []struct {
		family, system, first, roles string
		shots                        int
	}{
		{"copy", "", "", "u", 0},
		{"copy", "Be brief.", "Be brief.", "su", 0},
		{"copy", NoSystem, "", "u", 0},
		{"sort-int", "", sortSystem, "su", 0},
		{"sort-int", "Be brief.", "Be brief.", "su", 0},
		{"sort-int", NoSystem, "", "u", 0},
		{"sort-int", "", sortSystem, "suauau", 2},
		{"sort-int", "Be brief.", "Be brief.", "suau", 1},
		{"sort-int", NoSystem, "", "uauauau", 3},
		{"copy", "Be brief.", "Be brief.", "suauau", 2},
	} {
		d, it := underVariant(t, must(Find(test.family)), parameters(4, verbatim.Standard), verbatim.Variant{System: test.system, Shots: test.shots})
		p := d.Prompt(it)
		if roles(p) != test.roles || p[0].Role == "system" && p[0].Content[0].Text != test.first || test.first != "" && p[0].Role != "system" {
			t.Errorf("%+v: %+v", test, p)
		}
		if last := p[len(p)-1].Content[0].Text; last != asked(*it) {
			t.Errorf("%+v has the question %q at the end", test, last)
		}
	}
}

// TestVariantHash wants plans without a variant to keep their hashes, whichever
// way they say so, and every part of a variant to change it.
func TestVariantHash(t *testing.T) {
	base := Request{Tasks: []string{"reverse"}, Lengths: must(ParseLengths("8")), Items: 5, Seed: 1}
	lists := Request{Lists: &verbatim.ItemFile{Name: publishedName, SHA256: "01", N: 5}}
	for _, q := range []Request{base, lists} {
		plain := must(Plan(q))
		if plain.Variant != nil {
			t.Errorf("no variant is %+v", plain.Variant)
		}
		if data := string(must(json.Marshal(plain))); strings.Contains(data, "variant") {
			t.Errorf("a plan without a variant says %s", data)
		}
		seen := map[string]bool{plain.Hash: true}
		for _, v := range []verbatim.Variant{{Shots: 1}, {Shots: 2}, {Paraphrase: "1"}, {Paraphrase: "2"}, {System: "x"}, {System: "y"}, {System: NoSystem}, {Shots: 1, System: "x"}} {
			q.Variant = v
			p := must(Plan(q))
			if seen[p.Hash] || p.Variant == nil || *p.Variant != v {
				t.Errorf("%+v: the plan is %+v", v, p)
			}
			seen[p.Hash] = true
			if p.Count != plain.Count {
				t.Errorf("%+v has %d requests and not %d", v, p.Count, plain.Count)
			}
		}
	}
	// The names of these plans must never change.
	base.Variant = verbatim.Variant{Shots: 2, Paraphrase: "1", System: "Be brief."}
	lists.Variant = verbatim.Variant{Shots: 2}
	for want, q := range map[string]Request{"42eb65579527": base, "ae09c988159a": lists} {
		if got := must(Plan(q)).Hash[:12]; got != want {
			t.Errorf("the plan is %s, want %s: saved plans would not be found again", got, want)
		}
	}
}

func TestVariantErrors(t *testing.T) {
	file := &verbatim.ItemFile{Name: "x.jsonl", SHA256: "1", N: 3}
	one := func(s string) []verbatim.Lengths { return must(ParseLengths(s)) }
	item := func(id, question, want string) verbatim.Item {
		return verbatim.Item{ID: id, Prompt: verbatim.Prompt{message("user", question)}, Want: verbatim.TextAnswer(want)}
	}
	prefilled := item("c", "Say c.", "c")
	prefilled.Prompt = append(prefilled.Prompt, message("assistant", "It is"))
	same := []verbatim.Item{item("a", "Say it.", "a"), item("b", "Say it.", "b"), prefilled}
	for _, test := range []struct {
		q     Request
		items []verbatim.Item
		want  string
	}{
		{Request{Variant: verbatim.Variant{Shots: -1}}, nil, "-1 examples"},
		{Request{Variant: verbatim.Variant{Shots: 257}}, nil, "257 examples"},
		{Request{Variant: verbatim.Variant{Paraphrase: "9"}}, nil, `no paraphrase "9" of copy | the paraphrases are 1, 2, 3`},
		{Request{Variant: verbatim.Variant{Paraphrase: "0"}}, nil, `no paraphrase "0"`},
		{Request{Tasks: []string{"sort-int"}, Variant: verbatim.Variant{Paraphrase: "x"}}, nil, "verbatim tasks sort-int"},
		{Request{Variant: verbatim.Variant{System: " \n"}}, nil, "--no-system"},
		{Request{Variant: verbatim.Variant{System: "\xff"}}, nil, "UTF-8"},
		{Request{File: file, Variant: verbatim.Variant{Paraphrase: "1"}}, same, "no other wordings"},
		{Request{File: file, Variant: verbatim.Variant{Shots: 1}}, same, "x.jsonl has too few different questions (1) for 1 examples"},
		{Request{Tasks: []string{"copy"}, Lengths: one("1"), Variant: verbatim.Variant{Shots: 62}}, nil, "copy at length 1 has too few questions for 62"},
		{Request{Tasks: []string{"sort-int"}, Lengths: one("0"), Variant: verbatim.Variant{Shots: 1}}, nil, "sort-int at length 0"},
		{Request{Tasks: []string{"sort-int-sorted"}, Lengths: one("1001"), Variant: verbatim.Variant{Shots: 1}}, nil, "sort-int-sorted at length 1001"},
	} {
		p, err := Plan(test.q)
		if err == nil {
			_, err = Open(p, test.items)
		}
		var fault interface {
			Hint() string
			Misuse() bool
		}
		if !errors.As(err, &fault) || !fault.Misuse() || fault.Hint() == "" {
			t.Errorf("%+v: %v is no misuse with a hint", test.q, err)
			continue
		}
		if text := err.Error() + " | " + fault.Hint(); !strings.Contains(text, test.want) {
			t.Errorf("%+v: %s: it does not say %q", test.q, text, test.want)
		}
	}
}

// TestVariantID wants ids that name all of the variant, and no id without a variant.
func TestVariantID(t *testing.T) {
	for want, v := range map[string]*verbatim.Variant{
		"":                              nil,
		"shots=2":                       {Shots: 2},
		"paraphrase=1":                  {Paraphrase: "1"},
		"system=-":                      {System: NoSystem},
		"system=213c22ed":               {System: "Be brief."},
		"shots=1,paraphrase=3,system=-": {Shots: 1, Paraphrase: "3", System: NoSystem},
	} {
		if got := variantID(v); got != want {
			t.Errorf("%+v is %q, want %q", v, got, want)
		}
	}
}

// TestFormsOfItemsFromFiles: an item that was read from a file, without inputs, has the same prompts in all
// wordings as the drawn one, and one whose prompt is in no wording of its family has only its own.
func TestFormsOfItemsFromFiles(t *testing.T) {
	calls := 0
	for _, f := range Families() {
		d, drawn := underVariant(t, f, parameters(within(f, 8), verbatim.Standard), verbatim.Variant{})
		read := *drawn
		read.Inputs = nil
		want, got := d.Forms(drawn), d.Forms(&read)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (- drawn, + read):\n%s", drawn.ID, diff)
		}
		calls += len(got) - 1
		for _, w := range f.Wordings {
			if diff := cmp.Diff(reworded(drawn, f.Wordings[0], w), reworded(&read, f.Wordings[0], w)); diff != "" {
				t.Errorf("%s (- drawn, + read):\n%s", drawn.ID, diff)
			}
		}
		for _, foreign := range []verbatim.Prompt{nil, {{Role: "user"}}, {message("user", "What is 2 + 2?")}} {
			read.Prompt = foreign
			if forms := d.Forms(&read); len(forms) != 1 {
				t.Errorf("%s with the prompt %v has %d forms", drawn.ID, foreign, len(forms))
			}
			if diff := cmp.Diff(foreign, reworded(&read, f.Wordings[0], f.Wordings[1])); diff != "" {
				t.Errorf("%s: another prompt was reworded: %s", drawn.ID, diff)
			}
		}
	}
	if calls == 0 {
		t.Error("no family has another form")
	}
}
