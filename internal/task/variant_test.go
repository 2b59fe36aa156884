package task

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"verbatim"
)

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
