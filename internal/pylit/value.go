package pylit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"
)

// A Kind is a type of Python's.
type Kind uint8

// The kinds that literals can have.
const (
	None Kind = iota
	Bool
	Int
	Float
	Complex
	Str
	Bytes
	Ellipsis
	Tuple
	List
	Set
	Dict
)

// String returns Python's name of the type: "int", "str", "NoneType".
func (k Kind) String() string {
	return [...]string{"NoneType", "bool", "int", "float", "complex", "str", "bytes",
		"ellipsis", "tuple", "list", "set", "dict"}[k]
}

// A Value is one Python value. The zero Value is Python's None. Values are read only: the results of
// Items and Big are shared with the Value and must not be changed.
type Value struct {
	kind Kind
	num  uint64 // Bool: 0 or 1; Int: the int64, when more is nil; Float: its bits
	text string // Str: WTF-8; Bytes: the bytes
	more *more  // what few values need, so that a Value has only 40 bytes
}

// more holds the parts of a Value that most numbers and strings do not need.
type more struct {
	items []Value  // Tuple, List, Set; Dict: key, value, key, value…
	big   *big.Int // Int beyond int64
	cplx  complex128
}

// MakeInt returns the int n.
func MakeInt(n int64) Value { return Value{kind: Int, num: uint64(n)} }

// MakeBig returns the int n, which the Value keeps.
func MakeBig(n *big.Int) Value {
	if n.IsInt64() {
		return MakeInt(n.Int64())
	}
	return Value{kind: Int, more: &more{big: n}}
}

// MakeFloat returns the float f.
func MakeFloat(f float64) Value { return Value{kind: Float, num: math.Float64bits(f)} }

// MakeBool returns True or False.
func MakeBool(b bool) Value {
	if b {
		return Value{kind: Bool, num: 1}
	}
	return Value{kind: Bool}
}

// MakeStr returns the string s.
func MakeStr(s string) Value { return Value{kind: Str, text: s} }

// MakeList returns the list of the items, which the Value keeps.
func MakeList(items []Value) Value { return container(List, items) }

func makeComplex(c complex128) Value { return Value{kind: Complex, more: &more{cplx: c}} }

// container returns a value that keeps items; an empty one needs no memory.
func container(k Kind, items []Value) Value {
	if len(items) == 0 {
		return Value{kind: k}
	}
	return Value{kind: k, more: &more{items: items}}
}

// Kind returns the type of v.
func (v Value) Kind() Kind { return v.kind }

// IsTrue returns the value of a Bool.
func (v Value) isTrue() bool { return v.num == 1 }

// Int64 returns the value of an Int, or false where it is beyond int64.
func (v Value) Int64() (int64, bool) { return int64(v.num), v.more == nil }

// Float64 returns the value of a Float.
func (v Value) Float64() float64 { return math.Float64frombits(v.num) }

// Text returns the value of a Str, or the bytes of a Bytes.
func (v Value) Text() string { return v.text }

// Items returns the elements of a Tuple, List or Set in order of writing, each of
// a Set once; of a Dict, key and value in turn. Other kinds have none.
func (v Value) Items() []Value {
	if v.more == nil {
		return nil
	}
	return v.more.items
}

// Big returns the value of an Int of any size.
func (v Value) Big() *big.Int {
	if v.more != nil {
		return v.more.big
	}
	return big.NewInt(int64(v.num))
}

func (v Value) complex() complex128 { return v.more.cplx }

// Len returns Python's len(v), or false for what has none.
func (v Value) Len() (int, bool) {
	switch v.kind {
	case Str:
		return codePoints(v.text), true
	case Bytes:
		return len(v.text), true
	case Tuple, List, Set:
		return len(v.Items()), true
	case Dict:
		return len(v.Items()) / 2, true
	}
	return 0, false
}

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

// From returns the Value of an element of an answer's list: int64, *big.Int,
// float64, string, bool, nil or []any of these; a Value is returned as it is, and
// an int is taken for an int64. Anything else is an error.
func From(x any) (Value, error) {
	switch x := x.(type) {
	case nil:
		return Value{}, nil
	case Value:
		return x, nil
	case int:
		return MakeInt(int64(x)), nil
	case int64:
		return MakeInt(x), nil
	case *big.Int:
		return MakeBig(x), nil
	case float64:
		return MakeFloat(x), nil
	case string:
		return MakeStr(x), nil
	case bool:
		return MakeBool(x), nil
	case []any:
		items, err := FromList(x)
		return MakeList(items), err
	}
	return Value{}, fmt.Errorf("a Python literal cannot be a %T", x)
}

// FromList returns the Values of a list's elements, by the rules of From.
func FromList(list []any) ([]Value, error) {
	items := make([]Value, len(list))
	for i, x := range list {
		v, err := From(x)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		items[i] = v
	}
	return items, nil
}

// Any returns v as an element of an answer's list. It is false if v is or has in it
// what such a list cannot have: complex numbers, bytes, tuples, sets, dicts, the ellipsis.
func (v Value) Any() (any, bool) {
	switch v.kind {
	case None:
		return nil, true
	case Bool:
		return v.isTrue(), true
	case Int:
		if n, ok := v.Int64(); ok {
			return n, true
		}
		return v.Big(), true
	case Float:
		return v.Float64(), true
	case Str:
		return v.text, true
	case List:
		list := make([]any, len(v.Items()))
		for i, item := range v.Items() {
			x, ok := item.Any()
			if !ok {
				return nil, false
			}
			list[i] = x
		}
		return list, true
	}
	return nil, false
}

