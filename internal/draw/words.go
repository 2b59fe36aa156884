package draw

import (
	_ "embed"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// compressed holds the 147,306 lemmas of WordNet 3.0, one a line in byte order.
// Their licence is in WORDNET-LICENSE next to the file; dev/wordlist makes the file.
//
//go:generate go run -C ../../dev ./wordlist -dict /usr/share/wordnet -o ../internal/draw/words.zst
//go:embed words.zst
var compressed []byte

// unpackedSize is the number of bytes of the list when it is unpacked.
const unpackedSize = 1_839_597

// License returns the licences of the word list and of the names. They must be part of all copies, so
// they are embedded together with the words.
func License() string { return license + "\n" + cldrLicense }

//go:embed WORDNET-LICENSE
var license string

// Words returns the 146,015 lemmas of WordNet 3.0 without an apostrophe, in byte
// order: lower-case ASCII, with "_" between the words of a phrase. The first
// call unpacks the list.
func Words() *wordList { return lists().words }

// LetterWords returns the 77,503 lemmas that consist of letters only.
func LetterWords() *wordList { return lists().letters }

type wordLists struct{ words, letters *wordList }

// lists unpacks the list when it is first needed. Commands that draw no words need no time for it.
var lists = sync.OnceValue(unpack)

// inflate unpacks an embedded list of at most size bytes.
func inflate(compressed []byte, size int) []byte {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic("word list: " + err.Error())
	}
	defer d.Close()
	text, err := d.DecodeAll(compressed, make([]byte, 0, size))
	if err != nil {
		panic("word list: " + err.Error())
	}
	return text
}

func unpack() wordLists {
	text := inflate(compressed, unpackedSize)
	words, letters := make([]uint32, 0, 146_015), make([]uint32, 0, 77_503)
	start, apostrophe, onlyLetters := 0, false, true
	for i, c := range text {
		switch {
		case c >= 'a' && c <= 'z':
		case c == '\'':
			apostrophe = true
		case c != '\n':
			onlyLetters = false
		default:
			if !apostrophe {
				words = append(words, uint32(start))
				if onlyLetters {
					letters = append(letters, uint32(start))
				}
			}
			start, apostrophe, onlyLetters = i+1, false, true
		}
	}
	return wordLists{&wordList{text, words}, &wordList{text, letters}}
}
