package task

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/pylit"
)

// hardItems draws different hardItems of a family at random lengths up to 24: 50, or 10,000 in
// the long form. An item with the same question as an earlier one is left out, as a
// plan leaves it out; there are none at lengths above Few.
func hardItems(t *testing.T, name string, check func(it *verbatim.Item, asked string)) {
	t.Helper()
	i := slices.IndexFunc(hardFamilies(), func(f verbatim.Family) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no family %s", name)
	}
	f := hardFamilies()[i]
	count := 50
	if f.Unit == "shapes" {
		count = 30 // a picture takes long
	}
	if os.Getenv("VERBATIM_EXHAUSTIVE") != "" {
		count = 10_000
	}
	seen := map[string]bool{}
	for index := 0; len(seen) < count; index++ {
		r := draw.Rand(f.Name, f.Version, "test", 1, uint64(index))
		n := f.Min + r.IntN(min(24, f.Max)-f.Min+1)
		it, err := f.Item(r, verbatim.Parameters{Length: verbatim.Lengths{Min: n, Max: n}, Edition: verbatim.Standard})
		if err != nil {
			t.Fatal(err)
		}
		it.ID = fmt.Sprintf("%s/%d/%d", name, n, index)
		asked := it.Prompt[len(it.Prompt)-1].Content[0].Text
		key := asked
		for _, part := range it.Prompt[len(it.Prompt)-1].Content[1:] {
			key += string(part.Image.Bytes)
		}
		if seen[key] {
			if n > f.Few || index > 20*count {
				t.Fatalf("%s: an item of length %d is there twice: %s", name, n, asked)
			}
			continue
		}
		seen[key] = true
		checkList(t, &it, n, index < 300)
		check(&it, asked)
		if t.Failed() {
			t.Fatalf("%s: %s\nwants %s", it.ID, asked, pylit.Format(it.Want.List))
		}
	}
}

// checkList: the answer holds the items that were given, no two of them equal, and is what the
// grader takes; no foreseen mistake is right.
func checkList(t *testing.T, it *verbatim.Item, n int, grades bool) {
	t.Helper()
	given, want := sortedTexts(it.Source.List), sortedTexts(it.Want.List)
	if len(want) != n || !slices.Equal(given, want) {
		t.Errorf("the answer holds other items than %s", pylit.Format(it.Source.List))
	}
	if len(slices.Compact(given)) != n {
		t.Error("two items are equal")
	}
	if grades {
		if err := grade.Check(it); err != nil {
			t.Error(err)
		}
		if g := grade.Of(it, pylit.Format(it.Want.List), verbatim.FinishStop); !g.Exact {
			t.Errorf("the right answer is %s (%s)", g.Label, g.Detail)
		}
	}
	for _, m := range it.Mistakes {
		if pylit.Format(m.Answer.List) == pylit.Format(it.Want.List) {
			t.Errorf("the mistake %s is right", m.Label)
		}
		if !grades {
			continue
		}
		if g := grade.Of(it, pylit.Format(m.Answer.List), verbatim.FinishStop); g.Exact || g.Label != m.Label || g.Detail != m.Detail {
			t.Errorf("the mistake %s (%s) is graded %s (%s)", m.Label, m.Detail, g.Label, g.Detail)
		}
	}
}

func sortedTexts(list []any) []string {
	var out []string
	for _, v := range list {
		out = append(out, pylit.Format(v))
	}
	slices.Sort(out)
	return out
}

// ordered fails unless before holds for all neighbours of the answer.
func ordered[T any](t *testing.T, it *verbatim.Item, read func(any) T, before func(a, b T) bool) {
	t.Helper()
	for i := 1; i < len(it.Want.List); i++ {
		if a, b := read(it.Want.List[i-1]), read(it.Want.List[i]); !before(a, b) {
			t.Errorf("%v is before %v", a, b)
		}
	}
}

func text(v any) string { return v.(string) }

func TestDirection(t *testing.T) {
	hardItems(t, "hard-direction", func(it *verbatim.Item, asked string) {
		down := strings.Contains(asked, "descending")
		if down == strings.Contains(asked, "ascending order") {
			t.Error("the prompt names no direction, or two")
		}
		ordered(t, it, func(v any) int64 { return v.(int64) }, func(a, b int64) bool { return a < b != down })
	})
}

