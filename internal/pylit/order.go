package pylit

import (
	"cmp"
	"math"
	"math/big"
	"strings"
)

// Order orders any two values: -1, 0 or 1. Where Python's < and > order them it does
// as they do: strings by code point, numbers by exact value, lists item by item.
// Where Python refuses, a NaN comes after all numbers, other types by themselves,
// and two sets, dicts or complex numbers count as equal.
func Order(a, b Value) int {
	switch {
	case isReal(a) && isReal(b):
		if c, ok := compareReal(a, b); ok {
			return c
		}
		return cmp.Compare(bit(isNaN(a)), bit(isNaN(b)))
	case isReal(a) != isReal(b):
		return cmp.Compare(bit(isReal(b)), bit(isReal(a)))
	case a.kind != b.kind:
		return cmp.Compare(a.kind, b.kind)
	}
	switch a.kind {
	case Str, Bytes:
		return strings.Compare(a.text, b.text)
	case List, Tuple:
		x, y := a.Items(), b.Items()
		for i := range min(len(x), len(y)) {
			if c := Order(x[i], y[i]); c != 0 {
				return c
			}
		}
		return cmp.Compare(len(x), len(y))
	}
	return 0
}

func isReal(v Value) bool { return v.kind >= Bool && v.kind <= Float }

func isNaN(v Value) bool { return v.kind == Float && math.IsNaN(v.Float64()) }

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareReal orders bools, ints and floats by exact value; false for a NaN.
func compareReal(a, b Value) (int, bool) {
	switch {
	case a.kind == Float && b.kind == Float:
		x, y := a.Float64(), b.Float64()
		return cmp.Compare(x, y), x == x && y == y
	case a.kind == Float:
		c, ok := compareReal(b, a)
		return -c, ok
	case b.kind == Float:
		return compareIntFloat(a, b.Float64())
	case a.more == nil && b.more == nil:
		return cmp.Compare(int64(a.num), int64(b.num)), true
	}
	return a.Big().Cmp(b.Big()), true
}

func compareIntFloat(a Value, f float64) (int, bool) {
	switch {
	case math.IsNaN(f):
		return 0, false
	case math.IsInf(f, 1):
		return -1, true
	case math.IsInf(f, -1):
		return 1, true
	}
	if n, ok := a.Int64(); ok && n>>53 == n>>63 { // a float64 holds n exactly
		return cmp.Compare(float64(n), f), true
	}
	return new(big.Float).SetInt(a.Big()).Cmp(big.NewFloat(f)), true
}
