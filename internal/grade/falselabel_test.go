package grade_test

import (
	"strings"
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
	factors := verbatim.Answer{List: []any{int64(78), int64(46)}}
	product := &verbatim.Item{Want: verbatim.TextAnswer("3588"), Source: &factors, Grader: "integer"}
	total := &verbatim.Item{Want: verbatim.TextAnswer("124"), Source: &factors, Grader: "integer"}
	vowels := text("pineapple", "pnppl")
	nine := verbatim.Answer{List: []any{"9011"}}
	root := &verbatim.Item{Want: verbatim.TextAnswer("94"), Source: &nine, Grader: "integer"}
	two := verbatim.Answer{List: []any{int64(2), int64(1)}}
	list := &verbatim.Item{Want: verbatim.Answer{List: []any{int64(1), int64(2)}}, Source: &two}
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
		// Labels that say what was to be done hold only where it was.
		{product, "3578", "off_by_digit"},
		{total, "114", "carry"},
		{vowels, "pineapple", "corrupted"},
		{reverse, "K83dhQzT", "not_reversed"},
		{phrase, "¡Claro!", "talk"},
		// The input is given back, or talked about.
		{sum, "You want the sum of 10 and 1.", "echo"},
		{root, "To compute the square root of 9011, you would use a calculator that has no rounding options, but it would be 9011/1230 rounded down to a whole number.", "talk"},
		{reverse, "You gave me K83dhQzT.", "echo"},
		{reverse, "The word K83dhQzT is a compound word that combines letters, digits and nothing else, and it is used by many people for many different things in everyday life.", "talk"},
		// A refusal in a language without spaces, and a value in the fence of a program.
		{root, "申し訳ありませんが、このような大きな数の立方根を正確に計算することはできません。", "refusal"},
		{list, "```python\n" + strings.Repeat("[2, 1], ", 30), "looped"},
		{list, "```python\nprint(sorted([2, 1]))\n```", "code"},
		{list, "```python\n[2, 1].sort()\n```", "code"},
		// Marks of the direction of writing are invisible.
		{text("zx\u200fy-a", "zx\u200fy-a"), "zxy-a", "whitespace"},
		{text("zxy-a", "zxy-a"), "zx\u2066y\u2069-a", "whitespace"},
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
	if g := grade.Of(c.item, c.reply, verbatim.FinishStop); grade.Older(g.Label) != c.label {
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