// TestNotations reads the numbers with math/big's own parser.
func TestNotations(t *testing.T) {
	forms := map[string]int{}
	hardItems(t, "hard-notations", func(it *verbatim.Item, _ string) {
		gap, _ := new(big.Rat).SetString(it.Facts["gap"])
		least := new(big.Rat).Add(big.NewRat(1, 1), gap)
		ordered(t, it, func(v any) *big.Rat {
			x, ok := new(big.Rat).SetString(text(v))
			if !ok {
				t.Errorf("%v is no number", v)
			}
			forms[regexp.MustCompile(`[0-9]+`).ReplaceAllString(text(v), "9")]++
			return x
		}, func(a, b *big.Rat) bool { return b.Cmp(new(big.Rat).Mul(a, least)) >= 0 })
	})
	for _, form := range []string{"9/9", "9.9", "9.9e-9", "9.9e9"} {
		if forms[form] == 0 {
			t.Errorf("no number is written as %s: %v", form, forms)
		}
	}
}

// TestLanguages translates the letters into ones whose code points have the stated order.
func TestLanguages(t *testing.T) {
	hardItems(t, "hard-languages", func(it *verbatim.Item, asked string) {
		_, rest, _ := strings.Cut(asked, "order of letters: ")
		letters, _, _ := strings.Cut(rest, " (")
		var pairs []string
		for i, l := range strings.Fields(letters) {
			pairs = append(pairs, l, string(rune('A'+i)))
		}
		translate := strings.NewReplacer(pairs...)
		ordered(t, it, func(v any) string { return translate.Replace(text(v)) }, func(a, b string) bool {
			return a < b && strings.Trim(a+b, "ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefgh") == ""
		})
	})
}

// TestRealNames wants words of the language that the item names, by code point, as the prompt says.
func TestRealNames(t *testing.T) {
	lists := map[string][]string{}
	for _, l := range draw.Names() {
		lists[strings.ToLower(strings.Fields(l.Language)[0])] = l.Words
	}
	scripts, other := map[string]int{}, 0
	hardItems(t, "hard-names", func(it *verbatim.Item, asked string) {
		if !strings.Contains(asked, "by the Unicode code points of their characters, ascending, not by the alphabet of their language") {
			t.Error(asked)
		}
		words := lists[it.Facts["language"]]
		ordered(t, it, text, func(a, b string) bool {
			return byCodePoint(a, b) && slices.Contains(words, a) && slices.Contains(words, b)
		})
		scripts[it.Facts["script"]]++
		for _, m := range it.Mistakes {
			if m.Label == "other_key" {
				other++
			}
		}
	})
	if scripts["latin"] == 0 || scripts["other"] == 0 || other == 0 {
		t.Errorf("%v, %d other keys", scripts, other)
	}
}

func byCodePoint(a, b string) bool { return slices.Compare([]rune(a), []rune(b)) < 0 }

