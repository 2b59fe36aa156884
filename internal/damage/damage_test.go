package damage_test

import (
	"cmp"
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
	"verbatim/internal/pylit"
	"verbatim/internal/testmain"
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

func TestMain(m *testing.M) { testmain.Main(m) }

// listKinds are the kinds of items that sortItem draws.
var listKinds = []string{"int", "negative", "float", "word", "cased", "number word", "duplicate", "small"}

// sortItem draws a list of n items of the kind that is to be sorted.
func sortItem(r *rand.Rand, kind string, n int) verbatim.Item {
	var items []any
	for len(items) < n {
		var v any
		switch kind {
		case "int":
			v = r.Int64N(1000)
		case "negative":
			v = r.Int64N(11000) - 10000
		case "small":
			v = r.Int64N(19) - 9
		case "float":
			v = r.Float64()*2000 - 1000
		case "word":
			v = drawText(r, "abcdefghijklmnopqrstuvwxyz", 2+r.IntN(9))
		case "cased":
			v = drawText(r, alnum[:52], 5)
		case "number word":
			v = spell(r.IntN(1000))
		case "duplicate":
			x := r.Int64N(1000)
			items = append(items, x)
			v = x
		}
		items = append(items, v)
	}
	items = items[:n]
	want := slices.Clone(items)
	slices.SortFunc(want, func(a, b any) int {
		switch a := a.(type) {
		case int64:
			return cmp.Compare(a, b.(int64))
		case float64:
			return cmp.Compare(a, b.(float64))
		}
		return cmp.Compare(a.(string), b.(string))
	})
	return verbatim.Item{Want: verbatim.ListAnswer(want), Source: &verbatim.Answer{List: append([]any{}, items...)}}
}

func spell(n int) string {
	small := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens := strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety")
	switch {
	case n < 20:
		return small[n]
	case n < 100 && n%10 == 0:
		return tens[n/10-2]
	case n < 100:
		return tens[n/10-2] + "-" + small[n%10]
	case n%100 == 0:
		return small[n/100] + " hundred"
	}
	return small[n/100] + " hundred and " + spell(n%100)
}

func TestListSpoilers(t *testing.T) {
	n := exhaustive.Of(60, 1000)
	for _, grader := range []string{"list", "sortbench", "sortbench-reference"} {
		rates := measure(t, grader, n, func(r *rand.Rand) verbatim.Item {
			return sortItem(r, listKinds[r.IntN(len(listKinds))], 6+r.IntN(30))
		})
		demand(t, grader, rates, 0.999)
	}
}

// Each kind of list for itself: only some labels are for all.
func TestListSpoilersByKind(t *testing.T) {
	only := map[string][]string{
		"converted": {"number word"},
		"sign_lost": {"negative", "float", "small"},
		"coerced":   {"int", "negative", "duplicate", "small"},
	}
	for _, kind := range listKinds {
		rates := measure(t, "list", exhaustive.Of(100, 200), func(r *rand.Rand) verbatim.Item { return sortItem(r, kind, 4+r.IntN(12)) })
		for label, x := range rates {
			kinds := only[label]
			if x.given == 0 && (len(kinds) == 0 || slices.Contains(kinds, kind)) && label != "other_key" {
				t.Errorf("%s lists give no opportunity for %s", kind, label)
			}
			if x.given > 0 && len(kinds) > 0 && !slices.Contains(kinds, kind) {
				t.Errorf("%s lists were made %s", kind, label)
			}
			if float64(x.seen) < 0.99*float64(x.given) {
				t.Errorf("%s lists: %s: %v", kind, label, x)
			}
		}
	}
}

// Lists of lists and of several types are spoilt as well.
func TestListSpoilersMixedTypes(t *testing.T) {
	want := []any{[]any{"a", int64(1)}, []any{"b", int64(2)}, []any{"c", int64(-3)}, []any{"d", nil}, []any{"e", true}, []any{"f", 2.5}}
	source := slices.Clone(want)
	slices.Reverse(source)
	source[0], source[1] = source[1], source[0]
	n := 0
	for label, x := range measure(t, "list", 50, func(*rand.Rand) verbatim.Item {
		return verbatim.Item{Want: verbatim.ListAnswer(want), Source: &verbatim.Answer{List: source}}
	}) {
		t.Logf("%-16s %v", label, x)
		n += x.given
	}
	if n == 0 {
		t.Error("nothing was spoilt: " + pylit.Format(want))
	}
}

// Answers that occur in talk by themselves are not hidden in it. Those that are nothing but
// talk are not looked for there: the grader finds an answer without knowing it.
func TestExplainedWords(t *testing.T) {
	r := rng(5)
	for _, want := range []string{"answer", "Here is the", "result", "nswer", "esul", "el", "you need", "The", "a", "sorry", "to do that"} {
		for _, s := range damage.Spoilers("text") {
			talk := slices.Contains([]string{"answer", "Here is the", "result", "sorry", "you need", "to do that", "a"}, want)
			if s.Label != "explained" && s.Label != "refusal" || talk && s.Label == "explained" {
				continue
			}
			for range 40 {
				it := copyItem(want)
				if reply, ok := s.Spoil(r, &it); ok {
					if g := grade.Of(&it, reply, ""); g.Label != s.Label {
						t.Errorf("%s of %q: %q is %s", s.Label, want, reply, g.Label)
					}
				}
			}
		}
	}
}

// A carry can be forgotten wherever one enters, also where it comes from far.
func TestCarryPlaces(t *testing.T) {
	it := verbatim.Item{Want: verbatim.TextAnswer("1000"), Source: &verbatim.Answer{List: []any{int64(555), int64(445)}}, Grader: "integer"}
	places := map[int]bool{}
	r := rng(6)
	for range 100 {
		for _, s := range damage.Spoilers("integer") {
			if s.Label == "carry" {
				reply, _ := s.Spoil(r, &it)
				for i := range reply {
					if reply[i] != "1000"[i] {
						places[i] = true
					}
				}
			}
		}
	}
	if len(places) != 3 || places[3] {
		t.Errorf("carries at %v", places)
	}
}

// Spoilers leave alone what gives them no room, and never call a right reply wrong.
func TestShortItems(t *testing.T) {
	r := rng(7)
	for _, grader := range grade.Names() {
		given := 0
		for _, s := range damage.Spoilers(grader) {
			for n := range 12 {
				for range exhaustive.Of(7, 20) {
					var it verbatim.Item
					switch {
					case strings.HasPrefix(grader, "integer"):
						it = verbatim.Item{Want: verbatim.TextAnswer(drawText(r, "0123456789", n+1)), Grader: grader}
					case grader == "json":
						it = verbatim.Item{Want: verbatim.TextAnswer(fmt.Sprintf(`{"%s": [%d]}`, drawText(r, "ab", n), n)), Grader: grader}
					case strings.HasPrefix(grader, "text"):
						it = copyItem(drawText(r, "ab", n))
						if r.IntN(2) == 0 {
							it = reverseItem(it.Want.Text)
						}
						it.Grader = grader
					default:
						it = sortItem(r, listKinds[r.IntN(len(listKinds))], n)
						it.Grader = grader
					}
					reply, ok := s.Spoil(r, &it)
					if !ok {
						continue
					}
					given++
					if g := grade.Of(&it, reply, ""); g.Exact {
						t.Errorf("%s %s: %q is right for %q", grader, s.Label, reply, damage.Right(&it))
					}
				}
			}
		}
		if given == 0 {
			t.Errorf("%s: nothing was spoilt", grader)
		}
	}
}

// The same generator gives the same replies.
func TestDeterminism(t *testing.T) {
	for _, grader := range grade.Names() {
		for _, s := range damage.Spoilers(grader) {
			var replies [2]string
			for i := range replies {
				r := rng(3)
				it := textItem(r)
				switch {
				case strings.HasPrefix(grader, "integer"):
					it = sumItem(r, grader, 12)
				case grader == "json":
					it = verbatim.Item{Want: verbatim.TextAnswer(`{"a": [1, "b"]}`)}
				case !strings.HasPrefix(grader, "text"):
					it = sortItem(r, "word", 12)
				}
				replies[i], _ = s.Spoil(r, &it)
			}
			if replies[0] != replies[1] {
				t.Errorf("%s %s: %q and %q", grader, s.Label, replies[0], replies[1])
			}
		}
	}
	if damage.Spoilers("judge") != nil {
		t.Error("spoilers of a grader that does not exist")
	}
}

func TestNearMisses(t *testing.T) {
	r := rng(11)
	named := map[string]bool{}
	for range exhaustive.Of(30, 300) {
		items := []verbatim.Item{copyItem(drawText(r, alnum, 1+r.IntN(30))), reverseItem(drawText(r, "aB1é ", 1+r.IntN(9)) + "x"), sumItem(r, "integer", 1+r.IntN(9)), sumItem(r, "integer-reference", 1+r.IntN(9))}
		for _, kind := range listKinds {
			for _, grader := range []string{"", "sortbench", "sortbench-reference"} {
				it := sortItem(r, kind, r.IntN(9))
				it.Grader = grader
				items = append(items, it)
			}
		}
		items[1].Want.Text = strings.Trim(items[1].Want.Text, " ")
		for _, it := range items {
			if g := grade.Of(&it, damage.Right(&it), verbatim.FinishStop); !g.Exact {
				t.Fatalf("the right reply %q: %+v", damage.Right(&it), g)
			}
			misses := damage.NearMisses(r, &it)
			if len(misses) < 3 {
				t.Errorf("%q has %d near misses", damage.Right(&it), len(misses))
			}
			for _, m := range misses {
				named[m.Name] = true
				if g := grade.Of(&it, m.Reply, verbatim.FinishStop); g.Exact {
					t.Errorf("%s: %q passes for %q by %s", m.Name, m.Reply, damage.Right(&it), g.Grader)
				}
			}
		}
	}
	if len(named) != 26 {
		t.Errorf("%d kinds of near misses: %v", len(named), named)
	}
	it := sortItem(r, "int", 5)
	if !slices.ContainsFunc(damage.NearMisses(r, &it), func(m damage.NearMiss) bool {
		return m.Name == "an item is of another type" && strings.Contains(m.Reply, ".0")
	}) {
		t.Error("no whole number was written as a float")
	}
}

func TestRight(t *testing.T) {
	list := []any{int64(-3), 2.0, "a'b", nil}
	it := verbatim.Item{Want: verbatim.ListAnswer(list)}
	if got := damage.Right(&it); got != pylit.Format(list) {
		t.Error(got)
	}
	it = copyItem(" a\n")
	if got := damage.Right(&it); got != " a\n" {
		t.Error(got)
	}
}
