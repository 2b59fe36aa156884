package extract

import (
	"strings"
	"testing"

	"verbatim/internal/pylit"
)

// TestListsAreReadOnce: brackets that are not closed, or too many of them, do not make the same
// items be read for each list around them.
func TestListsAreReadOnce(t *testing.T) {
	items := strings.Repeat("1, ", 40)
	last := "[" + strings.TrimSpace(items)
	for _, c := range []struct {
		name, text string
		answer     string
	}{
		{"not closed", strings.Repeat("["+items, 900), last},
		{"not closed, in lines", strings.Repeat("["+items+"\r\n", 900), last},
		{"closed too late", strings.Repeat("["+items, 400) + strings.Repeat("]", 400), "[" + strings.Repeat(items+"[", 199) + items + strings.Repeat("]", 200)},
		{"broken inside", strings.Repeat("["+items, 150) + "x" + strings.Repeat("]", 150), ""},
		{"another after", strings.Repeat("["+items, 300) + "x\n\n[3, 4]", "[3, 4]"},
	} {
		s := newScan(c.text, false, listQuestion, rules{})
		a, ok := s.find()
		if got := a.Of(c.text); ok != (c.answer != "") || ok && got != c.answer {
			t.Errorf("%s: %.60q, want %.60q", c.name, got, c.answer)
		}
		if most := 8 * len(c.text); s.seen > most {
			t.Errorf("%s: %d bytes are read for lists, at most %d", c.name, s.seen, most)
		}
	}
}

// TestBrokenLists: lists are found as by reading from each bracket.
func TestBrokenLists(t *testing.T) {
	deep := strings.Repeat("[", 150) + strings.Repeat("(", 100) + "[1]" + strings.Repeat(")", 100) + strings.Repeat("]", 150)
	for _, text := range []string{
		"[1, [2, [3]", "[1, [2], x [3]]", "[[1], [2, 'a]'], {[3]}]", "-[1, 2]", "[-[1, 2]]", "[" + strings.Repeat("-", 2979) + "[--1]]",
		"[1, # [2]\n[3], y]", "['[1]', [2], z]", "[1, [2, '''[3]", "[1, \x00 [2]]", "[1, '\x00', [2]]", deep, deep[:len(deep)-20],
		strings.Repeat("[", 250) + strings.Repeat("]", 250), strings.Repeat("[1,\r\n", 230) + "2" + strings.Repeat("]", 230),
	} {
		s := newScan(text, false, listQuestion, rules{})
		for at := range len(text) {
			if text[at] != '[' {
				continue
			}
			v, n, ok := s.literalAt(at, len(text))
			want, size, whole := new(pylit.Parser).Prefix(text[at:])
			if whole = whole && want.Kind() == pylit.List; ok != whole || ok && (n != size || v.String() != want.String()) {
				t.Errorf("%.60q at byte %d: %s %d %v, want %s %d %v", text, at, v, n, ok, want, size, whole)
			}
		}
	}
}
