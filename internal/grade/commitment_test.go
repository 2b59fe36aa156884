package grade

import (
	"testing"

	"verbatim"
)

// A listQuestion is a question about lists with its right answer.
type listQuestion struct {
	prompt       string
	source, want []any
	mistakes     []verbatim.Mistake
}

func (q listQuestion) item() *verbatim.Item {
	source := verbatim.ListAnswer(q.source)
	it := &verbatim.Item{ID: "q", Source: &source, Want: verbatim.ListAnswer(q.want), Mistakes: q.mistakes}
	it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: q.prompt}}}}
	return it
}

// TestCommittedList: the list that a reply commits to is found among others, and one without
// brackets by the texts of its items.
func TestCommittedList(t *testing.T) {
	common := listQuestion{prompt: "Keep the items of A that are in B.\nA = [117, 15, 857, 180]\nB = [641, 341, 15]",
		source: []any{int64(117), int64(15), int64(857), int64(180)}, want: []any{int64(15)},
		mistakes: []verbatim.Mistake{{Label: "step_missing", Detail: "A as it was", Answer: verbatim.ListAnswer([]any{int64(117), int64(15), int64(857), int64(180)})}}}
	merge := listQuestion{prompt: "Merge.\nA = [282, 784]\nB = [223, 747]", source: []any{int64(282), int64(784), int64(223), int64(747)},
		want: []any{int64(223), int64(282), int64(747), int64(784)}}
	pair := listQuestion{prompt: "Sort [761, 761]", source: []any{int64(761), int64(761)}, want: []any{int64(761), int64(761)}}
	numbers := listQuestion{prompt: "Sort [9, 3, 40, 12]", source: []any{int64(9), int64(3), int64(40), int64(12)}, want: []any{int64(3), int64(9), int64(12), int64(40)}}
	words := listQuestion{prompt: "Sort ['pear', 'apple', 'fig']", source: []any{"pear", "apple", "fig"}, want: []any{"apple", "fig", "pear"}}
	notations := listQuestion{prompt: "Sort ['0.7', '1/2', '6e-1', '0.4']", source: []any{"0.7", "1/2", "6e-1", "0.4"}, want: []any{"0.4", "1/2", "6e-1", "0.7"}}
	decimals := listQuestion{prompt: "Sort ['0.70', '4e-1']", source: []any{"0.70", "4e-1"}, want: []any{"4e-1", "0.70"}}
	sentences := listQuestion{prompt: "Sort ['He came, saw and left.', 'A dog, a cat.', 'No: it is late.']",
		source: []any{"He came, saw and left.", "A dog, a cat.", "No: it is late."}, want: []any{"A dog, a cat.", "He came, saw and left.", "No: it is late."}}
	rows := listQuestion{prompt: "Sort [['roma', 7], ['bari', 12], ['roma', 3]]", source: []any{[]any{"roma", int64(7)}, []any{"bari", int64(12)}, []any{"roma", int64(3)}},
		want: []any{[]any{"bari", int64(12)}, []any{"roma", int64(3)}, []any{"roma", int64(7)}}}
	for _, c := range []struct {
		q           listQuestion
		reply, want string // the label and the text that was extracted
	}{
		{common, "A = [117, 15, 857, 180]\nB = [641, 341, 15]\nThe output should be:\n[117, 15, 857, 180]", "step_missing [117, 15, 857, 180]"},
		{common, "A=[117, 15, 857, 180] B=[641, 341, 15]\n\n[15]", "explained [15]"},
		{common, "[15]\n\nA was [117, 15, 857, 180], B was [641, 341, 15].", "explained [15]"},
		{common, "A = [117, 15, 857, 180]\nB = [641, 341, 15]", "echo "},
		{merge, "A = [282, 784]\nB = [223, 747]\nMerged: [282, 784, 223, 747]", "unchanged [282, 784, 223, 747]"},
		{merge, "Merged:\n[223, 282, 747, 784]\nA = [282, 784]\nB = [223, 747]", "explained [223, 282, 747, 784]"},
		{pair, "print(sorted(l, key=lambda x: x[1])) This will output: [761, 761]", "explained [761, 761]"},
		{numbers, "nums[0], nums[1] = nums[1], nums[0]\n\n[3, 9, 12, 40]", "explained [3, 9, 12, 40]"},
		{numbers, "f(sorted([3, 9, 12, 40]), 1)", "code "},
		{numbers, "The list (ascending) is [3, 9, 12, 40]", "explained [3, 9, 12, 40]"},
		{numbers, "3 9 12 40", "reformatted 3 9 12 40"},
		{numbers, "3 < 9 < 12 < 40", "reformatted 3 < 9 < 12 < 40"},
		{numbers, "3 → 9 → 12 → 40", "reformatted 3 → 9 → 12 → 40"},
		{numbers, "Compared: 3 < 9", "talk "},
		{numbers, "3, 9, 12, 40]", "reformatted 3, 9, 12, 40"},
		{numbers, "[3, 9, 12, 40]\n\nExample: [5, 1] becomes [1, 5].", "explained [3, 9, 12, 40]"},
		{numbers, "| before | after |\n|---|---|\n| 9 | 3 |\n| 3 | 9 |\n| 40 | 12 |\n| 12 | 40 |", "echo "},
		{numbers, "| n |\n|---|\n| 3 |\n| 9 |\n| 12 |\n| 40 |", "reformatted | n |\n|---|\n| 3 |\n| 9 |\n| 12 |\n| 40 |"},
		{numbers, "First I take 40, later 12, 3 and 9 of them.", "talk "},
		{words, "The sorted list is: apple fig pear", "reformatted apple fig pear"},
		{words, "{apple, fig, pear}", "reformatted apple, fig, pear"},
		{words, "Of fig, apple and pear I can say nothing.", "talk "},
		{notations, "[0.4, 1/2, 6e-1, 0.7]", "reformatted [0.4, 1/2, 6e-1, 0.7]"},
		{notations, "0.4\n1/2\n6e-1\n0.7", "reformatted 0.4\n1/2\n6e-1\n0.7"},
		{notations, "1. 0.4\n2. 1/2 (0.5)\n3. 6e-1\n4. 0.7", "reformatted 1. 0.4\n2. 1/2 (0.5)\n3. 6e-1\n4. 0.7"},
		{decimals, "[4e-1, 0.70]", "coerced [4e-1, 0.70]"},
		{sentences, "A dog, a cat.\nHe came, saw and left.\nNo: it is late.", "reformatted A dog, a cat.\nHe came, saw and left.\nNo: it is late."},
		{sentences, "Sorted:\n- A dog, a cat.\n- He came, saw and left.\n- No: it is late.\nThat is all", "reformatted - A dog, a cat.\n- He came, saw and left.\n- No: it is late."},
		{sentences, "[A dog, a cat., He came, saw and left., No: it is late.]", "reformatted [A dog, a cat., He came, saw and left., No: it is late.]"},
		{rows, "bari,12\nroma,3\nroma,7", "reformatted bari,12\nroma,3\nroma,7"},
		{rows, "['bari', 12]\n['roma', 3]\n['roma', 7]", "reformatted ['bari', 12]\n['roma', 3]\n['roma', 7]"},
		{rows, "| bari | 12 |\n| roma | 3 |\n| roma | 7 |", "reformatted | bari | 12 |\n| roma | 3 |\n| roma | 7 |"},
	} {
		g := gradeList(c.q.item(), c.reply, verbatim.FinishStop, "list")
		got := g.Label + " "
		if g.Span != nil {
			got += c.reply[g.Span.Start:g.Span.End]
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q (%s)", c.reply, got, c.want, g.Rule)
		}
	}
	g := gradeList(rows.item(), "[['bari', 12], ['roma', 3], ['pisa', 7]]", verbatim.FinishStop, "list")
	if want := "lost ['roma', 7]; got ['pisa', 7]; @2: ['pisa', 7] for ['roma', 7]"; g.Detail != want {
		t.Errorf("the detail of rows is %q, want %q", g.Detail, want)
	}
}
