package verbatim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// An Answer is the right answer to an item, or the input of its question: a List if that is not
// nil, otherwise a Text.
//
// The elements of List are int64, *big.Int (only beyond the range of int64), float64, string, bool,
// nil or []any of these: the values that Python prints as literals and JSON can hold without loss. In
// JSON an Answer is a string or an array. A number with a point or an exponent is a float64, so 1.0
// and 1 are different.
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
		return marshalReadable(a.Text)
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

// marshalReadable writes v as JSON without escaping <, > and &, so that people can read it.
func marshalReadable(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// appendJSON appends an element of Answer.List, or the list, as JSON.
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
		b, err := marshalReadable(v)
		return append(dst, b...), err
	case bool:
		return strconv.AppendBool(dst, v), nil
	case nil:
		return append(dst, "null"...), nil
	}
	return nil, fmt.Errorf("a list cannot hold a %T", v)
}

// fromJSON returns the element of Answer.List for a decoded JSON value, whose numbers are json.Number.
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

// maxDigits bounds whole numbers: the time to convert one grows faster than the number of its digits.
const maxDigits = 100_000

// number returns the element of Answer.List for a JSON number.
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
	if len(s) > maxDigits {
		return nil, fmt.Errorf("a number has more than %d digits", maxDigits)
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return nil, fmt.Errorf("%s is not a number", s)
	}
	return n, nil
}
