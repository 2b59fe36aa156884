package task

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/grade"
)

// examples returns the examples of a prompt: questions and answers in turn.
func examples(t interface{ Fatalf(string, ...any) }, p verbatim.Prompt) (questions, answers []string) {
	_, p = divide(p)
	for i, m := range p[:len(p)-1] {
		if m.Role != []string{"user", "assistant"}[i%2] {
			t.Fatalf("message %d is the %s's", i, m.Role)
		}
		if i%2 == 0 {
			questions = append(questions, shown(m))
		} else {
			answers = append(answers, m.Content[0].Text)
		}
	}
	return questions, answers
}

// TestShots draws plans and wants for every item: as many examples as were requested;
// never its own question, nor one twice; the same ones whenever, in whatever order and
// whatever else is drawn; more to begin with the fewer; and answers that pass.
func TestShots(t *testing.T) {
	var names []string
	for _, f := range Families() {
		if len(f.Wordings) > 2 && f.Unit != "shapes" { // pictures take long, and TestGoldenPrompts has them with examples
			names = append(names, f.Name)
		}
	}
	items := 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "family")
		low := max(must(Find(name)).Min, rapid.IntRange(1, 6).Draw(t, "low")*2)
		q := Request{
			Tasks:   []string{name},
			Lengths: []verbatim.Lengths{{Min: low, Max: low + rapid.IntRange(0, 9).Draw(t, "more")}},
			Items:   rapid.IntRange(1, 3).Draw(t, "items"),
			Seed:    rapid.Uint64().Draw(t, "seed"),
			Edition: rapid.SampledFrom(verbatim.Editions()).Draw(t, "edition"),
			Variant: verbatim.Variant{Shots: rapid.IntRange(1, 5).Draw(t, "shots"), Paraphrase: rapid.SampledFrom([]string{"", "2"}).Draw(t, "paraphrase")},
		}
		if strings.HasSuffix(q.Tasks[0], "-duplicate") {
			q.Lengths[0].Max = low
		}
		d := must(Open(must(Plan(q)), nil))
		more := q
		more.Items, more.Tasks = q.Items+1, append([]string{"add"}, q.Tasks...)
		others := must(Open(must(Plan(more)), nil))
		fewer := q
		fewer.Variant.Shots--
		less := must(Open(must(Plan(fewer)), nil))

		first := map[string]bool{}
		for i := q.Items - 1; i >= 0; i-- {
			it := must(d.Item(Position{Index: i}))
			before := fmt.Sprintf("%+v", it)
			p := d.Prompt(it)
			if fmt.Sprintf("%+v", it) != before {
				t.Fatalf("%s is changed", it.ID)
			}
			questions, answers := examples(t, p)
			if len(questions) != q.Variant.Shots || len(answers) != q.Variant.Shots {
				t.Fatalf("%s has %d examples and %d answers", it.ID, len(questions), len(answers))
			}
			seen := map[string]bool{shown(p[len(p)-1]): true}
			for _, question := range questions {
				if seen[question] {
					t.Fatalf("%s: %q is there twice", it.ID, question)
				}
				seen[question] = true
			}
			for _, other := range []*Deck{d, others, must(Open(d.plan, nil))} {
				if again := other.Prompt(it); !reflect.DeepEqual(again, p) {
					t.Fatalf("%s has other examples the second time", it.ID)
				}
			}
			fewerQuestions, _ := examples(t, less.Prompt(it))
			if !reflect.DeepEqual(append(fewerQuestions, questions[len(fewerQuestions):]...), questions) {
				t.Fatalf("%s: fewer examples are others", it.ID)
			}
			shots := must(d.shots(it))
			for j := range shots {
				if g := grade.Of(&shots[j], answers[j], verbatim.FinishStop); g.Outcome != verbatim.Pass {
					t.Fatalf("%s: the answer %q of an example is %s", it.ID, answers[j], g.Label)
				}
				if n, _ := strconv.Atoi(shots[j].Facts[verbatim.FactLength]); n < q.Lengths[0].Min || n > q.Lengths[0].Max || shots[j].Facts[verbatim.FactFamily] != q.Tasks[0] || shots[j].Facts[verbatim.FactEdition] != string(q.Edition) {
					t.Fatalf("%s: an example is %v", it.ID, shots[j].Facts)
				}
			}
			if MaxTokens(it, 0) != MaxTokens(must(less.Item(Position{Index: i})), 0) {
				t.Fatalf("%s: examples change the token limit", it.ID)
			}
			if low >= 6 && first[questions[0]] && name != "emit-n" { // there are few letters
				t.Fatalf("%s begins with another item's example", it.ID)
			}
			first[questions[0]] = true
			items++
		}
	})
	if items == 0 {
		t.Error("no item got examples")
	}
}

