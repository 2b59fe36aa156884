package pylit

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"
)

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
