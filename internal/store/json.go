package store

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/rawjson"
)

// A jsonText writes JSON. encoding/json takes several times as long, for every reply that is
// saved, and replaces bytes that are not UTF-8 silently. Here they set invalid.
type jsonText struct {
	b       []byte
	invalid bool
	err     error // a value that has no JSON form
}

func (j *jsonText) raw(s string) { j.b = append(j.b, s...) }

// separate writes a comma before every element of a list but the first, whose index i is 0.
func (j *jsonText) separate(i int) {
	if i > 0 {
		j.raw(",")
	}
}

// quote writes s as a JSON string.
func (j *jsonText) quote(s string) {
	if !utf8.ValidString(s) {
		j.invalid = true
	}
	j.b = rawjson.AppendString(j.b, s)
}

// facts writes the facts in the order of their names.
func (j *jsonText) facts(facts map[string]string) {
	names := slices.AppendSeq(make([]string, 0, 8), maps.Keys(facts))
	slices.Sort(names)
	j.raw("{")
	for i, name := range names {
		j.separate(i)
		j.quote(name)
		j.raw(":")
		j.quote(facts[name])
	}
	j.raw("}")
}

// answer writes a string or an array. Items are identified by a hash of these bytes, so they must
// never change: that is why Answer.MarshalJSON is not used.
func (j *jsonText) answer(a verbatim.Answer) {
	if a.IsList() {
		j.value(a.List)
	} else {
		j.quote(a.Text)
	}
}

func (j *jsonText) value(v any) {
	switch v := v.(type) {
	case []any:
		j.raw("[")
		for i, x := range v {
			j.separate(i)
			j.value(x)
		}
		j.raw("]")
	case int64:
		j.b = strconv.AppendInt(j.b, v, 10)
	case *big.Int:
		j.b = v.Append(j.b, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			j.err = fmt.Errorf("%v has no JSON form", v)
		}
		from, style := len(j.b), byte('f')
		if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
			style = 'e'
		}
		j.b = strconv.AppendFloat(j.b, v, style, -1, 64)
		if !bytes.ContainsAny(j.b[from:], ".e") {
			j.raw(".0") // a float stays one
		}
	case string:
		j.quote(v)
	case bool:
		j.b = strconv.AppendBool(j.b, v)
	case nil:
		j.raw("null")
	default:
		j.err = fmt.Errorf("a list cannot hold a %T", v)
	}
}

// others writes the other right answers and the foreseen mistakes of an item.
func (j *jsonText) others(it *verbatim.Item) {
	j.raw("{")
	if len(it.Accept) > 0 {
		j.raw(`"accept":[`)
		for i, a := range it.Accept {
			j.separate(i)
			j.answer(a)
		}
		j.raw("]")
	}
	if len(it.Mistakes) > 0 {
		j.separate(len(it.Accept))
		j.raw(`"mistakes":[`)
		for i, m := range it.Mistakes {
			j.separate(i)
			j.raw(`{"label":`)
			j.quote(m.Label)
			if m.Detail != "" {
				j.raw(`,"detail":`)
				j.quote(m.Detail)
			}
			j.raw(`,"answer":`)
			j.answer(m.Answer)
			j.raw("}")
		}
		j.raw("]")
	}
	j.raw("}")
}

// prompt writes a prompt as files of items have it, except that an image has the hash of its
// bytes. The bytes are appended to blobs.
func (j *jsonText) prompt(p verbatim.Prompt, blobs *[]blob) {
	j.raw("[")
	for i, m := range p {
		j.separate(i)
		j.raw(`{"role":`)
		j.quote(m.Role)
		j.raw(`,"content":`)
		if len(m.Content) == 1 && m.Content[0].Image == nil {
			j.quote(m.Content[0].Text)
		} else {
			j.raw("[")
			for i, part := range m.Content {
				j.separate(i)
				j.part(part, blobs)
			}
			j.raw("]")
		}
		j.raw("}")
	}
	j.raw("]")
}

func (j *jsonText) part(p verbatim.Part, blobs *[]blob) {
	if p.Image == nil {
		j.quote(p.Text)
		return
	}
	j.raw(`{"image":`)
	j.quote(p.Image.Path)
	if p.Image.Media != "" {
		j.raw(`,"media":`)
		j.quote(p.Image.Media)
	}
	if len(p.Image.Bytes) > 0 {
		b := newBlob(p.Image.Bytes)
		*blobs = append(*blobs, b)
		j.raw(`,"sha256":"`)
		j.b = hex.AppendEncode(j.b, b.Sha256[:])
		j.raw(`"`)
	}
	j.raw("}")
}

// The functions below read the most frequent forms of what jsonText writes without encoding/json,
// which makes a scan with texts twice as fast. They report false for any other form.

// plainPrompt reads a prompt of messages with one text each.
func plainPrompt(s string) (verbatim.Prompt, bool) {
	s, ok := strings.CutPrefix(s, "[")
	var p verbatim.Prompt
	for ok {
		var role, text string
		if s, ok = strings.CutPrefix(s, `{"role":`); ok {
			role, s, ok = rawjson.CutText(s)
		}
		if ok {
			s, ok = strings.CutPrefix(s, `,"content":`)
		}
		if ok {
			text, s, ok = rawjson.CutText(s)
		}
		if !ok {
			break
		}
		p = append(p, verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}})
		if s == "}]" {
			return p, true
		}
		s, ok = strings.CutPrefix(s, "},")
	}
	return nil, false
}

// plainText reads a JSON string that is all of s.
func plainText(s string) (string, bool) {
	text, rest, ok := rawjson.CutText(s)
	return text, ok && rest == ""
}
