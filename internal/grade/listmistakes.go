package grade

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"

	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// A mistake declares a failure label of lists that could be read, and tests whether
// it fits. The detail names items and positions, which count from 0.
type mistake struct {
	label
	holds func(l *comparison) (detail string, ok bool) // the detail of a label that splits another one is not used
}

// mistakes returns the mistakes in the order in which they are tested. Any other list is
// "mixed": items are missing or new, and the others are out of order.
func mistakes() []mistake {
	return []mistake{
		{label{Name: "unchanged", Meaning: "The list was given back as it was, not sorted.", Example: "`[20, 3, 1, 5]`"}, (*comparison).unchanged},
		{label{Name: "reversed_order", Meaning: "The right items, in exactly the opposite order.", Example: "`[20, 5, 3, 1]`"}, (*comparison).reversedOrder},
		{label{Name: traits.OtherKey, Meaning: "The right items, sorted by another rule: by value, as texts, by length or without regard to case.", Example: "`[1, 20, 3, 5]`"}, (*comparison).otherKey},
		{label{Name: "converted", Meaning: "Number words were turned into numbers.", Example: "`[10, 2]` for `[\"ten\", \"two\"]`"}, (*comparison).converted},
		{label{Name: "sign_lost", Meaning: "Items lost or gained a minus sign.", Example: "`[3, 5, 20]` for `[-5, 3, 20]`"}, (*comparison).signLost},
		{label{Name: "looped"}, (*comparison).looped},
		{label{Name: "cut_short"}, (*comparison).cutShort},
		{label{Name: "missing", Meaning: "Items are missing; the others are right and in order.", Example: "`[1, 5, 20]`"}, (*comparison).missing},
		{label{Name: "added", Meaning: "There are items too many: new ones, copies, or those to be left out; the others are right and in order.", Example: "`[1, 3, 4, 5, 20]`"}, (*comparison).added},
		{label{Name: "altered", Meaning: "Items were replaced by others, or all of them; those that are left are in order.", Example: "`[1, 3, 6, 20]`"}, (*comparison).altered},
		{label{Name: "misordered", Meaning: "The right items, some in a wrong place, in no order that another label names.", Example: "`[1, 5, 3, 20]`"}, (*comparison).misordered},
	}
}

func (l *comparison) unchanged() (string, bool) {
	return "", l.source != nil && slices.EqualFunc(l.items, l.source, pylit.Equal)
}

func (l *comparison) reversedOrder() (string, bool) {
	n := len(l.want)
	if len(l.items) != n {
		return "", false
	}
	for i, item := range l.items {
		if !pylit.Equal(item, l.want[n-1-i]) {
			return "", false
		}
	}
	return "", true
}

// looped: the list ends in four or more rounds of up to 16 items, eight
// items at least, and has items too many.
func (l *comparison) looped() (string, bool) {
	period, n := itemLoop(l.items)
	if period == 0 || l.counts.added == 0 {
		return "", false
	}
	if loop, _ := itemLoop(l.want); loop != 0 {
		return "", false
	}
	return fmt.Sprintf("%d items at the end repeat %s", n, l.nameItems(l.items[len(l.items)-period:])), true
}

// itemLoop returns the shortest period of the loop that a list ends in, and the number of items of the
// loop; 0 and 0 without a loop.
func itemLoop(items []pylit.Value) (period, n int) {
	for period = 1; period <= 16; period++ {
		n := period
		for n < len(items) && pylit.Equal(items[len(items)-n-1], items[len(items)-n-1+period]) {
			n++
		}
		if n >= max(4*period, 8) && n <= len(items) {
			return period, n
		}
	}
	return 0, 0
}

func (l *comparison) cutShort() (string, bool) {
	n := len(l.items)
	if n == 0 || n >= len(l.want) || !sameItems(l.items, l.want[:n]) {
		return "", false
	}
	return fmt.Sprintf("%d of %d items", n, len(l.want)), true
}

