package task

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// copyJSON asks for an object with what encoders change: the order of keys, escapes, 1.0 next to 1,
// keys that differ in the case of a letter, and empty values.
func copyJSON() verbatim.Family {
	return verbatim.Family{
		Name: "copy-json", Version: 1, Doc: "copy a JSON object: its escapes, numbers and the order of its keys",
		About: "The length counts values that are no objects or arrays. What encoders change is in it: the order of keys, escapes, 1.0 next to 1, keys in two cases. json_form is the same value written otherwise; the other labels begin with json_ too and name the place.",
		Unit:  "values", Min: 1, Max: 20_000, DefaultLengths: []int{4, 8, 16, 32, 64},
		Wordings: copyJSONWordings(),
		Call:     verbatim.Wording{Text: "Call the tool once, with exactly the following JSON object as its arguments: the same keys in the same order, the same values, numbers written as they are.\n\n{object}"},
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			w := jsonWriter{r: r, left: n}
			w.object(0)
			text := w.String()
			it := newItem("copy-json", k, n, copyJSONWordings()[0], verbatim.Inputs{"object": text}, verbatim.TextAnswer(text), verbatim.TextAnswer(text))
			it.Grader = "json"
			return it, nil
		},
	}
}

// A jsonWriter writes an object with a given number of scalar values.
type jsonWriter struct {
	strings.Builder
	r    *rand.Rand
	left int // scalar values that are not written yet
}

// deepest bounds the depth of nested objects and arrays.
const deepest = 4

// object writes an object. The outermost one takes all values that are left.
func (w *jsonWriter) object(depth int) {
	w.WriteByte('{')
	var keys []string
	for i := 0; w.left > 0 && (depth == 0 || i == 0 || w.r.IntN(3) > 0); i++ {
		if i > 0 {
			w.WriteString(", ")
		}
		key := w.key(keys)
		keys = append(keys, key)
		w.WriteString(strconv.Quote(key) + ": ")
		w.value(depth)
	}
	w.WriteByte('}')
}

// array writes an array.
func (w *jsonWriter) array(depth int) {
	w.WriteByte('[')
	for i := 0; w.left > 0 && (i == 0 || w.r.IntN(3) > 0); i++ {
		if i > 0 {
			w.WriteString(", ")
		}
		w.value(depth)
	}
	w.WriteByte(']')
}

// value writes a scalar value, an object or an array.
func (w *jsonWriter) value(depth int) {
	if depth < deepest && w.left > 2 {
		switch w.r.IntN(6) {
		case 0:
			w.object(depth + 1)
			return
		case 1:
			w.array(depth + 1)
			return
		}
	}
	w.left--
	w.WriteString(w.scalar())
}

// key draws a key that the object does not have. The second key may be the first in capitals.
func (w *jsonWriter) key(used []string) string {
	words := draw.MildWords()
	for {
		key := words.Draw(w.r)
		if len(key) > 10 {
			continue
		}
		switch w.r.IntN(4) {
		case 0:
			key = strings.ToUpper(key[:1]) + key[1:]
		case 1:
			key += "_" + draw.String(w.r, draw.Digits, 1)
		}
		if len(used) == 1 && w.r.IntN(3) == 0 {
			key = strings.ToUpper(used[0])
		}
		if !slices.Contains(used, key) {
			return key
		}
	}
}

// scalar draws the text of a scalar value.
func (w *jsonWriter) scalar() string {
	r := w.r
	switch r.IntN(8) {
	case 0:
		return strconv.Itoa(r.IntN(1000)) + ".0"
	case 1:
		return strconv.Itoa(r.IntN(2_000_001) - 1_000_000)
	case 2:
		return strconv.Itoa(r.IntN(10)) + "." + draw.String(r, draw.Digits, 1+r.IntN(5)) + []string{"", "e-3", "E+5", "0"}[r.IntN(4)]
	case 3:
		return []string{"true", "false", "null", `""`, "{}", "[]"}[r.IntN(6)]
	case 4:
		return `"` + draw.String(r, draw.Digits, 1+r.IntN(5)) + `"` // digits that are a string
	}
	parts := []string{`\n`, `\t`, `\"`, `\\`, `\/`, `\u00e9`, `\u2028`, "é", "漢", " ", "'", "<b>", "&", `\ud83d\ude42`, "🙂"}
	text := draw.String(r, draw.Letters, 1+r.IntN(6))
	for range r.IntN(4) {
		text += parts[r.IntN(len(parts))] + draw.String(r, draw.Alphanumeric, r.IntN(4))
	}
	return `"` + text + `"`
}

func copyJSONWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: "Repeat the following JSON object exactly as it is written: the order of its keys, its escapes, its numbers and its white space. Only output the object, without a code block and without any other text.\n\n{object}"},
		{Text: "Copy this JSON text character by character. Your answer must be the JSON text alone: do not reformat it, do not resolve escapes, do not change the form of a number.\n\n{object}"},
		{Text: "Here is a JSON object:\n\n{object}\n\nWrite it once more, byte for byte. Answer with the object only, without a code block."},
		{Text: "What is the JSON below? Give it back exactly as it stands, on one line, and add nothing.\n\n{object}"},
	}
}
