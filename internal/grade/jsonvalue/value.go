package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"verbatim/internal/rawjson"
)

// A value is a JSON value with all that its text says: the order of keys, keys that stand
// there twice, and numbers as they are written.
type value struct {
	kind    kind
	text    string   // of a string, decoded; of a number as it is written
	members []member // of an object or an array, whose keys are empty
}

type member struct {
	key string
	value
}

type kind byte

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

func (k kind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "an array", "an object"}[k]
}

// mostDepth bounds how deep a value is nested: reading one takes a call for each level.
const mostDepth = 1000

var errTwoValues = errors.New("there is more than one value")

// parse reads a text that is one JSON value and nothing else but white space.
func parse(s string) (value, error) {
	v, n, err := prefix([]byte(s))
	if err == nil && strings.TrimLeft(s[n:], " \t\r\n") != "" {
		err = errTwoValues
	}
	return v, err
}

// prefix reads the JSON value that a text begins with and returns where it ends. Without one
// the error is a *rawjson.SyntaxError.
func prefix(s []byte) (v value, end int, err error) {
	if end, err = rawjson.Prefix(s, mostDepth); err != nil {
		return v, 0, err
	}
	dec := json.NewDecoder(bytes.NewReader(s[:end]))
	dec.UseNumber()
	v, err = next(dec)
	return v, end, err
}

// endsEarly reports whether a text of size bytes is the beginning of a value.
func endsEarly(err error, size int) bool {
	var syntax *rawjson.SyntaxError
	return errors.As(err, &syntax) && syntax.Offset >= size
}

// next reads a value that is known to be JSON.
func next(dec *json.Decoder) (value, error) {
	t, err := dec.Token()
	if err != nil {
		return value{}, err
	}
	switch t := t.(type) {
	case json.Delim:
		return compound(dec, t)
	case string:
		return value{kind: text, text: t}, nil
	case json.Number:
		return value{kind: number, text: t.String()}, nil
	case bool:
		return value{kind: boolean, text: strconv.FormatBool(t)}, nil
	}
	return value{kind: null}, nil
}

// compound reads an object or an array behind its first bracket.
func compound(dec *json.Decoder, open json.Delim) (value, error) {
	v := value{kind: array}
	if open == '{' {
		v.kind = object
	}
	for dec.More() {
		var m member
		if v.kind == object {
			t, err := dec.Token()
			if err != nil {
				return v, err
			}
			m.key, _ = t.(string)
		}
		var err error
		if m.value, err = next(dec); err != nil {
			return v, err
		}
		v.members = append(v.members, m)
	}
	_, err := dec.Token()
	return v, err
}

// find returns the last complete value of the kind of the wanted one in a text that holds
// more than that, and where it stands. Most tries are bounded, so that a text of brackets
// takes no longer than others.
func find(s string, want kind) (v value, start, end int, ok bool) {
	opening := map[kind]byte{object: '{', array: '['}[want]
	if opening == 0 {
		return value{}, 0, 0, false
	}
	const most = 32 // starts of values that are none
	all := []byte(s)
	for at, failed := 0, 0; failed < most; {
		i := strings.IndexByte(s[at:], opening)
		if i < 0 {
			break
		}
		at += i
		found, n, err := prefix(all[at:])
		if endsEarly(err, len(all)-at) {
			break // what follows is inside of it
		}
		if err != nil {
			failed++
			at++
			continue
		}
		v, start, end, ok = found, at, at+n, true
		at += n
	}
	return v, start, end, ok
}

// sameNumber reports whether two JSON numbers have one value. It works on the digits, so
// that an exponent of a billion costs nothing.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := scientific(a)
	y, okY := scientific(b)
	return okX && okY && x == y
}

// A decimal is sign, digits without zeros at either end, and the exponent of the point
// before the first digit.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// scientific normalizes a JSON number; false where its exponent is beyond int64.
func scientific(s string) (decimal, bool) {
	var d decimal
	s, d.negative = strings.CutPrefix(s, "-")
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	if exponent != "" {
		n, err := strconv.ParseInt(exponent, 10, 62)
		if err != nil {
			return d, false
		}
		d.exponent = n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	d.exponent += int64(len(whole) - (len(whole) + len(fraction) - len(digits)))
	if d.digits = strings.TrimRight(digits, "0"); d.digits == "" {
		return decimal{}, true // zero, of either sign
	}
	return d, true
}
