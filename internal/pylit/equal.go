package pylit

import (
	"bytes"
	"math"
	"slices"
)

// Equal reports whether a == b in Python. Numbers of different types are equal if their exact values are:
// 1 == 1.0 == True. The order of sets and dicts does not count.
func Equal(a, b Value) bool {
	if a.kind == b.kind {
		switch a.kind {
		case None, Ellipsis:
			return true
		case Bool:
			return a.num == b.num
		case Int:
			if a.more == nil && b.more == nil {
				return a.num == b.num
			}
		case Float:
			return a.Float64() == b.Float64()
		case Str, Bytes:
			return a.text == b.text
		case Tuple, List:
			return slices.EqualFunc(a.Items(), b.Items(), Equal)
		}
	}
	if nan(a) || nan(b) {
		return false
	}
	if a.kind == Float {
		a, b = b, a
	}
	if f := b.Float64(); b.kind == Float && (a.kind == Int || a.kind == Bool) && a.more == nil && math.Abs(f) < 1<<53 {
		return f == math.Trunc(f) && int64(f) == int64(a.num)
	}
	return bytes.Equal(AppendKey(nil, a), AppendKey(nil, b))
}

func nan(v Value) bool { return v.kind == Float && math.IsNaN(v.Float64()) }

// Same reports whether a and b are equal and have the same types throughout: 1 and
// 1.0 are equal but not the same. 0.0 and -0.0 are the same.
func Same(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	if a.kind == Tuple || a.kind == List {
		return slices.EqualFunc(a.Items(), b.Items(), Same)
	}
	return Equal(a, b)
}
