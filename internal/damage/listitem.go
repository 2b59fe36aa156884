package damage

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim/internal/pylit"
)

// changed returns an item of the type of v that is not in the list, even without its sign. It returns v
// if it finds none.
func (l list) changed(r *rand.Rand, v any) any {
	held := func(x any) bool {
		return slices.ContainsFunc(l.want, func(w any) bool {
			s, t := pylit.Format(w), pylit.Format(x)
			return s == t || strings.TrimPrefix(s, "-") == strings.TrimPrefix(t, "-")
		})
	}
	for range 100 {
		if x := misprint(r, v); !held(x) {
			return x
		}
	}
	return v
}

// misprint returns a value of the type of v, with an error such as one wrong character or digit.
func misprint(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case int64:
		return v + int64(1+r.IntN(9))*int64(math.Pow10(r.IntN(4)))
	case *big.Int:
		return new(big.Int).Add(v, big.NewInt(1+r.Int64N(1000)))
	case float64:
		return v + float64(1+r.IntN(99))/100*max(math.Min(math.Abs(v), 1e300), 1e-3)
	case string:
		letter := string(letters[r.IntN(26)])
		if v == "" {
			return letter
		}
		_, n := utf8.DecodeLastRuneInString(v)
		if r.IntN(2) == 0 {
			return v[:len(v)-n] + letter
		}
		return v + letter
	case []any:
		if len(v) == 0 {
			return []any{int64(r.IntN(1000))}
		}
		x := slices.Clone(v)
		i := r.IntN(len(x))
		x[i] = misprint(r, x[i])
		return x
	case bool, nil:
		return int64(r.IntN(1 << 30)) // the type has too few values
	}
	return "?" + strconv.Itoa(r.IntN(1<<30))
}

// otherKey sorts the items by another key than the one of the question.
func otherKey(r *rand.Rand, l list) (string, bool) {
	if reply, ok := labelled(r, l.mistakes, "other_key"); ok {
		return reply, true
	}
	if len(l.want) < 3 {
		return "", false
	}
	start := r.IntN(len(orders))
	for i := range orders {
		items := slices.Clone(l.want)
		if sortBy(items, orders[(start+i)%len(orders)]) {
			if reply, ok := l.print(items); ok {
				return reply, true
			}
		}
	}
	return "", false
}

// An order compares two items; ok is false for items that it does not apply to.
type order func(a, b any) (c int, ok bool)

// orders are the wrong ways to sort that graders know by name.
var orders = []order{
	byText(func(a, b string) int { return cmp.Compare(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) }),
	byText(func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) }),
	byNumber(func(a, b any) int { return cmp.Compare(pylit.Format(a), pylit.Format(b)) }),
	byNumber(func(a, b any) int { return cmp.Compare(math.Abs(toFloat(a)), math.Abs(toFloat(b))) }),
}

func byText(compare func(a, b string) int) order {
	return func(a, b any) (int, bool) {
		x, ok := a.(string)
		y, ok2 := b.(string)
		return compare(x, y), ok && ok2
	}
}

func byNumber(compare func(a, b any) int) order {
	return func(a, b any) (int, bool) {
		if !isNumber(a) || !isNumber(b) {
			return 0, false
		}
		return compare(a, b), true
	}
}

func toFloat(v any) float64 {
	if n, ok := v.(int64); ok {
		return float64(n)
	}
	return v.(float64)
}

// sortBy sorts the items, and keeps the order of equal ones. It returns false if the order does not
// apply to them.
func sortBy(items []any, by order) bool {
	for _, v := range items {
		if _, ok := by(v, v); !ok {
			return false
		}
	}
	slices.SortStableFunc(items, func(a, b any) int { c, _ := by(a, b); return c })
	return true
}

// sortedAnyhow reports whether the items are sorted in one of the wrong orders, with equal ones in
// rising order or in the order of the question.
func (l list) sortedAnyhow(items []any) bool {
	for _, by := range orders {
		for _, from := range [][]any{l.want, l.source} {
			sorted := slices.Clone(from)
			if sortBy(sorted, by) && same(sorted, items) {
				return true
			}
		}
	}
	return false
}

// signLost drops the signs of some negative numbers.
func signLost(r *rand.Rand, l list) (string, bool) {
	items := slices.Clone(l.want)
	var negative []int
	for i, v := range items {
		if isNumber(v) && toFloat(v) < 0 {
			negative = append(negative, i)
		}
	}
	if len(negative) == 0 {
		return "", false
	}
	r.Shuffle(len(negative), func(i, j int) { negative[i], negative[j] = negative[j], negative[i] })
	for _, i := range negative[:1+r.IntN(len(negative))] {
		switch v := items[i].(type) {
		case int64:
			items[i] = -v
		case float64:
			items[i] = -v
		}
	}
	return l.print(items)
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

// converted writes number words in digits.
func converted(_ *rand.Rand, l list) (string, bool) {
	items := make([]any, len(l.want))
	for i, v := range l.want {
		s, _ := v.(string)
		n, ok := spelled(s)
		if !ok {
			return "", false
		}
		items[i] = n
	}
	return pylit.Format(items), len(items) > 0
}

// spelled reads number words below a thousand, such as "four hundred and
// twenty-seven".
func spelled(s string) (n int64, ok bool) {
	small := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens := strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety")
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' })
	for _, word := range words {
		if i := slices.Index(small, word); i >= 0 {
			n += int64(i)
		} else if i := slices.Index(tens, word); i >= 0 {
			n += int64(20 + 10*i)
		} else if word == "hundred" {
			n *= 100
		} else if word != "and" {
			return 0, false
		}
	}
	return n, len(words) > 0
}
