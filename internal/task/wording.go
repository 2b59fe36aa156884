package task

import (
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

// WordingName returns the name of a family's wording by its index: "" for the official one, "1", "2",
// … for the paraphrases.
func WordingName(i int) string {
	if i == 0 {
		return ""
	}
	return strconv.Itoa(i)
}

// AllWordings is the name of a paraphrase that spreads the items over all wordings.
const AllWordings = "all"

// spreadOver returns the paraphrase that spreads the items of a plan over the wordings that all of its
// families have.
func spreadOver(families []verbatim.Family) (string, error) {
	fewest := slices.MinFunc(families, func(a, b verbatim.Family) int { return len(a.Wordings) - len(b.Wordings) })
	if len(fewest.Wordings) < 2 {
		return "", misuse("leave out --paraphrase", "there are no other wordings of %s", fewest.Name)
	}
	return verbatim.SpreadOver(len(fewest.Wordings)), nil
}

// wording returns the wording of a family that a variant names.
func wording(f verbatim.Family, paraphrase string) (verbatim.Wording, error) {
	var names []string
	for i, w := range f.Wordings {
		if WordingName(i) == paraphrase {
			return w, nil
		}
		names = append(names, WordingName(i))
	}
	if len(names) < 2 {
		return verbatim.Wording{}, misuse("leave out --paraphrase", "there are no other wordings of %s", f.Name)
	}
	return verbatim.Wording{}, misuse("the paraphrases are "+strings.Join(names[1:], ", ")+"; 'verbatim tasks "+f.Name+"' shows them",
		"there is no paraphrase %q of %s", paraphrase, f.Name)
}

// reworded returns the prompt of a drawn item in another wording of its family.
func reworded(it *verbatim.Item, w verbatim.Wording) verbatim.Prompt {
	p := w.Prompt(it.Inputs)
	last := &p[len(p)-1]
	last.Content = append(last.Content, it.Prompt[len(it.Prompt)-1].Content[1:]...) // pictures stay
	return p
}
