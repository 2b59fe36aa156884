package task

import (
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// copyIDs asks for identifiers of programs, in which a wrong digit is not noticed. The fact "kind" is
// their form.
func copyIDs() verbatim.Family {
	return verbatim.Family{
		Name: "copy-ids", Version: 1, Doc: "copy lines of identifiers: UUIDs, hashes, base64, ULIDs",
		About: "The fact kind is uuid, hex, base64 or ulid. Agents, joins and refunds rest on such lines, where one wrong digit goes unnoticed.",
		Unit:  "identifiers", Min: 1, Max: 2000, DefaultLengths: []int{2, 4, 8, 16, 32},
		Wordings: copyIDsWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			kind := identifierKinds[r.IntN(len(identifierKinds))]
			text := strings.Join(draw.Distinct(n, func() string { return kind.draw(r) }), "\n")
			it := newItem("copy-ids", k, n, copyIDsWordings()[0], verbatim.Inputs{"lines": text}, verbatim.TextAnswer(text), verbatim.TextAnswer(text))
			it.Facts["kind"] = kind.name
			return it, nil
		},
	}
}

// An identifierKind is a form of identifiers.
type identifierKind struct {
	name string
	draw func(r *rand.Rand) string
}

var identifierKinds = []identifierKind{
	{"uuid", uuid},
	{"hex", func(r *rand.Rand) string { return hex.EncodeToString(randomBytes(r, 20)) }},
	{"base64", func(r *rand.Rand) string { return base64.StdEncoding.EncodeToString(randomBytes(r, 24)) }},
	{"ulid", func(r *rand.Rand) string { return "01" + draw.String(r, crockford, 24) }},
}

// crockford is the alphabet of ULIDs (https://github.com/ulid/spec): without I, L, O and U.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// uuid draws a random UUID: version 4, variant 1 (RFC 9562).
func uuid(r *rand.Rand) string {
	b := randomBytes(r, 16)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	s := hex.EncodeToString(b)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
	return b
}

func copyIDsWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: "Copy the following identifiers exactly, one on each line, in the same order. Only output the identifiers, without numbering, quotes or any other text.\n\n{lines}"},
		{Text: "Write these identifiers again, character by character, each on a line of its own. Your answer must hold the identifiers alone: no comment, no bullets, no code block.\n\n{lines}"},
		{Text: "Here are identifiers, one on each line:\n\n{lines}\n\nRepeat all of them unchanged and in this order. Answer with the lines only."},
		{Text: "What are the identifiers below? Give each of them back letter for letter, a line each, and add nothing.\n\n{lines}"},
	}
}