// The first bytes of keys, in the order of the values. Zero ends lists.
const (
	keyNone byte = 1 + iota
	keyNegativeInfinity
	keyNegative
	keyZero
	keyPositive
	keyInfinity
	keyNaN
	keyComplex
	keyStr
	keyBytes
	keyEllipsis
	keyTuple
	keyList
	keySet
	keyDict
)

// AppendKey appends a key of the value. Two values have the same key
// if and only if they are equal in Python, as 1, 1.0 and True are. If Python
// orders two values, their keys have the same order as bytes: numbers by exact value,
// strings by code point, lists item by item. Keys make the order total: a NaN
// equals itself and comes after all numbers, and other types come one after the other.
func AppendKey(dst []byte, v Value) []byte {
	switch v.kind {
	case None:
		return append(dst, keyNone)
	case Bool, Int:
		return appendIntKey(dst, v)
	case Float:
		return appendFloatKey(dst, v.Float64())
	case Complex:
		if imag(v.complex()) == 0 {
			return appendFloatKey(dst, real(v.complex()))
		}
		dst = appendFloatKey(append(dst, keyComplex), real(v.complex()))
		return appendFloatKey(dst, imag(v.complex()))
	case Str:
		return appendTextKey(append(dst, keyStr), v.text)
	case Bytes:
		return appendTextKey(append(dst, keyBytes), v.text)
	case Ellipsis:
		return append(dst, keyEllipsis)
	case Tuple:
		dst = append(dst, keyTuple)
	case List:
		dst = append(dst, keyList)
	case Set:
		return appendSortedKeys(append(dst, keySet), v.Items(), 1)
	case Dict:
		return appendSortedKeys(append(dst, keyDict), v.Items(), 2)
	}
	for _, item := range v.Items() {
		dst = AppendKey(dst, item)
	}
	return append(dst, 0)
}

// appendSortedKeys appends the keys of a set's members, or of a dict's pairs with width 2, in sorted order.
func appendSortedKeys(dst []byte, items []Value, width int) []byte {
	var keys []string
	for chunk := range slices.Chunk(items, width) {
		var k []byte
		for _, item := range chunk {
			k = AppendKey(k, item)
		}
		keys = append(keys, string(k))
	}
	slices.Sort(keys)
	return append(append(dst, strings.Join(keys, "")...), 0)
}

// appendTextKey appends a text that keeps its order and shows its end:
// zero bytes become 0 255, and 0 1 is the end.
func appendTextKey(dst []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, 0)
		if i < 0 {
			break
		}
		dst = append(append(dst, s[:i]...), 0, 0xff)
		s = s[i+1:]
	}
	return append(append(dst, s...), 0, 1)
}

func appendFloatKey(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, keyNaN)
	case f > math.MaxFloat64:
		return append(dst, keyInfinity)
	case f < -math.MaxFloat64:
		return append(dst, keyNegativeInfinity)
	case f == 0:
		return append(dst, keyZero)
	}
	mantissa, exp := math.Frexp(math.Abs(f))
	return appendNumberKey(dst, f < 0, exp, uint64(math.Ldexp(mantissa, 64)), nil)
}

func appendIntKey(dst []byte, v Value) []byte {
	if v.more != nil {
		return appendBigKey(dst, v.more.big)
	}
	n := int64(v.num)
	if n == 0 {
		return append(dst, keyZero)
	}
	size := uint64(n)
	if n < 0 {
		size = -size
	}
	shift := bits.LeadingZeros64(size)
	return appendNumberKey(dst, n < 0, 64-shift, size<<shift, nil)
}

func appendBigKey(dst []byte, n *big.Int) []byte {
	length := n.BitLen()
	size := new(big.Int).Abs(n)
	if rest := length % 8; rest > 0 { // the highest bit to the front of a byte
		size.Lsh(size, uint(8-rest))
	}
	bytes := []byte(strings.TrimRight(string(size.Bytes()), "\x00"))
	for len(bytes)%8 != 0 || len(bytes) == 0 {
		bytes = append(bytes, 0)
	}
	return appendNumberKey(dst, n.Sign() < 0, length, binary.BigEndian.Uint64(bytes), bytes[8:])
}

// appendNumberKey appends the key of the number 0.mantissa·2^exp. The
// first binary digit of the mantissa is 1. head has its first 64 digits, and tail the others in groups
// of 64, up to the last one that is not 0. The key of a
// negative number is that of the positive one with all bits inverted.
func appendNumberKey(dst []byte, negative bool, exp int, head uint64, tail []byte) []byte {
	start := len(dst)
	dst = append(dst, keyPositive)
	dst = binary.BigEndian.AppendUint32(dst, uint32(exp)+1<<31)
	dst = binary.BigEndian.AppendUint64(dst, head)
	for group := range slices.Chunk(tail, 8) {
		dst = append(append(dst, 1), group...)
	}
	dst = append(dst, 0)
	if negative {
		for i := range dst[start:] {
			dst[start+i] ^= 0xff
		}
		dst[start] = keyNegative
	}
	return dst
}
