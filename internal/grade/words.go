package grade

import (
	"fmt"
	"strings"

	"verbatim/internal/pylit"
)

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
