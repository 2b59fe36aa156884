package grade

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"verbatim/internal/pylit"
)

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
