package extract

import (
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/pylit"
)

var (
	textQuestion = OfText("aB7Xm9K", "aB7Xm9K")
	sumQuestion  = &Question{Kind: Integer, Operands: []string{"570", "686"}}
	listQuestion = OfList(ints(30, -4, 200), ints(30, -4, 200))
)

func ints(values ...int64) (out []pylit.Value) {
	for _, v := range values {
		out = append(out, pylit.MakeInt(v))
	}
	return out
}

// TestRules: each rule has a reply that is read otherwise when the rule is off.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		rule   string
		q      *Question
		reply  string
		finish verbatim.Finish
		want   string // "" if no answer is found
	}{
		{"whole reply", textQuestion, "Done", "", "Done"},
		{"fence", OfText("a b", ""), "```\nK9mX7Ba\n```", "", "K9mX7Ba"},
		{"answer tags", textQuestion, "<result>K9mX7Ba</result>", "", "K9mX7Ba"},
		{"boxed", listQuestion, `\boxed{[1, 2]}`, "", "[1, 2]"},
		{"type", textQuestion, `\text{K9mX7Ba}`, "", "K9mX7Ba"},
		{"JSON", textQuestion, `{"answer":"K9mX7Ba","length":7}`, "", "K9mX7Ba"},
		{"bold", textQuestion, "***K9mX7Ba***", "", "K9mX7Ba"},
		{"quotes", textQuestion, `"K9mX7Ba"`, "", "K9mX7Ba"},
		{"bullet", textQuestion, "> K9mX7Ba", "", "K9mX7Ba"},
		{"assignment", textQuestion, "x=12", "", "12"},
		{"full stop", textQuestion, "K9mX7Ba.", "", "K9mX7Ba"},
		{"final answer", sumQuestion, "Final answer: 1256. The sum is 1255.", "", "1256"},
		{"named", sumQuestion, "The sum is 1256. It is 9.", "", "1256"},
		{"marked", textQuestion, "Here you go: K9mX7Ba, friend: K9mX7Ba", "", "K9mX7Ba"},
		{"equation", sumQuestion, "570 + 686 = 1256\nIt is 12", "", "1256"},
		{"only number", sumQuestion, "That makes it 1256 as far as I see.", "", "1256"},
		{"alone on a line", textQuestion, "I look at it.\nK9mX7Ba\nIt ends here.", "", "K9mX7Ba"},
		{"code block", textQuestion, "I look at it.\n```\nK9mX7Ba\n```\nIt ends here.", "", "K9mX7Ba"},
		{"code", listQuestion, "```python\nx = 1\ny = [3, 4]\nprint(sorted(y))\n```", "", ""},
		{"loose list", OfList([]pylit.Value{pylit.MakeStr("a")}, nil), "[b, c]", "", "[b, c]"},
		{"plain list", listQuestion, "-4, 30, 200", "", "-4, 30, 200"},
		{"question", textQuestion, `Is it "K9mX7Ba"?`, "", ""},
		{"negation", textQuestion, `The answer is not "K9mX7Ba".`, "", ""},
		{"alternatives", textQuestion, `The answer is either "K9mX7Ba" or "K9mXBa7".`, "", ""},
		{"example", textQuestion, `For example, the answer is "cba".`, "", ""},
		{"input", textQuestion, `The original text is "xyz".`, "", ""},
		{"echo", textQuestion, "Reversed: K9mX7Ba\nanswer: aB7Xm9K", "", "K9mX7Ba"},
		{"withdrawn", textQuestion, "The answer is K9mX7B1.\nWait, no.\nK9mX7Ba", "", "K9mX7Ba"},
		{"truncated", sumQuestion, "The sum is 125", verbatim.FinishLength, ""},
	} {
		on, _ := rules{}.find(c.reply, c.finish, c.q)
		if got := c.reply[on.Start:on.End]; got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.rule, c.reply, got, c.want)
		}
		off, _ := rules{off: c.rule}.find(c.reply, c.finish, c.q)
		if on.Start == off.Start && on.End == off.End && on.Rule == off.Rule {
			t.Errorf("%s: %q gives %q also without the rule", c.rule, c.reply, c.want)
		}
	}
}

// TestTime: the work grows with the length of a reply, whatever it holds.
func TestTime(t *testing.T) {
	const size = 1 << 18
	for _, unit := range []string{"a", "[", "[1, ", "['a ", "1 ", "\"x\" ", "= 1\n", "Wait. ", "`a` ", "**", "The answer is K9mX7Ba.\n", "```\n", "'", "{\"a\":", "1,\n", "$1$ ", "a: b\n", "ab. ", "\\boxed{", "1 + 1 = 2\n", "[1]\n", "« ", "- a\n"} {
		text := strings.Repeat(unit, size/len(unit))
		for _, q := range []*Question{textQuestion, sumQuestion, listQuestion, OfText("a b.", "")} {
			start := time.Now()
			Find(text, "", q)
			if d := time.Since(start); d > 2*time.Second {
				t.Errorf("%q, kind %d: %v", unit, q.Kind, d)
			}
		}
	}
}
