package grade

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/runes"
)

// A difference is the first one between two values.
type difference struct {
	label string // "" if they are the same value
	place string // "$.rows[3].id"
	what  string
}

func (d difference) String() string {
	if d.what == "" {
		return d.place
	}
	return d.place + ": " + d.what
}

// compare returns the first difference of got, which is at the place, from want. The order of keys does not
// count.
func compare(want, got value, place string) difference {
	if want.kind != got.kind {
		return difference{labelType, place, fmt.Sprintf("%s for %s", got.kind, want.kind)}
	}
	switch want.kind {
	case object:
		return compareObjects(want, got, place)
	case array:
		for i := range min(len(want.members), len(got.members)) {
			if d := compare(want.members[i].value, got.members[i].value, place+"["+strconv.Itoa(i)+"]"); d.label != "" {
				return d
			}
		}
		if len(want.members) != len(got.members) {
			return difference{labelValue, place, fmt.Sprintf("%d elements for %d", len(got.members), len(want.members))}
		}
	case jsonNumber:
		if !sameJSONNumber(want.text, got.text) {
			return difference{labelValue, place, short(got.text) + " for " + short(want.text)}
		}
	case text:
		if want.text != got.text {
			return difference{labelValue, place, textDifference(want.text, got.text)}
		}
	default:
		if want.text != got.text {
			return difference{labelValue, place, got.text + " for " + want.text}
		}
	}
	return difference{}
}

// compareObjects compares the members in the order of want.
func compareObjects(want, got value, place string) difference {
	given := make(map[string]int, len(got.members)) // the index of a key in got.members
	for i, m := range got.members {
		if _, twice := given[m.key]; twice {
			return difference{labelKey, place, "the key " + quoted(m.key) + " is there twice"}
		}
		given[m.key] = i
	}
	expected := make(map[string]bool, len(want.members))
	for _, m := range want.members {
		expected[m.key] = true
		if _, ok := given[m.key]; !ok {
			return difference{labelKey, place, "the key " + quoted(m.key) + " is missing"}
		}
	}
	for _, m := range got.members {
		if !expected[m.key] {
			return difference{labelKey, place, "there is a key " + quoted(m.key)}
		}
	}
	for _, m := range want.members {
		if d := compare(m.value, got.members[given[m.key]].value, place+jsonStep(m.key)); d.label != "" {
			return d
		}
	}
	return difference{}
}

// jsonStep returns a key as a part of a place.
func jsonStep(key string) string {
	isOdd := func(r rune) bool { return !runes.IsWord(r) || r >= utf8.RuneSelf }
	if key == "" || len(key) > 40 || strings.ContainsFunc(key, isOdd) {
		return "[" + quoted(key) + "]"
	}
	return "." + key
}

// form returns the first difference in how the same value is written.
func form(want, got value, wantText, gotText string) string {
	switch {
	case keyOrder(want) != keyOrder(got):
		return "order of keys"
	case numbers(want) != numbers(got):
		return "form of a number"
	case unspaced(wantText) != unspaced(gotText):
		return "escapes"
	}
	return "white space"
}

// keyOrder returns all keys in their order.
func keyOrder(v value) string {
	return written(v, func(b *strings.Builder, m member) { b.WriteString(quoted(m.key)) })
}

// numbers returns all numbers as they are written, in their order.
func numbers(v value) string {
	return written(v, func(b *strings.Builder, m member) {
		if m.kind == jsonNumber {
			b.WriteString(m.text + " ")
		}
	})
}

// written returns what write writes of a value and of all values in it.
func written(v value, write func(*strings.Builder, member)) string {
	var b strings.Builder
	var walk func(m member)
	walk = func(m member) {
		write(&b, m)
		for _, inner := range m.members {
			walk(inner)
		}
	}
	walk(member{value: v})
	return b.String()
}

// unspaced returns a JSON text without the white space between its tokens.
func unspaced(s string) string {
	var b strings.Builder
	inside := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inside && c == '\\' && i+1 < len(s):
			b.WriteByte(c)
			i++
		case c == '"':
			inside = !inside
		case !inside && strings.IndexByte(" \t\r\n", c) >= 0:
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// textDifference shows two strings around their first difference.
func textDifference(want, got string) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	for i > 0 && i < len(want) && !utf8.RuneStart(want[i]) {
		i--
	}
	return fmt.Sprintf("%s for %s @%d", short(quoted(got[min(i, len(got)):])), short(quoted(want[min(i, len(want)):])), utf8.RuneCountInString(want[:i]))
}

func quoted(s string) string { return strconv.Quote(extract.Head(s, 80)) }

func short(s string) string {
	if utf8.RuneCountInString(s) <= 40 {
		return s
	}
	return extract.Head(s, 40) + "…"
}
