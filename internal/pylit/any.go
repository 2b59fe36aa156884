package pylit

import (
	"fmt"
	"math/big"
)

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
