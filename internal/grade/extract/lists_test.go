package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim/internal/pylit"
)

func values(t *testing.T, text string) []pylit.Value {
	v, err := pylit.Parse(text)
	if err != nil {
		t.Fatal(text, err)
	}
	return v.Items()
}

// TestHas: items are known by what they are printed as, apart from letter case and ".0".
func TestHas(t *testing.T) {
	for _, c := range []struct{ input, prompt, known, unknown string }{
		{"[3, -4, 99999999999999999999]", "", "[3, 3.0, -4.0, 99999999999999999999]", "[4, 3.5, -0.0, True, '3', 1e20]"},
		{"[3.0, 1e16, -0.0, 0.5, 1e-7]", "", "[3, 3.0, 1e16, -0.0, 0.5, 1e-7]", "[10000000000000000, 0, 0.0, 0.25]"},
		{"['a', 'B é']", "and ['C', 1]", "['a', 'A', 'b é', 'B É', 'c']", "['d', 1, '1']"},
		{"['a', 'b']", "", "['a', 'A']", "['c']"},
		{"[]", "x [1, 2] [[3]] y", "[1, 2.0]", "[3, [3]]"},
		{"[['a', 1], ['b', 2]]", "", "[['a', 1]]", "[['a', 2], ('a', 1)]"},
	} {
		input := values(t, c.input)
		item := pylit.Int
		if len(input) > 0 {
			item = input[0].Kind()
		}
		l := newGivenLists(item, input, []string{c.prompt})
		if !l.hasItems() {
			t.Errorf("%s %s: no items", c.input, c.prompt)
		}
		if known := values(t, c.known); l.known(known) != len(known) {
			t.Errorf("%s %s: %d of %s are known", c.input, c.prompt, l.known(known), c.known)
		}
		if unknown := values(t, c.unknown); l.known(unknown) > 0 {
			t.Errorf("%s %s: %d of %s are known", c.input, c.prompt, l.known(unknown), c.unknown)
		}
	}
	if !newGivenLists(pylit.Int, nil, []string{"[1, 2] and [3]"}).isOne(values(t, "[3]")) || newGivenLists(pylit.Int, nil, []string{"[1, 2] and [3]"}).isOne(values(t, "[2]")) {
		t.Error("the lists of the prompt are [1, 2] and [3]")
	}
}

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

// plainSets is what In, phrasesAtStart and phrasesAtEnd find, phrase by phrase.
func plainSets(t string) (inside, start, end phraseSet) {
	bounded := func(t string, i int, p string, before, behind bool) bool {
		first, _ := utf8.DecodeRuneInString(p)
		last, _ := utf8.DecodeLastRuneInString(p)
		l, _ := utf8.DecodeLastRuneInString(t[:i])
		r, _ := utf8.DecodeRuneInString(t[i+len(p):])
		return !(before && i > 0 && isWordRune(first) && isWordRune(l)) && !(behind && i+len(p) < len(t) && isWordRune(last) && isWordRune(r))
	}
	left := strings.TrimLeft(t, " ,.:;)]}—–'")
	right := strings.TrimRight(t, " ([{:,'«„‘\\$")
	for _, l := range lists {
		for _, p := range l.phrases {
			for at := 0; ; {
				i := strings.Index(t[at:], p)
				if i < 0 {
					break
				}
				if i += at; bounded(t, i, p, true, true) {
					inside |= l.set & insideSets
					break
				}
				at = i + len(p)
			}
			if strings.HasPrefix(left, p) && bounded(left, 0, p, false, true) {
				start |= l.set & startSets
			}
			if strings.HasSuffix(right, p) && bounded(right, len(right)-len(p), p, true, false) {
				end |= l.set & endSets
			}
		}
	}
	return inside, start, end
}

// randomWords are phrases, pieces of them and marks, in lower case.
func randomWords(r *rand.Rand) string {
	marks := []string{" ", "", "s", ",", ". ", ": ", "-", "’", "é", "不", "3", "\"", "*", "? ", "。", " 1 "}
	var b strings.Builder
	for range 1 + r.IntN(12) {
		l := lists[r.IntN(len(lists))]
		p := l.phrases[r.IntN(len(l.phrases))]
		if r.IntN(4) == 0 {
			p = Head(p, r.IntN(len(p)+1))
		}
		b.WriteString(p + marks[r.IntN(len(marks))] + marks[r.IntN(len(marks))])
	}
	return b.String()
}

// TestPhraseTables: the tables find what a search for each phrase finds.
func TestPhraseTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		text := NormalText(randomWords(r))
		inside, start, end := plainSets(text)
		if got := phrasesIn(text); got != inside {
			t.Fatalf("%q: inside %b, want %b", text, got, inside)
		}
		if got := phrasesAtStart(text); got != start {
			t.Fatalf("%q: start %b, want %b", text, got, start)
		}
		if got := phrasesAtEnd(text); got != end {
			t.Fatalf("%q: end %b, want %b", text, got, end)
		}
	}
}
