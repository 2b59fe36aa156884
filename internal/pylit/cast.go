package pylit

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cast returns what Python's constructor of the kind makes of v: int(v), float(v),
// str(v), bool(v) or list(v). It is false if Python raises an exception, and for other
// kinds. A value of the kind is returned as it is.
func Cast(v Value, kind Kind) (Value, bool) {
	if v.kind == kind {
		return v, true
	}
	switch kind {
	case Int:
		return toInt(v)
	case Float:
		return toFloat(v)
	case Str:
		if n, ok := v.Int64(); ok && v.kind == Int {
			return MakeStr(strconv.FormatInt(n, 10)), true
		}
		if printsTooLong(v) {
			return Value{}, false
		}
		return MakeStr(v.String()), true
	case Bool:
		return MakeBool(truth(v)), true
	case List:
		return toList(v)
	}
	return Value{}, false
}

// truth returns Python's bool(v).
func truth(v Value) bool {
	switch v.kind {
	case None:
		return false
	case Ellipsis:
		return true
	case Complex:
		return v.complex() != 0
	case Bool, Int:
		return v.num != 0 || v.more != nil
	case Float:
		return v.Float64() != 0
	}
	n, _ := v.Len()
	return n > 0
}

// toInt returns Python's int(v).
func toInt(v Value) (Value, bool) {
	switch v.kind {
	case Bool:
		return MakeInt(int64(v.num)), true
	case Float:
		f := math.Trunc(v.Float64())
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return Value{}, false
		}
		n, _ := big.NewFloat(f).Int(nil)
		return MakeBig(n), true
	case Str, Bytes:
		s, ok := numeral(v)
		if !ok {
			return Value{}, false
		}
		return intOf(s)
	}
	return Value{}, false
}

// intOf converts ASCII digits with an optional sign.
func intOf(s string) (Value, bool) {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" || len(digits) > maxIntDigits || strings.Trim(digits, "0123456789") != "" {
		return Value{}, false
	}
	n, ok := new(big.Int).SetString(s, 10)
	return MakeBig(n), ok
}

// toFloat returns Python's float(v).
func toFloat(v Value) (Value, bool) {
	switch v.kind {
	case Bool:
		return MakeFloat(float64(v.num)), true
	case Int:
		if n, ok := v.Int64(); ok {
			return MakeFloat(float64(n)), true
		}
		f, _ := new(big.Float).SetInt(v.Big()).Float64()
		return MakeFloat(f), !math.IsInf(f, 0)
	case Str, Bytes:
		s, ok := numeral(v)
		if !ok {
			return Value{}, false
		}
		return floatOf(s)
	}
	return Value{}, false
}

// floatOf converts an ASCII number, or nan, inf or infinity in any letter case, with an
// optional sign.
func floatOf(s string) (Value, bool) {
	unsigned := strings.TrimLeft(s, "+-")
	if len(s)-len(unsigned) > 1 {
		return Value{}, false
	}
	switch strings.ToLower(unsigned) {
	case "inf", "infinity":
		if strings.HasPrefix(s, "-") {
			return MakeFloat(math.Inf(-1)), true
		}
		return MakeFloat(math.Inf(1)), true
	case "nan":
		return MakeFloat(math.NaN()), true
	}
	mantissa, exp := unsigned, "0"
	if e := strings.IndexAny(unsigned, "eE"); e >= 0 {
		mantissa, exp = unsigned[:e], unsigned[e+1:]
		if exp != "" && (exp[0] == '+' || exp[0] == '-') {
			exp = exp[1:]
		}
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	if whole+part == "" || exp == "" || strings.Trim(whole+part+exp, "0123456789") != "" {
		return Value{}, false
	}
	return MakeFloat(parseFloat(s)), true
}

// numeral prepares a string as Python's int() and float() do. Decimal digits of
// all scripts become ASCII. Single underscores between digits are removed, and so is
// white space at the ends, apart from the separators U+001C to U+001F, which only str.strip()
// removes.
func numeral(v Value) (string, bool) {
	s := v.text
	if v.kind == Str && !isASCII(s) {
		s = strings.Map(asciiDigit, s)
	}
	s = strings.Trim(s, " \t\n\v\f\r")
	if strings.IndexByte(s, '_') < 0 {
		return s, true
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '_' && (i == 0 || i+1 == len(s) || !isDigit(s[i-1]) || !isDigit(s[i+1])) {
			return "", false
		}
	}
	return strings.ReplaceAll(s, "_", ""), true
}

// asciiDigit maps characters beyond ASCII: white space to a space, decimal digits to ASCII and all others
// to a character that no number has.
func asciiDigit(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case isSpace(r):
		return ' '
	}
	for _, t := range unicode.Nd.R16 {
		if uint16(r) >= t.Lo && rune(t.Hi) >= r {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if uint32(r) >= t.Lo && uint32(r) <= t.Hi {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	return '?'
}

// toList returns Python's list(v).
func toList(v Value) (Value, bool) {
	switch v.kind {
	case Tuple, Set:
		return MakeList(v.Items()), true
	case Dict:
		var keys []Value
		for i := 0; i < len(v.Items()); i += 2 {
			keys = append(keys, v.Items()[i])
		}
		return MakeList(keys), true
	case Bytes:
		var items []Value
		for i := range len(v.text) {
			items = append(items, MakeInt(int64(v.text[i])))
		}
		return MakeList(items), true
	case Str:
		items := make([]Value, 0, codePoints(v.text))
		for s := v.text; s != ""; {
			_, n := codePoint(s)
			items = append(items, MakeStr(s[:n]))
			s = s[n:]
		}
		return MakeList(items), true
	}
	return Value{}, false
}