func (l *comparison) missing() (string, bool) {
	return l.describedIf(l.counts.missing > 0 && l.counts.added == 0 && l.match().inOrder)
}

func (l *comparison) added() (string, bool) {
	return l.describedIf(l.counts.missing == 0 && l.counts.added > 0 && l.match().inOrder)
}

func (l *comparison) altered() (string, bool) {
	return l.describedIf(l.counts.missing > 0 && l.counts.added > 0 && l.match().inOrder)
}

func (l *comparison) misordered() (string, bool) { return l.describedIf(l.permuted()) }

// describedIf returns the detail of a mistake that holds.
func (l *comparison) describedIf(holds bool) (detail string, ok bool) {
	if holds {
		detail = l.describe()
	}
	return detail, holds
}

// A comparison is a list that was read and the expected list, from which it differs.
type comparison struct {
	want, source []pylit.Value
	items        []pylit.Value
	counts       counts
	ranks        *ranks // nil until they are needed
	matched      *match // the result of match, nil until it is called
	rows         bool   // details print rows; those of SortBench's graders say "a list of 2"
}

// permuted reports whether no item is missing and none is new.
func (l *comparison) permuted() bool { return l.counts.missing == 0 && l.counts.added == 0 }

// A match pairs as many items of a list as possible with equal expected ones.
type match struct {
	lost    []pylit.Value // expected items without a partner
	gained  []pylit.Value // items without a partner
	inOrder bool          // the others are in the expected order
}

// match returns the pairing. Of an item that is there too often, the
// first ones are paired or, if those are out of order, the last ones.
func (l *comparison) match() *match {
	if l.matched != nil {
		return l.matched
	}
	start, end := commonEnds(l.want, l.items)
	want, items := l.want[start:len(l.want)-end], l.items[start:len(l.items)-end]
	var order ranks
	if l.ranks == nil {
		order = *newRanks(want, items)
	} else {
		order = ranks{l.ranks.want[start : len(l.want)-end], l.ranks.items[start : len(l.items)-end], l.ranks.keys}
	}
	place, left := order.places()
	m := &match{inOrder: ascending(place)}
	for _, i := range left {
		m.lost = append(m.lost, want[i])
	}
	for i, p := range place {
		if p < 0 {
			m.gained = append(m.gained, items[i])
		}
	}
	if !m.inOrder && slices.Contains(place, surplus) {
		order.want, order.items = slices.Clone(order.want), slices.Clone(order.items)
		slices.Reverse(order.want)
		slices.Reverse(order.items)
		place, _ = order.places()
		m.inOrder = ascending(place)
	}
	l.matched = m
	return m
}

// commonEnds returns how many items are equal at the starts and at the ends of two
// lists, which do not overlap. Most replies are right nearly everywhere.
func commonEnds(a, b []pylit.Value) (start, end int) {
	n := min(len(a), len(b))
	for start < n && pylit.Equal(a[start], b[start]) {
		start++
	}
	for end < n-start && pylit.Equal(a[len(a)-1-end], b[len(b)-1-end]) {
		end++
	}
	return start, end
}

// ascending reports whether the places that are not negative ascend.
func ascending(places []int) bool {
	last := -1
	for _, p := range places {
		if p >= 0 {
			if p < last {
				return false
			}
			last = p
		}
	}
	return true
}

// A sortKey is a key by which a list may be sorted by mistake. of returns the key of an item; false if it
// has none.
type sortKey struct {
	name string
	of   func(v pylit.Value) (key pylit.Value, ok bool)
}

