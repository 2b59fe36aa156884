package grade

import (
	"math"
	"strconv"
	"unicode/utf8"

	"verbatim"
)

// appendGrade appends g as JSON, with the keys of verbatim.Grade in their order.
// It says the same as json.Marshal in a tenth of the time: in the filter, writing
// the grade would otherwise cost more than finding it.
func appendGrade(dst []byte, g *verbatim.Grade) []byte {
	dst = appendString(append(dst, `{"outcome":`...), string(g.Outcome))
	dst = appendString(append(dst, `,"label":`...), g.Label)
	if g.Detail != "" {
		dst = appendString(append(dst, `,"detail":`...), g.Detail)
	}
	dst = strconv.AppendBool(append(dst, `,"strict":`...), g.Strict)
	dst = strconv.AppendBool(append(dst, `,"payload":`...), g.Payload)
	dst = append(dst, `,"score":`...)
	if g.Score == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendNumber(dst, *g.Score)
	}
	if g.Repair != "" {
		dst = appendString(append(dst, `,"repair":`...), g.Repair)
	}
	for i, flag := range g.Flags {
		if i == 0 {
			dst = append(dst, `,"flags":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = appendString(dst, flag)
	}
	if len(g.Flags) > 0 {
		dst = append(dst, ']')
	}
	if len(g.Measures) > 0 {
		dst = appendMeasures(append(dst, `,"measures":`...), g.Measures)
	}
	return append(appendString(append(dst, `,"grader":`...), g.Grader), '}')
}

// appendMeasures appends m, sorted by name.
func appendMeasures(dst []byte, m map[string]float64) []byte {
	type measure struct {
		name  string
		value float64
	}
	var room [32]measure // so that the usual ones need no memory of their own
	sorted := room[:0]
	for name, value := range m {
		i := len(sorted)
		sorted = append(sorted, measure{})
		for i > 0 && name < sorted[i-1].name {
			sorted[i] = sorted[i-1]
			i--
		}
		sorted[i] = measure{name, value}
	}
	dst = append(dst, '{')
	for i, x := range sorted {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendNumber(append(appendString(dst, x.name), ':'), x.value)
	}
	return append(dst, '}')
}

// appendNumber appends f, which is finite.
func appendNumber(dst []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

// appendString appends s as a JSON string; bytes that are not UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0 // where the stretch begins that can be taken as it is
	for i, r := range s {
		if r >= ' ' && r != '"' && r != '\\' && r != 0x7f && r != 0x2028 && r != 0x2029 && r != utf8.RuneError {
			continue
		}
		dst = append(dst, s[plain:i]...)
		_, size := utf8.DecodeRuneInString(s[i:])
		plain = i + size
		switch r {
		case '"', '\\':
			dst = append(dst, '\\', byte(r))
		default:
			dst = append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		}
	}
	return append(append(dst, s[plain:]...), '"')
}
