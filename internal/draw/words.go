package draw

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// compressed holds the 147,306 lemmas of WordNet 3.0, one a line in byte order.
// Their licence is in WORDNET-LICENSE next to the file; internal/cmd/wordlist makes the file.
//
//go:generate go run ../cmd/wordlist -dict /usr/share/wordnet -o words.zst
//go:embed words.zst
var compressed []byte

// License returns the licence of the word list. It asks to appear on all copies:
// being embedded, it goes wherever the words go.
func License() string { return license }

//go:embed WORDNET-LICENSE
var license string

// Words returns the 146,015 lemmas of WordNet 3.0 without an apostrophe, in byte
// order: lower-case ASCII, with "_" between the words of a phrase. The first
// call unpacks the list. The caller must not change it.
func Words() []string { return lists().words }

// LetterWords returns the 77,503 lemmas that consist of letters only.
func LetterWords() []string { return lists().letters }

type wordLists struct{ words, letters []string }

// lists unpacks the list when it is first needed, so that commands that draw no
// words pay nothing for it.
var lists = sync.OnceValue(unpack)

func unpack() (l wordLists) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic("word list: " + err.Error())
	}
	defer d.Close()
	text, err := d.DecodeAll(compressed, nil)
	if err != nil {
		panic("word list: " + err.Error())
	}
	l.words = make([]string, 0, 146_015)
	l.letters = make([]string, 0, 77_503)
	for w := range strings.Lines(string(text)) {
		w = strings.TrimSuffix(w, "\n")
		if strings.Contains(w, "'") {
			continue
		}
		l.words = append(l.words, w)
		if onlyLetters(w) {
			l.letters = append(l.letters, w)
		}
	}
	return l
}

// onlyLetters reports whether w consists of lower-case letters.
func onlyLetters(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}
