package task

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// copyUnicode asks for text with characters that look like others or are invisible: several scripts,
// both forms of accents, joined emoji, dashes, spaces and direction marks.
func copyUnicode() verbatim.Family {
	return verbatim.Family{
		Name: "copy-unicode", Version: 1, Doc: "copy text of many scripts, with accents, joiners, dashes and marks",
		About: "Several scripts, both ways to write an accent, joined emoji, six dashes, five spaces, marks that cannot be seen. The comparison is by code points: unicode_norm is another form of the same text, whitespace one without its invisible characters.",
		Unit:  "characters", Min: 4, Max: 100_000, Few: 16, DefaultLengths: []int{8, 16, 32, 64, 128},
		Wordings: copyUnicodeWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			text := unicodeText(r, n)
			return newItem("copy-unicode", k, n, copyUnicodeWordings()[0], verbatim.Inputs{"text": text}, verbatim.TextAnswer(text), verbatim.TextAnswer(text)), nil
		},
	}
}

// unicodePieces are the pieces of the texts. Each is one or more code points that belong together.
var unicodePieces = [][]string{
	strings.Split("é ñ ü ç å ž", " "),
	{"e\u0301", "n\u0303", "u\u0308", "c\u0327", "a\u030a", "z\u030c"}, // the same, written as two code points
	strings.Split("д ж ы Λ ψ Ω ה ש ع ك क मि 한 글 ね 漢 字", " "),
	{"👩\u200d💻", "👨\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "👍🏽", "🇫🇮", "❤\ufe0f"},
	{"-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212"},
	{"a\u00a0b", "a\u2009b", "a\u202fb", "a\u3000b", "a b"},
	{"x\u200ey", "x\u200fy", "x\u200by", "x\u00ady", "x\u2060y"},
	strings.Split("‘ ’ “ ” „ « ' \"", " "),
	{"ﬁ", "①", "Ａ", "ß", "ı", "İ", "ſ", "K"},
}

// unicodeText draws n code points. It begins and ends with a letter, because white space at
// the ends of an answer does not count.
func unicodeText(r *rand.Rand, n int) string {
	letter := func() string { return string(rune('a' + r.IntN(26))) }
	var text strings.Builder
	text.WriteString(letter())
	size := 1
	for attempts := 0; size < n-1 && attempts < 20; {
		set := unicodePieces[r.IntN(len(unicodePieces))]
		piece := set[r.IntN(len(set))]
		if k := utf8.RuneCountInString(piece); size+k < n {
			text.WriteString(piece)
			size += k
			attempts = 0
		} else {
			attempts++
		}
	}
	for ; size < n; size++ {
		text.WriteString(letter())
	}
	return text.String()
}

func copyUnicodeWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: "Repeat the text between <<< and >>> exactly, code point by code point. Some of its characters are invisible or look like others. Only output the text, without the marks and without anything else.\n\n<<<{text}>>>"},
		{Text: "Copy what stands between <<< and >>> without changing, normalising or leaving out any character. Your answer must be that text alone.\n\n<<<{text}>>>"},
		{Text: "Here is a text between marks: <<<{text}>>> Write it once more, exactly as it is encoded. Answer with the text only, without the marks."},
		{Text: "Which characters are between the marks below? Give them back one by one, unchanged, and add nothing.\n\n<<<{text}>>>"},
	}
}
