package damage_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/pylit"
)

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