// TestShotsOfTheirOwn wants examples to come from seeds of their own: neither the
// plan's other items nor another seed's.
func TestShotsOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	n := 0
	for seed := uint64(1); seed <= 2; seed++ {
		d := must(Open(must(Plan(Request{Tasks: []string{"reverse"}, Lengths: must(ParseLengths("12")), Items: 50, Seed: seed, Variant: verbatim.Variant{Shots: 4}})), nil))
		for i := range 50 {
			it := must(d.Item(Position{Index: i}))
			questions, _ := examples(t, d.Prompt(it))
			for _, q := range append(questions, asked(*it)) {
				if seen[q] {
					t.Errorf("%s: %q was there before", it.ID, q)
				}
				seen[q] = true
				n++
			}
		}
	}
	if n != 500 {
		t.Errorf("%d questions", n)
	}
}

// TestScarceShots wants every question but the item's own where that is just
// enough.
func TestScarceShots(t *testing.T) {
	d := must(Open(must(Plan(Request{Tasks: []string{"copy"}, Lengths: must(ParseLengths("1")), Items: 30, Seed: 1, Variant: verbatim.Variant{Shots: 61}})), nil))
	for i := range 30 {
		questions, _ := examples(t, d.Prompt(must(d.Item(Position{Index: i}))))
		if len(questions) != 61 {
			t.Errorf("%d examples", len(questions))
		}
	}
}

// fileItems are items of two families, some with the same question; one has its own
// system prompt, and one a conversation that the question continues.
func fileItems() []verbatim.Item {
	var items []verbatim.Item
	add := func(family, question, want string) {
		items = append(items, verbatim.Item{
			ID: family + "-" + strconv.Itoa(len(items)), Prompt: verbatim.Prompt{message("user", question)},
			Want: verbatim.TextAnswer(want), Facts: map[string]string{verbatim.FactFamily: family},
		})
	}
	for i := range 8 {
		add("many", fmt.Sprintf("Say %d.", i), strconv.Itoa(i))
		add("many", fmt.Sprintf("Say %d.", i), strconv.Itoa(i))
	}
	add("few", "Count to 2.", "1 2")
	add("few", "Count to 3.", "1 2 3")
	add("few", "Count to 2.", "1 2")
	items[16].Prompt = append(verbatim.Prompt{message("system", "Count aloud.")}, items[16].Prompt...)
	add("many", "Say 99.", "99")
	last := &items[len(items)-1]
	last.Prompt = append(last.Prompt, message("assistant", "I say"))
	list := verbatim.Item{ID: "list", Prompt: verbatim.Prompt{message("user", "List halves.")}, Want: verbatim.ListAnswer([]any{0.5, int64(1), "x"}),
		Facts: map[string]string{verbatim.FactFamily: "few", verbatim.FactEdition: "paper"}}
	return append(items, list)
}

