package task

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// mostTwins is the largest number of identifiers that look like the right one.
const mostTwins = 8

// pickTwin asks for an identifier among others, some of which differ from it in one character. The fact
// "twins" is the number of these, and "depth" the position of the right one, in tenths of the text.
func pickTwin() verbatim.Family {
	return verbatim.Family{
		Name: "pick-twin", Version: 1, Doc: "find an identifier among others that differ in one character",
		About: "The length counts the text around the identifier. Up to eight others differ from it in a character or two. The fact twins is their number. The fact depth is how far behind the start the identifier is, in tenths of the text. A model that takes one of them gets twin_taken.",
		Unit:  "characters", Min: 200, Max: 1_000_000, DefaultLengths: []int{1000, 4000, 16_000, 64_000},
		Wordings: pickTwinWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			lines := twinLines(r, n)
			at := r.IntN(len(lines))
			var text strings.Builder
			for i := range lines {
				if i > 0 {
					text.WriteByte('\n')
				}
				text.WriteString(lines[i].name + ": " + lines[i].id)
			}
			want := lines[at]
			it := newItem("pick-twin", k, n, pickTwinWordings()[0], verbatim.Inputs{"lines": text.String() + "\n\nThe name: " + want.name}, verbatim.TextAnswer(want.id),
				verbatim.ListAnswer([]any{want.name}))
			for i, line := range lines {
				if i != at && line.twin == want.twin {
					foresee(&it, "twin_taken", line.name, verbatim.TextAnswer(line.id))
				}
			}
			it.Facts["twins"] = strconv.Itoa(len(it.Mistakes))
			it.Facts["depth"] = strconv.Itoa(10 * at / len(lines))
			return it, nil
		},
	}
}

// A twinLine is a record with a name and an identifier. Records of one twin number have
// identifiers that differ in one character.
type twinLine struct {
	name, id string
	twin     int
}

// twinLines draws records whose lines have at most n characters together, and no room for another
// line. There are at least three.
func twinLines(r *rand.Rand, n int) []twinLine {
	const idLength = 20
	var lines []twinLine
	names, ids := map[string]bool{}, map[string]bool{}
	for size, twin := 0, 0; ; twin++ {
		first := draw.String(r, draw.Alphanumeric, idLength)
		for i := 0; i <= mostTwins; i++ {
			id := first
			if i > 0 {
				at := r.IntN(idLength)
				id = first[:at] + draw.String(r, draw.Alphanumeric, 1) + first[at+1:]
			}
			name := madeUpName(r) + "-" + draw.String(r, draw.Digits, 3)
			if names[name] || ids[id] {
				continue
			}
			if size += len(name) + len(": \n") + len(id); size > n && len(lines) >= 3 {
				r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
				return lines
			}
			names[name], ids[id] = true, true
			lines = append(lines, twinLine{name, id, twin})
		}
	}
}

// madeUpName draws a name of two or three syllables.
func madeUpName(r *rand.Rand) string {
	name := ""
	for range 2 + r.IntN(2) {
		name += draw.String(r, "bdfgklmnprstvz", 1) + draw.String(r, "aeiou", 1) + draw.String(r, "lmnrs", r.IntN(2))
	}
	return name
}

func pickTwinWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: "Each line below holds a name and its identifier. Output the identifier of the name that stands after the lines. Only output the identifier, without the name and without any other text.\n\n{lines}"},
		{Text: "Below are names with identifiers, a line each. One of the names is given again at the end: write its identifier exactly as it stands there, and nothing else.\n\n{lines}"},
		{Text: "Look up a name in these lines, each of which is \"name: identifier\".\n\n{lines}\n\nAnswer with the identifier of that name only."},
		{Text: "Which identifier belongs to the name at the end of this list? Copy it character by character and add nothing.\n\n{lines}"},
	}
}
