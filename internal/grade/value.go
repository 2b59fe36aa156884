package grade

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim/internal/rawjson"
)

// A value is a JSON value as it is written: with the order of its keys, keys that are
// there twice, and the form of its numbers.
type value struct {
	kind    jsonKind
	text    string   // of a string, decoded; of a number as it is written
	members []member // of an object or an array, whose keys are empty
}

type member struct {
	key string
	value
}

type jsonKind byte

const (
	null jsonKind = iota
	boolean
	jsonNumber
	text
	array
	object
)

func (k jsonKind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "an array", "an object"}[k]
}

// mostDepth bounds the nesting of values: reading one takes a call for each level.
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
	r := reader{s: s[:end]}
	return r.next(), end, nil
}

// endsEarly reports whether err says that a text of size bytes is only the beginning of a value.
func endsEarly(err error, size int) bool {
	var syntax *rawjson.SyntaxError
	return errors.As(err, &syntax) && syntax.Offset >= size
}

// A reader reads a text that is known to be JSON.
type reader struct {
	s  []byte
	at int
}

// next reads a value.
func (r *reader) next() value {
	switch r.skip(); r.s[r.at] {
	case '{':
		return r.compound(object, '}')
	case '[':
		return r.compound(array, ']')
	case '"':
		return value{kind: text, text: r.string()}
	case 't':
		return r.word(boolean, "true")
	case 'f':
		return r.word(boolean, "false")
	case 'n':
		v := r.word(null, "null")
		v.text = ""
		return v
	}
	from := r.at
	for r.at < len(r.s) && strings.IndexByte("+-.0123456789Ee", r.s[r.at]) >= 0 {
		r.at++
	}
	return value{kind: jsonNumber, text: string(r.s[from:r.at])}
}

func (r *reader) word(k jsonKind, text string) value {
	r.at += len(text)
	return value{kind: k, text: text}
}

// skip passes over white space.
func (r *reader) skip() {
	for r.at < len(r.s) && strings.IndexByte(" \t\r\n", r.s[r.at]) >= 0 {
		r.at++
	}
}

// string reads a string and decodes it.
func (r *reader) string() string {
	from := r.at
	for r.at++; r.s[r.at] != '"'; r.at++ {
		if r.s[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
	raw := r.s[from:r.at]
	if utf8.Valid(raw) && !bytes.Contains(raw, []byte(`\u`)) {
		t, _ := rawjson.Text(raw)
		return t
	}
	var t string // what is not valid becomes replacement characters
	_ = json.Unmarshal(raw, &t)
	return t
}

// compound reads an object or an array.
func (r *reader) compound(k jsonKind, end byte) value {
	v := value{kind: k}
	r.at++
	for r.skip(); r.s[r.at] != end; r.skip() {
		if r.s[r.at] == ',' {
			r.at++
			r.skip()
		}
		var m member
		if k == object {
			m.key = r.string()
			r.skip()
			r.at++ // the colon
		}
		m.value = r.next()
		v.members = append(v.members, m)
	}
	r.at++
	return v
}

// find returns the last complete object or array in a text, and its place. The kind says which of both is
// expected; of other kinds it finds none. The number of failures is bounded, so that a text of brackets
// takes no longer than others.
func find(s string, want jsonKind) (v value, start, end int, ok bool) {
	opening := map[jsonKind]byte{object: '{', array: '['}[want]
	if opening == 0 {
		return value{}, 0, 0, false
	}
	const most = 32 // opening brackets at which no value begins
	all := []byte(s)
	for at, failed := 0, 0; failed < most; {
		i := strings.IndexByte(s[at:], opening)
		if i < 0 {
			break
		}
		at += i
		n, err := rawjson.Prefix(all[at:], mostDepth)
		if endsEarly(err, len(all)-at) {
			break // all that follows is inside this value
		}
		if err != nil {
			failed++
			at++
			continue
		}
		start, end, ok = at, at+n, true
		at += n
	}
	if ok {
		r := reader{s: all[start:end]}
		v = r.next()
	}
	return v, start, end, ok
}

// sameJSONNumber reports whether two JSON numbers have the same value. It compares digits, so
// that a large exponent costs nothing.
func sameJSONNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := scientific(a)
	y, okY := scientific(b)
	return okX && okY && x == y
}

// A decimal is the number 0.digits·10^exponent. The digits have no zeros at either end.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// scientific normalizes a JSON number; false if its exponent is too large.
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