// TestShotsOfAFile wants examples from the file: of the item's family where it has
// enough of them, and never the item's own question.
func TestShotsOfAFile(t *testing.T) {
	items := fileItems()
	for _, test := range []struct {
		shots         int
		many, few     bool // examples of the own family only
		fromManyOfAll int
	}{{1, true, true, 0}, {2, true, true, 0}, {3, true, false, 1}, {7, true, false, 4}, {10, false, false, 7}} {
		p := must(Plan(Request{File: &verbatim.ItemFile{Name: "x", SHA256: "1", N: len(items)}, Variant: verbatim.Variant{Shots: test.shots}}))
		d := must(Open(p, items))
		orders := map[string]bool{}
		for i := range items {
			it := must(d.Item(Position{Index: i}))
			out := d.Prompt(it)
			if !reflect.DeepEqual(out, must(Open(p, fileItems())).Prompt(it)) {
				t.Errorf("%s has other examples the second time", it.ID)
			}
			_, own := divide(it.Prompt)
			if !reflect.DeepEqual(out[len(out)-len(own):], own) {
				t.Errorf("%s ends with %+v", it.ID, out[len(out)-len(own):])
			}
			if system := it.Prompt[0].Role == "system"; system != (out[0].Role == "system") {
				t.Errorf("%s has the roles %s", it.ID, roles(out))
			}
			questions, answers := examples(t, append(out[:len(out)-len(own):len(out)-len(own)], message("user", "")))
			seen := map[string]bool{own[0].Content[0].Text: true}
			many := 0
			for j, q := range questions {
				if seen[q] || q == "Say 99." {
					t.Errorf("%s: %q is an example", it.ID, q)
				}
				seen[q] = true
				if strings.HasPrefix(q, "Say") {
					many++
					if answers[j] != strings.Trim(q, "Say .") {
						t.Errorf("%q is answered %q", q, answers[j])
					}
				}
				if q == "List halves." && answers[j] != "[0.5, 1, 'x']" {
					t.Errorf("the list is answered %q", answers[j])
				}
			}
			if len(questions) != test.shots {
				t.Errorf("%s has %d examples", it.ID, len(questions))
			}
			family := it.Facts[verbatim.FactFamily]
			if family == "many" && test.many && many != test.shots || family == "few" && test.few && many != 0 || many < test.fromManyOfAll {
				t.Errorf("%s of %s: %d of %d examples are of the large family", it.ID, family, many, test.shots)
			}
			orders[fmt.Sprint(questions)] = true
		}
		if len(orders) < 4 {
			t.Errorf("%d shots: all items have the same %d examples", test.shots, len(orders))
		}
	}
}

// TestShotsWithImages wants examples to keep their images, and the same picture
// twice to be one question.
func TestShotsWithImages(t *testing.T) {
	picture := func(id string, b byte) verbatim.Item {
		return verbatim.Item{ID: id, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "What is this?"}, {Image: &verbatim.Image{Media: "image/png", Bytes: []byte{b}}}}}}, Want: verbatim.TextAnswer(string(b))}
	}
	items := []verbatim.Item{picture("a", 'a'), picture("b", 'b'), picture("b2", 'b')}
	file := &verbatim.ItemFile{Name: "x", SHA256: "1", N: 3}
	d := must(Open(must(Plan(Request{File: file, Variant: verbatim.Variant{Shots: 1}})), items))
	for i, want := range []string{"b", "a", "a"} {
		p := d.Prompt(&items[i])
		if len(p) != 3 || string(p[0].Content[1].Image.Bytes) != want || p[1].Content[0].Text != want {
			t.Errorf("%s: %+v", items[i].ID, p)
		}
	}
	if _, err := Open(must(Plan(Request{File: file, Variant: verbatim.Variant{Shots: 2}})), items); err == nil {
		t.Error("two pictures are enough for two examples")
	}
}

// TestShotsOfPublishedLists wants examples of a published list to be drawn as the
// published code draws, of the list's task and length.
func TestShotsOfPublishedLists(t *testing.T) {
	dir := t.TempDir()
	if _, err := WriteSortBench(t.Context(), dir, must(Plan(Request{Tasks: []string{"sort-*"}, Seed: 1, Edition: verbatim.Reference})), "v1.0"); err != nil {
		t.Fatal(err)
	}
	file, items, err := PublishedLists(dir)
	if err != nil {
		t.Fatal(err)
	}
	d := must(Open(must(Plan(Request{Lists: file, Variant: verbatim.Variant{Shots: 2, Paraphrase: "3"}})), items))
	families := map[string]bool{}
	for i := 0; i < len(items); i += 10 {
		it := &items[i]
		shots := must(d.shots(it))
		for j := range shots {
			for _, fact := range []string{verbatim.FactFamily, verbatim.FactLength, verbatim.FactEdition} {
				if shots[j].Facts[fact] != it.Facts[fact] {
					t.Errorf("%s: an example is %v", it.ID, shots[j].Facts)
				}
			}
		}
		if p := d.Prompt(it); roles(p) != "suauau" || !strings.HasPrefix(p[1].Content[0].Text, "What does the list below") {
			t.Errorf("%s: %+v", it.ID, p)
		}
		families[it.Facts[verbatim.FactFamily]] = true
	}
	if len(families) != 18 {
		t.Errorf("%d families", len(families))
	}
}