func sortKeys() []sortKey {
	fold := cases.Fold()
	return []sortKey{
		{"value", numberOf},
		{"length", func(v pylit.Value) (pylit.Value, bool) {
			return pylit.MakeInt(int64(utf8.RuneCountInString(v.Text()))), v.Kind() == pylit.Str
		}},
		{"casefold", func(v pylit.Value) (pylit.Value, bool) {
			return pylit.MakeStr(foldCase(fold, v.Text())), v.Kind() == pylit.Str
		}},
		{"code point", func(v pylit.Value) (pylit.Value, bool) { return v, v.Kind() == pylit.Str }},
		{"the digits as text", func(v pylit.Value) (pylit.Value, bool) {
			return pylit.MakeStr(v.String()), v.Kind() == pylit.Int || v.Kind() == pylit.Float
		}},
		{"absolute value", absolute},
	}
}

// foldCase returns s, case-folded. A Caser allocates memory for each text, which ASCII does not need.
func foldCase(fold cases.Caser, s string) string {
	if runes.IsASCII(s) {
		return strings.ToLower(s)
	}
	return fold.String(s)
}

// otherKey: the expected items, ascending by another key. Items with equal
// keys are in ascending order or in that of the question. This tells a list
// sorted by length from any list of words of one length.
func (l *comparison) otherKey() (string, bool) {
	if !l.permuted() {
		return "", false
	}
	for _, key := range sortKeys() {
		if sortedBy(l.items, l.source, key) {
			return "by " + key.name, true
		}
	}
	return "", false
}

// sortedBy reports whether items are sorted by a key: see otherKey.
func sortedBy(items, source []pylit.Value, key sortKey) bool {
	var last, next []byte
	ties, steps := false, false // items with equal keys that descend; keys that differ
	for i, item := range items {
		k, ok := key.of(item)
		if !ok {
			return false
		}
		next = pylit.AppendKey(next[:0], k)
		if i > 0 {
			c := bytes.Compare(last, next)
			if c > 0 {
				return false
			}
			steps = steps || c < 0
			ties = ties || c == 0 && descend(items[i-1], item)
		}
		last, next = next, last
	}
	return !ties || steps && source != nil && stable(items, source, key)
}

func descend(a, b pylit.Value) bool {
	return bytes.Compare(pylit.AppendKey(nil, a), pylit.AppendKey(nil, b)) > 0
}

// stable reports whether items with equal keys are in the order of the source.
func stable(items, source []pylit.Value, key sortKey) bool {
	place, _ := newRanks(source, items).places()
	var last pylit.Value
	for i, item := range items {
		k, _ := key.of(item)
		if i > 0 && pylit.Equal(last, k) && place[i] < place[i-1] {
			return false
		}
		last = k
	}
	return true
}

// numberOf returns the number that an item is, or that its text spells in digits
// or in English words.
func numberOf(v pylit.Value) (pylit.Value, bool) {
	switch v.Kind() {
	case pylit.Int, pylit.Float:
		return v, true
	case pylit.Str:
		if n, ok := wordNumber(v.Text()); ok {
			return pylit.MakeInt(n), true
		}
		return pylit.Cast(v, pylit.Float)
	}
	return pylit.Value{}, false
}

// absolute returns a number without its sign.
func absolute(v pylit.Value) (pylit.Value, bool) {
	switch v.Kind() {
	case pylit.Int:
		if n, small := v.Int64(); small && n >= 0 {
			return v, true
		}
		return pylit.MakeBig(new(big.Int).Abs(v.Big())), true
	case pylit.Float:
		return pylit.MakeFloat(math.Abs(v.Float64())), true
	}
	return pylit.Value{}, false
}

// signLost: the expected numbers apart from some signs, in any
// order.
func (l *comparison) signLost() (string, bool) {
	if l.counts.missing == 0 || l.counts.missing != l.counts.added {
		return "", false
	}
	want, signs, ok := absolutes(l.want)
	if !ok || len(l.items) != len(l.want) {
		return "", false
	}
	items, others, ok := absolutes(l.items)
	if !ok || signs == others && signs == 0 {
		return "", false
	}
	if _, left := newRanks(want, items).places(); len(left) > 0 {
		return "", false
	}
	return l.describe(), true
}

