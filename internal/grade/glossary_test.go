package grade_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/grade"
	"verbatim/internal/grade/traits"
)

// TestGlossary compares the labels of docs/glossary.md with their declarations; -update
// writes them.
func TestGlossary(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "glossary.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), "| label | graders | meaning | example |\n")
	_, after, ok2 := strings.Cut(rest, "## Flags of answers\n")
	if !ok || !ok2 {
		t.Fatalf("%s has no table of labels before the flags", path)
	}
	want := before + labelTable() + "## Flags of answers\n" + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(data) != want {
		t.Errorf("the labels in %s are not those of the graders: run 'go test ./internal/grade -run TestGlossary -update'", path)
	}
}

// labelTable returns the table of labels, and the order in which they are tested.
func labelTable() string {
	var b strings.Builder
	b.WriteString("| label | graders | meaning | example |\n|---|---|---|---|\n")
	all := grade.AllLabels()
	slices.SortFunc(all, func(a, b traits.Label) int { return strings.Compare(a.Name, b.Name) })
	kinds := []string{"text", "list", "integer", "json"}
	for _, l := range all {
		var of []string
		for _, kind := range kinds {
			if slices.Contains(grade.Labels(kind), l.Name) {
				of = append(of, kind)
			}
		}
		graders := strings.Join(of, ", ")
		switch {
		case len(of) == len(kinds) || l.Name == "pass":
			graders = "all"
		case len(of) == 0:
			graders = "published scores"
		}
		example := ""
		if l.Example != "" {
			example = l.Example + " "
		}
		meaning := l.Meaning
		if l.Splits != "" {
			meaning += " A kind of `" + l.Splits + "`."
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s|\n", l.Name, graders, meaning, example)
	}
	b.WriteString("\n`reasoning_leak` and `empty` are tested first. Then come, in this order:\n\n")
	for _, kind := range kinds {
		var names []string
		for _, name := range grade.Labels(kind)[2:] {
			switch foreseen := slices.ContainsFunc(traits.Foreseen(), func(l traits.Label) bool { return l.Name == name }); {
			case !foreseen:
				names = append(names, "`"+name+"`")
			case name == traits.Foreseen()[0].Name:
				names = append(names, "what the item foresees")
			}
		}
		fmt.Fprintf(&b, "- %s: %s.\n", map[string]string{"text": "texts", "list": "lists", "integer": "integers", "json": "JSON"}[kind], strings.Replace(strings.Join(names, ", "), "foresees, ", "foresees. Then ", 1))
	}
	b.WriteString("\n")
	return b.String()
}
