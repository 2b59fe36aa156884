package draw

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// TestRandKey spells out the bytes that key an item's source, and pins its first
// numbers: they must never change, on any platform.
func TestRandKey(t *testing.T) {
	key := "\x00\x00\x00\x00\x00\x00\x00\x0dverbatim item" +
		"\x00\x00\x00\x00\x00\x00\x00\x07reverse" +
		"\x00\x00\x00\x00\x00\x00\x00\x06len=16" +
		"\x00\x00\x00\x00\x00\x00\x00\x01" + // version
		"\x00\x00\x00\x00\x00\x00\x00\x02" + // seed
		"\x00\x00\x00\x00\x00\x00\x00\x03" // index
	want := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(key))))
	got := Rand("reverse", 1, "len=16", 2, 3)
	pinned := []uint64{0xf7cd1c988c84ee78, 0x567306113341fcea}
	for i, pin := range pinned {
		if a, b := got.Uint64(), want.Uint64(); a != b || a != pin {
			t.Errorf("number %d is %#x; its key gives %#x; pinned is %#x", i, a, b, pin)
		}
	}
}

// TestRandNames wants another stream for every other name, also where the parts
// of the names run together alike.
func TestRandNames(t *testing.T) {
	sources := map[string]*rand.Rand{
		"base":       Rand("copy", 1, "len=1", 1, 1),
		"family":     Rand("copie", 1, "len=1", 1, 1),
		"moved":      Rand("copyl", 1, "en=1", 1, 1),
		"version":    Rand("copy", 2, "len=1", 1, 1),
		"parameters": Rand("copy", 1, "len=11", 1, 1),
		"seed":       Rand("copy", 1, "len=1", 2, 1),
		"index":      Rand("copy", 1, "len=1", 1, 2),
		"seed+index": Rand("copy", 1, "len=1", 0, 2),
		"both":       Rand("copy", 1, "len=1", 2, 0),
		"high seed":  Rand("copy", 1, "len=1", 1<<63+1, 1),
	}
	seen := map[uint64]string{}
	for name, r := range sources {
		for range 100 {
			v := r.Uint64()
			if other := seen[v]; other != "" {
				t.Errorf("%s and %s share the number %#x", name, other, v)
			}
			seen[v] = name
		}
	}
}

// uniform reports whether the counts could be those of a uniform draw: their
// chi-square statistic is within five standard deviations of its mean.
func uniform(counts []int) bool {
	n := 0
	for _, c := range counts {
		n += c
	}
	mean, chi := float64(n)/float64(len(counts)), 0.0
	for _, c := range counts {
		chi += (float64(c) - mean) * (float64(c) - mean) / mean
	}
	free := float64(len(counts) - 1)
	return math.Abs(chi-free) < 5*math.Sqrt(2*free)
}

func TestString(t *testing.T) {
	r := Rand("test", 1, "", 1, 0)
	for _, alphabet := range []string{Lower, Letters, Digits, Alphanumeric} {
		s := String(r, alphabet, 100_000)
		counts := make([]int, len(alphabet))
		for i := range len(s) {
			counts[strings.IndexByte(alphabet, s[i])]++
		}
		if len(s) != 100_000 || !uniform(counts) {
			t.Errorf("%d characters of %s: %v", len(s), alphabet, counts)
		}
	}
	if len(Lower) != 26 || len(Letters) != 52 || len(Digits) != 10 || len(Alphanumeric) != 62 {
		t.Error("an alphabet has changed")
	}
}

// TestSample wants different numbers within the space, every one of them as likely
// at every place.
func TestSample(t *testing.T) {
	r := Rand("test", 1, "", 1, 0)
	const space, n = 12, 5
	places := make([]int, n*space)
	for range 50_000 {
		s := Sample(r, space, n)
		seen := map[int]bool{}
		for place, v := range s {
			places[place*space+v]++
			seen[v] = true
		}
		if len(s) != n || len(seen) != n {
			t.Fatalf("%v are not %d different numbers", s, n)
		}
	}
	for place := range n {
		if at := places[place*space : (place+1)*space]; !uniform(at) {
			t.Errorf("position %d: %v", place, at)
		}
	}
	all := Sample(r, 1000, 1000)
	slices.Sort(all)
	for i, v := range all {
		if i != v {
			t.Fatalf("a sample of the whole space lacks %d", i)
		}
	}
}

// TestDistinct exhausts the values of a draw: even the last one is found.
func TestDistinct(t *testing.T) {
	r := Rand("test", 1, "", 1, 0)
	got := Distinct(1000, func() int { return r.IntN(1000) })
	slices.Sort(got)
	if len(got) != 1000 || got[0] != 0 || got[999] != 999 || len(slices.Compact(got)) != 1000 {
		t.Errorf("%d values from %d to %d", len(got), got[0], got[len(got)-1])
	}
}