// absolutes returns numbers without their signs and how many had one.
func absolutes(items []pylit.Value) (out []pylit.Value, signs int, ok bool) {
	out = make([]pylit.Value, len(items))
	for i, item := range items {
		if out[i], ok = absolute(item); !ok {
			return nil, 0, false
		}
		if !pylit.Equal(out[i], item) {
			signs++
		}
	}
	return out, signs, true
}

// breaksTies reports whether items are the expected ones in their order apart from ties. The tie_broken mistakes
// that the item foresees show where ties are.
func (j *listJudge) breaksTies(items []pylit.Value) bool {
	if len(items) != len(j.want) {
		return false
	}
	var bounds []bool // bounds[i]: no tie has items both among the first i and behind them
	for _, m := range j.mistakes {
		if m.label != "tie_broken" || len(m.list) != len(j.want) {
			continue
		}
		broken, err := pylit.FromList(m.list)
		if err != nil {
			return false
		}
		same := sameBeginnings(j.want, broken)
		for i := range bounds {
			bounds[i] = bounds[i] && same[i]
		}
		if bounds == nil {
			bounds = same
		}
	}
	if bounds == nil {
		return false
	}
	for i, same := range sameBeginnings(j.want, items) {
		if bounds[i] && !same {
			return false
		}
	}
	return true
}

// sameBeginnings returns for each i whether the first i items of two lists of the same length are the same, in any
// order.
func sameBeginnings(a, b []pylit.Value) []bool {
	r := newRanks(a, b)
	more, unequal := make([]int, len(r.keys)), 0 // how many more of each item a has so far than b; how many are not 0
	count := func(n int64, by int) {
		was := more[n]
		if more[n] += by; was == 0 {
			unequal++
		} else if more[n] == 0 {
			unequal--
		}
	}
	same := make([]bool, len(a)+1)
	same[0] = true
	for i := range a {
		count(r.want[i], 1)
		count(r.items[i], -1)
		same[i+1] = unequal == 0
	}
	return same
}

// wordNumber returns the number below a million that English words spell, such as
// "four hundred and twenty-seven".
func wordNumber(s string) (int64, bool) {
	total, group, words := int64(0), int64(0), 0
	for s != "" {
		word := s
		if i := strings.IndexAny(s, " -‐"); i >= 0 {
			word, s = s[:i], strings.TrimLeft(s[i:], " -‐")
		} else {
			s = ""
		}
		switch n, ok := wordValue(word); {
		case word == "and" && total+group > 0 && s != "":
			continue
		case word == "hundred" && group > 0 && group < 10:
			group *= 100
		case word == "thousand" && group > 0 && total == 0:
			total, group = group*1000, 0
		case !ok || group%100 != 0 && (group%10 != 0 || n >= 10) || n == 0 && (words > 0 || s != ""):
			return 0, false
		default:
			group += n
		}
		words++
	}
	return total + group, words > 0
}

// wordValue returns the value of a word below a hundred.
func wordValue(word string) (int64, bool) {
	for i, w := range [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
		"eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"} {
		if w == word {
			return int64(i), true
		}
	}
	for i, w := range [...]string{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"} {
		if w == word {
			return int64(20 + 10*i), true
		}
	}
	return 0, false
}

// converted: most items are expected number words, written
// in digits.
func (l *comparison) converted() (string, bool) {
	if len(l.want) == 0 || l.want[0].Kind() != pylit.Str {
		return "", false
	}
	if _, ok := wordNumber(l.want[0].Text()); !ok {
		return "", false
	}
	words := map[string]string{}
	for _, v := range l.want {
		if n, ok := wordNumber(v.Text()); ok {
			words[fmt.Sprint(n)] = v.Text()
		}
	}
	n, at := 0, -1
	for i, item := range l.items {
		if words[item.Text()] == "" {
			continue
		}
		if n++; at < 0 {
			at = i
		}
	}
	if n == 0 || 2*n <= len(l.items) {
		return "", false
	}
	digits := l.items[at]
	return fmt.Sprintf("%d items in digits, first @%d: %s for %s", n, at, itemName(digits),
		pylit.Format(words[digits.Text()])), true
}

