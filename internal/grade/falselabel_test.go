package grade_test

import (
	"testing"

	"verbatim"
	"verbatim/internal/grade"
)

// TestLabelsOfReaders: each reply has the label that a careful reader gives it.
func TestLabelsOfReaders(t *testing.T) {
	text := func(source, want string) *verbatim.Item {
		s := verbatim.TextAnswer(source)
		return &verbatim.Item{Want: verbatim.TextAnswer(want), Source: &s}
	}
	reverse := text("K83dhQzT", "TzQhd38K")
	phrase := text("Open the door; close the lid.", "Open the door; close the lid.")
	numbers := verbatim.Answer{List: []any{int64(10), int64(1)}}
	sum := &verbatim.Item{Want: verbatim.TextAnswer("11"), Source: &numbers, Grader: "integer"}
	for _, c := range []labelCase{
		// Doubts and apologies are no refusals.
		{reverse, "It could be TzQh38dK, or maybe TzQ38hdK. I can't tell.", "talk"},
		{reverse, "It could be one or the other, and I cannot be sure which.", "talk"},
		{reverse, "I’m not able to tell which of them it is.", "talk"},
		{reverse, "I'm sorry for the confusion. Let me look at it again.", "talk"},
		{reverse, "I can't wait to see what you do with it!", "talk"},
		{reverse, "I'm unable to decide between them.", "talk"},
		{reverse, "I can't tell you that.", "refusal"},
		{reverse, "I'm sorry, I can't do that.", "refusal"},
		{reverse, "I cannot help with this request.", "refusal"},
		// A word in quotation marks that no words call the answer.
		{reverse, "The word \"palindrome\" names a text that reads the same both ways.", "talk"},
		{reverse, "This text has a \"K\" in front of the \"83\" and needs some thought.", "talk"},
		{reverse, "In many languages the method \"reverse\" does that for you.", "talk"},
		// A program in a fence.
		{reverse, "```python\nprint(\"tUvWxYz1\"[::-1])\n```", "code"},
		{reverse, "```ruby\nputs(\"K83dhQzT\".reverse)\n```", "code"},
		{reverse, "```php\necho(strrev('K83dhQzT'));\n```", "code"},
		{reverse, "print(\"K83dhQzT\"[::-1])", "code"},
		// Wrong answers within sentences.
		{phrase, "The door is open. The lid is closed.", "unrelated"},
		{phrase, "The door opens and the lid closes.", "unrelated"},
		{phrase, "I would have to open the door before that.", "talk"},
		{sum, "The sum of 1 and 1 is 1.", "dropped_char"},
		{sum, "The sum of 10 and 1 is 10.", "off_by_digit"},
	} {
		c.check(t)
	}
}

// A labelCase is a reply with the label that a reader gives it.
type labelCase struct {
	item         *verbatim.Item
	reply, label string
}

func (c labelCase) check(t *testing.T) {
	t.Helper()
	if g := grade.Of(c.item, c.reply, verbatim.FinishStop); g.Label != c.label {
		t.Errorf("%q: label %s (extracted %v, rule %q, detail %q), want %s", c.reply, g.Label, g.Extracted, g.Rule, g.Detail, c.label)
	}
}

// TestItemsInOtherMarks: items in the quotation marks of any language, and a whole number before the
// full stop of a sentence, are the items.
func TestItemsInOtherMarks(t *testing.T) {
	words := &verbatim.Item{Want: verbatim.ListAnswer([]any{"due", "ext", "mal"}), Source: &verbatim.Answer{List: []any{"mal", "due", "ext"}}}
	numbers := &verbatim.Item{Want: verbatim.ListAnswer([]any{int64(-3), int64(20), int64(100)}), Source: &verbatim.Answer{List: []any{int64(20), int64(100), int64(-3)}}}
	for _, c := range []labelCase{
		{words, "[“due”, “ext”, “mal”]", "reformatted"},
		{words, "Sorted: [‘due’, ‘ext’, ‘mal’]", "reformatted"},
		{words, "Hier ist die Liste: [„due“, „ext“, „mal“]", "reformatted"},
		{words, "[«due», «ext», «mal»]", "reformatted"},
		{words, "「due」, 「ext」, 「mal」", "reformatted"},
		{words, "[&quot;due&quot;, &quot;ext&quot;, &quot;mal&quot;]", "reformatted"},
		{words, "[“due”, “mal”, “ext”]", "misordered"},
		{numbers, "In ascending order, the numbers are -3, 20 and 100.", "reformatted"},
		{numbers, "-3, 20, 100.", "reformatted"},
		{numbers, "-3, 20, 100.0", "coerced"},
		{numbers, "[-3, 20, 100.]", "coerced"},
	} {
		c.check(t)
	}
}
