package damage_test

import (
	"fmt"
	"hash/crc32"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
)

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 99)) }

const alnum = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func drawText(r *rand.Rand, alphabet string, n int) string {
	letters := []rune(alphabet)
	var b strings.Builder
	for range n {
		b.WriteRune(letters[r.IntN(len(letters))])
	}
	return b.String()
}

func reversed(s string) string {
	out := []rune(s)
	slices.Reverse(out)
	return string(out)
}

func copyItem(s string) verbatim.Item { return verbatim.Item{Want: verbatim.TextAnswer(s)} }

func reverseItem(s string) verbatim.Item {
	return verbatim.Item{Want: verbatim.TextAnswer(reversed(s)), Source: &verbatim.Answer{Text: s}}
}

func sumItem(r *rand.Rand, grader string, digits int) verbatim.Item {
	draw := func() *big.Int {
		n, _ := new(big.Int).SetString(drawText(r, "123456789", 1)+drawText(r, "0123456789", digits-1), 10)
		return n
	}
	a, b := draw(), draw()
	return verbatim.Item{Want: verbatim.TextAnswer(new(big.Int).Add(a, b).String()), Source: &verbatim.Answer{List: []any{a, b}}, Grader: grader}
}

// textItem draws a copy or a reversal as mutate.py does: 12 to 60 of A-Za-z0-9.
func textItem(r *rand.Rand) verbatim.Item {
	s := drawText(r, alnum, 12+r.IntN(49))
	if r.IntN(2) == 0 {
		return copyItem(s)
	}
	return reverseItem(s)
}

// A rate is how often a spoiler had an opportunity, and how often the grader saw
// what the spoiler meant to do.
type rate struct {
	asked, given, seen int
	others             map[string]int
}

func (x rate) String() string {
	return fmt.Sprintf("%4d of %4d, %5.1f %% seen as meant, others %v", x.given, x.asked, 100*float64(x.seen)/float64(max(1, x.given)), x.others)
}

// measure spoils n items with every spoiler of the grader.
func measure(t *testing.T, grader string, n int, item func(r *rand.Rand) verbatim.Item) map[string]*rate {
	t.Helper()
	rates, splits := map[string]*rate{}, map[string]string{} // of newer labels to the older ones
	for _, l := range grade.AllLabels() {
		splits[l.Name] = l.Splits
	}
	for _, s := range damage.Spoilers(grader) {
		x := &rate{others: map[string]int{}}
		rates[s.Label] = x
		r := rng(uint64(crc32.ChecksumIEEE([]byte(s.Label))))
		for range n {
			it := item(r)
			it.Grader = grader
			foresee(&it)
			x.asked++
			reply, ok := s.Spoil(r, &it)
			if !ok {
				continue
			}
			x.given++
			g := grade.Of(&it, reply, verbatim.FinishStop)
			if g.Exact {
				t.Errorf("%s: %q is right for %q", s.Label, reply, damage.Right(&it))
			}
			if g.Label == s.Label || splits[g.Label] == s.Label {
				x.seen++
			} else {
				x.others[g.Label]++
			}
		}
	}
	return rates
}

// foresee gives an item a mistake with each label that can be foreseen: its answer with more
// behind it, or the numbers that follow.
func foresee(it *verbatim.Item) {
	labels := []string{"wrong_direction", "tie_broken", "twin_taken", "step_missing", "other_operation", "off_by_one"}
	for i, label := range labels {
		a := verbatim.TextAnswer(it.Want.Text + strings.Repeat("Q", i+1))
		if n, ok := new(big.Int).SetString(it.Want.Text, 10); ok {
			a.Text = n.Add(n, big.NewInt(int64(i+1))).String()
		}
		if it.Want.IsList() {
			a = verbatim.ListAnswer(slices.Concat(it.Want.List, slices.Repeat(it.Want.List[:1], i+2)))
		}
		it.Mistakes = append(it.Mistakes, verbatim.Mistake{Label: label, Answer: a})
	}
}

// demand checks that the spoilers are there, one for every label, and reach their labels at the rate;
// labels in exempt need not.
func demand(t *testing.T, grader string, rates map[string]*rate, atLeast float64, exempt ...string) {
	t.Helper()
	var labels []string
	for _, s := range damage.Spoilers(grader) {
		labels = append(labels, s.Label)
		if s.Grader != grader {
			t.Errorf("%s says that it is of %s", s.Label, s.Grader)
		}
	}
	want := slices.DeleteFunc(grade.Labels(grader), func(label string) bool { return label == "no_tool_call" }) // which no text shows
	slices.Sort(labels)
	slices.Sort(want)
	if !slices.Equal(labels, want) {
		t.Fatalf("the grader %s needs a spoiler for each of its labels\n have %v\n want %v", grader, labels, want)
	}
	for _, label := range labels {
		x := rates[label]
		t.Logf("%-16s %v", label, x)
		if slices.Contains(exempt, label) {
			continue
		}
		if x.given == 0 || float64(x.seen) < atLeast*float64(x.given) {
			t.Errorf("%s: %v", label, x)
		}
	}
}