func TestWords(t *testing.T) {
	words, letters := Words(), LetterWords()
	if words.Len() != 146_015 || letters.Len() != 77_503 {
		t.Fatalf("%d words, %d of letters only", words.Len(), letters.Len())
	}
	for _, list := range []*wordList{words, letters} {
		before := ""
		for w := range list.All() {
			if before >= w {
				t.Fatalf("%q is before %q", before, w)
			}
			before = w
			if w == "" || strings.Trim(w, Lower+Digits+"_-./") != "" {
				t.Fatalf("%q is not a lemma without an apostrophe", w)
			}
		}
	}
	for w := range letters.All() {
		if strings.Trim(w, Lower) != "" {
			t.Fatalf("%q has other characters than letters", w)
		}
	}
	for _, w := range []string{".22", "1_samuel", "aaron's_rod", "zyrian"} {
		if _, found := words.find(w); found == strings.Contains(w, "'") {
			t.Errorf("%q found: %v", w, found)
		}
	}
}

func TestLicense(t *testing.T) {
	for _, part := range []string{"WordNet 3.0 Copyright 2006 by Princeton University.", "provided to you, the LICENSEE", "agrees to preserve same.", "1991-2021 Unicode, Inc.", "UNICODE, INC. LICENSE AGREEMENT"} {
		if !strings.Contains(License(), part) {
			t.Errorf("the licence lacks %q", part)
		}
	}
}

// TestNames: every list has enough different words of one word each, in order and in NFC.
func TestNames(t *testing.T) {
	lists := Names()
	if len(lists) != 45 {
		t.Errorf("%d languages", len(lists))
	}
	seen := map[string]bool{}
	for _, l := range lists {
		if len(l.Words) < 300 || seen[l.Language] || l.Language == "" || !slices.IsSorted(l.Words) || len(slices.Compact(slices.Clone(l.Words))) != len(l.Words) {
			t.Errorf("%q has %d words", l.Language, len(l.Words))
		}
		seen[l.Language] = true
		for _, w := range l.Words {
			if !norm.NFC.IsNormalString(w) || strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
				t.Errorf("%s: %q", l.Language, w)
			}
		}
	}
}

// TestMildWords wants each word once, no harsh one, and all others at their places.
func TestMildWords(t *testing.T) {
	mild, all := MildWords(), LetterWords()
	if mild.Len() != all.Len() {
		t.Fatalf("%d words, want %d", mild.Len(), all.Len())
	}
	seen, changed := make(map[string]bool, mild.Len()), 0
	for i := range mild.Len() {
		w := mild.At(i)
		if seen[w] || slices.Contains(harsh, w) || w == "" || strings.Trim(w, Lower) != "" {
			t.Errorf("word %d is %q", i, w)
		}
		seen[w] = true
		if w != all.At(i) {
			changed++
			if !slices.Contains(harsh, all.At(i)) {
				t.Errorf("%q was changed", all.At(i))
			}
		}
	}
	if changed < 100 {
		t.Errorf("only %d words were changed", changed)
	}
}

// TestWordListsStay holds the words and their order, which are part of items: two items with one
// id are the same. A word that moves changes items of every task that draws words.
func TestWordListsStay(t *testing.T) {
	for want, list := range map[string]*wordList{
		"2390d3c6be65b7909b44f1205045898a8aacce7329ced2b569067a985deed96c": Words(),
		"355458fc19e1006f8f8ccf77b377927720313bbf0b5411501973f5333de9216e": LetterWords(),
		"e74f1066d91a6adec19dc96a61811e024fb3b1c00b3195749f7d1f712657f6cf": MildWords(),
	} {
		sum := sha256.New()
		for i := range list.Len() {
			if i > 0 {
				sum.Write([]byte("\n"))
			}
			sum.Write([]byte(list.At(i)))
		}
		if got := fmt.Sprintf("%x", sum.Sum(nil)); got != want {
			t.Errorf("the list of %d words that begins with %q has the checksum %s, want %s", list.Len(), list.At(0), got, want)
		}
	}
}

// TestDrawWord wants every word of a list to be drawn.
func TestDrawWord(t *testing.T) {
	list := &wordList{[]byte("a\nbc\nd"), []uint32{0, 2, 5}}
	drawn := map[string]int{}
	r := Rand("test", 1, "", 1, 0)
	for range 100 {
		drawn[list.Draw(r)]++
	}
	if drawn["a"] == 0 || drawn["bc"] == 0 || drawn["d"] == 0 || len(drawn) != 3 {
		t.Errorf("%v", drawn)
	}
}
