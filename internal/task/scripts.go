package task

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf16"

	"verbatim"
	"verbatim/internal/draw"
)

// scripts asks for strings of several scripts by code point. The fact "plane" says whether some of the
// characters are beyond U+FFFF, where the order by UTF-16 is another.
func scripts() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-scripts", Doc: "sort strings of several scripts by code point",
		About: "The fact plane is basic, or astral where characters beyond U+FFFF are among them, which programs that sort by UTF-16 put before others: other_key.",
		Knobs: []verbatim.Knob{{Fact: "plane", Values: []string{"basic", "astral"}}},
		Task:  "Scripts", Max: 2000,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		plane, sets := "basic", len(scriptRanges)-1
		if r.IntN(3) == 0 {
			plane, sets = "astral", len(scriptRanges)
		}
		given := draw.Distinct(n, func() string {
			var b strings.Builder
			for range 2 + r.IntN(4) {
				x := scriptRanges[r.IntN(sets)]
				b.WriteRune(x.first + rune(r.IntN(int(x.last-x.first)+1)))
			}
			return b.String()
		})
		want := sortedBy(given, strings.Compare) // the byte order of UTF-8 is that of code points
		it := ask("hard-scripts", k, rule{words: "by the Unicode code points of their characters, ascending", given: boxed(given), want: boxed(want)})
		foresee(&it, "other_key", "by UTF-16 code units", listAnswer(sortedBy(given, func(a, b string) int {
			return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		})))
		foreseeReverse(&it)
		it.Facts["plane"] = plane
		return it
	})
}

// scriptRanges are ranges of letters that normalisation does not change. The last one is beyond U+FFFF.
var scriptRanges = []struct{ first, last rune }{
	{'a', 'z'},
	{'α', 'ω'},
	{'а', 'и'},
	{'א', 'ת'},
	{'あ', 'え'},
	{'가', '힣'},
	{'一', '鿋'},
	{'ａ', 'ｚ'}, // U+FF41 to U+FF5A: the highest range of the basic plane here
	{'😀', '🙏'},
}