func TestTextSpoilers(t *testing.T) {
	rates := measure(t, "text", 1000, textItem)
	demand(t, "text", rates, 0.999)
	// At least the rates that mutate.py prints, which spoils less carefully.
	for label, share := range map[string]float64{"transposed": 0.975, "substituted_char": 0.972, "segment_moved": 0.963} {
		if x := rates[label]; float64(x.seen) < share*float64(x.given) {
			t.Errorf("%s: %v, mutate.py has %.3f", label, x, share)
		}
	}
	for label, x := range rates {
		if x.given < 300 {
			t.Errorf("%s finds few opportunities: %v", label, x)
		}
	}
}

// Other texts: short ones, sentences, code, scripts, emoji.
func TestTextSpoilersElsewhere(t *testing.T) {
	texts := []func(r *rand.Rand) string{
		func(r *rand.Rand) string { return drawText(r, alnum, 4+r.IntN(8)) },
		func(r *rand.Rand) string {
			return strings.Join(strings.Fields(drawText(r, "abcdefghij klmnopqrstuv wxyz,.- ", 60)), " ") + "."
		},
		func(r *rand.Rand) string {
			return "func " + drawText(r, "abcdef", 5) + "(x int) {\n\treturn " + drawText(r, "xyz0123456789+-*", 20) + " // \"é\"\n}"
		},
		func(r *rand.Rand) string {
			return drawText(r, "абвгдежзийклмнопрстуфхцчшщ", 20+r.IntN(20))
		},
		func(r *rand.Rand) string {
			return drawText(r, "日本語中文字漢仮名交文章例示確認", 20+r.IntN(20))
		},
		func(r *rand.Rand) string {
			return drawText(r, "😀😃😄😁😆🥲🍎🍐🍊🍋🍌🍉", 20+r.IntN(20))
		},
		func(r *rand.Rand) string { return "/usr/" + drawText(r, "abcdefghij0123456789_-", 24) + ".tar.gz" },
	}
	for i, text := range texts {
		rates := measure(t, "text", exhaustive.Of(50, 300), func(r *rand.Rand) verbatim.Item {
			if s := text(r); r.IntN(2) == 0 {
				return copyItem(s)
			} else {
				return reverseItem(s)
			}
		})
		for label, x := range rates {
			if i == 2 && label == "explained" {
				continue // the end of a program inside talk cannot be found
			}
			if float64(x.seen) < 0.9*float64(x.given) {
				t.Errorf("texts %d: %s: %v", i, label, x)
			}
		}
	}
}

func TestIntegerSpoilers(t *testing.T) {
	for _, grader := range []string{"integer", "integer-reference"} {
		rates := measure(t, grader, exhaustive.Of(500, 1000), func(r *rand.Rand) verbatim.Item {
			it := sumItem(r, grader, 4+r.IntN(20))
			if grader == "integer" && r.IntN(3) == 0 { // the root of a number
				it.Source = &verbatim.Answer{List: []any{"1" + it.Want.Text}}
			}
			return it
		})
		// Digits have no case, and nothing is reversed.
		demand(t, grader, rates, 0.995, "case", "not_reversed", "chunk_reversed")
		for _, label := range []string{"case", "not_reversed", "chunk_reversed"} {
			if rates[label].given > 0 {
				t.Errorf("%s: %v", label, rates[label])
			}
		}
	}
}

// TestRawSpoilers: texts whose ends count are spoilt as others are.
func TestRawSpoilers(t *testing.T) {
	demand(t, "text-raw", measure(t, "text-raw", 300, textItem), 0.99)
}

// TestJSONSpoilers: objects with nested values, strings with escapes, and numbers.
func TestJSONSpoilers(t *testing.T) {
	rates := measure(t, "json", 300, func(r *rand.Rand) verbatim.Item {
		name := drawText(r, "abcdefghij", 6)
		text := fmt.Sprintf(`{"id": "%s", "n": %d, "rows": [{"x": %d.50, "s": "a\t\"b\" %s"}, null, true], "%s": {}}`, drawText(r, alnum, 8), 1+r.IntN(90), r.IntN(99), name, name)
		return verbatim.Item{ID: name, Want: verbatim.TextAnswer(text)}
	})
	demand(t, "json", rates, 0.99)
	for label, x := range rates {
		if x.given < 100 {
			t.Errorf("%s finds few opportunities: %v", label, x)
		}
	}
}
