package damage

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// A jsonSpoiler spoils a JSON text into one label.
type jsonSpoiler struct {
	label  string
	weight float64 // as Spoiler.Weight
	spoil  func(r *rand.Rand, want string) (string, bool)
}

// jsonFailures are the spoilers of JSON values, except those of mistakes that an item foresees.
func jsonFailures() []jsonSpoiler {
	return []jsonSpoiler{
		{"reasoning_leak", 0.5, func(_ *rand.Rand, want string) (string, bool) {
			return leaked("I copy it.", want), true
		}},
		{"empty", 0.5, func(*rand.Rand, string) (string, bool) { return "", true }},
		{"quoted", 0, func(_ *rand.Rand, want string) (string, bool) { return "`" + want + "`", true }},
		{"fenced", 0, func(_ *rand.Rand, want string) (string, bool) { return "```json\n" + want + "\n```", true }},
		{"explained", 0, func(r *rand.Rand, want string) (string, bool) {
			return pick(r, "Here is the JSON:\n\n", "The copy: ") + want, strings.HasPrefix(want, "{") || strings.HasPrefix(want, "[")
		}},
		{"json_form", 12, otherForm},
		{"refusal", 0, func(r *rand.Rand, _ string) (string, bool) {
			return pick(r, "I'm sorry, but I can't help with that.", "I am unable to copy this object."), true
		}},
		{"json_invalid", 20, func(r *rand.Rand, want string) (string, bool) {
			return strings.TrimRight(want[:len(want)/2+r.IntN(max(1, len(want)/2))], "}] \n"), len(want) > 4 && strings.ContainsAny(want[:1], "{[")
		}},
		{"json_key", 15, changedJSONKey},
		{"json_type", 8, changedJSONType},
		{"json_value", 35, changedJSONValue},
		{"code", 0, func(*rand.Rand, string) (string, bool) {
			return "```python\nimport json\nprint(json.dumps(x))\n```", true
		}},
		{"talk", 0.5, func(*rand.Rand, string) (string, bool) { return "The object is copied.", true }},
	}
}

// jsonSpoilers returns the spoilers of the JSON grader.
func jsonSpoilers() []Spoiler {
	var out []Spoiler
	add := func(label string, weight float64, spoil func(r *rand.Rand, it *verbatim.Item) (string, bool)) {
		out = append(out, Spoiler{label, "json", weight, func(r *rand.Rand, it *verbatim.Item) (string, bool) {
			reply, ok := spoil(r, it)
			return reply, ok && pylit.Strip(reply) != Right(it) && !isOther(it, label, reply)
		}})
	}
	for _, w := range jsonFailures() {
		add(w.label, w.weight, func(r *rand.Rand, it *verbatim.Item) (string, bool) { return w.spoil(r, Right(it)) })
		if w.label == "json_form" {
			for _, label := range foreseenLabels {
				add(label, 0, func(r *rand.Rand, it *verbatim.Item) (string, bool) { return labelled(r, it.Mistakes, label) })
			}
		}
	}
	return out
}

// otherForm writes the same value with other white space.
func otherForm(r *rand.Rand, want string) (string, bool) {
	var b bytes.Buffer
	var err error
	if r.IntN(2) == 0 {
		err = json.Compact(&b, []byte(want))
	} else {
		err = json.Indent(&b, []byte(want), "", pick(r, "  ", "   ", "\t"))
	}
	return b.String(), err == nil && b.String() != want
}

var (
	jsonKey    = regexp.MustCompile(`"[A-Za-z_]\w*"\s*:`)
	jsonNumber = regexp.MustCompile(`:\s*-?[1-9][0-9]*\b`)
	jsonText   = regexp.MustCompile(`:\s*"[A-Za-z0-9]{2,}"`)
)

// at draws one of the matches of a pattern, and returns its ends; ok is false without a match.
func at(r *rand.Rand, pattern *regexp.Regexp, s string) (start, end int, ok bool) {
	all := pattern.FindAllStringIndex(s, -1)
	if len(all) == 0 {
		return 0, 0, false
	}
	one := all[r.IntN(len(all))]
	return one[0], one[1], true
}

// changedJSONKey puts zz_ at the front of a key.
func changedJSONKey(r *rand.Rand, want string) (string, bool) {
	start, _, ok := at(r, jsonKey, want)
	if !ok {
		return "", false
	}
	return want[:start+1] + "zz_" + want[start+1:], !strings.Contains(want, `"zz_`)
}

// changedJSONType puts a number into quotation marks.
func changedJSONType(r *rand.Rand, want string) (string, bool) {
	start, end, ok := at(r, jsonNumber, want)
	if !ok || end < len(want) && strings.IndexByte(".eE", want[end]) >= 0 {
		return "", false
	}
	digits := strings.TrimLeft(want[start:end], ": \t\n")
	return want[:end-len(digits)] + strconv.Quote(digits) + want[end:], true
}

// changedJSONValue changes the first character of a string, or the last digit of a number.
func changedJSONValue(r *rand.Rand, want string) (string, bool) {
	if start, end, ok := at(r, jsonText, want); ok {
		i := start + strings.IndexByte(want[start:end], '"') + 1
		c := letters[r.IntN(26)]
		return want[:i] + string(c) + want[i+1:], want[i] != c
	}
	_, end, ok := at(r, jsonNumber, want)
	if !ok {
		return "", false
	}
	return want[:end-1] + string('0'+(want[end-1]-'0'+1)%10) + want[end:], true
}
