package pylit

import (
	"math"
	"math/big"
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
