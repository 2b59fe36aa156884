package task

import (
	"slices"
	"sync"

	"verbatim"
	"verbatim/internal/draw"
)

// Families lists every family, in the order in which they are shown. The caller may change the list,
// but not the lists inside a family.
func Families() []verbatim.Family { return slices.Clone(families()) }

// families makes the list once: it is searched for each item of a run. A new family is one file like
// reverse.go and one line here, or in the list of its package.
var families = sync.OnceValue(func() []verbatim.Family {
	return slices.Concat([]verbatim.Family{
		copying(),
		reversal(),
		addition(),
	}, exactFamilies(), sortFamilies(), hardFamilies())
})

// sortFamilies returns the families of SortBench. Aliases are the paper's spellings that differ from
// those of the published files.
func sortFamilies() []verbatim.Family {
	tasks := []sortTask{
		{name: "sort-int", task: "Int-0:1000", mode: "basic", doc: "integers of 0 to 1,000", lists: ints{0, 1000, 0, 999}},
		{name: "sort-float", task: "Float-0:1000", mode: "basic", doc: "floats of 0 to 1,000", lists: floats{0, 1000, 0, 1000}},
		{name: "sort-word", task: "English", mode: "basic", doc: "English words", lists: words{}},
		{name: "sort-int-large", task: "Integers-10000000:10001000", mode: "advanced", doc: "integers that differ in their last digits", lists: ints{10_000_000, 10_001_000, 10_000_000, 10_000_999}, aliases: []string{"Int-10000000:10001000"}},
		{name: "sort-float-large", task: "Float-10000000:10001000", mode: "advanced", doc: "large floats that lie close together", lists: floats{10_000_000, 10_001_000, 10_000_000, 10_001_000}},
		{name: "sort-float-small", task: "Float-0:0.0001", mode: "advanced", doc: "floats below 0.0001, with exponents", lists: floats{0, 0.0001, 0, 0.0001}},
		{name: "sort-int-negative", task: "Int-n1000:1000", mode: "advanced", doc: "integers of both signs", lists: ints{-1000, 1000, -10000, 999}},
		{name: "sort-float-negative", task: "Float-n1000-1000", mode: "advanced", doc: "floats of both signs", lists: floats{-1000, 1000, -10000, 1000}},
		{name: "sort-ascii", task: "ASCII-Lower", mode: "advanced", doc: "strings of five lower-case letters", lists: letters(draw.Lower), aliases: []string{"ascii"}},
		{name: "sort-ascii-cased", task: "ASCII-Cased", mode: "advanced", doc: "strings of five letters of both cases", lists: letters(draw.Letters), aliases: []string{"AsCiI"}},
		{name: "sort-word-prefixed", task: "PrfxEnglish", mode: "advanced", doc: "words that begin with the same three letters", lists: prefixed{}},
		{name: "sort-number-words", task: "NumberWords", mode: "advanced", doc: "numbers written as words, alphabetically", lists: numberWords{}},
		{name: "sort-int-sorted", task: "Int-Sorted", mode: "debug", doc: "integers that are sorted already", lists: sorted{ints{0, 1000, 0, 999}}},
		{name: "sort-float-sorted", task: "Float-Sorted", mode: "debug", doc: "floats that are sorted already", lists: sorted{floats{0, 1000, 0, 1000}}},
		{name: "sort-word-sorted", task: "English-Sorted", mode: "debug", doc: "words that are sorted already", lists: sorted{words{}}},
		{name: "sort-int-duplicate", task: "Int-Duplicate", mode: "debug", doc: "integers, each of them twice", lists: doubled{ints{0, 1000, 0, 999}}},
		{name: "sort-float-duplicate", task: "Float-Duplicate", mode: "debug", doc: "floats, each of them twice", lists: doubled{floats{0, 1000, 0, 1000}}},
		{name: "sort-word-duplicate", task: "English-Duplicate", mode: "debug", doc: "words, each of them twice", lists: doubled{words{}}},
	}
	families := make([]verbatim.Family, len(tasks))
	for i, t := range tasks {
		families[i] = t.family()
	}
	return families
}

// exactFamilies lists the families in the order in which they are shown.
func exactFamilies() []verbatim.Family {
	return []verbatim.Family{
		copyIDs(),
		pickTwin(),
		copyLong(),
		copyCode(),
		copyJSON(),
		copyUnicode(),
		copyRepeat(),
		emitN(),
		editApply(),
		setOps(),
		stableSort(),
		charOps(),
		root(),
	}
}

// hardMode is the mode of these tasks in the names of SortBench's files.
const hardMode = "hard"

// hardFamilies lists the families in the order of the paper.
func hardFamilies() []verbatim.Family {
	return []verbatim.Family{
		direction(),
		notations(),
		alphabet(),
		realNames(),
		sentence(),
		scripts(),
		known(),
		defined(),
		columns(),
		mixed(),
		pictureSize(),
		pictureReference(),
		textLength(),
		distance(),
		graph(),
	}
}
