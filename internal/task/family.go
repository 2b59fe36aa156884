package task

import (
	"verbatim"
	"verbatim/internal/draw"
)

// Families lists every family, in the order in which they are shown.
func Families() []verbatim.Family {
	return []verbatim.Family{
		copying(),
		reversal(),
		addition(),
		sorting(ints{0, 1000, 0, 999}, "sort-int", "Int-0:1000", "basic", "integers of 0 to 1,000"),
		sorting(floats{0, 1000, 0, 1000}, "sort-float", "Float-0:1000", "basic", "floats of 0 to 1,000"),
		sorting(words{}, "sort-word", "English", "basic", "English words"),
		sorting(ints{10_000_000, 10_001_000, 10_000_000, 10_000_999}, "sort-int-large", "Integers-10000000:10001000", "advanced", "integers that differ in their last digits"),
		sorting(floats{10_000_000, 10_001_000, 10_000_000, 10_001_000}, "sort-float-large", "Float-10000000:10001000", "advanced", "large floats that lie close together"),
		sorting(floats{0, 0.0001, 0, 0.0001}, "sort-float-small", "Float-0:0.0001", "advanced", "floats below 0.0001, with exponents"),
		sorting(ints{-1000, 1000, -10000, 999}, "sort-int-negative", "Int-n1000:1000", "advanced", "integers of both signs"),
		sorting(floats{-1000, 1000, -10000, 1000}, "sort-float-negative", "Float-n1000-1000", "advanced", "floats of both signs"),
		sorting(letters(draw.Lower), "sort-ascii", "ASCII-Lower", "advanced", "strings of five lower-case letters"),
		sorting(letters(draw.Letters), "sort-ascii-cased", "ASCII-Cased", "advanced", "strings of five letters of both cases"),
		sorting(prefixed{}, "sort-word-prefixed", "PrfxEnglish", "advanced", "words that begin with the same three letters"),
		sorting(numberWords{}, "sort-number-words", "NumberWords", "advanced", "numbers written as words, alphabetically"),
		sorting(sorted{ints{0, 1000, 0, 999}}, "sort-int-sorted", "Int-Sorted", "debug", "integers that are sorted already"),
		sorting(sorted{floats{0, 1000, 0, 1000}}, "sort-float-sorted", "Float-Sorted", "debug", "floats that are sorted already"),
		sorting(sorted{words{}}, "sort-word-sorted", "English-Sorted", "debug", "words that are sorted already"),
		sorting(doubled{ints{0, 1000, 0, 999}}, "sort-int-duplicate", "Int-Duplicate", "debug", "integers, each of them twice"),
		sorting(doubled{floats{0, 1000, 0, 1000}}, "sort-float-duplicate", "Float-Duplicate", "debug", "floats, each of them twice"),
		sorting(doubled{words{}}, "sort-word-duplicate", "English-Duplicate", "debug", "words, each of them twice"),
	}
}
