package grade

import (
	"strings"
	"testing"

	"verbatim"
)

func BenchmarkOf(b *testing.B) {
	const want = "K9mX7BaqLz0TfR3wYp5sVn8c"
	source := verbatim.TextAnswer(string(reversedRunes([]rune(want))))
	sum := verbatim.TextAnswer("48213 90177")
	for _, x := range []struct{ name, grader, want, reply string }{
		{"pass", "", want, want},
		{"quoted", "", want, `"` + want + `"`},
		{"explained", "", want, "The reversed string is: " + want},
		{"transposed", "", want, "K9mX7BaqzL0TfR3wYp5sVn8c"},
		{"unrelated", "", want, "nothing like what is wanted"},
		{"pass500", "", strings.Repeat(want, 20), strings.Repeat(want, 20)},
		{"unrelated500", "", strings.Repeat(want, 20), strings.Repeat("xqpt", 120)},
		{"sum", "integer", "138390", "138390"},
		{"sumoff", "integer", "138390", "138490"},
		{"unicode", "", "naïve café über Straße", "naïve café über Straße"},
	} {
		it := &verbatim.Item{Want: verbatim.TextAnswer(x.want), Source: &source, Grader: x.grader}
		if x.grader != "" {
			it.Source = &sum
		}
		b.Run(x.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(x.reply)))
			for b.Loop() {
				Of(it, x.reply, verbatim.FinishStop)
			}
		})
	}
}
