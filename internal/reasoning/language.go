package reasoning

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// languages lists the languages of the Latin script that can be recognised, with their most
// frequent words. A word of two languages counts for both.
func languages() []PhraseList {
	return []PhraseList{
		{"English", strings.Fields("the of and to is in that it for as with this be are on not have from or which we i my you so if then should need first next now by at an was but can will")},
		{"German", strings.Fields("der die das und ist nicht ich ein eine einen zu mit den dem von wir auf für es sich auch werden wird aber als dann muss sind oder wie bei nach zuerst jetzt noch so")},
		{"French", strings.Fields("le la les des est et que qui dans pour une un pas je nous ce cette sur avec au aux sont mais ou donc plus il elle du en maintenant d'abord")},
		{"Spanish", strings.Fields("el la los las es y que en de por para una un se con del al lo como más pero yo son está primero ahora este esta")},
		{"Italian", strings.Fields("il lo la gli le è e che di per una un non con del della sono come ma più questo questa ho da prima adesso ora")},
		{"Portuguese", strings.Fields("os é que em de por para uma um não se com da dos das como mais mas eu são está primeiro agora você isso também")},
		{"Dutch", strings.Fields("de het een en is niet ik van te dat die in op voor met zijn wordt maar als dan we moet nu eerst ook aan er")},
	}
}

// A script stands for one language, or for all that are written in it.
type script struct {
	language string
	tables   []*unicode.RangeTable
}

// scripts lists the scripts that stand for languages. Japanese uses the first two.
func scripts() []script {
	return []script{
		{"Japanese", []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}},
		{"Chinese", []*unicode.RangeTable{unicode.Han}},
		{"Korean", []*unicode.RangeTable{unicode.Hangul}},
		{"Cyrillic", []*unicode.RangeTable{unicode.Cyrillic}},
		{"Arabic", []*unicode.RangeTable{unicode.Arabic}},
		{"Devanagari", []*unicode.RangeTable{unicode.Devanagari}},
		{"Greek", []*unicode.RangeTable{unicode.Greek}},
		{"Hebrew", []*unicode.RangeTable{unicode.Hebrew}},
		{"Thai", []*unicode.RangeTable{unicode.Thai}},
	}
}

// The least evidence for a language.
const (
	leastWords   = 3 // frequent words of a language, and twice as many as of any other
	leastLetters = 6 // letters of a script, and most of the letters
)

// firstOther is the first letter behind those of the Latin script: Greek begins there.
const firstOther = 0x370

// A languageFinder finds the language of sentences.
type languageFinder struct {
	names   []string         // of the languages of the Latin script
	words   map[string][]int // by frequent word, the indices of its languages in names
	scripts []script
}

// languageFinders returns the finder that all texts share. It does not change.
var languageFinders = sync.OnceValue(newLanguageFinder)

func newLanguageFinder() *languageFinder {
	f := &languageFinder{words: map[string][]int{}, scripts: scripts()}
	for i, l := range languages() {
		f.names = append(f.names, l.Name)
		for _, w := range l.List {
			f.words[w] = append(f.words[w], i)
		}
	}
	return f
}

// language returns the language of a sentence; "" if it is unknown, as of short sentences and
// lists of items.
func (f *languageFinder) language(words []string) string {
	if language := f.ofScript(words); language != "" {
		return language
	}
	counts := make([]int, len(f.names))
	for _, w := range words {
		for _, i := range f.words[w] {
			counts[i]++
		}
	}
	most := slices.Max(counts)
	if most < leastWords {
		return ""
	}
	best := slices.Index(counts, most)
	for i, n := range counts {
		if i != best && n*2 > most {
			return ""
		}
	}
	return f.names[best]
}

// ofScript returns the language of the script of most letters; "" for the Latin script.
func (f *languageFinder) ofScript(words []string) string {
	all, counts := 0, make([]int, len(f.scripts))
	for _, w := range words {
		for _, r := range w {
			all++
			if r < firstOther {
				continue
			}
			if i := slices.IndexFunc(f.scripts, func(s script) bool { return unicode.In(r, s.tables...) }); i >= 0 {
				counts[i]++
			}
		}
	}
	if kana, han := counts[0], counts[1]; kana*5 > han { // Japanese uses both
		counts[0], counts[1] = kana+han, 0
	}
	for i, n := range counts {
		if n >= leastLetters && n*2 > all {
			return f.scripts[i].language
		}
	}
	return ""
}
