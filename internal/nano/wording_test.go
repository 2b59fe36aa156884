package nano

import (
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
	mostUnknown := map[string]int{"": 0, "1": 0, "2": 2, "3": 2}
	for _, family := range task.Families() {
		for _, w := range task.Wordings(family.Name) {
			most, ok := mostUnknown[w.Name]
			if !ok {
				t.Errorf("%s: nothing is said of wording %q", family.Name, w.Name)
				continue
			}
			unknown, words := n.spell(draw(t, family.Name, 4, 1, w.Name)[0].prompt)
			switch {
			case w.Name == "" && len(words)+len(unknown) > 0:
				t.Errorf("%s: %q are in no phrase: add the sentence to PHRASES of nano/wordings.py, train anew and export", family.Name, append(unknown, words...))
			case len(unknown) > most:
				t.Errorf("%s, wording %q: the words %q are not known: add the sentence to nano/wordings.py, train anew and export", family.Name, w.Name, unknown)
			}
		}
	}
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
		for _, said := range []string{q.before, q.after} {
			for len(said) > 0 {
				t, size, ok := n.vocabulary.instruction(said)
				switch {
				case ok && t == unknownToken:
					unknown = append(unknown, said[:size])
				case ok && t < firstPhrase:
					known = append(known, said[:size])
				}
				said = said[size:]
			}
		}
	}
	slices.Sort(unknown)
	return slices.Compact(unknown), known
}
