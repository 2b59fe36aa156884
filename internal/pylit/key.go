package pylit

import (
	"encoding/binary"
	"math"
	"math/big"
)

// A hashKey is the same for two hashable values exactly when Python finds them
// equal, so that a Go map can stand for a Python set or dict.
type hashKey struct {
	kind Kind
	num  uint64
	text string
}

// hashable reports whether Python takes v as a member of a set or a key of a dict.
func hashable(v Value) bool {
	if v.kind == Tuple {
		for _, item := range v.Items() {
			if !hashable(item) {
				return false
			}
		}
	}
	return v.kind < List
}

// key returns the hashKey of a hashable value. Numbers take the first form that
// holds them exactly: int64, then float64, then the big int's own bytes.
func key(v Value) hashKey {
	switch v.kind {
	case Bool:
		return hashKey{kind: Int, num: v.num}
	case Int:
		if v.more == nil {
			return hashKey{kind: Int, num: v.num}
		}
		if f, accuracy := new(big.Float).SetInt(v.more.big).Float64(); accuracy == big.Exact {
			return floatKey(f)
		}
		return hashKey{kind: Int, num: uint64(v.more.big.Sign()), text: string(v.more.big.Bytes())}
	case Float:
		return floatKey(v.Float64())
	case Complex:
		if imag(v.complex()) == 0 {
			return floatKey(real(v.complex()))
		}
		// The real part of a literal is 0 or -0, which are equal.
		return hashKey{kind: Complex, num: math.Float64bits(imag(v.complex()))}
	case Tuple:
		return hashKey{kind: Tuple, text: string(appendKey(nil, v))}
	}
	return hashKey{kind: v.kind, num: v.num, text: v.text}
}

func floatKey(f float64) hashKey {
	if f >= -1<<63 && f < 1<<63 && f == math.Trunc(f) {
		return hashKey{kind: Int, num: uint64(int64(f))}
	}
	return hashKey{kind: Float, num: math.Float64bits(f)}
}

// appendKey writes what tells v from every unequal value. It writes tuples in
// tuples into the same bytes: keys of keys would be copied at every level.
func appendKey(dst []byte, v Value) []byte {
	if v.kind == Tuple {
		dst = append(dst, byte(Tuple))
		dst = binary.AppendUvarint(dst, uint64(len(v.Items())))
		for _, item := range v.Items() {
			dst = appendKey(dst, item)
		}
		return dst
	}
	k := key(v)
	dst = append(dst, byte(k.kind))
	dst = binary.LittleEndian.AppendUint64(dst, k.num)
	dst = binary.AppendUvarint(dst, uint64(len(k.text)))
	return append(dst, k.text...)
}
