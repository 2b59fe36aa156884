package draw

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

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
