package draw

import (
	"bytes"
	"iter"
	"math/rand/v2"
	"sort"
)

// A wordList is a list of words in one text, a word a line. To make a slice of strings, with a pointer
// for each word, takes longer than to draw the items of a run.
type wordList struct {
	text   []byte
	starts []uint32 // the offsets of the words in the text
}

// Len returns the number of words.
func (l *wordList) Len() int { return len(l.starts) }

// At returns word i, counted from 0.
func (l *wordList) At(i int) string { return string(l.at(i)) }

func (l *wordList) at(i int) []byte {
	word, _, _ := bytes.Cut(l.text[l.starts[i]:], []byte("\n"))
	return word
}

// Draw draws one of the words.
func (l *wordList) Draw(r *rand.Rand) string { return l.At(r.IntN(l.Len())) }

// All returns the words in their order.
func (l *wordList) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range l.starts {
			if !yield(l.At(i)) {
				return
			}
		}
	}
}

// find returns the index of a word in a list in byte order, and whether the list has it.
func (l *wordList) find(word string) (int, bool) {
	return sort.Find(l.Len(), func(i int) int { return bytes.Compare([]byte(word), l.at(i)) })
}
