package draw

import (
	_ "embed"
	"strings"
	"sync"
)

// compressedNames holds names of countries and languages in 45 languages, from CLDR 32: a line has the
// name of a language in English, a tab, and its words in the order of their code points. The licence is
// in CLDR-LICENSE next to the file; dev/namelist makes the file.
//
//go:generate go run -C ../../dev ./namelist -o ../internal/draw/names.zst
//go:embed names.zst
var compressedNames []byte

//go:embed CLDR-LICENSE
var cldrLicense string

// A NameList has names of countries and languages in one language. Each is one word of letters, in
// NFC.
type NameList struct {
	Language string
	Words    []string // in the order of their code points
}

// Names returns the lists. The caller must not change them.
var Names = sync.OnceValue(func() []NameList {
	var lists []NameList
	for line := range strings.Lines(string(inflate(compressedNames, 1<<18))) {
		language, words, _ := strings.Cut(line, "\t")
		lists = append(lists, NameList{language, strings.Fields(words)})
	}
	return lists
})
