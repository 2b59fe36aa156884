package exact

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/question"
)

// editApply asks for a text after edits, each of which names a place that there is once. The
// length is the number of edits; the text has three lines for each.
func editApply() verbatim.Family {
	return verbatim.Family{
		Name: "edit-apply", Version: 1, Doc: "apply numbered edits to a text and write all of it",
		About: "The length is the number of edits; the text has three lines for each. Each edit names a word that is there once. A text without one of the edits is step_missing, with its number.",
		Unit:  "edits", Min: 1, Max: 1000, DefaultLengths: []int{2, 4, 8, 16},
		Wordings: editApplyWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := question.Length(r, k.Length)
			lines := wordLines(r, 3*n+1)
			edits := drawEdits(r, lines, n)
			var asked strings.Builder
			asked.WriteString(strings.Join(lines, "\n") + "\n\nThe edits:\n")
			for i, e := range edits {
				fmt.Fprintf(&asked, "%d. %s\n", i+1, e.words)
			}
			it := question.Item("edit-apply", k, n, editApplyWordings()[0].Prompt(strings.TrimSuffix(asked.String(), "\n")), verbatim.TextAnswer(applied(lines, edits)),
				verbatim.ListAnswer([]any{strings.Join(lines, "\n")}))
			question.Foresee(&it, "step_missing", "no edit made", verbatim.TextAnswer(strings.Join(lines, "\n")))
			for i := range edits[:min(n, mostMissing)] {
				question.Foresee(&it, "step_missing", "edit "+strconv.Itoa(i+1), verbatim.TextAnswer(applied(lines, slices.Delete(slices.Clone(edits), i, i+1))))
			}
			return it, nil
		},
	}
}

// mostMissing bounds for how many edits the text without each of them is foreseen: each is as
// long as the answer.
const mostMissing = 16

// An edit changes one line of a text. Edits of one text are about different lines.
type edit struct {
	line  int
	words string // what is asked for
	lines []string
}

// wordLines draws lines of words. No word stands there twice.
func wordLines(r *rand.Rand, n int) []string {
	const inLine = 5
	words := draw.MildWords()
	list := draw.Distinct(inLine*n, func() string {
		for {
			if word := words[r.IntN(len(words))]; len(word) >= 3 && len(word) <= 8 {
				return word
			}
		}
	})
	lines := make([]string, n)
	for i := range lines {
		lines[i] = strings.Join(list[inLine*i:inLine*(i+1)], " ")
	}
	return lines
}

// drawEdits draws edits of n different lines, in random order.
func drawEdits(r *rand.Rand, lines []string, n int) []edit {
	there := map[string]bool{}
	for _, line := range lines {
		for word := range strings.FieldsSeq(line) {
			there[word] = true
		}
	}
	fresh := func() string {
		for {
			if word := draw.String(r, draw.Lower, 4+r.IntN(4)); !there[word] {
				there[word] = true
				return word
			}
		}
	}
	edits := make([]edit, n)
	for i, at := range draw.Sample(r, len(lines), n) {
		words := strings.Fields(lines[at])
		j := r.IntN(len(words))
		e, old, made := edit{line: at}, words[j], fresh()
		switch r.IntN(4) {
		case 0:
			e.words = fmt.Sprintf("Replace %q by %q.", old, made)
			words[j] = made
			e.lines = []string{strings.Join(words, " ")}
		case 1:
			e.words = fmt.Sprintf("Insert %q directly behind %q.", made, old)
			e.lines = []string{strings.Join(slices.Insert(words, j+1, made), " ")}
		case 2:
			e.words = fmt.Sprintf("Delete the word %q.", old)
			e.lines = []string{strings.Join(slices.Delete(words, j, j+1), " ")}
		case 3:
			e.words = fmt.Sprintf("Add a line with the word %q below the line that holds %q.", made, old)
			e.lines = []string{lines[at], made}
		}
		edits[i] = e
	}
	return edits
}

// applied is the text after the edits.
func applied(lines []string, edits []edit) string {
	byLine := map[int][]string{}
	for _, e := range edits {
		byLine[e.line] = e.lines
	}
	var out []string
	for i, line := range lines {
		if changed, ok := byLine[i]; ok {
			out = append(out, changed...)
		} else {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func editApplyWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Before: "Apply the edits below the text to the text. Output the whole text after all edits, line by line, without the edits, without a code block and without any other text.\n\n"},
		{Before: "The following text is to be changed as the numbered edits at its end say. Your answer must be the whole changed text alone, with all lines that stay as they are.\n\n"},
		{Before: "Here is a text with a list of edits:\n\n", After: "\n\nMake every edit. Answer with the complete new text only."},
		{Before: "What does this text look like once all of the edits under it are made? Give all of its lines and add nothing.\n\n"},
	}
}
