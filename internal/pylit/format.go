package pylit

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"verbatim"
)

// String returns Python's repr of v.
func (v Value) String() string {
	const item = 16 // bytes for an item with its separator
	return string(v.Append(make([]byte, 0, item*(1+len(v.Items())))))
}

// Answer returns an answer as a model writes it: the text, or the list as Python prints it.
func Answer(a verbatim.Answer) string {
	if a.IsList() {
		return Format(a.List)
	}
	return a.Text
}

// Format returns Python's repr of v: a Value, or what From takes. For a list, it is
// what str(list) prints, which is the form of lists in SortBench. Floats have the fewest
// digits that read back as the same float64, with an exponent below 1e-4 and from
// 1e16 on. Strings are in single quotes, or in double ones if they have single and no double ones.
//
// Which characters are printable, and so not escaped, follows the Unicode tables of the
// Go standard library (version unicode.Version). Python 3.11 has Unicode 14.0 and
// escapes later characters.
//
// Format panics on a type that From refuses. Lists are checked when they are read.
func Format(v any) string { return string(Append(nil, v)) }

// Append appends Format(v) to dst.
func Append(dst []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendQuoted(dst, v)
	case []any:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = Append(dst, x)
		}
		return append(dst, ']')
	}
	x, err := From(v)
	if err != nil {
		panic(fmt.Sprintf("pylit: %v", err))
	}
	return x.Append(dst)
}

// Append appends Python's repr of v to dst.
func (v Value) Append(dst []byte) []byte {
	switch v.kind {
	case None:
		return append(dst, "None"...)
	case Bool:
		if v.isTrue() {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case Int:
		return appendInt(dst, v)
	case Float:
		return appendFloat(dst, v.Float64(), true)
	case Complex:
		return appendComplex(dst, v.complex())
	case Str:
		return appendQuoted(dst, v.text)
	case Bytes:
		return appendBytes(dst, v.text)
	case Ellipsis:
		return append(dst, "Ellipsis"...)
	}
	return appendContainer(dst, v)
}

func appendInt(dst []byte, v Value) []byte {
	if n, ok := v.Int64(); ok {
		return strconv.AppendInt(dst, n, 10)
	}
	return v.Big().Append(dst, 10)
}

func appendContainer(dst []byte, v Value) []byte {
	items := v.Items()
	if v.kind == Set && len(items) == 0 {
		return append(dst, "set()"...)
	}
	brackets := [...]string{Tuple: "()", List: "[]", Set: "{}", Dict: "{}"}[v.kind]
	dst = append(dst, brackets[0])
	for i, item := range items {
		switch {
		case v.kind == Dict && i%2 == 1:
			dst = append(dst, ": "...)
		case i > 0:
			dst = append(dst, ", "...)
		}
		dst = item.Append(dst)
	}
	if v.kind == Tuple && len(items) == 1 {
		dst = append(dst, ',')
	}
	return append(dst, brackets[1])
}

// appendFloat appends the repr of f; with point, an integral value gets ".0".
func appendFloat(dst []byte, f float64, point bool) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if point && f == math.Trunc(f) {
		dst = append(dst, ".0"...)
	}
	return dst
}

func appendComplex(dst []byte, c complex128) []byte {
	re, im := real(c), imag(c)
	if re == 0 && !math.Signbit(re) {
		return append(appendFloat(dst, im, false), 'j')
	}
	dst = appendFloat(append(dst, '('), re, false)
	if !math.Signbit(im) {
		dst = append(dst, '+')
	}
	return append(appendFloat(dst, im, false), "j)"...)
}

// quote chooses between ' and " as Python does.
func quote(s string) byte {
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		return '"'
	}
	return '\''
}

func appendQuoted(dst []byte, s string) []byte {
	q := quote(s)
	dst = append(dst, q)
	for i := 0; i < len(s); {
		if n := plainLen(s[i:], q); n > 0 {
			dst = append(dst, s[i:i+n]...)
			i += n
			continue
		}
		if c := s[i]; c < 0x80 {
			dst = appendASCII(dst, c, q)
			i++
			continue
		}
		r, n := codePoint(s[i:])
		switch {
		case unicode.IsPrint(r):
			dst = append(dst, s[i:i+n]...)
		case r <= 0xff:
			dst = appendHex(append(dst, '\\', 'x'), r, 2)
		case r <= 0xffff:
			dst = appendHex(append(dst, '\\', 'u'), r, 4)
		default:
			dst = appendHex(append(dst, '\\', 'U'), r, 8)
		}
		i += n
	}
	return append(dst, q)
}

// plainLen returns the length of the start of s that needs no escapes.
func plainLen(s string, quote byte) int {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == quote || c == '\\' {
			return i
		}
	}
	return len(s)
}

func appendBytes(dst []byte, s string) []byte {
	q := quote(s)
	dst = append(dst, 'b', q)
	for i := 0; i < len(s); i++ {
		if s[i] < 0x80 {
			dst = appendASCII(dst, s[i], q)
		} else {
			dst = appendHex(append(dst, '\\', 'x'), rune(s[i]), 2)
		}
	}
	return append(dst, q)
}

func appendASCII(dst []byte, c, quote byte) []byte {
	switch c {
	case quote, '\\':
		return append(dst, '\\', c)
	case '\t':
		return append(dst, '\\', 't')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	}
	if c < ' ' || c == 0x7f {
		return appendHex(append(dst, '\\', 'x'), rune(c), 2)
	}
	return append(dst, c)
}

func appendHex(dst []byte, r rune, digits int) []byte {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[r>>shift&0xf])
	}
	return dst
}

// maxIntDigits is the greatest number of decimal digits of an int that Python converts from or to a str.
const maxIntDigits = 4300

// printsTooLong reports whether Python refuses to print v because an int in it has
// too many digits.
func printsTooLong(v Value) bool {
	if slices.ContainsFunc(v.Items(), printsTooLong) {
		return true
	}
	if v.kind != Int || v.more == nil {
		return false
	}
	bits := v.more.big.BitLen()
	if bits < 14282 || bits > 14287 { // 10^4300 has 14285 bits
		return bits > 14287
	}
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(maxIntDigits), nil)
	return v.more.big.CmpAbs(limit) >= 0
}
