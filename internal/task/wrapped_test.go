package task

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/grade"
)

// TestWrappedAnswers: the right answer of every text task, at every length, is found in what
// models write around it.
func TestWrappedAnswers(t *testing.T) {
	eachLine := func(mark func(i int) string) func(string) string {
		return func(w string) string {
			lines := strings.Split(w, "\n")
			for i := range lines {
				lines[i] = mark(i) + lines[i]
			}
			return strings.Join(lines, "\n")
		}
	}
	around := func(form string) func(string) string {
		return func(w string) string { return strings.ReplaceAll(form, "%", w) }
	}
	asJSON := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for name, form := range map[string]struct {
		write func(string) string
		ids   bool // only lines of identifiers are right in this form
	}{
		"after a sentence":    {around("Here is the result:\n\n%"), false},
		"after a word":        {around("Sure!\n\n%"), false},
		"before a sentence":   {around("%\n\nLet me know if you need anything else!"), false},
		"named":               {around("The answer is:\n\n%\n\nI hope this helps."), false},
		"in a block":          {around("```\n%\n```"), false},
		"block after talk":    {around("Here is the result:\n\n```\n%\n```"), false},
		"block with language": {around("Sure!\n\n```text\n%\n```\n\nLet me know if you need anything else."), false},
		"heading":             {around("**Result:**\n\n%"), false},
		"tags":                {around("<answer>\n%\n</answer>"), false},
		"final answer":        {around("Let me work through it.\n\n**Final answer:**\n```\n%\n```"), false},
		"JSON":                {func(w string) string { return asJSON(map[string]string{"answer": w}) }, false},
		"numbers":             {eachLine(func(i int) string { return fmt.Sprint(i+1, ". ") }), true},
		"bullets":             {eachLine(func(int) string { return "- " }), true},
		"JSON list":           {func(w string) string { return asJSON(strings.Split(w, "\n")) }, true},
	} {
		for _, f := range exactFamilies() {
			for _, length := range f.DefaultLengths {
				it := drawn(t, f, draw.Rand(f.Name, f.Version, "wrapped", 1, uint64(length)), length)
				if it.Want.IsList() || it.Grader == "json" || it.Grader == "text-raw" || form.ids && f.Name != "copy-ids" || strings.Contains(it.Want.Text, "<<<") {
					continue
				}
				reply := form.write(it.Want.Text)
				if g := grade.Of(it, reply, verbatim.FinishStop); !g.Extracted || g.Exact {
					t.Errorf("%s, %s at %d: %s (%s), rule %q: %.200q", name, f.Name, length, g.Label, g.Detail, g.Rule, reply)
				}
			}
		}
	}
}
