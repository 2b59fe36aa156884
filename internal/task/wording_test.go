package task

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/grade"
)

// underVariant opens a plan of one item of a family at a length under a variant, and
// returns the deck and the item.
func underVariant(t testing.TB, f verbatim.Family, k verbatim.Knobs, v verbatim.Variant) (*Deck, *verbatim.Item) {
	t.Helper()
	p, err := Plan(Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{k.Length}, Items: 1, Seed: 1, Edition: k.Edition, Variant: v})
	if err != nil {
		t.Fatal(err)
	}
	d := must(Open(p, nil))
	return d, must(d.Item(Place{}))
}

// payload returns what a drawn item's question is about, by another way than the
// wordings find it.
func payload(it *verbatim.Item) string {
	text := asked(*it)
	switch it.Facts[verbatim.FactFamily] {
	case "copy", "reverse":
		return `"` + it.Source.Text + `"`
	case "add":
		return text[strings.Index(text, `"`):]
	}
	return text[strings.Index(text, "["):]
}

// TestWordings wants at least three paraphrases of every family, each with a name
// of its own, no two alike, and every wording to hold the payload once and byte for
// byte.
func TestWordings(t *testing.T) {
	n := 0
	for _, f := range Families() {
		list := Wordings(f.Name)
		if len(list) < 4 || list[0].Name != "" {
			t.Fatalf("%s has %d wordings, the first named %q", f.Name, len(list), list[0].Name)
		}
		for _, e := range verbatim.Editions() {
			seen := map[string]bool{}
			for _, w := range list {
				d, it := underVariant(t, f, knobs(8, e), verbatim.Variant{Paraphrase: w.Name})
				p := d.Prompt(it)
				user := p[len(p)-1]
				text := user.Content[0].Text
				if user.Role != "user" || strings.Count(text, payload(it)) != 1 {
					t.Errorf("%s in wording %q does not hold %s once: %q", it.ID, w.Name, payload(it), text)
				}
				if rest := strings.Replace(text, payload(it), "", 1); seen[rest] || strings.ContainsAny(rest, `"[]0123456789`) {
					t.Errorf("%s: wording %q is another's, or could be taken for a payload: %q", f.Name, w.Name, rest)
				} else {
					seen[rest] = true
				}
				if (len(p) == 2) != (len(it.Prompt) == 2) || len(p) == 2 && (p[0].Role != "system" || w.Name != "" && p[0].Content[0].Text == it.Prompt[0].Content[0].Text) {
					t.Errorf("%s in wording %q has the messages %+v", it.ID, w.Name, p)
				}
				if w.Name == "" && string(must(json.Marshal(p))) != string(must(json.Marshal(it.Prompt))) {
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

// TestGoldenPrompts pins how an item of every family is put: the same plan must
// send the same for ever. Written down, the items are read back as they were sent.
func TestGoldenPrompts(t *testing.T) {
	n := 0
	for _, f := range Families() {
		var b bytes.Buffer
		var sent []verbatim.Prompt
		variants := []verbatim.Variant{{Shots: 2}, {System: NoSystem}, {System: "Be brief.", Shots: 1, Paraphrase: "1"}}
		for _, w := range Wordings(f.Name)[1:] {
			variants = append(variants, verbatim.Variant{Paraphrase: w.Name})
		}
		for _, v := range variants {
			d, it := underVariant(t, f, knobs(f.Ladder[0], verbatim.Standard), v)
			line := *it
			line.ID, line.Prompt = VariantID(&v)+"/"+it.ID, d.Prompt(it)
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
				t.Errorf("%s would be asked as %+v", back[i].ID, back[i].Prompt)
			}
		}
		golden(t, filepath.Join("testdata", "prompts", f.Name+".jsonl"), b.Bytes(), "put the old wording back and add yours to the end, or raise the family's Version")
	}
	if n < 21*6 {
		t.Errorf("only %d prompts were compared", n)
	}
}
