package task

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// editApply asks for a text after edits. Each edit names a word that occurs once. The length is the
// number of edits; the text has three lines for each.
func editApply() verbatim.Family {
	return verbatim.Family{
		Name: "edit-apply", Version: 2, Doc: "apply numbered edits to a text and write all of it",
		About: "The length is the number of edits; the text has three lines for each. Each edit names a word that is there once. A text without some of the edits is step_missing, with their numbers.",
		Unit:  "edits", Min: 1, Max: 1000, DefaultLengths: []int{2, 4, 8, 16},
		Wordings: editApplyWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			lines := wordLines(r, 3*n+1)
			edits := drawEdits(r, lines, n)
			var asked strings.Builder
			asked.WriteString(strings.Join(lines, "\n") + "\n\nThe edits:\n")
			for i, e := range edits {
				fmt.Fprintf(&asked, "%d. %s\n", i+1, e.words)
			}
			it := newItem("edit-apply", k, n, editApplyWordings()[0], verbatim.Inputs{"task": strings.TrimSuffix(asked.String(), "\n")}, verbatim.TextAnswer(applied(lines, edits)),
				verbatim.ListAnswer([]any{strings.Join(lines, "\n")}))
			foresee(&it, "step_missing", "no edit made", verbatim.TextAnswer(strings.Join(lines, "\n")))
			for _, missing := range missingEdits(n) {
				foresee(&it, "step_missing", editNames(missing), verbatim.TextAnswer(applied(lines, without(edits, missing))))
			}
			return it, nil
		},
	}
}

// missingEdits lists the sets of edits whose absence is foreseen. Of up to four edits these are all
// sets; of up to eight one or two, or the last ones; of up to sixteen one, or the last ones; of more,
// each of the first sixteen. Each set takes a text as long as the answer.
func missingEdits(n int) [][]int {
	const most = 16
	var sets [][]int
	for i := range min(n, most) {
		sets = append(sets, []int{i})
	}
	for i := range n {
		for j := i + 1; j < n && n <= 8; j++ {
			sets = append(sets, []int{i, j})
			for k := j + 1; k < n && n == 4; k++ {
				sets = append(sets, []int{i, j, k})
			}
		}
	}
	for made := 1; made < n-1 && n <= most; made++ { // the reply stopped early
		var last []int
		for i := made; i < n; i++ {
			last = append(last, i)
		}
		sets = append(sets, last)
	}
	return sets
}

// editNames returns the numbers of edits in words: "edit 3", "edits 1, 3", "edits 5 to 16".
func editNames(edits []int) string {
	first, last := edits[0], edits[len(edits)-1]
	switch {
	case len(edits) == 1:
		return "edit " + strconv.Itoa(first+1)
	case len(edits) > 3:
		return fmt.Sprintf("edits %d to %d", first+1, last+1)
	}
	var numbers []string
	for _, i := range edits {
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	return "edits " + strings.Join(numbers, ", ")
}

// without returns the edits whose indexes are not missing.
func without(edits []edit, missing []int) []edit {
	var rest []edit
	for i, e := range edits {
		if !slices.Contains(missing, i) {
			rest = append(rest, e)
		}
	}
	return rest
}

// An edit changes one line of a text. Edits of one text are about different lines.
type edit struct {
	line  int
	words string   // of the question
	lines []string // in place of the line
}

// wordLines draws lines of five words. All words are different.
func wordLines(r *rand.Rand, n int) []string {
	const inLine = 5
	words := draw.MildWords()
	list := draw.Distinct(inLine*n, func() string {
		for {
			if word := words.Draw(r); len(word) >= 3 && len(word) <= 8 {
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
	used := map[string]bool{}
	for _, line := range lines {
		for word := range strings.FieldsSeq(line) {
			used[word] = true
		}
	}
	fresh := func() string {
		for {
			if word := draw.String(r, draw.Lower, 4+r.IntN(4)); !used[word] {
				used[word] = true
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

// applied returns the text after the edits.
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
		{Text: "Apply the edits below the text to the text. Output the whole text after all edits, line by line, without the edits, without a code block and without any other text.\n\n{task}"},
		{Text: "The following text is to be changed as the numbered edits at its end say. Your answer must be the whole changed text alone, with all lines that stay as they are.\n\n{task}"},
		{Text: "Here is a text with a list of edits:\n\n{task}\n\nMake every edit. Answer with the complete new text only."},
		{Text: "What does this text look like once all of the edits under it are made? Give all of its lines and add nothing.\n\n{task}"},
	}
}