// maxName is the number of bytes of an item that details show.
const maxName = 48

// nameItems names up to three items.
func (l *comparison) nameItems(items []pylit.Value) string {
	var b strings.Builder
	for i, item := range items {
		if i == 3 {
			fmt.Fprintf(&b, " and %d more", len(items)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(l.itemName(item))
	}
	return b.String()
}

// itemName returns an item as Python prints it, cut to a length that a detail has
// room for. It takes no more time for a large item.
func itemName(v pylit.Value) string {
	switch v.Kind() {
	case pylit.Str, pylit.Bytes:
		text := v.Text()
		if len(text) <= maxName {
			return v.String()
		}
		cut := maxName
		for cut > maxName-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
			cut--
		}
		return pylit.Format(text[:cut]) + "…"
	case pylit.Int:
		if _, small := v.Int64(); !small && v.Big().BitLen() > 3*maxName {
			return fmt.Sprintf("an int of %d bits", v.Big().BitLen())
		}
	case pylit.Tuple, pylit.List, pylit.Set, pylit.Dict:
		return fmt.Sprintf("a %s of %d", v.Kind(), len(v.Items()))
	}
	return v.String()
}

// itemName names an item: a row by its cells, if the grader prints rows.
func (l *comparison) itemName(v pylit.Value) string {
	if l.rows {
		if row, ok := rowName(v); ok {
			return row
		}
	}
	return itemName(v)
}

// rowName returns a row as Python prints it, with an ellipsis for the cells without room;
// false for a value that is not a list or tuple of single values.
func rowName(v pylit.Value) (string, bool) {
	brackets := "[]"
	switch v.Kind() {
	case pylit.List:
	case pylit.Tuple:
		brackets = "()"
	default:
		return "", false
	}
	name := brackets[:1]
	for i, cell := range v.Items() {
		switch cell.Kind() {
		case pylit.Tuple, pylit.List, pylit.Set, pylit.Dict:
			return "", false
		}
		if i > 0 {
			name += ", "
		}
		text := itemName(cell)
		if len(name)+len(text) > 2*maxName {
			name += "…"
			break
		}
		name += text
	}
	return name + brackets[1:], true
}

// firstWrong says where the list first differs from the expected one, and how.
func (l *comparison) firstWrong() string {
	i := 0
	for i < len(l.items) && i < len(l.want) && pylit.Same(l.items[i], l.want[i]) {
		i++
	}
	switch {
	case i == len(l.items) && i == len(l.want):
		return ""
	case i == len(l.items):
		return fmt.Sprintf("@%d: the end for %s", i, l.itemName(l.want[i]))
	case i == len(l.want):
		return fmt.Sprintf("@%d: %s for the end", i, l.itemName(l.items[i]))
	}
	return fmt.Sprintf("@%d: %s for %s", i, l.itemName(l.items[i]), l.itemName(l.want[i]))
}

// describe names the missing and the new items, how many pairs are out of order, and the first place that is
// wrong.
func (l *comparison) describe() string {
	m := l.match()
	lost, gained := "", ""
	if len(m.lost) > 0 {
		lost = "lost " + l.nameItems(m.lost)
	}
	if len(m.gained) > 0 {
		gained = "got " + l.nameItems(m.gained)
	}
	order := ""
	if !m.inOrder {
		order = fmt.Sprintf("%d pairs out of order", l.counts.pairs)
	}
	return joined("; ", lost, gained, order, l.firstWrong())
}

// joined joins the texts that are not empty.
func joined(separator string, texts ...string) string {
	all := ""
	for _, s := range texts {
		if all != "" && s != "" {
			all += separator
		}
		all += s
	}
	return all
}
