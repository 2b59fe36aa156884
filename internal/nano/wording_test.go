package nano

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"verbatim"
	"verbatim/internal/task"
)

// TestWordings wants the network to know how this program asks: the official
// wordings phrase by phrase, the first paraphrases word by word, and nearly all
// words of those that the training never showed.
func TestWordings(t *testing.T) {
	n := load(t)
	trained := trainedFamilies(t)
	mostUnknown := map[string]int{"": 0, "1": 0, "2": 2, "3": 2}
	for _, family := range task.Families() {
		if !trained[family.Name] {
			continue
		}
		for i := range family.Wordings {
			name := task.WordingName(i)
			most, ok := mostUnknown[name]
			if !ok {
				t.Errorf("%s: nothing is text of wording %q", family.Name, name)
				continue
			}
			unknown, words := n.spell(draw(t, family.Name, 4, 1, name)[0].prompt)
			switch {
			case name == "" && len(words)+len(unknown) > 0:
				t.Errorf("%s: %q are in no phrase: add the sentence to PHRASES of training/nano/wordings.py, train again and export", family.Name, append(unknown, words...))
			case len(unknown) > most:
				t.Errorf("%s, wording %q: the words %q are not known: add the sentence to training/nano/wordings.py, train again and export", family.Name, name, unknown)
			}
		}
	}
}

// trainedFamilies returns the families that the network was trained on, as the
// training declares them. Other families are not supported: the network has never seen their questions.
func trainedFamilies(t *testing.T) map[string]bool {
	t.Helper()
	source, err := os.ReadFile("../../training/nano/data.py")
	if err != nil {
		t.Fatal(err)
	}
	trained := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\s+Kind\("([a-z-]+)"`).FindAllStringSubmatch(string(source), -1) {
		trained[m[1]] = true
	}
	for _, name := range []string{"copy", "reverse", "add", "sort-word-duplicate"} {
		if !trained[name] {
			t.Fatalf("training/nano/data.py does not train on %s: %v", name, trained)
		}
	}
	return trained
}

// spell lists the words of a prompt's instructions: those that the network does not
// know, and those that it knows. Phrases are left out.
func (n *Network) spell(p verbatim.Prompt) (unknown, known []string) {
	firstPhrase := firstWord + token(len(n.words))
	for _, m := range p {
		q := question{before: textOf(m)}
		if m.Role == "user" {
			q = divide(q.before)
		}
		for _, text := range []string{q.before, q.after} {
			for len(text) > 0 {
				t, size, ok := n.vocabulary.instruction(text)
				switch {
				case ok && t == unknownToken:
					unknown = append(unknown, text[:size])
				case ok && t < firstPhrase:
					known = append(known, text[:size])
				}
				text = text[size:]
			}
		}
	}
	slices.Sort(unknown)
	return slices.Compact(unknown), known
}