func TestSentences(t *testing.T) {
	hardItems(t, "hard-sentences", func(it *verbatim.Item, _ string) {
		k, _ := strconv.Atoi(it.Facts["prefix"])
		start := strings.Join(strings.Fields(text(it.Want.List[0]))[:k], " ")
		ordered(t, it, text, func(a, b string) bool {
			return byCodePoint(a, b) && strings.Contains(b, strings.TrimRight(start, ",")) && !strings.ContainsAny(a+b, `'"\`)
		})
	})
}

func TestScripts(t *testing.T) {
	planes := map[string]int{}
	hardItems(t, "hard-scripts", func(it *verbatim.Item, _ string) {
		ordered(t, it, text, byCodePoint)
		astral := strings.ContainsFunc(pylit.Format(it.Want.List), func(r rune) bool { return r > 0xffff })
		if astral && it.Facts["plane"] != "astral" {
			t.Error("characters beyond U+FFFF in the basic plane")
		}
		planes[it.Facts["plane"]]++
	})
	if planes["basic"] == 0 || planes["astral"] == 0 {
		t.Errorf("planes %v", planes)
	}
}

func TestKnown(t *testing.T) {
	rank := map[string]int{
		"XXS": -3, "XS": -2, "S": -1, "M": 0, "L": 1, "XL": 2, "XXL": 3, "3XL": 4, "4XL": 5, "5XL": 6,
		"January": 1, "February": 2, "March": 3, "April": 4, "May": 5, "June": 6, "July": 7, "August": 8, "September": 9, "October": 10, "November": 11, "December": 12,
		"Monday": 1, "Tuesday": 2, "Wednesday": 3, "Thursday": 4, "Friday": 5, "Saturday": 6, "Sunday": 7,
		"Mercury": 58, "Venus": 108, "Earth": 150, "Mars": 228, "Jupiter": 778, "Saturn": 1427, "Uranus": 2871, "Neptune": 4497, // millions of kilometres
	}
	found := map[string]int{}
	hardItems(t, "hard-known", func(it *verbatim.Item, _ string) {
		found[it.Facts["category"]]++
		ordered(t, it, text, func(a, b string) bool { return labelledBefore(t, rank, a, b) })
	})
	if len(found) != 4 {
		t.Errorf("categories %v", found)
	}
}

// labelledBefore orders items such as "M-4821" by the rank of the label and then the number.
func labelledBefore(t *testing.T, rank map[string]int, a, b string) bool {
	t.Helper()
	var place, number [2]int
	for i, s := range []string{a, b} {
		label, digits, _ := strings.Cut(s, "-")
		var ok bool
		if place[i], ok = rank[label]; !ok {
			t.Errorf("%q has no position in the order", label)
		}
		number[i], _ = strconv.Atoi(digits)
	}
	return place[0] < place[1] || place[0] == place[1] && number[0] < number[1]
}

func TestDefined(t *testing.T) {
	kinds := map[string]int{}
	hardItems(t, "hard-defined", func(it *verbatim.Item, asked string) {
		_, rest, _ := strings.Cut(asked, "in this order: ")
		order, _, _ := strings.Cut(rest, ";")
		rank := map[string]int{}
		for i, label := range strings.Split(order, " < ") {
			rank[label] = i
		}
		if strconv.Itoa(len(rank)) != it.Facts["labels"] {
			t.Errorf("%d labels, and the fact says %s", len(rank), it.Facts["labels"])
		}
		kinds[it.Facts["kind"]]++
		ordered(t, it, text, func(a, b string) bool { return labelledBefore(t, rank, a, b) })
	})
	if kinds["sizes"] == 0 || kinds["made up"] == 0 {
		t.Errorf("kinds %v", kinds)
	}
}

// rowsBefore compares two rows column by column; down says which columns descend.
func rowsBefore(a, b []any, down []bool) bool {
	for i := range a {
		var c int
		switch x := a[i].(type) {
		case string:
			c = strings.Compare(x, b[i].(string))
		case int64:
			c = int(x - b[i].(int64))
		case float64:
			c = cmp.Compare(x, b[i].(float64))
		}
		if c != 0 {
			return c < 0 != down[i]
		}
	}
	return false // equal rows
}

func TestColumns(t *testing.T) {
	row := func(v any) []any { return v.([]any) }
	hardItems(t, "hard-columns", func(it *verbatim.Item, _ string) {
		ordered(t, it, row, func(a, b []any) bool { return rowsBefore(a, b, make([]bool, len(a))) })
	})
	hardItems(t, "hard-mixed", func(it *verbatim.Item, asked string) {
		words := regexp.MustCompile(`(first|second|third)( column)?, (ascending|descending)`).FindAllStringSubmatch(asked, -1)
		if len(words) != 3 {
			t.Fatalf("the prompt names %d directions", len(words))
		}
		down := []bool{words[0][3] == "descending", words[1][3] == "descending", words[2][3] == "descending"}
		if down[0] == down[1] && down[1] == down[2] {
			t.Error("all columns have one direction")
		}
		ordered(t, it, row, func(a, b []any) bool { return rowsBefore(a, b, down) })
	})
}

func TestLength(t *testing.T) {
	hardItems(t, "hard-length", func(it *verbatim.Item, _ string) {
		ordered(t, it, text, func(a, b string) bool { return utf8.RuneCountInString(a) < utf8.RuneCountInString(b) })
	})
	// Longer lists have ties.
	it := textLengthItem(t, 200)
	ordered(t, it, text, func(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b })
}

func textLengthItem(t *testing.T, n int) *verbatim.Item {
	t.Helper()
	it, err := textLength().Item(rand.New(rand.NewPCG(1, 2)), verbatim.Parameters{Length: verbatim.Lengths{Min: n, Max: n}})
	if err != nil {
		t.Fatal(err)
	}
	checkList(t, &it, n, true)
	return &it
}

// TestDistance computes distances by the definition, from the ends of the strings.
func TestDistance(t *testing.T) {
	hardItems(t, "hard-distance", func(it *verbatim.Item, asked string) {
		base := regexp.MustCompile(` to '([a-z]+)', `).FindStringSubmatch(asked)[1]
		far := map[string]int{}
		for _, v := range it.Want.List {
			far[text(v)] = fromEnds(base, text(v), map[[2]int]int{})
		}
		ordered(t, it, text, func(a, b string) bool { return far[a] < far[b] || far[a] == far[b] && a < b })
	})
}

func fromEnds(a, b string, known map[[2]int]int) int {
	at := [2]int{len(a), len(b)}
	if d, ok := known[at]; ok {
		return d
	}
	d := 0
	switch {
	case a == "":
		d = len(b)
	case b == "":
		d = len(a)
	case a[len(a)-1] == b[len(b)-1]:
		d = fromEnds(a[:len(a)-1], b[:len(b)-1], known)
	default:
		d = 1 + min(fromEnds(a[:len(a)-1], b, known), fromEnds(a, b[:len(b)-1], known), fromEnds(a[:len(a)-1], b[:len(b)-1], known))
	}
	known[at] = d
	return d
}

// TestOntology searches the graph of the prompt in breadth.
func TestOntology(t *testing.T) {
	hardItems(t, "hard-ontology", func(it *verbatim.Item, asked string) {
		from := regexp.MustCompile(`each item and '([a-z]+)' in`).FindStringSubmatch(asked)[1]
		_, edges, _ := strings.Cut(asked, "The tree: ")
		next := map[string][]string{}
		for edge := range strings.SplitSeq(strings.TrimSuffix(edges, "."), "; ") {
			a, b, _ := strings.Cut(edge, " is a kind of ")
			next[a], next[b] = append(next[a], b), append(next[b], a)
		}
		far := map[string]int{from: 0}
		for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
			for _, to := range next[queue[0]] {
				if _, ok := far[to]; !ok {
					far[to] = far[queue[0]] + 1
					queue = append(queue, to)
				}
			}
		}
		if strconv.Itoa(len(far)) != it.Facts["nodes"] {
			t.Errorf("%d nodes are connected, and the fact says %s", len(far), it.Facts["nodes"])
		}
		ordered(t, it, text, func(a, b string) bool {
			_, known := far[b]
			return known && (far[a] < far[b] || far[a] == far[b] && a < b)
		})
	})
}

// at draws items of a family at one length.
func at(t *testing.T, name string, n, count int, check func(it *verbatim.Item)) {
	t.Helper()
	for _, f := range hardFamilies() {
		if f.Name != name {
			continue
		}
		for index := range count {
			it, err := f.Item(draw.Rand(f.Name, f.Version, "test", 1, uint64(index)), verbatim.Parameters{Length: verbatim.Lengths{Min: n, Max: n}, Edition: verbatim.Standard})
			if err != nil {
				t.Fatal(err)
			}
			check(&it)
		}
	}
}

// TestFactTies counts the rows that share their first column, and the columns.
func TestFactTies(t *testing.T) {
	exhaustive.Only(t)
	for n, range2to9 := range map[int][2]int{2: {10, 10}, 4: {5, 8}, 8: {2, 9}, 64: {2, 9}, 400: {2, 9}} {
		found := map[string]int{}
		at(t, "hard-columns", n, map[bool]int{true: 40, false: 120}[n == 400], func(it *verbatim.Item) {
			rows := map[string]int{}
			for _, row := range it.Want.List {
				rows[row.([]any)[0].(string)]++
				if strconv.Itoa(len(row.([]any))) != it.Facts["columns"] {
					t.Errorf("%v does not have %s columns", row, it.Facts["columns"])
				}
			}
			tied := 0
			for _, count := range rows {
				if count > 1 {
					tied += count
				}
			}
			share := int(math.Round(10 * float64(tied) / float64(n)))
			if strconv.Itoa(share) != it.Facts["ties"] || share < range2to9[0] || share > range2to9[1] {
				t.Errorf("%d of %d rows are tied, the fact says %s", tied, n, it.Facts["ties"])
			}
			found["ties "+it.Facts["ties"]]++
			found["columns "+it.Facts["columns"]]++
		})
		if n == 64 && len(found) != 8+3 {
			t.Errorf("length %d: %v", n, found)
		}
	}
}

// TestFactShare counts the letters that are not English.
func TestFactShare(t *testing.T) {
	exhaustive.Only(t)
	for _, n := range []int{2, 64, 2000} {
		found := map[string]int{}
		at(t, "hard-languages", n, map[int]int{2: 200, 64: 100, 2000: 1}[n], func(it *verbatim.Item) {
			letters, foreign := 0, 0
			for _, word := range it.Want.List {
				for _, c := range text(word) {
					if letters++; c > 127 {
						foreign++
					}
				}
			}
			share := int(math.Round(10 * float64(foreign) / float64(letters)))
			if strconv.Itoa(share) != it.Facts["share"] || (share == 0) != (it.Facts["alphabet"] == "shuffled") || share > 5 {
				t.Errorf("length %d, %s: %d of %d letters are not English, the fact says %s", n, it.Facts["alphabet"], foreign, letters, it.Facts["share"])
			}
			found[it.Facts["share"]]++
		})
		if n < 2000 && len(found) != 6 {
			t.Errorf("length %d: shares %v", n, found)
		}
	}
}

// TestFactNodes: the size of the tree is drawn, whatever the length.
func TestFactNodes(t *testing.T) {
	for n, sizes := range map[int]int{2: 5, 8: 5, 32: 3, 128: 1} {
		found := map[string]int{}
		at(t, "hard-ontology", n, 60, func(it *verbatim.Item) {
			asked := it.Prompt[len(it.Prompt)-1].Content[0].Text
			if nodes := strings.Count(asked, " is a kind of ") + 1; strconv.Itoa(nodes) != it.Facts["nodes"] || nodes < 10 || nodes > 200 {
				t.Errorf("%d nodes, the fact says %s", nodes, it.Facts["nodes"])
			}
			found[it.Facts["nodes"]]++
		})
		if len(found) != sizes {
			t.Errorf("length %d: sizes %v, want %d of them", n, found, sizes)
		}
	}
}

// TestFacts: facts that are knobs say what the items show.
func TestFacts(t *testing.T) {
	hardItems(t, "hard-length", func(it *verbatim.Item, _ string) {
		most := 1
		for i := 1; i < len(it.Want.List); i++ {
			most = max(most, len(text(it.Want.List[i]))-len(text(it.Want.List[i-1])))
		}
		if step, _ := strconv.Atoi(it.Facts["step"]); most > step || len(it.Want.List) >= 20 && most < step {
			t.Errorf("lengths differ by up to %d, the fact says %d", most, step)
		}
	})
	hardItems(t, "hard-distance", func(it *verbatim.Item, asked string) {
		base := regexp.MustCompile(` to '([a-z]+)', `).FindStringSubmatch(asked)[1]
		if strconv.Itoa(len(base)) != it.Facts["base"] {
			t.Errorf("%q, and the fact says %s", base, it.Facts["base"])
		}
	})
}

// TestOpposite: a list in the opposite order is called so by each family, unless it is another
// mistake that the item foresees.
func TestOpposite(t *testing.T) {
	for _, f := range hardFamilies() {
		at(t, f.Name, 6, 20, func(it *verbatim.Item) {
			if g := grade.Of(it, pylit.Format(reversed(it.Want.List)), verbatim.FinishStop); g.Label != "wrong_direction" {
				t.Errorf("%s: the opposite order is %s (%s)", f.Name, g.Label, g.Detail)
			}
		})
	}
}

// TestOtherOrders: orders that are easily taken for the right one are named as such.
func TestOtherOrders(t *testing.T) {
	week := []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	accents := strings.NewReplacer("å", "a", "ä", "a", "ö", "o")
	found := map[string]int{}
	hardItems(t, "hard-known", func(it *verbatim.Item, _ string) {
		if it.Facts["category"] != "weekdays" || len(it.Want.List) < 12 {
			return
		}
		var list []any
		for _, day := range week {
			for _, v := range it.Want.List {
				if strings.HasPrefix(text(v), day) {
					list = append(list, v)
				}
			}
		}
		g := grade.Of(it, pylit.Format(list), verbatim.FinishStop)
		if !g.Exact {
			found[g.Label+" "+g.Detail]++
		}
	})
	hardItems(t, "hard-languages", func(it *verbatim.Item, _ string) {
		if it.Facts["alphabet"] != "swedish" || len(it.Want.List) < 12 {
			return
		}
		list := slices.Clone(it.Source.List)
		slices.SortStableFunc(list, func(a, b any) int { return strings.Compare(accents.Replace(text(a)), accents.Replace(text(b))) })
		g := grade.Of(it, pylit.Format(list), verbatim.FinishStop)
		if !g.Exact {
			found[g.Label+" "+g.Detail]++
		}
	})
	if len(found) != 2 || found["other_key Sunday first"] == 0 || found["other_key without accents"] == 0 {
		t.Errorf("%v", found)
	}
}

// TestHardLongest draws an item of the greatest length of each family.
func TestHardLongest(t *testing.T) {
	for _, f := range hardFamilies() {
		it, err := f.Item(rand.New(rand.NewPCG(3, 4)), verbatim.Parameters{Length: verbatim.Lengths{Min: f.Max, Max: f.Max}})
		if err != nil || len(it.Want.List) != f.Max {
			t.Errorf("%s: %d items of %d, %v", f.Name, len(it.Want.List), f.Max, err)
		}
	}
}
