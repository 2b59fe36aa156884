package verbatim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// An Answer is the right answer to an item, or what it was made from: a Text,
// or a List when List is not nil.
//
// The elements of List are int64, *big.Int (only beyond the range of int64),
// float64, string, bool, nil or []any of these: the values that Python prints as
// literals and JSON can carry without loss. In JSON an Answer is a string or an
// array; a number is a float64 when it is written with a point or an exponent,
// so 1.0 and 1 are different.
type Answer struct {
	Text string
	List []any
}

// TextAnswer returns the Answer that is the text s.
func TextAnswer(s string) Answer { return Answer{Text: s} }

// ListAnswer returns the Answer that is the list; a nil list is the empty list.
func ListAnswer(list []any) Answer {
	if list == nil {
		list = []any{}
	}
	return Answer{List: list}
}

// IsList reports whether the answer is a list.
func (a Answer) IsList() bool { return a.List != nil }

// MarshalJSON writes a string or an array.
func (a Answer) MarshalJSON() ([]byte, error) {
	if a.List == nil {
		return marshalText(a.Text)
	}
	return appendJSON(nil, a.List)
}

// UnmarshalJSON reads a string or an array.
func (a *Answer) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		*a = TextAnswer(v)
		return nil
	case []any:
		for i := range v {
			x, err := fromJSON(v[i])
			if err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
			v[i] = x
		}
		*a = ListAnswer(v)
		return nil
	}
	return fmt.Errorf("an answer must be a string or an array, got %s", data)
}

// marshalText writes s as JSON without escaping <, > and &, which keeps files readable.
func marshalText(s string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func appendJSON(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case []any:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			var err error
			if dst, err = appendJSON(dst, x); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case *big.Int:
		return v.Append(dst, 10), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%v cannot be written as JSON", v)
		}
		n := len(dst)
		dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
		if !bytes.ContainsAny(dst[n:], ".e") {
			dst = append(dst, ".0"...)
		}
		return dst, nil
	case string:
		b, err := marshalText(v)
		return append(dst, b...), err
	case bool:
		return strconv.AppendBool(dst, v), nil
	case nil:
		return append(dst, "null"...), nil
	}
	return nil, fmt.Errorf("a list cannot hold a %T", v)
}

func fromJSON(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		return number(v.String())
	case []any:
		for i := range v {
			x, err := fromJSON(v[i])
			if err != nil {
				return nil, err
			}
			v[i] = x
		}
		return v, nil
	case map[string]any:
		return nil, fmt.Errorf("a list cannot hold an object")
	}
	return v, nil
}

// mostDigits bounds whole numbers: the time to convert one grows faster than its digits.
const mostDigits = 100_000

func number(s string) (any, error) {
	if strings.ContainsAny(s, ".eE") {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is not a float64", s)
		}
		return f, nil
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, nil
	}
	if len(s) > mostDigits {
		return nil, fmt.Errorf("a number has more than %d digits", mostDigits)
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return nil, fmt.Errorf("%s is not a number", s)
	}
	return n, nil
}

// MarshalJSON writes a lone text as a string, an image as {"image": path}, and
// several parts as an array of both. An image without a path is written as a data URI in its
// place.
func (m Message) MarshalJSON() ([]byte, error) {
	type message struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	}
	out := message{Role: m.Role}
	if len(m.Content) == 1 && m.Content[0].Image == nil {
		out.Content = m.Content[0].Text
	} else {
		parts := make([]any, len(m.Content))
		for i, p := range m.Content {
			if p.Image != nil {
				parts[i] = map[string]string{"image": p.Image.reference()}
			} else {
				parts[i] = p.Text
			}
		}
		out.Content = parts
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// UnmarshalJSON reads what MarshalJSON writes. The bytes of an image with a path are not read:
// the caller knows the folder of the path.
func (m *Message) UnmarshalJSON(data []byte) error {
	var in struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil && err != io.EOF {
		return err
	}
	m.Role, m.Content = in.Role, nil
	var text string
	if json.Unmarshal(in.Content, &text) == nil {
		m.Content = []Part{{Text: text}}
		return nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(in.Content, &parts); err != nil {
		return fmt.Errorf("content must be a string, or an array of strings and {\"image\": path}")
	}
	for i, raw := range parts {
		var image struct {
			Image string `json:"image"`
		}
		switch {
		case json.Unmarshal(raw, &text) == nil:
			m.Content = append(m.Content, Part{Text: text})
		case json.Unmarshal(raw, &image) == nil && image.Image != "":
			img, err := referredImage(image.Image)
			if err != nil {
				return fmt.Errorf("content part %d: %w", i, err)
			}
			m.Content = append(m.Content, Part{Image: img})
		default:
			return fmt.Errorf("content part %d must be a string or {\"image\": path}", i)
		}
	}
	return nil
}
