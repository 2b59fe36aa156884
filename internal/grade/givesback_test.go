package grade_test

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/grade"
)

// TestGivesBack: a reply that is a piece of the question and no answer is an echo, and one that
// ends in a loop is looped, whatever it says before.
func TestGivesBack(t *testing.T) {
	text := "kempt caviler bungee camwood\nbengal thomism carry syphon\nlibby clv reecho vhf"
	edits := "The edits:\n1. Replace \"thomism\" by \"myixdmf\".\n2. Delete the word \"clv\"."
	it := &verbatim.Item{ID: "edit",
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Apply the edits below the text to the text.\n\n" + text + "\n\n" + edits}}}},
		Want:   verbatim.TextAnswer("kempt caviler bungee camwood\nbengal myixdmf carry syphon\nlibby reecho vhf"),
	}
	for reply, want := range map[string]string{
		edits: "echo",
		"The edits:\n1. Insert \"thomism\" behind \"caviler\".\n2. Delete the word \"thomism\".": "talk",
		"I read the edits first. " + strings.Repeat("Then I edit the words. ", 8):                "looped",
	} {
		if g := grade.Of(it, reply, verbatim.FinishStop); grade.Older(g.Label) != want || g.Extracted {
			t.Errorf("%q is %s (%s), want %s", reply, g.Label, g.Detail, want)
		}
	}
}
